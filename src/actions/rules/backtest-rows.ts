// The decided payments of a back-test, kept on disk until its reports are written, and the file of all rows.

import { extname } from "node:path";
import { createWhole, expectNewFile } from "#src/actions/whole-file.ts";
import { interrupted, usage } from "#src/contract/fault.ts";
import type { SidedRow } from "#src/contract/records/flip.ts";
import { csvLine } from "#src/replay/csv.ts";
import { safeJson } from "#src/display/safe.ts";
import { isoTime } from "#src/display/time.ts";
import { systemClock } from "#src/replay/scheduler.ts";
import type { BacktestVerdict } from "#src/rules/backtest.ts";
import { TimeSorter } from "#src/storage/database/time-sorter.ts";
import { rowOf, type DecidedPayment } from "./backtest.ts";

/** Timers and signals have their turn after so many payments. */
const BATCH = 500;

/** Keeps decided payments in a file without a name, which nothing else can read; it is gone with the process. */
export class DecidedPayments {
  /** Opened by the first payment: most back-tests keep none. */
  #kept: TimeSorter<DecidedPayment> | null = null;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** In the order of their time. @throws Fault("storage") when the disk has no room */
  take(payment: DecidedPayment): void {
    this.#kept ??= new TimeSorter();
    this.#kept.add(payment.verdicts.at, payment);
  }

  /** As rows of a report, as often as it is asked. @throws Fault("interrupted"), Fault("storage") */
  async *rows(): AsyncGenerator<SidedRow> {
    for await (const { item, verdicts } of this.#read()) yield rowOf(item, verdicts);
  }

  close(): void {
    this.#kept?.close();
  }

  async *#read(): AsyncGenerator<DecidedPayment> {
    let count = 0;
    for (const payment of this.#kept?.sorted() ?? []) {
      if (count++ % BATCH === 0) await systemClock.yieldToEvents();
      if (this.#signal.aborted) throw interrupted`Stopped; no report was written.`;
      yield payment;
    }
  }
}

/** The file of all rows. Its text is kept until the back-test is done: a part of what whole payments would take. */
export class RowsFile {
  readonly #path: string;
  readonly #signal: AbortSignal;
  #kept: TimeSorter<string> | null = null;
  #lines: string[] = [];
  /** Names of the columns of a table. */
  #head = "";

  /** @param path as `planRows` accepts it */
  constructor(path: string, signal: AbortSignal) {
    this.#path = path;
    this.#signal = signal;
  }

  /** In the order of their time. @throws Fault("storage") when the disk has no room */
  take(payment: DecidedPayment): void {
    const row = rowJson(payment);
    const table = isTable(this.#path);
    if (table && this.#head === "") this.#head = csvLine(Object.keys(row));
    this.#lines.push(lineOf(row, table));
    if (this.#lines.length === BATCH) this.#keep();
  }

  /**
   * Writes every payment with both verdicts and no data of its payer, 0600: CSV, or JSON lines, by the ending of the path.
   * @throws Fault("usage") for a file that has appeared meanwhile; Fault("interrupted"), Fault("storage")
   */
  async write(): Promise<void> {
    this.#keep();
    await createWhole(this.#path, this.#pieces());
  }

  close(): void {
    this.#kept?.close();
  }

  #keep(): void {
    this.#kept ??= new TimeSorter();
    // They come in the order in which they are written.
    this.#kept.add(0, this.#lines.splice(0).join(""));
  }

  async *#pieces(): AsyncGenerator<string> {
    yield this.#head;
    for (const lines of this.#kept?.sorted() ?? []) {
      await systemClock.yieldToEvents();
      if (this.#signal.aborted) throw interrupted`Stopped; no report was written.`;
      yield lines;
    }
  }
}

/** @throws Fault("usage") for another ending, a file that is there already, or a folder that is not */
export function planRows(path: string): void {
  if (!isTable(path) && extname(path).toLowerCase() !== ".ndjson") {
    throw usage`"${path}" does not tell the form of the rows; end its name in .csv or .ndjson.`;
  }
  expectNewFile(path);
}

function isTable(path: string): boolean {
  return extname(path).toLowerCase() === ".csv";
}

function lineOf(row: ReturnType<typeof rowJson>, table: boolean): string {
  if (!table) return `${safeJson(row)}\n`;
  return csvLine(
    Object.values(row).map((cell) => (Array.isArray(cell) ? cell.join(" ") : String(cell ?? ""))),
  );
}

/** Amounts are in minor units, times in UTC, currencies by their ISO 4217 numbers. */
function rowJson({ item, riskLevel, verdicts: { at, current, proposed } }: DecidedPayment) {
  const { key, request, label } = item;
  return {
    key,
    order_id: request.order_id ?? null,
    at: isoTime(at),
    risk_level: riskLevel,
    label: label ?? null,
    ...sideJson("current", current),
    ...sideJson("proposed", proposed),
    amount: request.amount ?? null,
    currency: request.currency ?? null,
  };
}

function sideJson(side: "current" | "proposed", { recommendation, score, rules, hits }: BacktestVerdict) {
  return {
    [side]: recommendation,
    [`${side}_score`]: score,
    [`${side}_rule`]: rules[0] ?? null,
    [`${side}_hits`]: hits,
  };
}
