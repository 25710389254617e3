// A wrong filter with a caret below the token that is wrong, above the sentence about it.

import type { Output } from "#src/cli/output.ts";
import { FilterFault } from "#src/contract/filter-fault.ts";
import { caretLines } from "#src/display/filter-caret.ts";

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
