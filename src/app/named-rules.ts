// Reads the rules that a user names: a file, standard input, the starter rules, or the active rules of the home's sandbox.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { STARTER_NAME } from "#src/contract/records/run.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { sandboxStateDir, type Home } from "./home.ts";

export const STARTER = "starter";
/** The active rules of the home's sandbox: its rule file, else the starter rules. */
export const CURRENT = "current";

export interface RuleText {
  readonly text: string;
  /** Name in messages. */
  readonly name: string;
}

export interface TestedRules extends RuleText {
  readonly ruleSet: RuleSet;
}

/**
 * Reads named rules. A file called `starter` or `current` must be written `./starter`.
 * @param from.stdin for the word `-`
 * @throws Fault("bad_input") for a file that cannot be read
 */
export async function readRuleText(
  from: { readonly home: Home; readonly signal: AbortSignal; readonly stdin?: NodeJS.ReadStream },
  word: string,
): Promise<RuleText> {
  if (word === CURRENT) {
    const file = join(sandboxStateDir(from.home), "rules.yaml");
    if (!existsSync(file)) return starterText();
    return { ...(await readFile(file)), name: "rules.yaml of the sandbox" };
  }
  return word === STARTER ? starterText() : readFile(word);

  async function readFile(path: string): Promise<RuleText> {
    const { readText } = await import("./read-input.ts");
    const name = path === "-" ? "standard input" : escapeText(basename(path));
    return { text: await readText(path, () => from.stdin!, from.signal, "a rule file"), name };
  }
}

/**
 * The same, with their embedded tests run.
 * @param onWrong called with the text of wrong rules before the error is thrown
 * @throws YamlFault with line and column
 */
export async function readTestedRules(
  from: Parameters<typeof readRuleText>[0],
  word: string,
  onWrong?: (text: string, error: unknown) => void,
): Promise<TestedRules> {
  const read = await readRuleText(from, word);
  const { loadRules } = await import("#src/rules/rule-file/rule-file.ts");
  try {
    return { ...read, ruleSet: await loadRules(read.text, read.name) };
  } catch (error) {
    onWrong?.(read.text, error);
    throw error;
  }
}

export async function starterText(): Promise<RuleText> {
  const { default: text } = await import("#src/rules/rule-file/starter-rules.yaml");
  return { text, name: STARTER_NAME };
}
