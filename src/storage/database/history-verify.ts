// Verifies every page and every row of the history.

import { statSync } from "node:fs";

import type { Database } from "./database.ts";
import { crcOf, entryOf, FACTS, factsOf } from "./history-form.ts";
import { damagedLabels } from "./history-labels.ts";

export interface HistoryCheck {
  readonly path: string;
  readonly bytes: number;
  readonly entries: number;
  /** Places whose text is damaged or missing. */
  readonly damaged: readonly number[];
  /** Places without an entry between the oldest and the newest one. */
  readonly missing: number;
  /** Entries whose columns differ from their text, so that filters may miss them. */
  readonly misleading: readonly number[];
  /** Ids of orders whose labels are damaged. */
  readonly damagedLabels: readonly string[];
  /** Problems of pages, in SQLite's words. */
  readonly pages: readonly string[];
}

const PIECE = 2_000;

/** @param onProgress entries read, of all */
export async function checkRows(
  database: Database,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<HistoryCheck> {
  const pages = await database.read(() =>
    database
      .all("PRAGMA quick_check(100)")
      .map(({ quick_check: found }) => String(found))
      .filter((found) => found !== "ok"),
  );
  const { first, last } = await database.read(() =>
    database.get("SELECT min(place) AS first, max(place) AS last FROM entry")!,
  );
  const damaged: number[] = [];
  const misleading: number[] = [];
  let entries = 0;
  let missing = 0;
  const end = first === null ? 0 : Number(last);
  for (let from = first === null ? 1 : Number(first); from <= end && !signal.aborted; from += PIECE) {
    const { least, rows } = await database.read(() => ({
      // Another process may remove the oldest ones in between.
      least: Number(database.get("SELECT min(place) AS least FROM entry")!.least ?? end + 1),
      rows: database.all(
        `SELECT entry.place, id, ${FACTS.join(", ")}, at, intent, learned, crc
         FROM entry LEFT JOIN entry_text ON entry_text.place = entry.place
         WHERE entry.place >= ? AND entry.place < ? ORDER BY entry.place`,
        from,
        from + PIECE,
      ),
    }));
    missing += Math.max(0, Math.min(from + PIECE, end + 1) - Math.max(from, least)) - rows.length;
    for (const row of rows) {
      const place = Number(row.place);
      const text = { intent: String(row.intent), learned: String(row.learned) };
      entries += 1;
      if (crcOf(place, String(row.id), text) !== row.crc) damaged.push(place);
      else {
        const entry = entryOf(text);
        const facts = factsOf(entry);
        const fits = row.at === entry.at && FACTS.every((name, index) => row[name] === facts[index]);
        if (!fits) misleading.push(place);
      }
    }
    onProgress(Math.min(from + PIECE, end) - Number(first), end - Number(first) + 1);
    await new Promise(setImmediate);
  }
  return {
    path: database.path,
    bytes: sizeOf(database.path),
    entries,
    damaged,
    missing,
    misleading,
    damagedLabels: await damagedLabels(database),
    pages,
  };
}

/** Bytes of a database with its log; by `stat`, which does not affect its locks. */
export function sizeOf(path: string): number {
  return [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
