// What an audience reads beside the texts of a deck: verdicts, reactions and headings, in English or as the deck words them. Pure.

import { OWNERS } from "#src/contract/text/count-words.ts";
import {
  FINAL_ACTION,
  FINAL_OPEN,
  NO_OBJECTION,
  OVERRULINGS,
  overrulingSentence,
  VERDICT_KINDS,
  VERDICTS,
  type Overruling,
  type VerdictKind,
} from "./verdict.ts";

/** Words in braces are filled in, and stand in every wording of their sentence. */
const HEADINGS = {
  preparing: "Preparing: starting the sandbox and registering.",
  begins: "Ready. {key} begins.",
  begins_by_itself: "Ready. It begins by itself; {key} begins at once.",
  continue: FINAL_ACTION.continue,
  final_block: FINAL_ACTION.block,
  final_3ds: FINAL_ACTION["3ds"],
  final_action: "Final action: {what}",
  open: FINAL_OPEN,
  forced: "3-D Secure can be forced here",
  not_forced: "3-D Secure cannot be forced here",
  why: "Why",
  no_objection: NO_OBJECTION,
  counted: "Counted with this attempt",
  score: "Score",
  from_3ds: "3-D Secure",
  from_block: "block",
  below: "{points} below {mark}",
  not_by_score: "did not decide",
  past_scale: "past the scale of {points}",
  card: "card",
  order: "order",
  same_payment: "The same payment",
  step: "step {n} of {all}",
  attempt: "attempt {n} of {all}",
  the_end: "the end",
  by_itself: "by itself",
  paused: "paused",
  speed: "speed {n}",
  deciding: "Preparing: deciding the day, {n} %.",
  what_came_out: "What came out",
  as_expected: "All {all} verdicts came as expected.",
  partly_expected: "{n} of {all} verdicts came as expected; of the others nothing is expected.",
  money_3ds: "{money} to 3DS",
  money_block: "{money} blocked",
  money_open: "{money} open",
  once_each: "{answers} checks, payments: {payments}. Each payment once: {money}.",
  rules: "Rules from here on: {name}",
  what_if: "What would change the answer",
  other_amounts: "The same payment with other amounts",
  no_answer: "That is not known for this payment.",
  fault: "On purpose: {what}",
  unanswered: "{why}",
  today: "Today",
  proposed: "Proposed",
  payments: "of {all} payments",
  good_blocked: "Good customers blocked",
  all_blocked: "Payments blocked",
  of_good: "of {all} good payments",
  of_fraud: "of {all} fraudulent payments",
  fraud_passed: "Fraud that got through",
  fraud_secured: "Fraud to 3-D Secure",
  fraud_blocked: "Fraud blocked, of {all}",
  block_right: "A block is right in",
  hour_by_hour: "{what}, hour by hour",
  at_most: "at most {n} in {time}",
  case: "A case",
  good_customer: "a good customer",
  fraud: "fraud",
  note: "For the presenter",
  dark: "Dark colours",
  light: "Light colours",
  back: "Back",
  next: "Next",
  /** Of all these words, for browsers and screen readers. */
  lang: "en",
} as const;

type Reaction = `${VerdictKind}_reaction`;
/** Whose attempts a counter counts. */
type Count = `count_${keyof typeof OWNERS}`;
/** What decided in place of the score. */
type By = `by_${Overruling}`;
export type AudienceWord = VerdictKind | Reaction | Count | By | keyof typeof HEADINGS;

/** Every word that a deck can give in another language, with its English form. */
export const AUDIENCE_WORDS: Readonly<Record<AudienceWord, string>> = {
  ...(Object.fromEntries(
    VERDICT_KINDS.flatMap((kind) => [
      [kind, VERDICTS[kind].word],
      [`${kind}_reaction`, VERDICTS[kind].reaction],
    ]),
  ) as Record<VerdictKind | Reaction, string>),
  ...(Object.fromEntries(OVERRULINGS.map((by) => [`by_${by}`, overrulingSentence(by)])) as Record<
    By,
    string
  >),
  ...(Object.fromEntries(Object.entries(OWNERS).map(([key, words]) => [`count_${key}`, words])) as Record<
    Count,
    string
  >),
  ...HEADINGS,
};

/** A word as the audience reads it, with its braces filled in. */
export type Said = (word: AudienceWord, values?: Readonly<Record<string, string | number>>) => string;

/** The words of a deck, with English for those that it leaves out. */
export function saidIn(words: ReadonlyMap<string, string>): Said {
  return (word, values = {}) =>
    (words.get(word) ?? AUDIENCE_WORDS[word]).replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      String(values[name] ?? whole),
    );
}

/** What fills these in is English, which another wording may do without. */
export const MAY_LEAVE_OUT: ReadonlySet<AudienceWord> = new Set(["fault", "unanswered"]);

export const ENGLISH: Said = saidIn(new Map());
