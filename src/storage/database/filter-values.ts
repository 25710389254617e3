// What the fields of a filter language read from their terms, and what is wrong with these.

import { currencyByAlpha } from "#src/contract/lists/currency.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { filterFault, quote, readTerms, type Piece, type Term } from "./filter-tokens.ts";

export type FieldTerm = Extract<Term, { kind: "field" }>;

export const VERDICT_WORDS = [...RECOMMENDATIONS, ...OUTCOMES.filter((outcome) => outcome !== "answered")];

/** SQLite refuses expressions that are nested 1,000 times, and each "and" nests. */
const MOST_TERMS = 200;

/**
 * Reads every term of a filter by the reader of its field, and free words by theirs.
 * @param now ms since the epoch, from which `since:2d` counts back
 * @throws Fault("usage") with the column and what is expected there
 */
export function readByField<Read>(
  filter: string,
  fields: ReadonlyMap<string, (term: FieldTerm, now: Milliseconds) => Read>,
  words: (piece: Piece) => Read,
  now: Milliseconds,
): { readonly negated: boolean; readonly read: Read }[] {
  const terms = readTerms(filter);
  const excess = terms[MOST_TERMS];
  if (excess !== undefined) {
    const { column, text: wanted } = excess.kind === "words" ? excess.words : excess.field;
    throw filterFault(column, `a filter has at most ${MOST_TERMS} terms`, wanted);
  }
  return terms.map((term) => {
    const { negated } = term;
    if (term.kind === "words") return { negated, read: words(term.words) };
    const { text: field, column } = term.field;
    const reader = fields.get(field);
    if (reader !== undefined) return { negated, read: reader(term, now) };
    const known = [...fields.keys()].join(", ");
    throw filterFault(column, `there is no field ${quote(field)}; the fields are ${known}`, field);
  });
}

/** One of some words, or a pattern of them; `3ds` stands for `3ds_or_block` where that is one of them. */
export function readChoice(
  term: FieldTerm,
  choices: readonly string[],
): { readonly wanted: Piece; readonly mayBePattern: boolean } {
  const { text, column } = equality(term);
  const typed = text.toLowerCase();
  const value = typed === "3ds" && !choices.includes(typed) ? "3ds_or_block" : typed;
  const mayBePattern = value.includes("*") && !term.quoted;
  if (mayBePattern || choices.includes(value)) return { wanted: { text: value, column }, mayBePattern };
  throw filterFault(
    column,
    `${quote(text)} is not a valid ${term.field.text}; use ${choices.join(", ")}`,
    text,
  );
}

export function equality(term: FieldTerm): Piece {
  if (term.operator === ":" || term.operator === "=") return term.value;
  throw filterFault(
    term.field.column + term.field.text.length,
    `${quote(term.field.text)} cannot be compared with ${term.operator}; use ":" or "="`,
    term.operator,
  );
}

export function onlyColon(term: FieldTerm): Piece {
  if (term.operator === ":") return term.value;
  throw filterFault(
    term.field.column + term.field.text.length,
    `write ":" after ${quote(term.field.text)}, not ${term.operator}`,
    term.operator,
  );
}

export function readNumber({ text: value, column }: Piece): number {
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  throw filterFault(
    column,
    `${quote(value)} is not a number; write the digits that were sent, such as 100000`,
    value,
  );
}

export function readCurrency({ text: value, column }: Piece): number {
  const numeric = /^\d{1,3}$/.test(value) ? Number(value) : currencyByAlpha(value)?.numeric;
  if (numeric !== undefined) return numeric;
  throw filterFault(
    column,
    `${quote(value)} is not a currency; write its number or letters, such as 980 or UAH`,
    value,
  );
}

export function readMilliseconds({ text: value, column }: Piece): number {
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : parseDuration(value);
  if (ms !== null) return ms;
  throw filterFault(
    column,
    `${quote(value)} is not a duration; write milliseconds, or a unit as in 2s`,
    value,
  );
}
