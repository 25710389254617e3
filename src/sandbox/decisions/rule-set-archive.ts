// Archive of all rule sets that made decisions, one file each, named by digest, so that stored decisions can be explained.

import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { loadRulesUntested, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { ensureFolder, readWhole, replaceDurably } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";

const FILE = /^([0-9a-f]{64})\.yaml$/;

/** Rule sets in the cache; others are loaded on demand. */
const READY = 4;

export interface RuleSetArchive {
  /** Stores a rule set; null when it is stored already. */
  keep(ruleSet: RuleSet): Promise<void> | null;
  /** @throws Fault `corrupt` when the file is missing or has been changed */
  find(digest: string): Promise<RuleSet>;
}

export async function openRuleSetArchive(dir: string): Promise<RuleSetArchive> {
  await ensureFolder(dir, nodeFileSystem);
  const kept = new Set((await readdir(dir)).map((name) => FILE.exec(name)?.[1]));
  const keeping = new Map<string, Promise<void>>();
  const ready = new Map<string, RuleSet>();
  const pathOf = (digest: string): string => join(dir, `${digest}.yaml`);

  function hold(ruleSet: RuleSet): void {
    ready.delete(ruleSet.hash);
    ready.set(ruleSet.hash, ruleSet);
    if (ready.size > READY) ready.delete(ready.keys().next().value!);
  }

  async function write({ hash: digest, text }: RuleSet): Promise<void> {
    await replaceDurably(pathOf(digest), Buffer.from(text), nodeFileSystem, null);
    kept.add(digest);
  }

  return {
    keep(ruleSet) {
      const { hash: digest } = ruleSet;
      if (!ready.has(digest)) hold(ruleSet);
      if (kept.has(digest)) return null;
      let writing = keeping.get(digest);
      if (writing === undefined) {
        writing = write(ruleSet).finally(() => keeping.delete(digest));
        keeping.set(digest, writing);
      }
      return writing;
    },
    async find(digest) {
      let found = ready.get(digest);
      if (found === undefined) {
        const text = (await readWhole(pathOf(digest), nodeFileSystem))?.toString("utf8") ?? null;
        if (text === null || hash("sha256", text, "hex") !== digest) {
          throw new Fault(
            "corrupt",
            `${escapeText(pathOf(digest))} is not the rule file that decided; put it back to have its decisions explained.`,
          );
        }
        found = await loadRulesUntested(text, `${digest.slice(0, 12)}.yaml`);
      }
      hold(found);
      return found;
    },
  };
}
