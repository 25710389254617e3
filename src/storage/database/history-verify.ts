// Verifies every page and every row of the history.

import { statSync } from "node:fs";

import { corrupt, whole } from "#src/contract/fault.ts";
import type { Database } from "./database.ts";
import { entryOfRow, FACTS, factsOf, HISTORY } from "./history-form.ts";
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
  /** Nothing of this was found. */
  readonly isWhole: boolean;
}

const PIECE = 2_000;

const ENDS = "SELECT (SELECT min(place) FROM entry) AS least, (SELECT max(place) FROM entry) AS last";
const TEXTS_BEHIND =
  "SELECT count(*) AS count FROM entry_text WHERE place > coalesce((SELECT max(place) FROM entry), 0)";

/** Reads one state of the history a piece, because others write and prune in between. @param onProgress entries read, of all */
export async function checkRows(
  database: Database,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<HistoryCheck> {
  const pages = await damagedPages(database);
  const [ends, behind] = await database.read(() =>
    database.snapshot(() => [database.get(ENDS)!, database.get(TEXTS_BEHIND)!.count] as const),
  );
  const { least, last } = ends;
  const damaged: number[] = [];
  const misleading: number[] = [];
  let entries = 0;
  let missing = Number(behind) + database.lost;
  const end = Number(last ?? 0);
  for (let seen = Number(least ?? 1) - 1; seen < end && !signal.aborted;) {
    const { first, rows } = await database.read(() =>
      database.snapshot(() => ({
        // Another process may remove the oldest ones in between.
        first: Number(database.get(ENDS)!.least ?? end + 1),
        rows: database.all(
          `SELECT entry.place, id, ${FACTS.join(", ")}, at, intent, learned, crc
           FROM entry LEFT JOIN entry_text ON entry_text.place = entry.place
           WHERE entry.place > ? AND entry.place <= ? ORDER BY entry.place LIMIT ${PIECE}`,
          seen,
          end,
        ),
      })),
    );
    for (const row of rows) {
      const place = Number(row.place);
      missing += Math.max(0, place - Math.max(seen + 1, first));
      // A damaged pointer can close a circle of pages.
      if (place <= seen) throw corrupt`The order of the history is damaged; ${whole(HISTORY.upkeep)}.`;
      seen = place;
      entries += 1;
      const entry = entryOfRow(row);
      if (entry === null) damaged.push(place);
      else {
        const facts = factsOf(entry);
        const fits = row.at === entry.at && FACTS.every((name, index) => row[name] === facts[index]);
        if (!fits) misleading.push(place);
      }
    }
    if (rows.length === 0) {
      missing += Math.max(0, end - Math.max(seen, first - 1));
      break;
    }
    onProgress(seen - Number(least) + 1, end - Number(least) + 1);
    await new Promise(setImmediate);
  }
  const lists = { damaged, misleading, damagedLabels: await damagedLabels(database), pages };
  const isWhole = missing === 0 && Object.values(lists).every((found) => found.length === 0);
  return { path: database.path, bytes: sizeOf(database.path), entries, missing, ...lists, isWhole };
}

/** Problems of pages, in SQLite's words. */
export async function damagedPages(database: Database): Promise<string[]> {
  return await database.read(() =>
    database
      .all("PRAGMA quick_check(100)")
      .map(({ quick_check: found }) => String(found))
      .filter((found) => found !== "ok"),
  );
}

/** Changes nothing, but some damage of the header shows only to a writer. @throws Fault("storage" | "corrupt") */
export async function tryToWrite(database: Database): Promise<void> {
  if (database.whyReadOnly === null) await database.write(() => database.run("DELETE FROM entry WHERE 0"));
}

/** Bytes of a database with its log; by `stat`, which does not affect its locks. */
export function sizeOf(path: string): number {
  return [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
