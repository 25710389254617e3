// --export html=FILE: the page of a deck that was presented.

import { planReport } from "#src/actions/replay/write-report.ts";
import type { Deck, DemoFrame } from "#src/actions/sandbox/demo.ts";
import { createWhole } from "#src/actions/whole-file.ts";
import type { DEMO } from "#src/cli/command-options.ts";
import type { Values } from "#src/cli/option.ts";
import type { Invocation } from "#src/cli/command.ts";
import { usage } from "#src/contract/fault.ts";
import { safe } from "#src/display/safe.ts";

/**
 * The file of `--export`; null where none was asked for. Called before anything starts.
 * @throws Fault("usage") for another kind than a page, and as `planReport` does
 */
export function plannedPage(options: Values<typeof DEMO>): string | null {
  const word = options.export;
  if (word === undefined) return null;
  if (!/^html=|\.html?$/i.test(word)) {
    throw usage`A deck is exported as a page only; write --export html=FILE.`;
  }
  return planReport(word, "add --yes, or name another file", options.yes).path;
}

/** Writes the page, 0600, and names it. @throws Fault("usage" | "storage") as `createWhole` does */
export async function writePage(
  { options, output, storyPage }: Invocation<typeof DEMO>,
  path: string,
  deck: Deck,
  frames: readonly DemoFrame[],
): Promise<void> {
  const page = await storyPage(deck, frames, { notes: options.notes });
  await createWhole(path, [page], options.yes);
  output.note(`Wrote ${safe(path)}.`);
}
