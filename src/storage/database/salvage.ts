// Salvages a damaged history: sets its files aside and copies intact rows into a new one.

import { existsSync, renameSync, rmSync, statSync } from "node:fs";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { acquireLock } from "#src/storage/documents/file-lock.ts";
import { withStorageFaults } from "#src/storage/write-fault.ts";
import { Database, openDamaged, type DamagedDatabase, type Row } from "./database.ts";
import { crcOf, entryOf, HISTORY, insertEntry } from "./history-form.ts";
import { salvageLabels } from "./history-labels.ts";
import { TAKEN_OVER } from "./take-over.ts";

export interface Salvaged {
  readonly saved: number;
  /** Estimated number of entries before the damage. */
  readonly of: number;
  /** Orders whose outcomes were saved. */
  readonly outcomes: number;
  /** Path of the damaged file. */
  readonly aside: string;
}

const COMPANIONS = ["", "-wal", "-shm"] as const;
const PIECE = 500;
/** Unreadable places in a row after which the search for further rows ends. */
const GIVE_UP = 5_000;

/**
 * Sets the files aside first, so that other processes stop writing to them at their next write.
 * @param now ms since the epoch, for the names of files set aside
 * @param onProgress saved entries, of the estimated number
 * @returns null without a history
 * @throws Fault("storage" | "corrupt") with the old files unchanged
 */
export async function salvage(
  path: string,
  now: Milliseconds,
  onProgress: (done: number, all: number) => void,
): Promise<Salvaged | null> {
  if (!existsSync(path)) return null;
  const lock = await acquireLock(`${path}.lock`);
  const aside = `${path}.corrupt-${new Date(now).toISOString().replace(/[-:.]/g, "")}`;
  const fresh = `${path}.salvage`;
  const move = (from: string, to: string): void => {
    for (const name of COMPANIONS) if (existsSync(from + name)) renameSync(from + name, to + name);
  };
  try {
    return await withStorageFaults(path, async () => {
      for (const name of COMPANIONS) rmSync(fresh + name, { force: true });
      move(path, aside);
      try {
        const counts = await copyRows(aside, fresh, onProgress);
        move(fresh, path);
        // Created by reading; they hold no data.
        if (statSync(`${aside}-wal`, { throwIfNoEntry: false })?.size === 0) {
          for (const name of ["-wal", "-shm"]) rmSync(aside + name, { force: true });
        }
        return { ...counts, aside };
      } catch (error) {
        if (!existsSync(path)) move(aside, path);
        throw error;
      }
    });
  } finally {
    await lock.release();
  }
}

async function copyRows(
  from: string,
  to: string,
  onProgress: (done: number, all: number) => void,
): Promise<Omit<Salvaged, "aside">> {
  const damaged = openDamaged(from, HISTORY);
  const database = (await Database.open(to, HISTORY, true))!;
  const ids = new Set<string>();
  let [of, outcomes] = [0, 0];
  try {
    for (const rows of readableRows(damaged)) {
      const entries = rows.map(wholeEntry).filter((entry) => {
        // A damaged pointer can lead to the same page twice.
        const isNew = entry !== null && !ids.has(entry.id);
        if (isNew) ids.add(entry.id);
        return isNew;
      });
      of = Math.max(of, ...rows.map(({ place }) => Number(place)));
      await database.write(() => {
        for (const entry of entries) insertEntry(database, entry!);
      });
      onProgress(ids.size, of);
      await new Promise(setImmediate);
    }
    outcomes = await salvageLabels(damaged, database);
    // The files of earlier builds were taken over already.
    await database.write(() => database.run("INSERT INTO meta VALUES (?, 1)", TAKEN_OVER));
    database.checkpoint("TRUNCATE");
  } finally {
    database.close();
    damaged.close();
  }
  return { saved: ids.size, of: Math.max(of, ids.size), outcomes };
}

/** Reads from the oldest up to an unreadable page, then from the newest down to one, then the rows in between one by one. */
function* readableRows(damaged: DamagedDatabase): Generator<Row[]> {
  const columns = "SELECT place, intent, learned, crc FROM entry_text NOT INDEXED WHERE place";
  const read = (sql: string, ...values: number[]): Row[] | null =>
    damaged.all(`${columns} ${sql}`, ...values);
  let low = -1;
  let end: number | null = null;
  for (let size = PIECE; ;) {
    const rows = read("> ? ORDER BY place LIMIT ?", low, size);
    if (rows === null && size === 1) break;
    if (rows === null) size = 1;
    else if (rows.length === 0) return;
    else {
      yield rows;
      const last = Number(rows.at(-1)!.place);
      // A damaged place, behind which the same rows would be read again.
      if (last <= low) break;
      low = last;
    }
  }
  const above: Row[][] = [];
  for (let high = Number.MAX_SAFE_INTEGER, size = PIECE; ;) {
    const rows = read("> ? AND place < ? ORDER BY place DESC LIMIT ?", low, high, size);
    if (rows === null && size === 1) break;
    if (rows === null) size = 1;
    else if (rows.length === 0) break;
    else {
      above.push(rows.toReversed());
      const last = Number(rows.at(-1)!.place);
      if (last >= high) break;
      high = end = last;
    }
  }
  for (let place = low + 1, missed = 0; end === null ? missed < GIVE_UP : place < end; place += 1) {
    const rows = read("= ?", place) ?? [];
    missed = rows.length === 0 ? missed + 1 : 0;
    if (rows.length > 0) yield rows;
  }
  yield* above.toReversed();
}

function wholeEntry({ place, intent, learned, crc }: Row): HistoryEntry | null {
  try {
    const text = { intent: String(intent), learned: String(learned) };
    const entry = entryOf(text);
    return crcOf(Number(place), entry.id, text) === crc ? entry : null;
  } catch {
    return null;
  }
}
