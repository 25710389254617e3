// The filter language of the history: `verdict:block amount>100000 email:*@example.com since:2d -final:3ds "free text"`.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { currencyByAlpha } from "#src/contract/lists/currency.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { filterFault, quote, readTerms } from "./filter-tokens.ts";
import type { Operator, Piece, Term } from "./filter-tokens.ts";

export type HistoryPredicate = (entry: HistoryEntry) => boolean;

/** What an index knows of an entry; null where it does not know. */
export interface IndexedFacts {
  readonly at: Milliseconds | null;
  /** The verdict as the field `verdict` reads it. */
  readonly verdict: string | null;
}

export interface CompiledFilter {
  readonly matches: HistoryPredicate;
  /** False only where the facts alone show that the entry does not match. */
  mayMatch(facts: IndexedFacts): boolean;
  /** False only where what was known before the check was sent shows that the entry does not match. */
  mayMatchIntent(intent: HistoryEntry): boolean;
  /** Every term reads nothing but what was known before the check was sent, so that `mayMatchIntent` is the answer. */
  readonly readsIntentOnly: boolean;
  /** Every term reads nothing but what an index knows, so that where all facts are known `mayMatch` is the answer. */
  readonly readsFactsOnly: boolean;
}

/** The test of one term; `facts`, where it needs no more than those, is true as long as they leave it open. */
interface TermTest {
  readonly entry: HistoryPredicate;
  /** It reads nothing that is learned later. */
  readonly readsIntent?: boolean;
  readonly facts?: (facts: IndexedFacts) => boolean | null;
}

type FieldTerm = Extract<Term, { kind: "field" }>;

/** Makes the test of one term; throws the fault that points at what is wrong in it. */
type FieldReader = (term: FieldTerm, now: Milliseconds) => TermTest;

const FIELDS: ReadonlyMap<string, FieldReader> = new Map([
  [
    "verdict",
    choice(
      [...RECOMMENDATIONS, ...OUTCOMES.filter((outcome) => outcome !== "answered")],
      verdictOf,
      (verdict) => verdict,
    ),
  ],
  ["outcome", choice(OUTCOMES, (entry) => entry.result?.outcome ?? "unknown", outcomeOf)],
  ["final", choice(["continue", "block", "3ds", "none"], (entry) => entry.finalAction ?? "none")],
  ["amount", number((entry) => entry.request.amount, readNumber)],
  ["currency", number((entry) => entry.request.currency, readCurrency)],
  ["latency", number((entry) => entry.result?.latencyMs, readMilliseconds, false)],
  ["bin", text((entry) => numberText(entry.request.card?.bin_card))],
  ["order", text((entry) => entry.request.order_id)],
  ["operation", text((entry) => entry.request.operation)],
  ["email", text((entry) => entry.request.payer?.email)],
  ["ip", text((entry) => entry.request.payer?.payer_ip)],
  ["payer", text((entry) => entry.request.payer?.payer_id)],
  ["project", text((entry) => entry.project)],
  ["profile", text((entry) => entry.profile)],
  ["since", moment((at, limit) => at >= limit)],
  ["before", moment((at, limit) => at < limit)],
  ["text", (term) => ({ entry: words(onlyColon(term)) })],
]);

/** Names of the fields, for help and completion. */
export const FILTER_FIELDS: readonly string[] = [...FIELDS.keys()];

/**
 * Compiles a filter. Terms are joined by "and"; `-` in front negates one. `:` compares a whole text in any case with `*`
 * for any characters, and a number like `=`; `=` compares exactly. An entry without the field matches no comparison.
 * @param now ms since the epoch, from which `since:2d` counts back
 * @throws Fault("usage") naming the column and what may stand there
 */
export function parseFilter(filter: string, now: Milliseconds): HistoryPredicate {
  return compileFilter(filter, now).matches;
}

/** The same, with what can be told from an index. @throws Fault("usage") */
export function compileFilter(filter: string, now: Milliseconds): CompiledFilter {
  const tests = readTerms(filter).map((term) => {
    const test = term.kind === "words" ? { entry: words(term.words) } : fieldTest(term, now);
    return term.negated ? negated(test) : test;
  });
  return {
    matches: (entry) => tests.every((test) => test.entry(entry)),
    mayMatchIntent: (intent) => tests.every((test) => test.readsIntent !== true || test.entry(intent)),
    mayMatch: (facts) => tests.every((test) => test.facts?.(facts) !== false),
    readsIntentOnly: tests.every((test) => test.readsIntent === true),
    readsFactsOnly: tests.every((test) => test.facts !== undefined),
  };
}

function negated({ entry, facts, readsIntent = false }: TermTest): TermTest {
  const not = (found: boolean | null): boolean | null => (found === null ? null : !found);
  return {
    entry: (each) => !entry(each),
    readsIntent,
    ...(facts === undefined ? {} : { facts: (known: IndexedFacts) => not(facts(known)) }),
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

/** The verdict as it is shown: the recommendation, or what happened instead. */
function verdictOf({ result }: HistoryEntry): string {
  return result?.recommendation ?? result?.outcome ?? "unknown";
}

/** The outcome that belongs to a verdict as it is shown. */
function outcomeOf(verdict: string): string {
  return RECOMMENDATIONS.some((each) => each === verdict) ? "answered" : verdict;
}

/** @param ofVerdict what the field is for a verdict that an index knows; undefined where it knows nothing of the field */
function choice(
  choices: readonly string[],
  read: (entry: HistoryEntry) => string,
  ofVerdict?: (verdict: string) => string,
): FieldReader {
  return (term) => {
    const { text: wanted, column } = equality(term);
    const value = wanted.toLowerCase();
    const isPattern = value.includes("*") && !term.quoted;
    if (!isPattern && !choices.includes(value)) {
      throw filterFault(
        column,
        `${quote(wanted)} is no ${term.field.text}; use ${choices.join(", ")}`,
        wanted,
      );
    }
    const matches = isPattern ? pattern(value) : (found: string) => found === value;
    const entry = (each: HistoryEntry): boolean => matches(read(each));
    if (ofVerdict === undefined) return { entry };
    return { entry, facts: ({ verdict }) => (verdict === null ? null : matches(ofVerdict(verdict))) };
  };
}

/** Of a field that the request or the intent has. */
function text(read: (entry: HistoryEntry) => string | undefined): FieldReader {
  return (term) => {
    const { text: wanted } = equality(term);
    const matches =
      term.operator === "=" ? (value: string) => value === wanted : inAnyCase(wanted, term.quoted);
    return {
      readsIntent: true,
      entry: (each) => {
        const value = read(each);
        return value !== undefined && matches(value);
      },
    };
  };
}

function number(
  read: (entry: HistoryEntry) => number | null | undefined,
  parse: (value: Piece) => number,
  readsIntent = true,
): FieldReader {
  return (term) => {
    const wanted = parse(term.value);
    const matches = comparison(term.operator, wanted);
    return {
      readsIntent,
      entry: (each) => {
        const value = read(each);
        return typeof value === "number" && matches(value);
      },
    };
  };
}

function moment(compare: (at: Milliseconds, limit: Milliseconds) => boolean): FieldReader {
  return (term, now) => {
    const limit = readMoment(onlyColon(term), now);
    return {
      readsIntent: true,
      entry: ({ at }) => compare(at, limit),
      facts: ({ at }) => (at === null ? null : compare(at, limit)),
    };
  };
}

/** Words anywhere in what people read of an entry, in any case. */
function words({ text: wanted }: Piece): HistoryPredicate {
  const needle = wanted.toLowerCase();
  return ({ id, project, note, request, result }) =>
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
 * Matches a whole text against lower-case pieces with anything between them: each piece at its first place, which never
 * needs to go back, so that no pattern is slow.
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

/** Date.parse takes 31 February for 3 March. */
function isCalendarDay(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

/** Six or eight digits; leading zeros are lost in an integer, and no issuer has them. */
function numberText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
