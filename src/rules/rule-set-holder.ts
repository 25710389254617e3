// Holds the active rule set and reloads it at run time; an invalid file never replaces a valid one.

import { hash } from "node:crypto";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";

/** Result of the last reload. */
export interface RulesReload {
  /** Real time. */
  readonly at: Milliseconds;
  /** SHA-256 of the loaded text, in hexadecimal. */
  readonly hash: string;
  /** Why it was refused, with line and column; null when it is active. */
  readonly error: Fault | null;
  /** False when the text was active already. */
  readonly changed: boolean;
}

export interface RuleSetHolder {
  /** Read it for each decision. */
  readonly current: RuleSet;
  /** Source of the active rules, e.g. a file's name. */
  readonly sourceName: string;
  /** Null before the first reload. */
  readonly last: RulesReload | null;
  /**
   * Loads a text and runs its embedded tests; it becomes active if it is valid, else the active set stays.
   * Calls are serialised, so that the text of the last call wins.
   * @param sourceName name of the text in messages
   * @param loaded result of an earlier `loadRules`, used if it is of the same text, because a large file takes a second
   * @throws Error only for faults that are not the text's
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
