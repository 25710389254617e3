// The filter language of the findings of a run: `was:pass now:block amount>100000 rule:AMOUNT*`.

import type { FilterLanguage } from "#src/actions/history/complete-filter.ts";
import type { Flip } from "#src/contract/records/flip.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Piece } from "#src/storage/database/filter-tokens.ts";
import {
  equality,
  readByField,
  readChoice,
  readCurrency,
  readMilliseconds,
  readNumber,
  VERDICT_WORDS,
  type FieldTerm,
} from "#src/storage/database/filter-values.ts";
import { FIELD_WORDS, type FieldWords } from "#src/storage/database/history-filter.ts";
import { folded } from "#src/storage/database/history-form.ts";

type Found = Omit<Flip, "change">;
type Test = (found: Found) => boolean;

const WAS_WORDS = [...RECOMMENDATIONS, "none"];
const NOW = choice(VERDICT_WORDS, ({ now, after }) => now ?? (after && (after.result?.outcome ?? "unknown")));

const FIELDS: ReadonlyMap<string, (term: FieldTerm) => Test> = new Map([
  ["was", choice(WAS_WORDS, ({ was }) => was ?? "none")],
  ["now", NOW],
  ["verdict", NOW],
  ["expected", choice(WAS_WORDS, ({ after }) => after?.expect ?? "none")],
  ["amount", number(readNumber, (found) => requestOf(found).amount)],
  ["rule", text(rulesOf)],
  ["order", text((found) => [requestOf(found).order_id])],
  ["currency", number(readCurrency, (found) => requestOf(found).currency)],
  ["latency", number(readMilliseconds, ({ after }) => after?.result?.latencyMs)],
  ["bin", text((found) => [binOf(requestOf(found))])],
  ["operation", text((found) => [requestOf(found).operation])],
  ["email", text((found) => [requestOf(found).payer?.email])],
  ["ip", text((found) => [requestOf(found).payer?.payer_ip])],
  ["payer", text((found) => [requestOf(found).payer?.payer_id])],
  ["from", text(({ after, before }) => [(after ?? before)?.origin])],
]);

/** What the findings of a run can be filtered by. */
export const FINDING_FILTER = {
  words: new Map(Array.from(FIELDS.keys(), (field) => [field, wordsOf(field)])),
  compile: compileFindingFilter,
} satisfies FilterLanguage;

/** Whether a finding passes a filter. @throws Fault("usage") pointing at the token of the filter that is wrong */
function compileFindingFilter(filter: string): Test {
  const tests = readByField(filter, FIELDS, words, 0);
  return (found) => tests.every(({ negated, read }) => read(found) !== negated);
}

function wordsOf(field: string): FieldWords {
  const values = { was: WAS_WORDS, now: VERDICT_WORDS, expected: WAS_WORDS }[field];
  const others = values === undefined ? "* for anything" : null;
  return FIELD_WORDS.get(field) ?? { operator: ":", values: values ?? [], others };
}

function choice(
  choices: readonly string[],
  read: (found: Found) => string | null,
): (term: FieldTerm) => Test {
  return (term) => {
    const { wanted, mayBePattern } = readChoice(term, choices);
    return (found) => isLike(read(found), wanted, mayBePattern);
  };
}

function number(
  parse: (value: Piece) => number,
  read: (found: Found) => number | null | undefined,
): (term: FieldTerm) => Test {
  return ({ operator, value }) => {
    const wanted = parse(value);
    return (found) => {
      const known = read(found);
      if (typeof known !== "number") return false;
      const order = known > wanted ? ">" : known < wanted ? "<" : /[:=]/;
      return operator.search(order) >= 0;
    };
  };
}

/** @param read what is stored, which may be of any kind */
function text(read: (found: Found) => readonly unknown[]): (term: FieldTerm) => Test {
  return (term) => {
    const wanted = equality(term);
    if (term.operator === "=") return (found) => read(found).includes(wanted.text);
    return (found) => read(found).some((known) => isLike(known, wanted, !term.quoted));
  };
}

/** Words anywhere in what is listed of a finding, and in its rules before and now. */
function words({ text: wanted }: Piece): Test {
  const needle = folded(wanted);
  return (found) => {
    const { key, was, now, before, after } = found;
    const { order_id: order } = requestOf(found);
    const listed = [key, order, (after ?? before)?.origin, was, now, ...rulesOf(found)];
    const texts = listed.filter((each) => typeof each === "string");
    return folded(texts.join(" ")).includes(needle);
  };
}

/** A rule that decides no longer is looked for as well. */
function rulesOf({ before, after }: Found): readonly string[] {
  return [before, after].flatMap((row: RunRow | null) => row?.result?.basis?.rules ?? []);
}

function requestOf({ after, before }: Found): CheckRequest {
  return (after ?? before)?.request ?? {};
}

function binOf({ card }: CheckRequest): unknown {
  const bin: unknown = card?.bin_card;
  return typeof bin === "number" ? String(bin) : bin;
}

/** @param mayBePattern whether `*` stands for any characters */
function isLike(known: unknown, { text: wanted }: Piece, mayBePattern: boolean): boolean {
  if (typeof known !== "string") return false;
  // A folded text has no NUL, which can mark both ends.
  const [value, pattern] = [`\0${folded(known)}\0`, `\0${folded(wanted)}\0`];
  let at = 0;
  // From left to right, so that no pattern takes long.
  return (mayBePattern ? pattern.split("*") : [pattern]).every((piece) => {
    const found = value.indexOf(piece, at);
    at = found + piece.length;
    return found >= 0;
  });
}
