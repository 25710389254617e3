// The rule set that decides now, and its replacement while the service runs: a wrong file never replaces a right one.

import { hash } from "node:crypto";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";

/** What became of the last attempt to load rules. */
export interface RulesReload {
  /** Real time. */
  readonly at: Milliseconds;
  /** SHA-256 of the text that was tried, in hexadecimal. */
  readonly hash: string;
  /** Why it was refused, with line and column; null when it decides now. */
  readonly error: Fault | null;
  /** False when it was the text that decided already. */
  readonly changed: boolean;
}

export interface RuleSetHolder {
  /** Take it anew for each decision. */
  readonly current: RuleSet;
  /** What the current rules came from, e.g. a file's name. */
  readonly sourceName: string;
  /** Null before the first reload. */
  readonly last: RulesReload | null;
  /**
   * Loads a text, with its embedded tests, and lets it decide when nothing is wrong with it; else the old set stays.
   * Calls take turns, so that the text of the last call decides in the end.
   * @param sourceName what messages call the text
   * @param loaded what `loadRules` made of a text before; taken where it is of this one, because a large file takes a second
   * @throws Error only for what is no fault of the text
   */
  reload(text: string, sourceName: string, loaded?: RuleSet): Promise<RulesReload>;
}

/** @param now real time in ms since the epoch */
export function createRuleSetHolder(
  initial: { readonly ruleSet: RuleSet; readonly sourceName: string },
  now: () => Milliseconds = Date.now,
): RuleSetHolder {
  let current = initial.ruleSet;
  let sourceName = initial.sourceName;
  let last: RulesReload | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  async function load(text: string, name: string, loaded?: RuleSet): Promise<RulesReload> {
    const tried = { at: now(), hash: hash("sha256", text, "hex") };
    if (tried.hash === current.hash) {
      sourceName = name;
      last = { ...tried, error: null, changed: false };
      return last;
    }
    try {
      current = loaded?.hash === tried.hash ? loaded : await loadRules(text, name);
      sourceName = name;
      last = { ...tried, error: null, changed: true };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      last = { ...tried, error, changed: false };
    }
    return last;
  }

  return {
    get current() {
      return current;
    },
    get sourceName() {
      return sourceName;
    },
    get last() {
      return last;
    },
    reload(text, name, loaded) {
      const mine = turn.then(() => load(text, name, loaded));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}
