// Archive of all rule sets that made decisions, named by digest, so that stored decisions can be explained.

import { hash } from "node:crypto";
import { corrupt } from "#src/contract/fault.ts";
import { loadRulesUntested, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import type { Store } from "./store.ts";

const PREFIX = "rules ";

/** Rule sets in the cache; others are loaded on demand. */
const READY = 4;

export type RuleSetArchive = ReturnType<typeof createRuleSetArchive>;

/** Where the texts are. */
export interface RuleSetTexts {
  /** Digests of those that are stored already. */
  readonly kept: Set<string | undefined>;
  read(digest: string): Promise<string | null>;
  write(ruleSet: RuleSet): Promise<unknown>;
  /** For users. */
  place(digest: string): string;
}

/** That of a store; what is kept is written with the decisions of its turn. */
export function ruleSetArchiveOf(store: Store): RuleSetArchive {
  const nameOf = (digest: string): string => PREFIX + digest;
  return createRuleSetArchive({
    kept: new Set(store.names(PREFIX).map((name) => name.slice(PREFIX.length))),
    read: async (digest) => (store.value(nameOf(digest)) as string | undefined) ?? null,
    write: ({ hash: digest, text }) => store.keep(nameOf(digest), text),
    place: (digest) => `${store.path}: ${nameOf(digest)}`,
  });
}

export function createRuleSetArchive({ kept, read, write, place }: RuleSetTexts) {
  const keeping = new Map<string, Promise<void>>();
  const ready = new Map<string, RuleSet>();

  function hold(ruleSet: RuleSet): void {
    ready.delete(ruleSet.hash);
    ready.set(ruleSet.hash, ruleSet);
    if (ready.size > READY) ready.delete(ready.keys().next().value!);
  }

  async function store(ruleSet: RuleSet): Promise<void> {
    await write(ruleSet);
    kept.add(ruleSet.hash);
  }

  return {
    /** Stores a rule set; null when it is stored already. */
    keep(ruleSet: RuleSet): Promise<void> | null {
      const { hash: digest } = ruleSet;
      if (!ready.has(digest)) hold(ruleSet);
      if (kept.has(digest)) return null;
      let writing = keeping.get(digest);
      if (writing === undefined) {
        writing = store(ruleSet).finally(() => keeping.delete(digest));
        keeping.set(digest, writing);
      }
      return writing;
    },
    /** @throws Fault `corrupt` when the file is missing or has been changed */
    async find(digest: string): Promise<RuleSet> {
      let found = ready.get(digest);
      if (found === undefined) {
        const text = await read(digest);
        if (text === null || hash("sha256", text, "hex") !== digest) {
          throw corrupt`${place(digest)} is not the rule file that decided; put it back to have its decisions explained.`;
        }
        found = await loadRulesUntested(text, `${digest.slice(0, 12)}.yaml`);
      }
      hold(found);
      return found;
    },
  };
}
