// Marks the wrong token of a filter with a caret.

import type { Output } from "#src/cli/output.ts";
import { FilterFault } from "#src/contract/filter-fault.ts";
import { caretLines } from "#src/display/filter-caret.ts";

/** Runs an action that parses a filter; prints a caret below a wrong token before the fault is rethrown. */
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
