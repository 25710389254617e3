// The filter language of the history: `verdict:block amount>100000 email:*@example.com since:2d -final:3ds "free text"`.

import type { SQLInputValue } from "node:sqlite";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { isLabel, LABELS } from "#src/contract/records/label.ts";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { folded } from "./history-form.ts";
import { LABEL_OF_ENTRY } from "./history-labels.ts";
import { filterFault, quote } from "./filter-tokens.ts";
import type { Operator, Piece } from "./filter-tokens.ts";
import {
  equality,
  onlyColon,
  readByField,
  readChoice,
  readCurrency,
  readMilliseconds,
  readNumber,
  VERDICT_WORDS,
  type FieldTerm,
} from "./filter-values.ts";

/** A condition in SQL over the tables of the history. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Compiles one term to conditions that all hold; throws a fault with the wrong column. */
type FieldReader = (term: FieldTerm, now: Milliseconds) => Condition[];

const LABEL_WORDS = [...LABELS, "none"];
const FINALS = ["continue", "block", "3ds", "open", "none"];
const OPEN = "verdict = '3ds_or_block' AND final = 'none'";

/** Completion offers them in this order: those asked for most are first, where there is room for few. */
const FIELDS: ReadonlyMap<string, FieldReader> = new Map([
  ["verdict", choice(VERDICT_WORDS, "verdict")],
  ["final", choice(FINALS, "final")],
  ["amount", number("amount", readNumber)],
  ["label", choice(LABEL_WORDS, `coalesce(${LABEL_OF_ENTRY}, 'none')`)],
  ["outcome", outcome],
  ["currency", number("currency", readCurrency)],
  ["latency", number("latency", readMilliseconds)],
  ["bin", text("bin", null)],
  ["order", text("order_id", "$.request.order_id")],
  ["operation", text("operation", "$.request.operation")],
  ["email", text("email", "$.request.payer.email")],
  ["ip", text("ip", "$.request.payer.payer_ip")],
  ["payer", text("payer", "$.request.payer.payer_id")],
  ["project", text("project", "$.project")],
  ["profile", text("profile", "$.profile")],
  ["id", oneOf],
  ["since", moment(">=")],
  ["before", moment("<")],
  ["text", (term) => words(onlyColon(term))],
]);

/** Names of the fields, for help and completion. */
export const FILTER_FIELDS: readonly string[] = [...FIELDS.keys()];

export interface FieldWords {
  readonly operator: Operator;
  /** To offer. */
  readonly values: readonly string[];
  /** What else may be written; null for nothing else. */
  readonly others: string | null;
}

const AGES = ["1h", "12h", "1d", "7d", "30d"];
const DAY = "an age, 2026-01-31 or 2026-01-31T09:30";
const ANY_TEXT = "the whole text in any case, * for anything";
const WORDS: Readonly<Record<string, FieldWords>> = {
  verdict: { operator: ":", values: VERDICT_WORDS, others: null },
  outcome: { operator: ":", values: OUTCOMES, others: null },
  label: { operator: ":", values: LABEL_WORDS, others: null },
  final: { operator: ":", values: FINALS, others: null },
  amount: { operator: ">", values: ["1000", "10000", "100000"], others: "a number" },
  currency: { operator: ":", values: ["UAH", "EUR", "USD"], others: "letters or number" },
  latency: { operator: ">", values: ["100", "500", "2s"], others: "milliseconds, or 2s" },
  id: { operator: ":", values: [], others: "entries by their whole ids, with commas between" },
  since: { operator: ":", values: AGES, others: DAY },
  before: { operator: ":", values: AGES, others: DAY },
  text: { operator: ":", values: [], others: "anywhere in ids, texts, payer, note and message" },
};

/** What is written behind each field, for completion. */
export const FIELD_WORDS: ReadonlyMap<string, FieldWords> = new Map(
  FILTER_FIELDS.map((field) => [field, WORDS[field] ?? { operator: ":", values: [], others: ANY_TEXT }]),
);

/**
 * Compiles a filter. Terms are joined by "and"; `-` in front negates one. `:` compares a whole text in any case with `*`
 * for any characters, and a number like `=`; `=` compares exactly. An entry without the field matches no comparison, and every
 * negated one.
 * @param now ms since the epoch, from which `since:2d` counts back
 * @throws Fault("usage") with the column and what is expected there
 */
export function compileFilter(filter: string, now: Milliseconds): Condition {
  const conditions = readByField(filter, FIELDS, words, now).flatMap(({ negated, read }) => {
    const { sql, values } = allOf(read);
    return negated ? { sql: `NOT coalesce(${sql}, FALSE)`, values } : read;
  });
  // SQLite evaluates them in this order, and the function takes longest.
  return allOf(conditions.toSorted((a, b) => Number(isSlow(a)) - Number(isSlow(b))));
}

function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(" AND ") || "TRUE",
    values: conditions.flatMap(({ values }) => values),
  };
}

const isSlow = ({ sql }: Condition): boolean => sql.includes("says(");

function choice(choices: readonly string[], column: string): FieldReader {
  return (term) => {
    const { wanted, mayBePattern } = readChoice(term, choices);
    // Not stored as a word.
    const isOpen = column === "final" && wanted.text === "open";
    return isOpen ? [{ sql: OPEN, values: [] }] : inAnyCase(column, wanted, mayBePattern);
  };
}

/** How a call ended. What became of its payment is called so as well, but not here. */
function outcome(term: FieldTerm, now: Milliseconds): Condition[] {
  const { text: wanted, column } = term.value;
  if (isLabel(wanted.toLowerCase())) {
    throw filterFault(column, `${quote(wanted)} is a label; write label:${wanted}`, wanted);
  }
  return OUTCOME(term, now);
}

const OUTCOME = choice(OUTCOMES, "outcome");

/** Whole ids, separated by commas: a selection of entries. */
function oneOf(term: FieldTerm): Condition[] {
  const ids = equality(term).text.split(",");
  return [{ sql: "id IN (SELECT value FROM json_each(?))", values: [JSON.stringify(ids)] }];
}

/** @param path of the same text as it was written, in an intent; null for a column that holds it so */
function text(column: string, path: string | null): FieldReader {
  return (term) => {
    const { text: wanted } = equality(term);
    const isExact = term.operator === "=";
    if (!isExact || path === null) return inAnyCase(column, term.value, !isExact && !term.quoted);
    // The reader of a damaged entry reports it.
    const isSame = `iif(json_valid(intent), intent ->> '${path}' = ?, TRUE)`;
    return [{ sql: `${column} = ? AND ${isSame}`, values: [folded(wanted), wanted] }];
  };
}

/** SQLite refuses patterns of 50,000 bytes. */
const LONGEST_PATTERN = 1_000;

/** @param column in lower case @param mayBePattern whether `*` stands for any characters */
function inAnyCase(column: string, { text: wanted, column: at }: Piece, mayBePattern: boolean): Condition[] {
  const value = folded(wanted);
  if (!mayBePattern || !value.includes("*")) return [{ sql: `${column} = ?`, values: [value] }];
  if (value.length > LONGEST_PATTERN) throw filterFault(at, "a pattern has at most 1000 characters", wanted);
  return [{ sql: `${column} GLOB ?`, values: [value.replace(/[[?]/g, "[$&]")] }];
}

function number(column: string, parse: (value: Piece) => number): FieldReader {
  return ({ operator, value }) => [
    { sql: `${column} ${operator === ":" ? "=" : operator} ?`, values: [parse(value)] },
  ];
}

function moment(operator: string): FieldReader {
  return (term, now) => [{ sql: `at ${operator} ?`, values: [readMoment(onlyColon(term), now)] }];
}

/** Words anywhere in the readable texts of an entry, in any case. LIKE spares most entries the function. */
function words({ text: wanted }: Piece): Condition[] {
  const needle = folded(wanted);
  const like = `%${likeText(needle.slice(0, LONGEST_PATTERN))}%`;
  return [
    { sql: "intent LIKE ? OR learned LIKE ?", values: [like, like] },
    { sql: "says(intent, learned, ?)", values: [needle] },
  ];
}

/**
 * A pattern for LIKE over JSON that may match a superset: characters that JSON escapes, and letters whose case SQLite does not
 * know, become wildcards. To JavaScript the Kelvin sign is a k and a dotted capital I an i, each one character in the text.
 */
function likeText(lowerCase: string): string {
  return lowerCase.replace(/[ki]/g, "_").replace(/[^\w .,:;@+()!?#$&*<>=-]+/g, "%");
}

/**
 * A duration back from now, or a date with an optional time, local unless it ends in Z or an offset.
 * @throws Fault("usage") with the column
 */
function readMoment({ text: value, column }: Piece, now: Milliseconds): Milliseconds {
  const at = momentOf(value, now);
  if (at !== null) return at;
  throw filterFault(
    column,
    `${quote(value)} is not a time; write 2d, 12h, 2026-01-31 or 2026-01-31T09:30`,
    value,
  );
}

/** `2d`, `2026-01-31` or `2026-01-31T09:30`, in ms since the epoch; null for anything else. */
export function momentOf(value: string, now: Milliseconds): Milliseconds | null {
  const back = parseDuration(value);
  if (back !== null) return now - back;
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(value);
  // Without a time, Date.parse would read a date as UTC.
  const at = match === null ? NaN : Date.parse(`${match[1]}T${match[2] ?? "00:00"}${match[3] ?? ""}`);
  return !Number.isNaN(at) && isCalendarDay(match![1]!) ? at : null;
}

/** Date.parse reads 31 February as 3 March. */
function isCalendarDay(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}
