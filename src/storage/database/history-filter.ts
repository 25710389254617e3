// The filter language of the history: `verdict:block amount>100000 email:*@example.com since:2d -final:3ds "free text"`.

import type { SQLInputValue } from "node:sqlite";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { currencyByAlpha } from "#src/contract/lists/currency.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { isLabel, LABELS } from "#src/contract/records/label.ts";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { folded, verdictOf } from "./history-form.ts";
import { LABEL_OF_ENTRY } from "./history-labels.ts";
import { filterFault, quote, readTerms } from "./filter-tokens.ts";
import type { Operator, Piece, Term } from "./filter-tokens.ts";

export type HistoryPredicate = (entry: HistoryEntry) => boolean;

/** A condition in SQL over the tables of the history. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
  /** True when it accepts exactly the entries of the predicate; otherwise it accepts a superset. */
  readonly isExact: boolean;
}

export interface CompiledFilter {
  readonly matches: HistoryPredicate;
  readonly where: Condition;
}

/** The test of one term; its condition is null when SQL cannot exclude anything. */
interface TermTest {
  readonly entry: HistoryPredicate;
  readonly where: Condition | null;
}

type FieldTerm = Extract<Term, { kind: "field" }>;

/** Compiles one term; throws a fault with the wrong column. */
type FieldReader = (term: FieldTerm, now: Milliseconds) => TermTest;

const VERDICTS = [...RECOMMENDATIONS, ...OUTCOMES.filter((outcome) => outcome !== "answered")];
const LABEL_WORDS = [...LABELS, "none"];
const FINALS = ["continue", "block", "3ds", "none"];

const FIELDS: ReadonlyMap<string, FieldReader> = new Map([
  ["verdict", choice(VERDICTS, "verdict", verdictOf)],
  ["outcome", outcome],
  ["label", choice(LABEL_WORDS, `coalesce(${LABEL_OF_ENTRY}, 'none')`, (entry) => entry.label ?? "none")],
  ["final", choice(FINALS, "final", (entry) => entry.finalAction ?? "none")],
  ["amount", number("amount", (entry) => entry.request.amount, readNumber)],
  ["currency", number("currency", (entry) => entry.request.currency, readCurrency)],
  ["latency", number("latency", (entry) => entry.result?.latencyMs, readMilliseconds)],
  ["bin", text("bin", (entry) => numberText(entry.request.card?.bin_card))],
  ["order", text("order_id", (entry) => entry.request.order_id)],
  ["operation", text("operation", (entry) => entry.request.operation)],
  ["email", text("email", (entry) => entry.request.payer?.email)],
  ["ip", text("ip", (entry) => entry.request.payer?.payer_ip)],
  ["payer", text("payer", (entry) => entry.request.payer?.payer_id)],
  ["project", text("project", (entry) => entry.project)],
  ["profile", text("profile", (entry) => entry.profile)],
  ["id", oneOf],
  ["since", moment(">=", (at, limit) => at >= limit)],
  ["before", moment("<", (at, limit) => at < limit)],
  ["text", (term) => words(onlyColon(term))],
]);

/** Names of the fields, for help and completion. */
export const FILTER_FIELDS: readonly string[] = [...FIELDS.keys()];

interface FieldWords {
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
  verdict: { operator: ":", values: VERDICTS, others: null },
  outcome: { operator: ":", values: OUTCOMES, others: null },
  label: { operator: ":", values: LABEL_WORDS, others: null },
  final: { operator: ":", values: FINALS, others: null },
  amount: { operator: ">", values: ["1000", "10000", "100000"], others: "in the unit that was sent" },
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
 * for any characters, and a number like `=`; `=` compares exactly. An entry without the field matches no comparison.
 * @param now ms since the epoch, from which `since:2d` counts back
 * @throws Fault("usage") with the column and what is expected there
 */
export function parseFilter(filter: string, now: Milliseconds): HistoryPredicate {
  return compileFilter(filter, now).matches;
}

/** The same with a condition for the database. @throws Fault("usage") */
export function compileFilter(filter: string, now: Milliseconds): CompiledFilter {
  const tests = readTerms(filter).map((term) => {
    const test = term.kind === "words" ? words(term.words) : fieldTest(term, now);
    return term.negated ? negated(test) : test;
  });
  const conditions = tests.map(({ where }) => where).filter((where) => where !== null);
  return {
    matches: (entry) => tests.every((test) => test.entry(entry)),
    where: {
      sql: conditions.map(({ sql }) => `(${sql})`).join(" AND ") || "TRUE",
      values: conditions.flatMap(({ values }) => values),
      isExact: conditions.length === tests.length && conditions.every(({ isExact }) => isExact),
    },
  };
}

/** Negates a term; a condition that accepts a superset cannot be negated. */
function negated({ entry, where }: TermTest): TermTest {
  return {
    entry: (each) => !entry(each),
    // An entry without the field matches no comparison, so it matches every negated one.
    where: where?.isExact === true ? { ...where, sql: `NOT coalesce(${where.sql}, FALSE)` } : null,
  };
}

function fieldTest(term: FieldTerm, now: Milliseconds): TermTest {
  const reader = FIELDS.get(term.field.text);
  if (reader !== undefined) return reader(term, now);
  throw filterFault(
    term.field.column,
    `there is no field ${quote(term.field.text)}; the fields are ${FILTER_FIELDS.join(", ")}`,
    term.field.text,
  );
}

function choice(
  choices: readonly string[],
  column: string,
  read: (entry: HistoryEntry) => string,
): FieldReader {
  return (term) => {
    const { text: wanted, column: at } = equality(term);
    const value = wanted.toLowerCase();
    const isPattern = value.includes("*") && !term.quoted;
    if (!isPattern && !choices.includes(value)) {
      throw filterFault(at, `${quote(wanted)} is no ${term.field.text}; use ${choices.join(", ")}`, wanted);
    }
    const matches = isPattern ? pattern(value) : (found: string) => found === value;
    return { entry: (each) => matches(read(each)), where: textCondition(column, value, isPattern) };
  };
}

/** How a call ended. What became of its payment is called so as well, but not here. */
function outcome(term: FieldTerm, now: Milliseconds): TermTest {
  const { text: wanted, column } = term.value;
  if (isLabel(wanted.toLowerCase())) {
    throw filterFault(column, `${quote(wanted)} is what became of a payment; write label:${wanted}`, wanted);
  }
  return OUTCOME(term, now);
}

const OUTCOME = choice(OUTCOMES, "outcome", (entry) => entry.result?.outcome ?? "unknown");

/** Whole ids, separated by commas: a selection of entries. */
function oneOf(term: FieldTerm): TermTest {
  const ids = new Set(equality(term).text.split(","));
  const sql = "id IN (SELECT value FROM json_each(?))";
  return {
    entry: ({ id }) => ids.has(id),
    where: { sql, values: [JSON.stringify([...ids])], isExact: true },
  };
}

/** A field of the request or the intent. */
function text(column: string, read: (entry: HistoryEntry) => string | undefined): FieldReader {
  return (term) => {
    const { text: wanted } = equality(term);
    const isWhole = term.operator === "=";
    const matches = isWhole ? (value: string) => value === wanted : inAnyCase(wanted, term.quoted);
    const isPattern = !isWhole && !term.quoted && wanted.includes("*");
    const where = textCondition(column, wanted, isPattern);
    return {
      entry: (each) => {
        const value = read(each);
        return typeof value === "string" && matches(value);
      },
      // The column is in lower case.
      where: isWhole && where !== null ? { ...where, isExact: false } : where,
    };
  };
}

/** Longer patterns are left to the predicate; SQLite's limit is 50,000 bytes. */
const LONGEST_PATTERN = 1_000;

function textCondition(column: string, wanted: string, isPattern: boolean): Condition | null {
  if (wanted.length > LONGEST_PATTERN || !wanted.isWellFormed()) return null;
  const value = folded(wanted);
  // Only the predicate distinguishes texts that a column cannot hold.
  const isExact = !value.includes("\uFFFD");
  if (!isPattern) return { sql: `${column} = ?`, values: [value], isExact };
  return { sql: `${column} GLOB ?`, values: [value.replace(/[[?]/g, "[$&]")], isExact };
}

function number(
  column: string,
  read: (entry: HistoryEntry) => number | null | undefined,
  parse: (value: Piece) => number,
): FieldReader {
  return (term) => {
    const wanted = parse(term.value);
    const matches = comparison(term.operator, wanted);
    const operator = term.operator === ":" ? "=" : term.operator;
    return {
      entry: (each) => {
        const value = read(each);
        return typeof value === "number" && matches(value);
      },
      where: { sql: `${column} ${operator} ?`, values: [wanted], isExact: true },
    };
  };
}

function moment(operator: string, compare: (at: Milliseconds, limit: Milliseconds) => boolean): FieldReader {
  return (term, now) => {
    const limit = readMoment(onlyColon(term), now);
    return {
      entry: ({ at }) => compare(at, limit),
      where: { sql: `at ${operator} ?`, values: [limit], isExact: true },
    };
  };
}

/** Words anywhere in the readable texts of an entry, in any case. */
function words({ text: wanted }: Piece): TermTest {
  const needle = wanted.toLowerCase();
  const entry: HistoryPredicate = ({ id, project, note, request, result }) =>
    [
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
    ].some((value) => typeof value === "string" && value.toLowerCase().includes(needle));
  if (needle.length > LONGEST_PATTERN) return { entry, where: null };
  const like = `%${likeText(needle)}%`;
  return { entry, where: { sql: "intent LIKE ? OR learned LIKE ?", values: [like, like], isExact: false } };
}

/**
 * A pattern for LIKE over JSON that may match a superset: characters that JSON escapes, and letters whose case SQLite does not
 * know, become wildcards. To JavaScript the Kelvin sign is a k and a dotted capital I an i, each one character in the text.
 */
function likeText(lowerCase: string): string {
  return lowerCase.replace(/[ki]/g, "_").replace(/[^\w .,:;@+()!?#$&*<>=-]+/g, "%");
}

function comparison(operator: Operator, wanted: number): (value: number) => boolean {
  switch (operator) {
    case ":":
    case "=":
      return (value) => value === wanted;
    case ">":
      return (value) => value > wanted;
    case "<":
      return (value) => value < wanted;
    case ">=":
      return (value) => value >= wanted;
    case "<=":
      return (value) => value <= wanted;
  }
}

function inAnyCase(wanted: string, quoted: boolean): (value: string) => boolean {
  const plain = wanted.toLowerCase();
  if (!quoted && wanted.includes("*")) return pattern(plain);
  return (value) => value.toLowerCase() === plain;
}

/**
 * Matches a whole text against lower-case pieces with anything between them, each at its first occurrence: no backtracking,
 * so no pattern is slow.
 */
function pattern(wanted: string): (value: string) => boolean {
  const [first = "", ...rest] = wanted.split("*");
  const last = rest.pop() ?? "";
  return (value) => {
    const lower = value.toLowerCase();
    if (!lower.startsWith(first) || !lower.endsWith(last)) return false;
    let from = first.length;
    for (const piece of rest) {
      const found = lower.indexOf(piece, from);
      if (found < 0) return false;
      from = found + piece.length;
    }
    return from <= lower.length - last.length;
  };
}

function equality(term: FieldTerm): Piece {
  if (term.operator === ":" || term.operator === "=") return term.value;
  throw filterFault(
    term.field.column + term.field.text.length,
    `${quote(term.field.text)} cannot be compared with ${term.operator}; use ":" or "="`,
    term.operator,
  );
}

function onlyColon(term: FieldTerm): Piece {
  if (term.operator === ":") return term.value;
  throw filterFault(
    term.field.column + term.field.text.length,
    `${quote(term.field.text)} is followed by ":" and not by ${term.operator}`,
    term.operator,
  );
}

function readNumber({ text: value, column }: Piece): number {
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  throw filterFault(column, `${quote(value)} is no number; write digits, such as 100000 for 1 000.00`, value);
}

function readCurrency({ text: value, column }: Piece): number {
  const numeric = /^\d{1,3}$/.test(value) ? Number(value) : currencyByAlpha(value)?.numeric;
  if (numeric !== undefined) return numeric;
  throw filterFault(
    column,
    `${quote(value)} is no currency; write its number or letters, such as 980 or UAH`,
    value,
  );
}

function readMilliseconds({ text: value, column }: Piece): number {
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : parseDuration(value);
  if (ms !== null) return ms;
  throw filterFault(column, `${quote(value)} is no duration; write milliseconds, or a unit as in 2s`, value);
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
    `${quote(value)} is no time; write 2d, 12h, 2026-01-31 or 2026-01-31T09:30`,
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

/** Six or eight digits; an integer has no leading zeros, and no issuer uses them. */
function numberText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
