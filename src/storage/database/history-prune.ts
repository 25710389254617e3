// Removes the oldest entries of the history for good, in transactions short enough for others to check between them.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Database } from "./database.ts";

export interface Pruned {
  /** Entries that were older. */
  readonly removed: number;
  readonly kept: number;
  /** Bytes of what was removed; the file keeps the room for new entries. */
  readonly freedBytes: number;
}

export interface PruneOptions {
  /** Entries made before this go, in ms since the epoch. */
  readonly before: Milliseconds;
  /** Only count. */
  readonly dryRun: boolean;
}

const FIRST_BATCH = 200;
/** No transaction keeps another process waiting for much longer. */
const BATCH_MS: Milliseconds = 10;

/**
 * Places stay dense, so that what goes is everything in front of the first entry that is young enough: behind a clock that was set
 * back a few older ones stay. What a stopped run has removed stays removed.
 * @param onProgress entries removed, of all that go
 * @throws Fault("storage")
 */
export async function pruneRows(
  database: Database,
  { before, dryRun }: PruneOptions,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<Pruned> {
  const { total, first, end, bytes } = await database.read(() =>
    database.get(
      `WITH young AS (SELECT min(place) AS place FROM entry WHERE at >= ?),
              stay AS (SELECT coalesce((SELECT place FROM young), (SELECT max(place) + 1 FROM entry)) AS place)
         SELECT (SELECT count(*) FROM entry) AS total, (SELECT min(place) FROM entry) AS first,
                (SELECT place FROM stay) AS end,
                (SELECT sum(octet_length(intent) + octet_length(learned)) FROM entry_text
                 WHERE place < (SELECT place FROM stay)) AS bytes`,
      before,
    )!,
  );
  if (first === null) return { removed: 0, kept: 0, freedBytes: 0 };
  const all = Number(end) - Number(first);
  if (dryRun || all === 0) {
    return { removed: all, kept: Number(total) - all, freedBytes: Number(bytes ?? 0) };
  }
  let batch = FIRST_BATCH;
  let removed = 0;
  for (let from = Number(first); from < Number(end) && !signal.aborted;) {
    const to = Math.min(from + batch, Number(end));
    const began = performance.now();
    await database.write(() => {
      removed = from - Number(first) + database.run("DELETE FROM entry WHERE place < ?", to);
      database.run(
        "INSERT INTO meta VALUES ('removed', 1) ON CONFLICT(name) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
      );
    });
    const took = Math.max(0.1, performance.now() - began);
    batch = Math.max(20, Math.min(5_000, Math.round((batch * BATCH_MS) / took)));
    from = to;
    onProgress(removed, all);
    await new Promise(setImmediate);
  }
  // The log still holds what was removed.
  database.checkpoint("TRUNCATE");
  return { removed, kept: Number(total) - removed, freedBytes: Number(bytes ?? 0) };
}
