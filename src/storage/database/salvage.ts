// Salvages a damaged history: sets its files aside and copies intact rows into a new one.

import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { Fault } from "#src/contract/fault.ts";
import { NO_LINKS, syncFolder } from "#src/storage/documents/durable-file.ts";
import { acquireLock } from "#src/storage/documents/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { Database, inodeOf, openDamaged, removeFiles, SALVAGED, SALVAGING } from "./database.ts";
import type { DamagedDatabase, Row } from "./database.ts";
import { forgetHighest, readHighest } from "./highest-place.ts";
import { entryOfRow, HISTORY, insertEntry } from "./history-form.ts";
import { salvageLabels } from "./history-labels.ts";
import { checkRows, tryToWrite } from "./history-verify.ts";

export interface Salvaged {
  readonly saved: number;
  /** Estimated number of entries before the damage. */
  readonly of: number;
  /** Orders whose outcomes were saved. */
  readonly outcomes: number;
  /** Path of the damaged file. */
  readonly aside: string;
}

const PIECE = 500;
/** Unreadable places in a row after which the search for further rows ends. */
const GIVE_UP = 5_000;
/** Key in `meta`: what `Salvaged` says, for a salvage that goes on after an interruption. */
const COUNTS = "salvaged";

/**
 * Copies what can be read into a new file, which then takes the place of the damaged one. That one stays where it is until the
 * new one is whole, and nobody can write to it meanwhile: SQLite's lock keeps out who has it open, and the new file, by its name,
 * who opens it or goes on with it. Interrupted, it begins again, or only exchanges the two where the new one is whole.
 * @param now ms since the epoch, for the names of files set aside
 * @param onProgress saved entries, of the estimated number
 * @returns null without a history, and for a whole one
 * @throws Fault("storage" | "corrupt") with the old files unchanged
 */
export async function salvage(
  path: string,
  now: Milliseconds,
  onProgress: (done: number, all: number) => void,
): Promise<Salvaged | null> {
  const isThere = (suffix: string): boolean => inodeOf(path + suffix) !== null;
  // Its folder must exist for the lock.
  if (!isThere("") && !isThere(SALVAGED)) {
    removeFiles(path + SALVAGING);
    await Database.open(path, HISTORY, false);
    return null;
  }
  const lock = await acquireLock(`${path}.lock`);
  try {
    return await withStorageFaults(path, async () => {
      if (isThere(SALVAGED)) return await exchange(path, now);
      removeFiles(path + SALVAGING);
      return await savedFrom(path, onProgress, () => exchange(path, now));
    });
  } finally {
    await lock.release();
  }
}

/** Copies a damaged history, and exchanges it while nobody can write to it; null for a whole one. */
async function savedFrom(
  path: string,
  onProgress: (done: number, all: number) => void,
  exchanged: () => Promise<Salvaged>,
): Promise<Salvaged | null> {
  const copyAndExchange = async (damaged: DamagedDatabase): Promise<Salvaged> => {
    try {
      const { place, lost } = readHighest(path);
      await copyRows(damaged, path + SALVAGING, place + lost, onProgress);
    } catch (error) {
      removeFiles(path + SALVAGING);
      throw error;
    }
    renameSync(path + SALVAGING, path + SALVAGED);
    // Windows exchanges no open file. Elsewhere it stays open: whoever closes it last removes its log, by its name.
    if (process.platform === "win32") damaged.close();
    return await exchanged();
  };
  const database = await openWritable(path).catch((error: unknown) => {
    if (error instanceof Fault && error.code === "corrupt") return null;
    throw error;
  });
  if (database === null) {
    const damaged = await openDamaged(path, HISTORY);
    try {
      return await copyAndExchange(damaged);
    } finally {
      damaged.close();
    }
  }
  try {
    return await database.holdingWriters(async () => {
      const check = await checkRows(database, NEVER, () => undefined).catch((error: unknown) => {
        if (error instanceof Fault && error.code === "corrupt") return null;
        throw error;
      });
      if (check?.isWhole === true) return null;
      return await copyAndExchange({
        all: (sql, ...values) => database.readable(sql, ...values),
        close: () => database.close(),
      });
    });
  } finally {
    database.close();
  }
}

async function openWritable(path: string): Promise<Database> {
  const database = (await Database.open(path, HISTORY, false))!;
  try {
    await tryToWrite(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const NEVER = new AbortController().signal;

/** Gives the whole new file the place of the damaged one, step by step as often as it is interrupted. */
async function exchange(path: string, now: Milliseconds): Promise<Salvaged> {
  const before = asideOf(path);
  const aside = before ?? freeName(path, now);
  const database = (await Database.open(path + SALVAGED, HISTORY, false))!;
  const counts = JSON.parse(
    String(database.get("SELECT value FROM meta WHERE name = ?", COUNTS)!.value),
  ) as Omit<Salvaged, "aside">;
  database.close();
  if (before === null && inodeOf(path) !== null) keep(path, aside);
  // Before the new file takes its place: SQLite would apply the log of the old one to it.
  const log = lstatSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) renameSync(`${path}-wal`, `${aside}-wal`);
  rmSync(`${path}-wal`, { force: true });
  rmSync(`${path}-shm`, { force: true });
  removeFiles(`${path}.graft`);
  for (const name of ["-wal", "-shm"]) rmSync(path + SALVAGED + name, { force: true });
  // Its places begin anew.
  forgetHighest(path);
  await syncFolder(dirname(path), nodeFileSystem);
  renameSync(path + SALVAGED, path);
  await syncFolder(dirname(path), nodeFileSystem);
  return { ...counts, aside };
}

function freeName(path: string, now: Milliseconds): string {
  const name = `${path}.corrupt-${new Date(now).toISOString().replace(/[-:.]/g, "")}`;
  return inodeOf(name) === null ? name : freeName(path, now + 1);
}

/** The file that an interrupted exchange has set aside; null for none. */
function asideOf(path: string): string | null {
  const names = readdirSync(dirname(path)).filter((name) =>
    /^\.corrupt-[\dTZ]+$/.test(name.slice(basename(path).length)),
  );
  const paths = names.toSorted().map((name) => join(dirname(path), name));
  // Without hard links it was moved, as the last one.
  const found = inodeOf(path) === null ? paths.at(-1) : paths.find((each) => inodeOf(each) === inodeOf(path));
  return found ?? null;
}

/** A second name for the damaged file, which loses its first one when the new file takes it. */
function keep(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    renameSync(path, aside);
  }
}

/** @param known entries that there were, as far as it is kept beside them */
async function copyRows(
  damaged: DamagedDatabase,
  to: string,
  known: number,
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const database = (await Database.open(to, HISTORY, true))!;
  const ids = new Set<string>();
  let [of, outcomes] = [known, 0];
  try {
    for (const rows of readableRows(damaged)) {
      const entries = rows.map(entryOfRow).filter((entry) => {
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
    const counts = { saved: ids.size, of: Math.max(of, ids.size), outcomes };
    await database.write(() => {
      database.run("INSERT INTO meta VALUES (?, ?)", COUNTS, JSON.stringify(counts));
    });
    await database.emptyLog("The entries are saved");
  } finally {
    database.close();
  }
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
