// The history in its database: rows in, rows out. Everything is plain data, so that a worker can host it.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { Database, type Row } from "./database.ts";
import { compileFilter } from "./history-filter.ts";
import { crcOf, entryOf, FACTS, factsOf, HISTORY, insertEntry, learnedText } from "./history-form.ts";
import type { HistoryRecord } from "./history-record.ts";
import { checkRows, type HistoryCheck } from "./history-verify.ts";
import { pruneRows, type Pruned, type PruneOptions } from "./history-prune.ts";
import { hasEarlier, takeOver } from "./take-over.ts";
import { salvage, type Salvaged } from "./salvage.ts";

/** Entries by their places, counted from the oldest: what is written later moves none. */
export interface PlaceRange {
  /** The first place, and the one behind the last. */
  readonly from: number;
  readonly to: number;
}

export interface TableExtent {
  readonly count: number;
  /** How often entries were removed: places mean the same entries as long as it stays. */
  readonly removed: number;
}

export interface TableSearch extends PlaceRange {
  readonly filter: string;
  /** ms since the epoch, from which `since:2d` counts back */
  readonly now: Milliseconds;
}

export interface SearchProgress {
  /** Places of what was found, newest first. */
  readonly found: readonly number[];
  /** Entries looked at so far. */
  readonly looked: number;
}

/** Entries that one statement of a search looks at: it cannot be stopped on the way. The first is small, to be seen at once. */
const FIRST_PIECE = 500;
const LARGEST_PIECE = 20_000;
/** Where the text must be read, too. */
const LARGEST_TEXT_PIECE = 5_000;

const UPDATE_ENTRY = `UPDATE entry SET ${FACTS.map((name) => `${name} = ?`).join(", ")} WHERE place = ?`;
const UPDATE_TEXT = "UPDATE entry_text SET learned = ?, crc = ? WHERE place = ?";
const SELECT =
  "SELECT entry.place, id, intent, learned, crc FROM entry LEFT JOIN entry_text ON entry_text.place = entry.place";

/** Entries done, of all. */
type OnProgress = (done: number, all: number) => void;

/** How a table tells of what it met; all by callback, so that a worker can send it on. */
export interface TableEvents {
  onProblem(problem: StoreProblem): void;
  /** A history of an earlier build is taken over: bytes done, of all. */
  onTakeOver(done: number, all: number): void;
  /** Stops a take-over. */
  readonly signal: AbortSignal;
}

export class HistoryTable {
  readonly #path: string;
  /** Where an earlier build kept its history. */
  readonly #earlier: string;
  readonly #events: TableEvents;
  /** Ends a take-over. */
  #closing = new AbortController();
  /** Transactions of this connection, which the number of the database does not count. */
  #written = 0;
  #database: Database | null = null;
  #opening: Promise<Database | null> | null = null;

  /** Touches no file before the first call. @param path of the database @param earlier folder of an earlier build */
  constructor(path: string, earlier: string, events: TableEvents) {
    this.#path = path;
    this.#earlier = earlier;
    this.#events = events;
  }

  /** Writes records in one transaction. @throws Fault("storage"): then none of them is there. Fault("corrupt") */
  async commit(records: readonly HistoryRecord[]): Promise<void> {
    const database = (await this.#open(true))!;
    await database.write(() => {
      for (const record of records) {
        if (record.type === "intent") insertEntry(database, record.entry);
        // What was pruned since has no row.
        else this.#learn(database, record);
      }
    });
    this.#written += 1;
  }

  /** @returns false where there is no such entry */
  #learn(database: Database, { id, learned }: Extract<HistoryRecord, { type: "learned" }>): boolean {
    const row = database.get(`${SELECT} WHERE id = ?`, id);
    if (row === undefined) return false;
    if (this.#entryOf(row) === null) throw damaged([Number(row.place)]);
    const place = Number(row.place);
    const text = { intent: String(row.intent), learned: learnedText(String(row.learned), learned) };
    database.run(UPDATE_TEXT, text.learned, crcOf(place, id, text), place);
    database.run(UPDATE_ENTRY, ...factsOf(entryOf(text)), place);
    return true;
  }

  async extent(): Promise<TableExtent> {
    return await this.#read(NO_ROWS, spanOf);
  }

  /** The newest entries older than a row, newest first; damaged ones are left out and reported. */
  async newest(count: number, below: number = Number.MAX_SAFE_INTEGER): Promise<StoredEntry[]> {
    return await this.#read([], (database) => this.#newest(database, count, below));
  }

  /** Entries by position, 0 for the newest, newest first; damaged ones are left out and reported. */
  async page(from: number, count: number): Promise<HistoryEntry[]> {
    return await this.#read([], (database) => {
      const { first, count: all } = spanOf(database);
      const behind = Math.min(from, 0);
      return this.#newest(database, Math.max(0, count + behind), first + all - Math.max(0, from)).map(
        ({ entry }) => entry,
      );
    });
  }

  #newest(database: Database, count: number, below: number): StoredEntry[] {
    return this.#entriesOf(
      database.all(`${SELECT} WHERE entry.place < ? ORDER BY entry.place DESC LIMIT ?`, below, count),
    );
  }

  /** The entries at these places, in their order; damaged ones are left out and reported. */
  async at(places: readonly number[]): Promise<HistoryEntry[]> {
    return await this.#read([], (database) => {
      const { first } = spanOf(database);
      const rows = places.map((place) => database.get(`${SELECT} WHERE entry.place = ?`, first + place));
      return this.#entriesOf(rows.filter((row) => row !== undefined)).map(({ entry }) => entry);
    });
  }

  /** The entry with this id, else the only one whose id starts with it. @throws Fault("usage") when several do */
  async find(idOrPrefix: string): Promise<HistoryEntry | null> {
    return await this.#read(null, (database) => {
      const exact = database.get(`${SELECT} WHERE id = ?`, idOrPrefix);
      const within = [idOrPrefix, `${idOrPrefix}\u{10FFFF}`] as const;
      const count =
        exact !== undefined
          ? 1
          : Number(database.get("SELECT count(*) AS n FROM entry WHERE id >= ? AND id < ?", ...within)!.n);
      if (count > 1) {
        throw new Fault(
          "usage",
          `${count} entries start with "${escapeText(idOrPrefix, 40)}"; give more of the id.`,
        );
      }
      const row = exact ?? database.get(`${SELECT} WHERE id >= ? AND id < ?`, ...within);
      if (row === undefined) return null;
      const [found] = this.#entriesOf([row]);
      if (found === undefined) throw damaged([Number(row.place)]);
      return found.entry;
    });
  }

  /** The position of an entry; null when there is none with this id. */
  async position(id: string): Promise<number | null> {
    return await this.#read(null, (database) => {
      const place = database.get("SELECT place FROM entry WHERE id = ?", id)?.place;
      if (place === undefined) return null;
      const { first, count } = spanOf(database);
      return first + count - 1 - Number(place);
    });
  }

  /**
   * Hands out what a filter accepts, newest first, piece by piece. Resolves at the end, or when the signal fires.
   * @throws Fault("usage") for a filter that is wrong
   */
  async search(
    { filter, now, from, to }: TableSearch,
    signal: AbortSignal,
    onProgress: (progress: SearchProgress) => void,
  ): Promise<void> {
    const { matches, where } = compileFilter(filter, now);
    const largest = where.isExact ? LARGEST_PIECE : LARGEST_TEXT_PIECE;
    const select = where.isExact ? "SELECT place FROM entry" : SELECT;
    const sql = `${select} WHERE entry.place >= ? AND entry.place < ? AND (${where.sql}) ORDER BY entry.place DESC`;
    const { first, removed } = await this.#read(NO_ROWS, spanOf);
    let piece = FIRST_PIECE;
    for (let end = to; end > from && !signal.aborted;) {
      const start = Math.max(from, end - piece);
      const rows = await this.#read(null, (database) =>
        // The list is read again when entries were removed; until then nothing that has moved may be handed out.
        spanOf(database).removed === removed
          ? database.all(sql, first + start, first + end, ...where.values)
          : null,
      );
      if (rows === null) return;
      const places = where.isExact
        ? rows.map(({ place }) => Number(place))
        : this.#entriesOf(rows)
            .filter(({ entry }) => matches(entry))
            .map(({ place }) => place);
      onProgress({ found: places.map((place) => place - first), looked: to - start });
      end = start;
      piece = Math.min(piece * 4, largest);
      // Keys, timers and the message that cancels this get their turn.
      await new Promise(setImmediate);
    }
  }

  /** Changes with each change by any process; null while there is no database. About a microsecond. */
  async version(): Promise<number | null> {
    const database = await this.#open(false);
    return database === null ? null : (await database.dataVersion()) + this.#written;
  }

  async prune(options: PruneOptions, signal: AbortSignal, onProgress: OnProgress): Promise<Pruned> {
    const database = await this.#open(false);
    if (database === null) return { removed: 0, kept: 0, freedBytes: 0 };
    return await pruneRows(database, options, signal, onProgress);
  }

  /** Null where there is no database. */
  async verify(signal: AbortSignal, onProgress: OnProgress): Promise<HistoryCheck | null> {
    const database = await this.#open(false);
    return database === null ? null : await checkRows(database, signal, onProgress);
  }

  /** Sets a damaged database aside and keeps what can be read of it in a new one. */
  async salvage(now: Milliseconds, onProgress: OnProgress): Promise<Salvaged | null> {
    await this.close();
    return await salvage(this.#path, now, onProgress);
  }

  /** After a while without writes: see `Database.checkpoint`. @throws the errors of SQLite */
  async rest(): Promise<void> {
    await Promise.resolve(this.#database?.checkpoint());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opening?.catch(() => null);
    this.#database?.close();
    this.#database = null;
    this.#opening = null;
    this.#closing = new AbortController();
  }

  async #open(mayCreate: boolean): Promise<Database | null> {
    if (this.#database !== null) return this.#database;
    // One at a time: two connections of one process would have a lock each.
    while (this.#opening !== null) {
      const opened = await this.#opening.catch(() => null);
      if (opened !== null) return opened;
    }
    this.#opening = this.#connect(mayCreate);
    try {
      return (this.#database = await this.#opening);
    } finally {
      this.#opening = null;
    }
  }

  async #connect(mayCreate: boolean): Promise<Database | null> {
    const there = await Database.open(this.#path, HISTORY, mayCreate);
    if (!(await hasEarlier(there, this.#earlier))) return there;
    const database = there ?? (await Database.open(this.#path, HISTORY, true))!;
    try {
      await takeOver(database, {
        dir: this.#earlier,
        signal: AbortSignal.any([this.#closing.signal, this.#events.signal]),
        onProgress: this.#events.onTakeOver,
        onProblem: this.#events.onProblem,
        learn: (record) => this.#learn(database, record),
      });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async #read<R>(none: R, work: (database: Database) => R): Promise<R> {
    const database = await this.#open(false);
    return database === null ? none : await database.read(() => work(database));
  }

  /** Entries of the rows that are what was written; the others are reported. */
  #entriesOf(rows: readonly Row[]): StoredEntry[] {
    const bad: number[] = [];
    const found: StoredEntry[] = [];
    for (const row of rows) {
      const entry = this.#entryOf(row);
      if (entry === null) bad.push(Number(row.place));
      else found.push({ place: Number(row.place), entry });
    }
    if (bad.length > 0) {
      const { message } = damaged(bad);
      this.#events.onProblem({ path: this.#path, message, isNew: true });
    }
    return found;
  }

  #entryOf({ place, id, intent, learned, crc }: Row): HistoryEntry | null {
    if (typeof intent !== "string" || typeof learned !== "string") return null;
    const text = { intent, learned };
    if (crcOf(Number(place), String(id), text) !== crc) return null;
    return entryOf(text);
  }
}

/** The table, in this thread or in a worker. */
export type HistoryStore = { readonly [Key in keyof HistoryTable]: HistoryTable[Key] };

export interface StoredEntry {
  readonly place: number;
  readonly entry: HistoryEntry;
}

interface Span extends TableExtent {
  /** `place` of the oldest entry: every one from there on is taken. */
  readonly first: number;
}

const NO_ROWS: Span = { first: 1, count: 0, removed: 0 };

/** Each end is a query of its own: asked for both at once, SQLite reads the whole table (150 ms for a million). */
const SPAN = `
  SELECT (SELECT min(place) FROM entry) AS first, (SELECT max(place) FROM entry) AS last,
         (SELECT value FROM meta WHERE name = 'removed') AS removed`;

function spanOf(database: Database): Span {
  const { first, last, removed } = database.get(SPAN)!;
  if (first === null) return { ...NO_ROWS, removed: Number(removed ?? 0) };
  return {
    first: Number(first),
    count: Number(last) - Number(first) + 1,
    removed: Number(removed ?? 0),
  };
}

function damaged(places: readonly number[]): Fault {
  const what = places.length === 1 ? `Entry ${places[0]}` : `${places.length} entries`;
  const verb = places.length === 1 ? "is" : "are";
  return new Fault("corrupt", `${what} of the history ${verb} damaged and left out; ${HISTORY.upkeep}.`);
}
