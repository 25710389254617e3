// The tables of the history, and the conversion of an entry to their rows: columns for filters, and the entry as JSON.

import type { SQLInputValue, SQLOutputValue } from "node:sqlite";

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { findCardData, refuseCardData } from "#src/contract/fields/card-data.ts";
import { badInput } from "#src/contract/fault.ts";
import type { HistoryEntry, SignedWith } from "#src/contract/records/history-entry.ts";
import type { OrderLabel } from "#src/contract/records/label.ts";
import { checksum, type Database, type DatabaseForm, type Row } from "./database.ts";
import { asList, asObject, asText, asTime } from "./record-shape.ts";
import { requireResult, textWithoutNulls, withoutCardNumbers } from "./stored-result.ts";

/** "vrdh" */
const APPLICATION_ID = 0x76726468;

/**
 * Two tables, so that a filter over a million entries reads 215 MB instead of 1.65 GB. Places are dense, so a position in the
 * list is computed. No further index, which would cost a page of the log with every check; a scan takes 0.1 s.
 *
 * `label` holds what became of payments; its column `label` is derived from `known`: all labels of the order as they were
 * written. The index is for the join, because an entry's column of its order id is folded.
 */
export const HISTORY = {
  applicationId: APPLICATION_ID,
  version: 1,
  cacheKiB: 4_000,
  highest: "SELECT max(place) AS highest FROM entry",
  holds: "history",
  functions: { says },
  upkeep: 'save what can be read of it with "verdict history salvage"',
  schema: `
    CREATE TABLE entry(
      place INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      at INTEGER NOT NULL,
      profile TEXT NOT NULL, project TEXT NOT NULL,
      verdict TEXT NOT NULL, outcome TEXT NOT NULL, final TEXT NOT NULL,
      latency REAL,
      operation TEXT, order_id TEXT, amount REAL, currency REAL, bin TEXT, email TEXT, ip TEXT, payer TEXT
    ) STRICT;
    CREATE TABLE entry_text(
      place INTEGER PRIMARY KEY REFERENCES entry ON DELETE CASCADE,
      intent TEXT NOT NULL,
      learned TEXT NOT NULL,
      crc INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE meta(name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
    CREATE TABLE label(
      order_id TEXT PRIMARY KEY, folded TEXT NOT NULL, label TEXT NOT NULL, known TEXT NOT NULL, crc INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX label_folded ON label(folded);`,
} as const satisfies DatabaseForm;

/** Columns of `entry` behind `place`, `id` and `at`, in the order of `factsOf`. */
export const FACTS = [
  "profile",
  "project",
  "verdict",
  "outcome",
  "final",
  "latency",
  "operation",
  "order_id",
  "amount",
  "currency",
  "bin",
  "email",
  "ip",
  "payer",
] as const;

const NOTHING_LEARNED = { result: null, finalAction: null, explanation: null, note: null } as const;

export type HistoryRecord =
  | { readonly type: "intent"; readonly entry: HistoryEntry; readonly body: string }
  | { readonly type: "learned"; readonly id: string; readonly learned: Partial<HistoryEntry> }
  | { readonly type: "labelled"; readonly labels: readonly OrderLabel[] }
  | { readonly type: "withdrawn"; readonly labels: readonly OrderLabel[] }
  | { readonly type: "unlabelled"; readonly orderId: string };

/** A record as it may be stored: an intent knows no outcome, and a verdict is not lost with a card number beside it. @throws Fault("bad_input") for card data */
export function storable(record: HistoryRecord): HistoryRecord {
  if (record.type === "intent") {
    refuseCardData(record.entry.request);
    return { ...record, entry: { ...record.entry, ...NOTHING_LEARNED } };
  }
  if (record.type !== "learned") return record;
  const { result, note } = record.learned;
  if (findCardData(note) !== null) {
    throw badInput`The note holds a full card number and was not saved; remove it and try again.`;
  }
  return result == null
    ? record
    : { ...record, learned: { ...record.learned, result: withoutCardNumbers(result) } };
}

/** The verdict as it is shown: the recommendation, or the outcome without one. */
export function verdictOf({ result }: Pick<HistoryEntry, "result">): string {
  return result?.recommendation ?? result?.outcome ?? "unknown";
}

/**
 * A text for a column: in lower case by the rules of Unicode, which SQLite does not know, and without NULs and lone
 * surrogates, which SQLite would cut or change.
 */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll("\0", "\uFFFD").toWellFormed();
}

/** Values of the columns `FACTS`, which are derived from the entry's JSON. */
export function factsOf(entry: HistoryEntry): SQLInputValue[] {
  const { request, result } = entry;
  const text = (value: unknown): string | null => (typeof value === "string" ? folded(value) : null);
  const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
  const bin = request.card?.bin_card;
  return [
    folded(entry.profile),
    folded(entry.project),
    verdictOf(entry),
    result?.outcome ?? "unknown",
    entry.finalAction ?? "none",
    number(result?.latencyMs),
    text(request.operation),
    text(request.order_id),
    number(request.amount),
    number(request.currency),
    bin === undefined ? null : folded(String(bin)),
    text(request.payer?.email),
    text(request.payer?.payer_ip),
    text(request.payer?.payer_id),
  ];
}

function intentText(entry: HistoryEntry, body = JSON.stringify(entry.request)): string {
  const { id, at, profile, project, repeats, warnings, signed } = entry;
  const rest = JSON.stringify({
    id,
    at,
    profile,
    project,
    repeats: repeats ?? undefined,
    warnings: warnings.length === 0 ? undefined : warnings,
    signed: signed && keptSigning(signed),
  });
  return `${rest.slice(0, -1)},"request":${body}}`;
}

function keptSigning({ recipe, keyId, projectId, algorithm }: SignedWith): SignedWith {
  return { recipe, keyId, projectId, algorithm };
}

/** The learned part of a row with newer fields over its own; null takes a field away. */
export function learnedText(before: string, newer: Partial<HistoryEntry>): string {
  return textWithoutNulls({ ...(JSON.parse(before) as object), ...newer });
}

/** @throws SyntaxError for a text that is no JSON, TypeError for one that is no entry */
export function entryOf(intent: string, learned: string): HistoryEntry {
  const entry = {
    repeats: null,
    warnings: [],
    ...asObject(JSON.parse(intent)),
    ...NOTHING_LEARNED,
    ...asObject(JSON.parse(learned)),
  };
  requireEntry(entry);
  return entry;
}

/** The entry of a row; null where that is not what was written. `id` is compared where it was read. */
export function entryOfRow({ place, id, intent, learned, crc }: Row): HistoryEntry | null {
  if (typeof intent !== "string" || typeof learned !== "string") return null;
  try {
    const entry = entryOf(intent, learned);
    if (id !== undefined && id !== entry.id) return null;
    return checksum(Number(place), entry.id, intent, learned) === crc ? entry : null;
  } catch {
    return null;
  }
}

/**
 * For conditions: whether a readable text of an entry holds a folded one.
 * @returns 1 or 0; 1 for a damaged entry, so that who reads it tells of it
 */
function says(intent: SQLOutputValue, learned: SQLOutputValue, needle: SQLOutputValue): number {
  try {
    const { id, project, note, request, result } = entryOf(String(intent), String(learned));
    const texts = [
      id,
      project,
      note,
      request.order_id,
      request.description,
      request.terminal_id,
      request.operation,
      ...Object.values(request.payer ?? {}),
      request.card?.holder,
      result?.message,
      result?.reason,
      result?.rawCode,
    ];
    return Number(texts.some((text) => typeof text === "string" && folded(text).includes(String(needle))));
  } catch {
    return 1;
  }
}

/** A checksum proves no shape: whoever can write the file can compute one. @throws TypeError */
function requireEntry(entry: JsonObject): asserts entry is HistoryEntry & JsonObject {
  const optional = (value: unknown, read: (value: unknown) => unknown): unknown =>
    value === undefined || value === null ? null : read(value);
  for (const value of [entry.id, entry.profile, entry.project]) asText(value);
  asTime(entry.at);
  for (const value of [entry.repeats, entry.note, entry.finalAction]) optional(value, asText);
  asList(entry.warnings).forEach(asText);
  for (const value of [entry.explanation, entry.signed, entry.exchange]) optional(value, asObject);
  const request = asObject(entry.request);
  optional(request.order_id, asText);
  for (const value of [request.payer, request.card]) optional(value, asObject);
  if (entry.result !== null) requireResult(asObject(entry.result));
}

const INSERT_ENTRY = `INSERT INTO entry(id, at, ${FACTS.join(", ")}) VALUES (?, ?, ${FACTS.map(() => "?").join(", ")})`;
const INSERT_TEXT = "INSERT INTO entry_text(place, intent, learned, crc) VALUES (?, ?, ?, ?)";

/** Inserts an entry at the next place, within a transaction. @param body the JSON of its request @returns the place */
export function insertEntry(database: Database, entry: HistoryEntry, body?: string): number {
  database.run(INSERT_ENTRY, entry.id, entry.at, ...factsOf(entry));
  const place = Number(database.get("SELECT last_insert_rowid() AS place")!.place);
  const { id, result, finalAction, explanation, note, exchange } = entry;
  const learned = learnedText("{}", { result, finalAction, explanation, note, exchange });
  const intent = intentText(entry, body);
  database.run(INSERT_TEXT, place, intent, learned, checksum(place, id, intent, learned));
  return place;
}
