// The tables of the history: reads, writes and searches rows. All arguments and results are plain data for a worker.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { corrupt, Fault, usage, whole } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { DecidedGroup } from "#src/contract/records/rule-record.ts";
import type { SeenBefore } from "#src/contract/records/seen-before.ts";
import { isFalling, type HistorySort } from "#src/contract/records/list-sort.ts";
import { isLabel, type Label, type LabelledOrder } from "#src/contract/records/label.ts";
import { checksum, type Database, type Row } from "./database.ts";
import { compileFilter, type Condition } from "./history-filter.ts";
import { readHighest, writeHighest } from "./highest-place.ts";
import {
  entryOf,
  entryOfRow,
  FACTS,
  factsOf,
  folded,
  HISTORY,
  insertEntry,
  learnedText,
  storable,
  type HistoryRecord,
} from "./history-form.ts";
import {
  LABEL_OF_ENTRY,
  LABEL_ROW_OF_ENTRY,
  labelOfRow,
  pageOfLabels,
  putLabels,
  readLabels,
  removeLabels,
  withdrawLabels,
} from "./history-labels.ts";
import { checkRows, tryToWrite, type HistoryCheck } from "./history-verify.ts";
import { pruneRows, type Pruned, type PruneOptions } from "./history-prune.ts";
import { salvage, type Salvaged } from "./salvage.ts";
import { seenBefore, type CheckSeen } from "./seen-before.ts";
import { TableDatabase, type OnProgress, type Page, type TableEvents } from "./table-database.ts";

export interface TableExtent {
  /** `place` of the oldest entry; places are dense from there on. */
  readonly first: number;
  readonly count: number;
  /** Number of removals so far; places are valid while it is unchanged. */
  readonly removed: number;
}

/** A search in a range of places, which are counted from the oldest entry and do not change when entries are added. */
export interface TableSearch {
  /** The first place, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  readonly filter: string;
  /** ms since the epoch, from which `since:2d` counts back */
  readonly now: Milliseconds;
}

/** Entries per statement of a search, which cannot be interrupted. The first is small, to show results at once. */
const FIRST_PIECE = 500;
const LARGEST_PIECE = 20_000;
/** Target duration of such a statement. */
const PIECE_MS: Milliseconds = 15;

const UPDATE_ENTRY = `UPDATE entry SET ${FACTS.map((name) => `${name} = ?`).join(", ")} WHERE place = ?`;
const UPDATE_TEXT = "UPDATE entry_text SET learned = ?, crc = ? WHERE place = ?";
const FROM = "FROM entry LEFT JOIN entry_text ON entry_text.place = entry.place";
const SELECT = `SELECT entry.place, id, intent, learned, crc ${FROM}`;
const SELECT_LABELLED = `SELECT entry.place, id, intent, learned, crc, ${LABEL_ROW_OF_ENTRY} AS label ${FROM}`;

const SELECT_DECIDED = `
  SELECT iif(json_valid(learned), learned -> '$.result.basis.rules', NULL) AS rules, ${LABEL_OF_ENTRY} AS became,
    currency, count(*) AS count, total(amount) AS amount
  ${FROM} WHERE profile = ? AND at >= ? AND rules IS NOT NULL GROUP BY rules, became, currency`;

const EVERY: Condition = { sql: "TRUE", values: [] };

/** What comes before the column, and the column itself. */
const ORDERED_BY: Readonly<Record<HistorySort["by"], readonly [string, string]>> = {
  time: ["", "place"],
  amount: ["currency NULLS LAST,", "amount"],
  verdict: ["", "verdict"],
  project: ["", "project"],
  latency: ["", "latency"],
};

export class HistoryTable extends TableDatabase {
  /** Transactions of this connection, which `dataVersion` does not count. */
  #written = 0;

  /** Touches no file before the first call. @param path of the database */
  constructor(path: string, events: TableEvents) {
    super(path, HISTORY, events);
  }

  /** Writes records in one transaction. @throws Fault("storage"): then no record is written. Fault("corrupt"), Fault("bad_input") for card data */
  async commit(given: readonly HistoryRecord[]): Promise<void> {
    const records = given.map(storable);
    let place = 0;
    await this.write((database) => {
      for (const record of records) {
        if (record.type === "intent") place = insertEntry(database, record.entry, record.body);
        else if (record.type === "labelled") putLabels(database, record.labels);
        else if (record.type === "withdrawn") withdrawLabels(database, record.labels);
        else if (record.type === "unlabelled") removeLabels(database, record.orderId);
        // A pruned entry has no row.
        else this.#learn(database, record);
      }
    });
    this.#written += 1;
    if (place > 0) writeHighest(this.path, { place, lost: readHighest(this.path).lost });
  }

  #learn(database: Database, { id, learned }: Extract<HistoryRecord, { type: "learned" }>): void {
    const row = database.get(`${SELECT} WHERE id = ?`, id);
    if (row === undefined) return;
    if (this.#entryOf(row) === null) throw damaged([Number(row.place)]);
    const place = Number(row.place);
    const intent = String(row.intent);
    const text = learnedText(String(row.learned), learned);
    database.run(UPDATE_TEXT, text, checksum(place, id, intent, text), place);
    database.run(UPDATE_ENTRY, ...factsOf(entryOf(intent, text)), place);
  }

  /** The orders of these ids that have labels. @throws Fault("corrupt") */
  async labels(orderIds: readonly string[]): Promise<LabelledOrder[]> {
    return await this.read([], (database) => readLabels(database, orderIds));
  }

  /** Labelled orders behind one, in the order of their ids. @throws Fault("corrupt") */
  async labelledOrders(after: string, count: number): Promise<LabelledOrder[]> {
    return await this.read([], (database) => pageOfLabels(database, after, count));
  }

  /**
   * The checks of a profile from a time on whose rules the service said, as groups, because there are few of them. Sums of
   * amounts are about; the rows are not compared with their checksums, which reading them would cost.
   */
  async decided(profile: string, since: Milliseconds): Promise<DecidedGroup[]> {
    return await this.read([], (database) =>
      database.all(SELECT_DECIDED, folded(profile), since).flatMap(groupOf),
    );
  }

  /** Earlier checks of the order, card and payer of a check, among the newest 10,000 before it. */
  async seenBefore(check: CheckSeen): Promise<SeenBefore> {
    const { id, at, profile, request } = check;
    const nothing = { id, order: null, card: null, payer: null };
    return await this.read(nothing, (database) => seenBefore(database, { id, at, profile, request }));
  }

  async extent(): Promise<TableExtent> {
    return await this.read(NO_ROWS, spanOf);
  }

  /** The newest entries older than a row that a filter accepts, newest first; damaged ones are left out and reported. @throws Fault("usage" | "corrupt") */
  async newest(count: number, below: number, filter: string, now: Milliseconds): Promise<Page<HistoryEntry>> {
    const where = compileFilter(filter, now);
    return await this.read({ rows: [], last: null }, (database) => {
      const rows = rowsBelow(database, count, below, where);
      const last = rows.length === 0 ? null : Number(rows.at(-1)!.place);
      // A damaged place, behind which the same entries would be read again.
      if (last !== null && last >= below)
        throw corrupt`The order of the history is damaged; ${whole(HISTORY.upkeep)}.`;
      return { rows: this.#entriesOf(rows), last };
    });
  }

  /**
   * Entries by position, 0 for the newest, newest first; damaged ones are left out and reported. Any page takes the same short
   * time.
   */
  async page(from: number, count: number): Promise<HistoryEntry[]> {
    return await this.read([], (database) => {
      const { first, count: all } = spanOf(database);
      const behind = Math.min(from, 0);
      const below = first + all - Math.max(0, from);
      return this.#entriesOf(rowsBelow(database, Math.max(0, count + behind), below, EVERY));
    });
  }

  /** The entries at these places, in their order; damaged ones are left out and reported. */
  async at(places: readonly number[]): Promise<HistoryEntry[]> {
    return await this.read([], (database) => {
      const { first } = spanOf(database);
      const select = `${SELECT_LABELLED} WHERE entry.place = ?`;
      const rows = places.map((place) => database.get(select, first + place));
      return this.#entriesOf(rows.filter((row) => row !== undefined));
    });
  }

  /**
   * The entry with this id, or the only one whose id starts with it; null when there is none.
   * @throws Fault("usage") when several start with it, Fault("corrupt") when it is damaged
   */
  async find(idOrPrefix: string): Promise<HistoryEntry | null> {
    return await this.read(null, (database) => {
      const exact = database.get(`${SELECT_LABELLED} WHERE id = ?`, idOrPrefix);
      const within = [idOrPrefix, `${idOrPrefix}\u{10FFFF}`] as const;
      const count =
        exact !== undefined
          ? 1
          : Number(database.get("SELECT count(*) AS n FROM entry WHERE id >= ? AND id < ?", ...within)!.n);
      if (count > 1) {
        throw usage`${count} entries start with "${idOrPrefix}"; give more of the id.`;
      }
      const row = exact ?? database.get(`${SELECT_LABELLED} WHERE id >= ? AND id < ?`, ...within);
      if (row === undefined) return null;
      const [found] = this.#entriesOf([row]);
      if (found === undefined) throw damaged([Number(row.place)]);
      return found;
    });
  }

  /** The position of an entry; null when there is none with this id. */
  async position(id: string): Promise<number | null> {
    return await this.read(null, (database) => {
      const place = database.get("SELECT place FROM entry WHERE id = ?", id)?.place;
      if (place === undefined) return null;
      const { first, count } = spanOf(database);
      return first + count - 1 - Number(place);
    });
  }

  /** Places of all entries in the order of a column, counted from the oldest; the newest first among equal ones. */
  async order(sort: HistorySort): Promise<Uint32Array> {
    const [before, column] = ORDERED_BY[sort.by];
    const direction = isFalling(sort) ? "DESC" : "ASC";
    return await this.read(new Uint32Array(), (database) => {
      const { first } = spanOf(database);
      const order = `${before} ${column} ${direction} NULLS LAST, place DESC`;
      const rows = database.all(`SELECT place FROM entry ORDER BY ${order}`);
      return Uint32Array.from(rows, ({ place }) => Number(place) - first);
    });
  }

  /**
   * Reports the places of what a filter accepts, newest first, and how many entries were looked at, piece by piece.
   * Resolves at the end, or when the signal fires.
   * @throws Fault("usage") for an invalid filter
   */
  async search(
    { filter, now, from, to }: TableSearch,
    signal: AbortSignal,
    onProgress: (progress: { readonly found: readonly number[]; readonly looked: number }) => void,
  ): Promise<void> {
    const where = compileFilter(filter, now);
    const sql = `SELECT entry.place ${FROM} WHERE entry.place >= ? AND entry.place < ? AND ${where.sql} ORDER BY entry.place DESC`;
    const { first, removed } = await this.read(NO_ROWS, spanOf);
    let piece = FIRST_PIECE;
    for (let end = to; end > from && !signal.aborted;) {
      const start = Math.max(from, end - piece);
      const began = performance.now();
      const rows = await this.read(null, (database) =>
        // After a removal places are invalid, so nothing is reported until the list is read again.
        spanOf(database).removed === removed
          ? database.all(sql, first + start, first + end, ...where.values)
          : null,
      );
      if (rows === null) return;
      onProgress({ found: rows.map(({ place }) => Number(place) - first), looked: to - start });
      end = start;
      const inTime = (piece * PIECE_MS) / (performance.now() - began);
      piece = Math.round(Math.max(FIRST_PIECE, Math.min(inTime, piece * 4, LARGEST_PIECE)));
      // Lets timers and the cancelling message run.
      await new Promise(setImmediate);
    }
  }

  /** Changes with each change by any process; null without a database. Takes about 1 us. */
  async version(): Promise<number | null> {
    return await this.use<number | null>(
      null,
      async (database) => (await database.dataVersion()) + this.#written,
    );
  }

  /** Removes entries for good. @param onProgress entries removed, of all @throws Fault("storage") */
  async prune(options: PruneOptions, signal: AbortSignal, onProgress: OnProgress): Promise<Pruned> {
    const nothing = { removed: 0, kept: 0, freedBytes: 0, behind: 0 };
    return await this.use(nothing, (database) => pruneRows(database, options, signal, onProgress));
  }

  /** Verifies every page and row; null without a database. @param onProgress entries read, of all */
  async verify(signal: AbortSignal, onProgress: OnProgress): Promise<HistoryCheck | null> {
    return await this.use<HistoryCheck | null>(null, async (database) => {
      await tryToWrite(database);
      return await checkRows(database, signal, onProgress);
    });
  }

  /**
   * Sets a damaged database aside and copies the readable entries into a new one; null without a database.
   * @param now ms since the epoch @param onProgress entries saved, of all
   * @throws Fault("storage") with nothing changed
   */
  async salvage(now: Milliseconds, onProgress: OnProgress): Promise<Salvaged | null> {
    await this.close();
    return await salvage(this.path, now, onProgress);
  }

  /** The entries of intact rows; damaged ones are reported. */
  #entriesOf(rows: readonly Row[]): HistoryEntry[] {
    const bad: number[] = [];
    const found: HistoryEntry[] = [];
    for (const row of rows) {
      const entry = this.#entryOf(row);
      if (entry === null) bad.push(Number(row.place));
      else found.push(entry);
    }
    if (bad.length > 0) this.report(damaged(bad).message);
    return found;
  }

  /** Undefined, and reported, for a damaged one. */
  #labelOf(row: Row[string] | undefined): Label | undefined {
    try {
      return labelOfRow(row);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.report(error.message);
      return undefined;
    }
  }

  #entryOf(row: Row): HistoryEntry | null {
    const entry = entryOfRow(row);
    if (entry === null) return null;
    const found = this.#labelOf(row.label);
    return found === undefined ? entry : { ...entry, label: found };
  }
}

function rowsBelow(database: Database, count: number, below: number, { sql, values }: Condition): Row[] {
  const selected = `${SELECT_LABELLED} WHERE entry.place < ? AND ${sql} ORDER BY entry.place DESC LIMIT ?`;
  return database.all(selected, below, ...values, count);
}

/** None where the rules are no texts, as in a damaged entry. */
function groupOf({ rules, became, currency, count, amount }: Row): DecidedGroup | [] {
  const codes: unknown = JSON.parse(String(rules));
  if (!Array.isArray(codes) || !codes.every((code) => typeof code === "string")) return [];
  return {
    rules: codes,
    label: isLabel(became) ? became : null,
    currency: currency === null ? null : Number(currency),
    count: Number(count),
    amount: Number(amount),
  };
}

const NO_ROWS: TableExtent = { first: 1, count: 0, removed: 0 };

/** Two queries, because SQLite reads the whole table for both ends at once (150 ms for a million). */
const SPAN = `
  SELECT (SELECT min(place) FROM entry) AS first, (SELECT max(place) FROM entry) AS last,
         (SELECT value FROM meta WHERE name = 'removed') AS removed`;

function spanOf(database: Database): TableExtent {
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
  return corrupt`${whole(what)} of the history ${verb} damaged and left out; ${whole(HISTORY.upkeep)}.`;
}
