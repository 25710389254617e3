// Takes what became of payments from a file into the history's database.

import { statSync } from "node:fs";
import type { ActionContext } from "#src/actions/action-context.ts";
import { interrupted } from "#src/contract/fault.ts";
import type { OrderLabel } from "#src/contract/records/label.ts";
import type { RejectedLine } from "#src/contract/records/run.ts";
import { readLabels } from "#src/replay/sources/label-source.ts";

/** Labels per transaction, which takes about 10 ms, so that checks of other processes wait no longer, and a sync of the disk. */
const BATCH = 2_000;

/**
 * Importing a file a second time changes nothing.
 * @param input.map words of a map for a file with columns of its own
 * @param onProgress bytes read, of all; not called for a pipe
 * @returns labels that were taken, orders that had none before, and orders whose label that counts is another one than before
 * @throws Fault("usage" | "bad_input") for a file that cannot be read, or not to its end; Fault("storage" | "corrupt");
 *   Fault("interrupted"). After each what was taken stays, and importing the file again takes the others.
 */
export async function importLabels(
  context: ActionContext,
  { path, map }: { readonly path: string; readonly map: readonly string[] },
  signal: AbortSignal,
  onRejected: (line: RejectedLine) => void,
  onProgress: (done: number, all: number) => void,
): Promise<Record<"outcomes" | "labelled" | "changed", number>> {
  const { labels } = await context.history();
  const counts = { outcomes: 0, labelled: 0, changed: 0 };
  let batch: OrderLabel[] = [];
  const write = async (): Promise<void> => {
    const orders = [...new Set(batch.map(({ orderId }) => orderId))];
    const before = await labels.of(orders, null);
    await labels.set(batch);
    for (const [order, label] of await labels.of(orders, null)) {
      const earlier = before.get(order);
      if (earlier === undefined) counts.labelled += 1;
      else if (earlier !== label) counts.changed += 1;
    }
    counts.outcomes += batch.length;
    batch = [];
  };
  const file = statSync(path, { throwIfNoEntry: false });
  let done = 0;
  const onBytes = (bytes: number): void => {
    if (file?.isFile() === true) onProgress((done += bytes), file.size);
  };
  for await (const line of readLabels(path, signal, onBytes, map)) {
    if (signal.aborted) {
      throw interrupted`Stopped after ${counts.outcomes} imported labels; import the file again to get the rest.`;
    }
    if ("message" in line) onRejected(line);
    else if (batch.push(line) >= BATCH) await write();
  }
  if (batch.length > 0) await write();
  return counts;
}
