// Reads the rules that a command names: a file, standard input, the starter rules, or the active rules of the home's sandbox.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import stringWidth from "string-width";
import { sandboxStateDir } from "#src/app/sandbox-launch.ts";
import type { Invocation } from "#src/cli/command.ts";
import { readText } from "#src/cli/read-input.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { YamlFault } from "#src/contract/text/yaml-source.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";

const STARTER = "starter";
/** The active rules of the home's sandbox: its rule file, else the starter rules. */
export const CURRENT = "current";

export interface RuleText {
  readonly text: string;
  /** Name in messages. */
  readonly name: string;
}

/**
 * Reads named rules. A file called `starter` or `current` must be written `./starter`.
 * @throws Fault("bad_input") for a file that cannot be read
 */
export async function readRuleText(
  { home, signal, stdin }: Pick<Invocation, "home" | "signal"> & { readonly stdin: NodeJS.ReadStream },
  word: string,
): Promise<RuleText> {
  if (word === CURRENT) {
    const file = join(sandboxStateDir(home), "rules.yaml");
    if (!existsSync(file)) return starterText();
    return { ...(await readFile(file)), name: "rules.yaml of the sandbox" };
  }
  return word === STARTER ? starterText() : readFile(word);

  async function readFile(path: string): Promise<RuleText> {
    const name = path === "-" ? "standard input" : escapeText(basename(path));
    return { text: await readText(path, () => stdin, signal, "a rule file"), name };
  }
}

export async function starterText(): Promise<RuleText> {
  const { default: text } = await import("#src/rules/rule-file/starter-rules.yaml");
  return { text, name: "starter rules" };
}

/**
 * Loads rules and runs their embedded tests; prints an excerpt of an error before it is rethrown.
 * @throws YamlFault with line and column
 */
export async function loadNamedRules(
  invocation: Invocation,
  word: string,
): Promise<RuleText & { readonly ruleSet: RuleSet }> {
  const { output } = invocation;
  const read = await readRuleText(invocation, word);
  try {
    return { ...read, ruleSet: await loadRules(read.text, read.name) };
  } catch (error) {
    if (error instanceof YamlFault) {
      for (const line of excerptLines(read.text, error, output.columns, output.style)) output.complain(line);
    }
    throw error;
  }
}

/** The line of an error with its number, and a caret below the column; a long line is cut around it. */
export function excerptLines(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
  columns: number,
  style: Pick<Style, "symbol">,
): string[] {
  const source = text.split("\n")[line - 1]?.replace(/\r$/, "");
  if (source === undefined) return [];
  const gutter = `  ${line} | `;
  const room = Math.max(20, columns - gutter.length - 2);
  const all = { max: Number.POSITIVE_INFINITY };
  // Escapes are wider than their characters, and some characters are wider than one column.
  let before = Array.from(safe(source.slice(0, column - 1), all));
  let after = Array.from(safe(source.slice(column - 1), all));
  const mark = style.symbol(SIGN.ellipsis);
  const lead = Math.floor(room / 2);
  if (before.length + after.length > room && before.length > lead) {
    before = [mark, ...before.slice(before.length - lead + 1)];
  }
  if (before.length + after.length > room) after = [...after.slice(0, room - before.length - 1), mark];
  const head = before.join("");
  return [
    gutter + head + after.join(""),
    `${" ".repeat(gutter.length - 2)}| ${" ".repeat(stringWidth(head))}^`,
  ];
}
