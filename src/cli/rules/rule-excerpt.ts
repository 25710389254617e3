// Points at the place of an error in the rules that a command names.

import stringWidth from "string-width";
import { readTestedRules } from "#src/app/named-rules.ts";
import type { Invocation } from "#src/cli/command.ts";
import { YamlFault } from "#src/contract/text/yaml-source.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";

/** As `readTestedRules`; prints an excerpt of wrong rules before their fault is thrown. */
export function loadNamedRules(invocation: Invocation, word: string): ReturnType<typeof readTestedRules> {
  const { output } = invocation;
  return readTestedRules(invocation, word, (text, error) => {
    if (!(error instanceof YamlFault)) return;
    for (const line of excerptLines(text, error, output.columns, output.style)) output.complain(line);
  });
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
