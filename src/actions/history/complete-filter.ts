// What may be typed next in a filter: fields, then their values, and what was probably meant.

import { FilterFault } from "#src/contract/filter-fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { Completion } from "#src/display/completion.ts";
import { formatMoney } from "#src/display/money.ts";
import { readTerms } from "#src/storage/database/filter-tokens.ts";
import { FIELD_WORDS, compileFilter, type FieldWords } from "#src/storage/database/history-filter.ts";

/** What can be asked for in a filter of one kind of list. */
export interface FilterLanguage {
  /** What is written behind each field. */
  readonly words: ReadonlyMap<string, FieldWords>;
  /** @throws Fault("usage") pointing at the token that is wrong */
  readonly compile: (filter: string, now: Milliseconds) => unknown;
}

const OF_HISTORY: FilterLanguage = { words: FIELD_WORDS, compile: compileFilter };

/** What is wrong with a filter; null when it can be applied. */
export function wrongFilter(
  filter: string,
  now: Milliseconds,
  language: FilterLanguage = OF_HISTORY,
): FilterFault | null {
  try {
    language.compile(filter, now);
    return null;
  } catch (error) {
    if (error instanceof FilterFault) return error;
    throw error;
  }
}

/** True while the last word may become the name of a field: nobody looks for the text `verd`. */
export function isHalfTyped(filter: string, { words }: FilterLanguage = OF_HISTORY): boolean {
  const { field, word = "" } = lastTerm(filter) ?? {};
  return (
    field === null && word !== "" && [...words.keys()].some((name) => name.startsWith(word.toLowerCase()))
  );
}

/**
 * Candidates for the last term of a filter. Labels are words of the language; the hint may quote what was typed.
 * @param unit in which the profile sends amounts
 */
export function completeFilter(
  filter: string,
  now: Milliseconds,
  unit: Profile["amountUnit"] = "minor",
  language: FilterLanguage = OF_HISTORY,
): Completion {
  const fault = wrongFilter(filter, now, language);
  const { fields, values } = optionsOf(language);
  const last = lastTerm(filter);
  if (last === null) return { candidates: [], hint: fault?.reason ?? null };
  const { head, field, operator, word } = last;
  const words = field === null ? undefined : language.words.get(field);
  const isUnknown = field !== null && words === undefined;
  const options: readonly Option[] = isUnknown
    ? fields.map(([name]) => [name, name + operator + word])
    : (words?.values.map((value) => [value, field + operator + value]) ??
      (word.length < VALUES_FROM ? fields : [...fields, ...values]));
  const typed = (isUnknown ? field : word).toLowerCase();
  const begun = words?.values.includes(typed)
    ? // Behind a whole value the others, the next one first.
      [...options, ...options].slice(words.values.indexOf(typed) + 1).slice(0, options.length - 1)
    : options.filter(([name]) => name.startsWith(typed));
  const offered = begun.length > 0 ? begun : options.filter(([name]) => isNear(typed, name));
  const isBegun = !isUnknown && (begun.length > 0 || word === "");
  const isHere = fault !== null && fault.column > Array.from(head).length;
  return {
    candidates: offered.map(([name, text]) => ({ label: field === null ? text : name, text: head + text })),
    hint:
      (isHere && isBegun ? null : fault?.reason) ??
      (field === "amount" ? amountHint(word, unit) : (words?.others ?? null)),
  };
}

/** The currency of the example. */
const UAH = 980;

/** What a typed amount is as the lists show amounts. */
function amountHint(typed: string, unit: Profile["amountUnit"]): string {
  const amount = /^\d{1,15}$/.test(typed) ? Number(typed) : 100_000;
  return `in the unit that was sent: ${amount} is ${formatMoney(amount, UAH, unit)}`;
}

/** What was probably meant by the bare word at the end of a filter; null for nothing else. */
export function meantBy(filter: string, now: Milliseconds): string | null {
  const [first] = completeFilter(filter, now).candidates;
  return lastTerm(filter)?.field === null && first !== undefined ? first.label : null;
}

/** A field that a filter asks about and its value, or `text` and a text that it looks for. */
export type FilterMark = readonly [field: string, word: string];

/** What makes an entry match a filter. */
export function filterMarks(filter: string): readonly FilterMark[] {
  const terms = readTerms(filter).filter(({ negated }) => !negated);
  return terms.map((term) =>
    term.kind === "field" ? [term.field.text, term.value.text] : ["text", term.words.text],
  );
}

interface LastTerm {
  /** What stands before it, with its minus. */
  readonly head: string;
  /** In lower case; null for a bare word. */
  readonly field: string | null;
  readonly operator: string;
  /** The bare word, or the value. */
  readonly word: string;
}

/** The term at the end of a filter, which may be empty; null inside of quotes. */
function lastTerm(filter: string): LastTerm | null {
  const isOpen = filter.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").includes('"');
  const found = /(?<=^|\s)(-?)(?:([a-z_]+)(>=|<=|[:=><]))?([^\s"]*)$/i.exec(filter);
  if (isOpen || found === null) return null;
  const [, minus = "", field, operator = "", word = ""] = found;
  const head = filter.slice(0, found.index) + minus;
  return { head, field: field?.toLowerCase() ?? null, operator, word };
}

/** What is compared with what was typed, and the term that it becomes. */
type Option = readonly [name: string, term: string];

/** Fields, and values without others beside them, which are offered for a bare word of so many letters, too. */
function optionsOf({ words }: FilterLanguage): Readonly<Record<"fields" | "values", readonly Option[]>> {
  return {
    fields: Array.from(words, ([name, { operator }]) => [name, name + operator]),
    values: Array.from(words).flatMap(([field, { values, others }]) =>
      others === null ? values.map((value): Option => [value, `${field}:${value}`]) : [],
    ),
  };
}
const VALUES_FROM = 2;

/** Shorter words are near to too many. */
const NEAR_FROM = 4;

/** True for words that differ by a letter too many, a missing or wrong one, or two that changed places. */
function isNear(typed: string, name: string): boolean {
  const shorter = (word: string): string[] => [
    word,
    ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)),
  ];
  return typed.length >= NEAR_FROM && shorter(typed).some((word) => shorter(name).includes(word));
}
