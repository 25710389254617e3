// Where the divider between two panes of each screen stands, for the next start of the console.

import { anyNumber, anyText, list, openMap } from "#src/contract/text/shape.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

export type DividerMemory = ReturnType<typeof openDividerMemory>;

/** Opens the memory; touches no file before the first call. @throws (each method) Fault("corrupt" | "storage") */
export function openDividerMemory(options: { readonly path: string; readonly onProblem: OnProblem }) {
  const document = openDocument({
    ...options,
    format: "verdict/dividers",
    schema: 1,
    initial: () => ({ dividers: [] }),
    shape: openMap({
      dividers: list(
        openMap({ screen: anyText(), right: anyNumber("Columns to the right of its own place.") }),
      ),
    }),
  });
  return {
    /** Columns to the right of its own place, by screen. */
    all: async (): Promise<Record<string, number>> =>
      Object.fromEntries((await document.read()).dividers.map(({ screen, right }) => [screen, right])),
    remember: (screen: string, right: number): Promise<void> =>
      document.update((data) => {
        data.dividers = [...data.dividers.filter((each) => each.screen !== screen), { screen, right }];
      }),
  };
}
