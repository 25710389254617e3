// A wrong filter with a caret below the token that is wrong, above the sentence about it.

import { FilterFault } from "#src/contract/filter-fault.ts";
import { safe } from "#src/display/safe.ts";
import type { Output } from "./output.ts";

/** Runs what compiles a filter; where the filter is wrong, shows the place of it before the fault goes on. */
export async function pointedAt<R>(
  output: Pick<Output, "complain">,
  filter: string | undefined,
  run: () => Promise<R>,
): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FilterFault && filter !== undefined) {
      for (const line of caretLines(filter, error)) output.complain(line);
    }
    throw error;
  }
}

/** The filter, and below it a mark as wide as the token. Line feeds and invisible characters show as their escapes. */
export function caretLines(
  filter: string,
  { column, length }: Pick<FilterFault, "column" | "length">,
): readonly [string, string] {
  const characters = Array.from(filter);
  const shown = (from: number, to: number): string => safe(characters.slice(from, to).join(""), { max: 500 });
  const before = Array.from(shown(0, column - 1)).length;
  const marked = Math.max(1, Array.from(shown(column - 1, column - 1 + length)).length);
  return [`  ${safe(filter, { max: 500 })}`, `  ${" ".repeat(before)}${"^".repeat(marked)}`];
}
