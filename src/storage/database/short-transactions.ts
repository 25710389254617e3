// Runs long work on a range of places in short transactions, so that other processes can write in between.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Database } from "./database.ts";

const FIRST_BATCH = 200;
const SMALLEST_BATCH = 20;
const LARGEST_BATCH = 5_000;
/** Target duration of a transaction. */
const BATCH_MS: Milliseconds = 10;

/**
 * Calls `work` with one range of places after the other, from `first` up to before `end`.
 * @param onDone called after each transaction
 * @throws Fault("storage")
 */
export async function inShortTransactions(
  database: Database,
  [first, end]: readonly [number, number],
  signal: AbortSignal,
  work: (from: number, to: number) => void,
  onDone: () => void = () => undefined,
): Promise<void> {
  let batch = FIRST_BATCH;
  for (let from = first; from < end && !signal.aborted;) {
    const to = Math.min(from + batch, end);
    const began = performance.now();
    await database.write(() => work(from, to));
    const took = Math.max(0.1, performance.now() - began);
    batch = Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, Math.round((batch * BATCH_MS) / took)));
    from = to;
    onDone();
    await new Promise(setImmediate);
  }
}
