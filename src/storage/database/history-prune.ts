// Removes the oldest entries of the history for good, in short transactions that let other processes write.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { Fault, whole } from "#src/contract/fault.ts";
import type { Database } from "./database.ts";
import { lowerHighest } from "./highest-place.ts";
import { inShortTransactions } from "./short-transactions.ts";

export interface Pruned {
  /** Removed entries. */
  readonly removed: number;
  readonly kept: number;
  /** Bytes of the removed entries; the file keeps its size. */
  readonly freedBytes: number;
  /** Older entries that stay, because one before them is young enough. */
  readonly behind: number;
}

export interface PruneOptions {
  /** Entries made before this time are removed, in ms since the epoch. */
  readonly before: Milliseconds;
  /** Only count. */
  readonly dryRun: boolean;
}

/**
 * Removes everything before the first entry that is young enough, so that places stay dense; after a clock was set back, a few
 * older entries remain. An interrupted removal keeps what it has removed.
 * @param onProgress removed entries, of all to remove
 * @throws Fault("storage")
 */
export async function pruneRows(
  database: Database,
  { before, dryRun }: PruneOptions,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<Pruned> {
  const { total, first, end, bytes, behind } = await database.read(() =>
    database.get(
      `WITH young AS (SELECT min(place) AS place FROM entry WHERE at >= ?),
              stay AS (SELECT coalesce((SELECT place FROM young), (SELECT max(place) + 1 FROM entry)) AS place)
         SELECT (SELECT count(*) FROM entry) AS total, (SELECT min(place) FROM entry) AS first,
                (SELECT place FROM stay) AS end,
                (SELECT count(*) FROM entry WHERE at < ? AND place > (SELECT place FROM stay)) AS behind,
                (SELECT sum(octet_length(intent) + octet_length(learned)) FROM entry_text
                 WHERE place < (SELECT place FROM stay)) AS bytes`,
      before,
      before,
    )!,
  );
  if (first === null) return { removed: 0, kept: 0, freedBytes: 0, behind: 0 };
  const all = Number(end) - Number(first);
  const rest = { freedBytes: Number(bytes ?? 0), behind: Number(behind) };
  if (dryRun || all === 0) return { removed: all, kept: Number(total) - all, ...rest };
  lowerHighest(database.path);
  let [removed, done] = [0, 0];
  const removing = inShortTransactions(
    database,
    [Number(first), Number(end)],
    signal,
    (from, to) => {
      removed = from - Number(first) + database.run("DELETE FROM entry WHERE place < ?", to);
      database.run(
        "INSERT INTO meta VALUES ('removed', 1) ON CONFLICT(name) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
      );
    },
    () => onProgress((done = removed), all),
  );
  await removing.catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    const message = `${done} of ${all} entries are removed, and the others are kept: ${error.message}`;
    throw new Fault(error.code, whole(message)).causedBy(error);
  });
  await database.emptyLog("The entries are removed");
  return { removed, kept: Number(total) - removed, ...rest };
}
