// The tables of the runs: reads and writes rows. All arguments and results are plain data for a worker.

import type { ComparedGroup, Earlier, EurPerUnit, Flip } from "#src/contract/records/flip.ts";
import type {
  KeptRows,
  LabelledGroup,
  RuleHits,
  RunHeader,
  RunInfo,
  RunItem,
  RunRow,
} from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { isRecommendation } from "#src/contract/wire/recommendation.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { corrupt, Fault, usage, whole } from "#src/contract/fault.ts";
import { checksum, intact, type Database, type Row } from "./database.ts";
import { comparePlaces, indexEarlier, type PlacedComparison, type Places } from "./run-comparison.ts";
import {
  factsOf,
  isIntentOf,
  ITEMS,
  keyText,
  maySendAgain,
  resultOf,
  rowOf,
  runOfTexts,
  RUNS,
  type Facts,
  type RunWrite,
  type Standing,
} from "./run-form.ts";
import { labelledGroups } from "./run-labels.ts";
import { inShortTransactions } from "./short-transactions.ts";
import { pagesOf, TableDatabase, type OnProgress, type Page, type TableEvents } from "./table-database.ts";
import { damagedPages } from "./history-verify.ts";

/** The state of a run after its earlier sessions. */
export interface RunPast {
  /** Number of the last intended item; 0 for none. */
  readonly highest: number;
  /** Whether no intent was lost, so that an item without one was never sent. */
  readonly isWhole: boolean;
  readonly rejected: number;
  readonly durationMs: Milliseconds;
}

/** Of a new run. */
export const NO_PAST: RunPast = { highest: 0, isWhole: true, rejected: 0, durationMs: 0 };

export interface RunPage extends Page<RunRow> {
  /** Items that are left out or without their result because of damage. */
  readonly damaged: number;
}

interface ReadPage extends RunPage {
  /** Places of items whose facts differ from their texts. */
  readonly wrong: readonly number[];
}

export interface RunsCheck {
  readonly runs: number;
  /** Those that can be read. */
  readonly items: number;
}

/** What a comparison of two runs finds; see `Comparison`. */
export interface FoundChanges extends Pick<PlacedComparison, "others"> {
  readonly groups: readonly ComparedGroup[];
  readonly flips: readonly Flip[];
}

const KEPT: Readonly<Record<keyof KeptRows, string>> = {
  unexpected: "expect IS NOT NULL AND verdict IS NOT expect",
  noVerdict: "(verdict IS NULL OR verdict NOT IN ('pass', '3ds_or_block', 'block'))",
  items: "TRUE",
};

/** Ids are also names of lock files. */
const ID = /^[0-9A-Za-z_-]{1,64}$/;

const SELECT_RUNS = "SELECT no, id, header, standing, crc FROM run";
const SELECT_ITEMS = `
  SELECT item.place, intent, item.crc, result, item_result.crc AS result_crc,
    key, was, expect, amount, currency, verdict, rules
  FROM item LEFT JOIN item_result ON item_result.place = item.place
    LEFT JOIN item_fact ON item_fact.place = item.place
  WHERE item.place > ? AND item.place < ? ORDER BY item.place LIMIT ?`;
/** A damaged pointer loses items without a trace, and their outcomes show it. */
const LOST_ITEMS =
  "SELECT count(*) AS count FROM item_result WHERE NOT EXISTS (SELECT 1 FROM item WHERE item.place = item_result.place)";
const PUT_FACTS = "INSERT OR REPLACE INTO item_fact VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const PUT_RESULT =
  "INSERT INTO item_result VALUES (?1, ?2, ?3) ON CONFLICT(place) DO UPDATE SET result = ?2, crc = ?3";

export class RunTable extends TableDatabase {
  /** The connection with the table `earlier`, and the run in it as it stood. */
  #earlier: { readonly database: Database; readonly run: string } | null = null;

  /** Touches no file before the first call. @param path of the database */
  constructor(path: string, events: TableEvents) {
    super(path, RUNS, events);
  }

  /** Newest first; damaged ones are left out and reported. */
  async list(): Promise<RunInfo[]> {
    return await this.read([], (database) => this.#infos(database, "", "\u{10FFFF}"));
  }

  /**
   * The run with this id, the only one whose id starts with it, or the newest one for `last`; null when there is none.
   * @throws Fault("usage") when several start with it
   */
  async find(wanted: string): Promise<RunInfo | null> {
    return await this.read(null, (database) => {
      const starting = wanted === "" ? [] : this.#infos(database, wanted, `${wanted}\u{10FFFF}`);
      const exact = starting.find(({ id }) => id === wanted);
      if (exact !== undefined) return exact;
      if (wanted === "last") return this.#infos(database, "", "\u{10FFFF}")[0] ?? null;
      if (starting.length > 1) {
        throw usage`${starting.length} runs start with "${wanted}"; give more of the id.`;
      }
      return starting[0] ?? null;
    });
  }

  #infos(database: Database, from: string, below: string): RunInfo[] {
    const rows = database.all(`${SELECT_RUNS} WHERE id >= ? AND id < ? ORDER BY id DESC`, from, below);
    return rows.flatMap((row) => {
      const run = wholeRun(row);
      if (run === null) {
        this.report(`Run ${escapeText(String(row.id), 40)} is damaged and left out; ${RUNS.upkeep}.`);
        return [];
      }
      const { header, standing } = run;
      if (standing.state === "removed" || standing.state === "incoming") return [];
      return { ...header, state: standing.state, summary: standing.summary };
    });
  }

  /** Ids of the runs that are not whole yet, of processes that add them or were lost. */
  async incoming(): Promise<string[]> {
    return await this.read([], (database) =>
      database
        .all(SELECT_RUNS)
        .map(wholeRun)
        .flatMap((run) => (run?.standing.state === "incoming" ? run.id : [])),
    );
  }

  /**
   * The rows of the items behind one, in the order of the sources; damaged ones are left out and reported. Damaged facts are
   * made anew and reported.
   */
  async rows(id: string, after: number, count: number): Promise<RunPage> {
    const nothing = { rows: [], last: null, damaged: 0, wrong: [] };
    const { wrong, ...page } = await this.read<ReadPage>(nothing, (database) =>
      this.#page(database, id, after, count),
    );
    for (const place of wrong) await this.#mendFacts(id, place);
    return page;
  }

  #page(database: Database, id: string, after: number, count: number): ReadPage {
    const wrong: number[] = [];
    let damaged = 0;
    const base = numberOf(database, id) * ITEMS;
    const found = database.all(SELECT_ITEMS, base + after, base + ITEMS, count);
    // A damaged pointer can close a circle of pages, which would be read for ever.
    let last = base + after;
    for (const { place } of found) {
      if (Number(place) <= last) throw damagedRun(id);
      last = Number(place);
    }
    const rows = found.flatMap((row) => {
      const item = this.#itemOf(id, row, base);
      if (item === null || item.isDamaged === true) damaged += 1;
      if (item === null) return [];
      if (!hasFacts(row, factsOf(item.row, item.result))) wrong.push(Number(row.place));
      // A withdrawn item has no row.
      return item.result === "withdrawn" ? [] : { ...item.row, result: item.result };
    });
    return { rows, last: found.length === 0 ? null : last - base, damaged, wrong };
  }

  /**
   * Reads every page, run and item, and reports what is damaged; null without a database.
   * @param onProgress runs read, of all
   */
  async verify(signal: AbortSignal, onProgress: OnProgress): Promise<RunsCheck | null> {
    return await this.use<RunsCheck | null>(null, async (database) => {
      for (const found of await damagedPages(database)) this.report(`${database.path}: ${found}`);
      const infos = await database.read(() => this.#infos(database, "", "\u{10FFFF}"));
      let items = 0;
      for (const [index, { id }] of infos.entries()) {
        const read = (last: number) => database.read(() => this.#page(database, id, last, PAGE));
        for await (const { rows, wrong } of pagesOf(read, 0)) {
          if (signal.aborted) break;
          items += rows.length;
          for (const place of wrong)
            this.report(`${wrongFacts(id, place)}; "verdict run export ${id}" repairs it.`);
        }
        onProgress(index + 1, infos.length);
      }
      const lost = await database.read(() => Number(database.get(LOST_ITEMS)!.count));
      if (lost > 0) this.report(`${database.path} has outcomes without their items: ${lost}.`);
      return { runs: infos.length, items };
    });
  }

  async #mendFacts(id: string, place: number): Promise<void> {
    const named = wrongFacts(id, place);
    try {
      await this.write((database) => {
        const row = database.get(SELECT_ITEMS, place - 1, place + 1, 1);
        const item = row === undefined ? null : this.#itemOf(id, row, place - (place % ITEMS));
        if (item !== null) putFacts(database, place, factsOf(item.row, item.result));
      });
      this.report(`${named}; verdict repaired it. Compare the runs again.`);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.report(`${named}; comparisons may count this item wrongly.`);
    }
  }

  /**
   * Compares two runs by key in SQL.
   * @param baseline null for the verdicts that the items carried
   * @param rates order the flips of a kind
   * @param most flips that are found
   */
  async compare(
    run: string,
    baseline: string | null,
    rates: EurPerUnit,
    most: number,
  ): Promise<FoundChanges> {
    const none: FoundChanges = { groups: [], others: { new: 0, missing: 0, failed: 0 }, flips: [] };
    return await this.read(none, (database) =>
      database.snapshot(() => {
        const later = placesOf(database, run);
        const earlier = baseline === null ? null : placesOf(database, baseline);
        if (baseline !== null) this.#indexEarlier(database, baseline);
        const found = comparePlaces(database, later, earlier === null ? "carried" : "run", rates, most);
        const flips = found.flips.flatMap(({ was, now, ...flip }): Flip[] => {
          const after = this.#rowAt(database, run, later, flip.place);
          const before =
            earlier === null || flip.earlier === null
              ? null
              : this.#rowAt(database, baseline!, earlier, flip.earlier);
          return after === null ? [] : [{ key: after.key, change: "flipped", was, now, before, after }];
        });
        return { ...found, flips };
      }),
    );
  }

  #indexEarlier(database: Database, id: string): void {
    this.#earlier = null;
    indexEarlier(database, placesOf(database, id));
    this.#earlier = { database, run: versionOf(database, id) };
  }

  /** What a run says of the items with these keys; null where it has none. */
  async earlier(id: string, keys: readonly string[]): Promise<(Earlier | null)[]> {
    return await this.read(
      keys.map(() => null),
      (database) => {
        const held = this.#earlier;
        if (held?.database !== database || held.run !== versionOf(database, id))
          this.#indexEarlier(database, id);
        return keys.map((key) => {
          const row = database.get("SELECT verdict, rules FROM temp.earlier WHERE key = ?", keyText(key));
          if (row === undefined) return null;
          const { verdict, rules } = row;
          const codes = rules === "" ? [] : (rules as string | null)?.split(" ");
          return { verdict: isRecommendation(verdict) ? verdict : null, rules: codes };
        });
      },
    );
  }

  /** The rules that hit in a run, the most frequent first; empty where the service does not say them. */
  async hits(id: string): Promise<RuleHits[]> {
    return await this.read([], (database) => {
      const found = database.all(
        "SELECT rules, count(*) AS count FROM item_fact WHERE place > ? AND place < ? AND rules <> '' GROUP BY rules",
        ...placesOf(database, id),
      );
      const hits = new Map<string, { hits: number; decided: number }>();
      for (const { rules, count } of found) {
        for (const [index, code] of String(rules).split(" ").entries()) {
          const rule = hits.get(code) ?? { hits: 0, decided: 0 };
          rule.hits += Number(count);
          if (index === 0) rule.decided += Number(count);
          hits.set(code, rule);
        }
      }
      const all = [...hits].map(([code, counts]) => ({ code, ...counts }));
      return all.sort((a, b) => b.hits - a.hits || (a.code < b.code ? -1 : 1));
    });
  }

  /**
   * The items of a run by what became of their payments: their own label, else that of their order.
   * @param history path of its database
   * @throws Fault("storage" | "corrupt")
   */
  async labelledCounts(id: string, history: string): Promise<LabelledGroup[]> {
    return await this.use([], (database) => labelledGroups(database, placesOf(database, id), history));
  }

  /** The first rows of each kind. @param most rows of each kind */
  async kept(id: string, most: Readonly<Record<keyof KeptRows, number>>): Promise<KeptRows> {
    return await this.read({ unexpected: [], noVerdict: [], items: [] }, (database) => {
      const places = placesOf(database, id);
      const first = (kind: keyof KeptRows): RunRow[] =>
        database
          .all(
            `SELECT place FROM item_fact WHERE place > ? AND place < ? AND verdict IS NOT 'withdrawn' AND ${KEPT[kind]} ORDER BY place LIMIT ?`,
            ...places,
            most[kind],
          )
          .flatMap(({ place }) => this.#rowAt(database, id, places, Number(place)) ?? []);
      return { unexpected: first("unexpected"), noVerdict: first("noVerdict"), items: first("items") };
    });
  }

  #rowAt(database: Database, id: string, [base]: Places, place: number): RunRow | null {
    const row = database.get(SELECT_ITEMS, place - 1, place + 1, 1);
    const item = row === undefined ? null : this.#itemOf(id, row, base);
    return item === null || item.result === "withdrawn" ? null : { ...item.row, result: item.result };
  }

  /** The state after the earlier sessions. */
  async past(id: string): Promise<RunPast> {
    return await this.read(NO_PAST, (database) => {
      const { no, standing } = runOf(database, id)!;
      return {
        isWhole: hasAllIntents(database, no),
        highest: Math.max(lastOf(database, "item", no), lastOf(database, "item_result", no)),
        rejected: standing.rejected,
        durationMs: standing.durationMs,
      };
    });
  }

  /**
   * The items that must not be sent again: all except those whose intact row says that nothing was decided, because a second
   * payment is worse than an unknown one.
   * @param isWhole true when one without an intent was never sent, because items are not sent in the order of their numbers
   * @param items with growing numbers, none higher than the highest intended one
   * @throws Fault("usage") when an earlier session intended something else under one of the numbers
   */
  async findSent(id: string, items: readonly RunItem[], isWhole: boolean): Promise<number[]> {
    return await this.read([], (database) => {
      const base = numberOf(database, id) * ITEMS;
      const [first, last] = [items[0]!.seq, items.at(-1)!.seq];
      const found = database.all(SELECT_ITEMS, base + first - 1, base + last + 1, last - first + 1);
      const rows = new Map(found.map((row) => [Number(row.place) - base, row]));
      return items.flatMap((item) => {
        const row = rows.get(item.seq);
        if (row === undefined) return isWhole ? [] : [item.seq];
        const known = this.#itemOf(id, row, base);
        if (known !== null && !isIntentOf(String(row.intent), item)) {
          throw usage`${item.origin} has changed since the run, which sent another item ${item.seq}; replay the sources as a new run.`;
        }
        return known !== null && maySendAgain(known.result) ? [] : [item.seq];
      });
    });
  }

  /** Writes to a run in one transaction. @throws Fault("storage"): then none of it is there. Fault("corrupt") */
  async commit(id: string, writes: readonly RunWrite[]): Promise<void> {
    await this.write((database) => {
      for (const write of writes) if (write.type === "session") begin(database, write);
      const no = numberOf(database, id);
      // If acknowledged, it would be sent without a record.
      if (no < 0) throw new TypeError(`there is no run ${id} to write to`);
      for (const write of writes) put(database, id, no, write);
    });
  }

  /** Removes a run for good, and the rest of interrupted removals. @throws Fault("storage") */
  async remove(id: string): Promise<void> {
    await this.use(undefined, (database) => this.#remove(database, id));
  }

  async #remove(database: Database, id: string): Promise<void> {
    // Hidden first, so that a run is never visible in part.
    await database.write(() => {
      const run = runOf(database, id);
      if (run !== null) setStanding(database, run, { ...run.standing, state: "removed" });
    });
    const all = await database.read(() => database.all(SELECT_RUNS));
    for (const run of all.map(wholeRun)) {
      if (run?.standing.state !== "removed") continue;
      const base = run.no * ITEMS;
      for (const table of ["item", "item_result", "item_fact"]) {
        const range = [base, base + lastOf(database, table, run.no) + 1] as const;
        await inShortTransactions(database, range, NEVER, (from, to) => {
          database.run(`DELETE FROM ${table} WHERE place >= ? AND place < ?`, from, to);
        });
      }
      await database.write(() => database.run("DELETE FROM run WHERE no = ?", run.no));
    }
    await database.emptyLog("The run is removed");
  }

  /** Null, and reported, for a damaged intent. A damaged result counts as none, so the item is unknown. */
  #itemOf(id: string, { place, intent, crc, result, result_crc: resultCrc }: Row, base: number): Item | null {
    const seq = Number(place) - base;
    const name = `${seq} of run ${escapeText(id, 40)}`;
    const text = String(intent);
    const row = intact(crc, [Number(place), text], () => rowOf(seq, text));
    if (row === null) {
      this.report(`Item ${name} is damaged and left out; it is not sent again.`);
      return null;
    }
    if (result === null || result === undefined) return { row, result: null };
    const known = intact(resultCrc, [Number(place), String(result)], () => resultOf(String(result)));
    if (known !== null) return { row, result: known };
    this.report(`The outcome of item ${name} is damaged and counts as unknown.`);
    return { row, result: null, isDamaged: true };
  }
}

interface Item {
  /** Without its result. */
  readonly row: RunRow;
  readonly result: CheckResult | "withdrawn" | null;
  /** Its result was damaged. */
  readonly isDamaged?: true;
}

interface StoredRun {
  readonly no: number;
  readonly id: string;
  /** As JSON. */
  readonly headerText: string;
  readonly header: RunHeader;
  readonly standing: Standing;
}

const NEVER = new AbortController().signal;

/** Null for a damaged row. */
function wholeRun({ no, id, header, standing, crc }: Row): StoredRun | null {
  const [headerText, standingText] = [String(header), String(standing)];
  if (!ID.test(String(id))) return null;
  return intact(crc, [Number(no), String(id), headerText, standingText], () => ({
    no: Number(no),
    id: String(id),
    headerText,
    ...runOfTexts(String(id), headerText, standingText),
  }));
}

/** Null where there is none. @throws Fault("corrupt") */
function runOf(database: Database, id: string): StoredRun | null {
  const row = database.get(`${SELECT_RUNS} WHERE id = ?`, id);
  if (row === undefined) return null;
  const run = wholeRun(row);
  if (run !== null) return run;
  throw damagedRun(id);
}

function wrongFacts(id: string, place: number): string {
  return `The comparison data of item ${place % ITEMS} of run ${escapeText(id, 40)} was damaged`;
}

function damagedRun(id: string): Fault {
  return corrupt`Run ${id} is damaged; ${whole(RUNS.upkeep)}.`;
}

/** -1, which no item has, for an unknown run. */
function numberOf(database: Database, id: string): number {
  return Number(database.get("SELECT no FROM run WHERE id = ?", id)?.no ?? -1);
}

/** Rows per read. */
const PAGE = 500;

/** False when the table of intents, or a row of the run in it, is damaged: then others may be missing without a trace. */
function hasAllIntents(database: Database, no: number): boolean {
  const [check] = database.all("PRAGMA quick_check(item)");
  if (Object.values(check ?? {})[0] !== "ok") return false;
  // A flipped bit may also have moved the last one behind all runs.
  const { beyond } = database.get(
    "SELECT max(place) >= (SELECT max(no) + 1 FROM run) * ? AS beyond FROM item",
    ITEMS,
  )!;
  const orphan = database.get(
    "SELECT 1 FROM item_result AS result WHERE place > ? AND place < ? AND NOT EXISTS (SELECT 1 FROM item WHERE item.place = result.place)",
    no * ITEMS,
    (no + 1) * ITEMS,
  );
  if (beyond === 1 || orphan !== undefined) return false;
  const page = "SELECT place, intent, crc FROM item WHERE place > ? AND place < ? ORDER BY place LIMIT ?";
  for (let rows, last = no * ITEMS; (rows = database.all(page, last, (no + 1) * ITEMS, PAGE)).length > 0;) {
    if (rows.some(({ place, intent, crc }) => checksum(Number(place), String(intent)) !== crc)) return false;
    const end = Number(rows.at(-1)!.place);
    if (end <= last) return false;
    last = end;
  }
  return true;
}

function placesOf(database: Database, id: string): Places {
  const no = numberOf(database, id);
  return [no * ITEMS, (no + 1) * ITEMS];
}

/** Changes with each session of a run. */
function versionOf(database: Database, id: string): string {
  const row = database.get("SELECT no, crc FROM run WHERE id = ?", id);
  return JSON.stringify(row);
}

function hasFacts(row: Row, facts: Facts): boolean {
  return Object.entries(facts).every(([name, value]) => row[name] === value);
}

function putFacts(database: Database, place: number, facts: Facts): void {
  const { key, was, expect, amount, currency, verdict, rules } = facts;
  database.run(PUT_FACTS, place, key, was, expect, amount, currency, verdict, rules);
}

/** Number of the last item of a run in one of the tables; 0 for none. */
function lastOf(database: Database, table: string, no: number): number {
  const sql = `SELECT max(place) AS last FROM ${table} WHERE place > ? AND place < ?`;
  const { last } = database.get(sql, no * ITEMS, (no + 1) * ITEMS)!;
  return last === null ? 0 : Number(last) - no * ITEMS;
}

function setStanding(database: Database, { no, id, headerText }: StoredRun, standing: Standing): void {
  const text = JSON.stringify(standing);
  const crc = checksum(no, id, headerText, text);
  database.run("UPDATE run SET standing = ?, crc = ? WHERE no = ?", text, crc, no);
}

/** Begins a session; the first one creates the run. */
function begin(database: Database, write: Extract<RunWrite, { type: "session" }>): void {
  const { header, at, incoming } = write;
  const run = runOf(database, header.id);
  if (run !== null) {
    const { rejected, durationMs, startedAt } = run.standing;
    // A session whose process was lost was active at least until its last intent.
    const lost = startedAt === null ? 0 : Math.max(0, lastIntentAt(database, run.no) - startedAt);
    const standing = { rejected, durationMs: durationMs + lost, startedAt: at };
    setStanding(database, run, { state: "partial", summary: null, ...standing });
    return;
  }
  if (!ID.test(header.id)) throw new TypeError(`${header.id} is no id of a run`);
  const no = Number(database.get("SELECT coalesce(max(no), 0) + 1 AS no FROM run")!.no);
  const state = incoming === true ? "incoming" : "partial";
  const standing: Standing = { state, summary: null, rejected: 0, durationMs: 0, startedAt: at };
  const texts = [JSON.stringify(header), JSON.stringify(standing)] as const;
  const crc = checksum(no, header.id, ...texts);
  database.run("INSERT INTO run VALUES (?, ?, ?, ?, ?)", no, header.id, ...texts, crc);
}

/** Writes all other changes. */
function put(database: Database, id: string, no: number, write: RunWrite): void {
  if (write.type === "session") return;
  if (write.type === "finish") {
    const { state, summary } = write;
    const { rejected, durationMs } = summary;
    setStanding(database, runOf(database, id)!, { state, summary, rejected, durationMs, startedAt: null });
    return;
  }
  const place = no * ITEMS + write.seq;
  const crc = checksum(place, write.text);
  if (write.type === "result") {
    const { verdict, rules } = write.facts;
    database.run(PUT_RESULT, place, write.text, crc);
    database.run("UPDATE item_fact SET verdict = ?, rules = ? WHERE place = ?", verdict, rules, place);
    return;
  }
  putFacts(database, place, write.facts);
  if (database.run("INSERT OR IGNORE INTO item VALUES (?, ?, ?)", place, write.text, crc) === 0) {
    // An item that was not sent is intended again, so its outcome is open.
    database.run("UPDATE item SET intent = ?, crc = ? WHERE place = ?", write.text, crc, place);
    database.run("DELETE FROM item_result WHERE place = ?", place);
  }
}

function lastIntentAt(database: Database, no: number): Milliseconds {
  const last = lastOf(database, "item", no);
  const row =
    last === 0
      ? undefined
      : database.get("SELECT place, intent, crc FROM item WHERE place = ?", no * ITEMS + last);
  if (row === undefined || checksum(Number(row.place), String(row.intent)) !== row.crc) return 0;
  return rowOf(last, String(row.intent)).at;
}
