// The tables of the runs, and their rows: one for each run, intent and result, as JSON with a checksum.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { refuseCardData } from "#src/contract/fields/card-data.ts";
import {
  isUndecided,
  keptResult,
  resultOfKept,
  trustedVerdict,
  type RunHeader,
  type RunItem,
  type RunRow,
  type RunState,
  type RunSummary,
} from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckResult, Outcome } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS, type Recommendation } from "#src/contract/wire/recommendation.ts";
import type { DatabaseForm } from "./database.ts";
import { asList, asNullable, asNumber, asObject, asOneOf, asText, asTime } from "./record-shape.ts";
import { requireResult, textWithoutNulls, withoutCardNumbers } from "./stored-result.ts";

/** "vrdr" */
const APPLICATION_ID = 0x76726472;

/**
 * An item of a run has the place `no * ITEMS + seq` in the tables of items, so that a run is a range of row ids. Results are
 * separate rows: appending one is cheaper than extending the row of its intent, and damage affects one of them only.
 *
 * `item_fact` repeats what comparisons, groups and sums read of both, because reading the texts takes ten times as long. It has
 * no checksum: whoever reads the rows of a run compares their facts with them, and makes wrong ones anew.
 */
export const RUNS: DatabaseForm = {
  applicationId: APPLICATION_ID,
  version: 1,
  // Appended, and read sequentially.
  cacheKiB: 4_000,
  holds: "runs",
  upkeep: "restore it from a backup of yours, or move it and its -wal file away to start with no runs",
  schema: `
    CREATE TABLE run(
      no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      header TEXT NOT NULL,
      standing TEXT NOT NULL,
      crc INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE item(place INTEGER PRIMARY KEY, intent TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
    CREATE TABLE item_result(place INTEGER PRIMARY KEY, result TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
    CREATE TABLE item_fact(
      place INTEGER PRIMARY KEY,
      key TEXT NOT NULL,
      was TEXT,
      expect TEXT,
      amount INTEGER,
      currency INTEGER,
      verdict TEXT,
      rules TEXT
    ) STRICT;
    CREATE TABLE meta(name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;`,
};

/** Places of one run; the places of 2,000,000 runs are exact numbers. */
export const ITEMS = 2 ** 32;

/** The progress of a run. */
export interface Standing {
  /**
   * - `removed`: being removed; the next removal completes an interrupted one
   * - `incoming`: not whole yet; nobody sees it, and the next `add` removes one whose process was lost
   */
  readonly state: RunState | "removed" | "incoming";
  /** Null during a session, and after one whose process was lost. */
  readonly summary: RunSummary | null;
  /** Rejected lines and active time of the ended sessions. */
  readonly rejected: number;
  readonly durationMs: Milliseconds;
  /** Start of the current session, or of one whose process was lost; null once it has ended. */
  readonly startedAt: Milliseconds | null;
}

/** One change to a run. */
export type RunWrite =
  | {
      readonly type: "session";
      readonly header: RunHeader;
      readonly at: Milliseconds;
      readonly incoming?: true;
    }
  | { readonly type: "intent"; readonly seq: number; readonly text: string; readonly facts: Facts }
  | {
      readonly type: "result";
      readonly seq: number;
      readonly text: string;
      readonly facts: Pick<Facts, "verdict" | "rules">;
    }
  | { readonly type: "finish"; readonly state: RunState; readonly summary: RunSummary };

/** What comparisons read of an item and its result. */
export interface Facts {
  readonly key: string;
  readonly was: Recommendation | null;
  readonly expect: Recommendation | null;
  /** Null unless it can be summed exactly. */
  readonly amount: number | null;
  readonly currency: number | null;
  /** A trustworthy verdict, else the outcome; null while it is open. */
  readonly verdict: Recommendation | Exclude<Outcome, "answered"> | "withdrawn" | null;
  /** Codes with blanks between them; null where they are unknown. */
  readonly rules: string | null;
}

/** @param result null while it is open */
export function factsOf(
  { key, was, expect, request: { amount, currency } }: RunItem,
  result: CheckResult | "withdrawn" | null,
): Facts {
  const whole = (number: number | undefined): number | null =>
    number !== undefined && Number.isSafeInteger(number) ? number : null;
  const item = { key: keyText(key), was, expect, amount: whole(amount), currency: whole(currency) };
  return { ...item, ...resultFacts(result) };
}

/** A key as SQLite can hold it: neither a lone surrogate nor a NUL, and no two keys alike. */
export function keyText(key: string): string {
  return key.isWellFormed() && !/^"|\0/.test(key) ? key : JSON.stringify(key);
}

function resultFacts(result: CheckResult | "withdrawn" | null): Pick<Facts, "verdict" | "rules"> {
  if (result === null || result === "withdrawn") return { verdict: result, rules: null };
  const { outcome, basis } = result;
  // An answer without a recommendation is indeterminate.
  const failure = outcome === "answered" ? "indeterminate" : outcome;
  return { verdict: trustedVerdict(result) ?? failure, rules: basis?.rules.join(" ") ?? null };
}

/**
 * The intent of an item, with its named fields only.
 * @param body the JSON of its request
 * @throws Fault("bad_input") for card data
 */
export function intentWrite(item: RunItem, at: Milliseconds, body = JSON.stringify(item.request)): RunWrite {
  const { seq, origin, request, expect, tags, was, time, label } = item;
  refuseCardData(request);
  const more = {
    origin,
    at,
    expect: expect ?? undefined,
    tags: tags.length === 0 ? undefined : tags,
    was: was ?? undefined,
    time,
    label,
  };
  const text = `${identity(item, body)},${JSON.stringify(more).slice(1)}`;
  return { type: "intent", seq, text, facts: factsOf(item, null) };
}

/** The part of an intent that identifies its payment; every intent's text begins with it. */
function identity({ key }: RunItem, body: string): string {
  return `{"key":${JSON.stringify(key)},"request":${body}`;
}

/** True for an intent of this payment. */
export function isIntentOf(text: string, item: RunItem): boolean {
  return text.startsWith(`${identity(item, JSON.stringify(item.request))},"origin":`);
}

/** The row of an intent, without a result. @throws SyntaxError for a text that is no JSON, TypeError for one that is no item */
export function rowOf(seq: number, intent: string): RunRow {
  const row = { expect: null, tags: [], was: null, ...asObject(JSON.parse(intent)), seq, result: null };
  const { key, origin, at, request, expect, was, tags } = row as JsonObject;
  for (const value of [key, origin]) asText(value);
  asTime(at);
  asObject(request);
  for (const value of [expect, was]) asNullable(value, (each) => asOneOf(each, RECOMMENDATIONS));
  asList(tags).forEach(asText);
  return row as unknown as RunRow;
}

/** What lists show of a run. @throws SyntaxError | TypeError */
export function runOfTexts(
  id: string,
  headerText: string,
  standingText: string,
): { header: RunHeader; standing: Standing } {
  const header = asObject(JSON.parse(headerText));
  if (header.id !== id) throw new TypeError("another run");
  asTime(header.at);
  for (const value of [header.profile, header.project]) asText(value);
  asList(header.sources).forEach(asText);
  asNullable(header.baseline, asText);
  const standing = asObject(JSON.parse(standingText));
  asOneOf(standing.state, ["partial", "complete", "removed", "incoming"]);
  asNumber(standing.durationMs);
  const summary = asNullable(standing.summary, asObject);
  if (summary !== null) Object.values(asObject(summary.counts)).forEach(asNumber);
  return { header: header as unknown as RunHeader, standing: standing as unknown as Standing };
}

/** In place of a result: the intent was withdrawn before its first byte was sent. */
const WITHDRAWN = '"withdrawn"';

/** A result without nulls and without card numbers that a service echoes, because the verdict must be stored. */
export function resultWrite(seq: number, result: CheckResult | "withdrawn"): RunWrite {
  const text = result === "withdrawn" ? WITHDRAWN : textWithoutNulls(keptResult(withoutCardNumbers(result)));
  return { type: "result", seq, text, facts: resultFacts(result) };
}

/** @throws SyntaxError for a text that is no JSON, TypeError for one that is no result */
export function resultOf(text: string): CheckResult | "withdrawn" {
  if (text === WITHDRAWN) return "withdrawn";
  const result = { ...resultOfKept(asObject(JSON.parse(text))) };
  requireResult(result);
  return result;
}

/** True for an item that may be sent again: an unknown one may not. */
export function maySendAgain(result: CheckResult | "withdrawn" | null): boolean {
  return result === "withdrawn" || (result !== null && isUndecided(result));
}
