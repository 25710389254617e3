// The position of an error in a filter: the filter, and carets below the token.

import type { FilterFault } from "#src/contract/filter-fault.ts";
import { safe } from "./safe.ts";

/**
 * The filter, and below it a mark as wide as the token. Line feeds and invisible characters show as their escapes.
 * @param widthOf columns of a text; one per character by default
 */
export function caretLines(
  filter: string,
  { column, length }: Pick<FilterFault, "column" | "length">,
  widthOf: (text: string) => number = (text) => Array.from(text).length,
): readonly [string, string] {
  const characters = Array.from(filter);
  const shown = (from: number, to: number): string => safe(characters.slice(from, to).join(""), { max: 500 });
  const before = widthOf(shown(0, column - 1));
  const marked = Math.max(1, widthOf(shown(column - 1, column - 1 + length)));
  return [`  ${safe(filter, { max: 500 })}`, `  ${" ".repeat(before)}${"^".repeat(marked)}`];
}
