// What two rule sets do to payments, as sentences that a person can sign: gain and price, and what they do not prove. Pure.

import {
  addWeighed,
  isWithinChance,
  movedBlocks,
  sideShares,
  wilson,
  worthOf,
  type MovedPayments,
  type WorthKind,
} from "#src/contract/records/outcome-shares.ts";
import type { Outcomes, Share, Weighed } from "#src/contract/records/outcomes.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { formatCount, percent } from "./count.ts";

/** `322 of 373, 86.3 %`; `none to judge` for none of none. */
export function shareText({ part, whole }: Share): string {
  if (whole === 0) return NONE_TO_JUDGE;
  return `${formatCount(Math.round(part))} of ${formatCount(Math.round(whole))}, ${percent(part, whole)}`;
}

export const NONE_TO_JUDGE = "none to judge";

/** An interval that is wider is said in words; 322 of 373 is one. */
const SAID_FROM = 0.02;
/** An interval that is wider says nearly nothing; 9 of 10 is one, 90 of 100 is not. */
const TOO_WIDE = 0.2;

/**
 * `between 82 and 90 of 100, as far as 373 cases can tell`, rounded outwards; null where so many cases leave no doubt
 * that is worth a word, or where there are none.
 */
export function intervalText(share: Share): string | null {
  const interval = wilson(share);
  if (interval === null || interval.to - interval.from <= SAID_FROM) return null;
  const [from, to] = [Math.floor(interval.from * 100), Math.ceil(interval.to * 100)];
  const cases = share.whole === 1 ? "one case" : `${formatCount(share.whole)} cases`;
  return `between ${from} and ${to} of 100, as far as ${cases} can tell`;
}

/** A sum in EUR of payments: `124 500 EUR`; empty for none, as where no currency has a rate. */
export function worthText({ eur }: Weighed): string {
  if (eur <= 0) return "";
  return eur < 1 ? "less than 1 EUR" : `${formatCount(Math.round(eur))} EUR`;
}

/** What a change of rules does, for a headline and the lines below it; whole sentences. */
export interface OutcomeWords {
  /** The sentence to sign: good payments and fraud that cross the border of a block, and fraud that of 3-D Secure. */
  readonly sentence: string;
  /** What else changes: 3-D Secure for good payments, and payments without a label. */
  readonly besides: readonly string[];
  /** Why the numbers may not hold for other payments. */
  readonly doubts: readonly string[];
}

export function outcomeWords(outcomes: Outcomes): OutcomeWords {
  const { changes } = outcomes;
  const secure = secureClauses(changes, "good", NOUNS.good);
  const unlabelled = blockClause(changes, "unlabelled");
  const main = mainSentence(outcomes);
  const besides = [
    ...(secure.length === 0 ? [] : [sentenceOf(secure)]),
    ...(unlabelled === null ? [] : [sentenceOf([unlabelled])]),
  ];
  const doubts = doubtsOf(outcomes);
  if (main !== null) return { sentence: main, besides, doubts };
  if (besides.length === 0) return { sentence: nothingSentence(changes), besides, doubts };
  return labelled(outcomes) === 0 && unlabelled !== null
    ? { sentence: besides.at(-1)!, besides: besides.slice(0, -1), doubts }
    : { sentence: sentenceOf([NO_BLOCK]), besides, doubts };
}

/** The same without any label: what changes, and nobody can say whether it is right. */
export function changeWords(changes: readonly MovedPayments[]): string {
  const blocked = blockClause(changes, "unlabelled", ANY);
  const parts = [...(blocked === null ? [] : [blocked]), ...secureClauses(changes, "unlabelled", ANY)];
  return parts.length === 0 ? nothingSentence(changes) : sentenceOf(parts);
}

interface Noun {
  readonly one: string;
  readonly many: string;
}

const NOUNS: Readonly<Record<WorthKind, Noun>> = {
  good: { one: "good payment", many: "good payments" },
  bad: { one: "fraudulent payment", many: "fraudulent ones" },
  unlabelled: { one: "payment without a label", many: "payments without a label" },
};
const FRAUD_ALONE: Noun = { one: "fraudulent payment", many: "fraudulent payments" };
const ANY: Noun = { one: "payment", many: "payments" };

/** Null where no labelled payment crosses the border of a block, and no fraud that of 3-D Secure. */
function mainSentence({ changes, current }: Outcomes): string | null {
  const good = blockClause(changes, "good");
  const bad = blockClause(changes, "bad", good === null ? FRAUD_ALONE : NOUNS.bad);
  // Fraud that passes is the price, wherever it comes from.
  const secure = secureClauses(changes, "bad", good === null && bad === null ? FRAUD_ALONE : NOUNS.bad);
  if (good === null && bad === null) {
    return secure.length === 0 ? null : sentenceOf([NO_BLOCK, ...secure]);
  }
  const same = [
    ...(good === null && worthOf(current, "good").count > 0 ? ["no good payment changes sides"] : []),
    ...(bad === null && worthOf(current, "bad").count > 0 ? ["no fraudulent one changes sides"] : []),
  ];
  return sentenceOf([good, bad, ...secure, ...same].filter((part) => part !== null));
}

const NO_BLOCK = "no labelled payment is newly blocked or released";

/** `1 240 good payments (124 500 EUR) are no longer blocked`; null for none. */
function blockClause(
  changes: readonly MovedPayments[],
  kind: WorthKind,
  noun: Noun = NOUNS[kind],
): string | null {
  const { released, added } = movedBlocks(changes, kind);
  // What becomes of fraud that is let go is the price of it; what it was before is the gain.
  const passing = kind === "bad" ? ofThem(cellOf(changes, "block", "pass", kind), released, "pass") : "";
  const passed = kind === "bad" ? ofThem(cellOf(changes, "pass", "block", kind), added, "passed before") : "";
  const parts = [
    ...clauseOf(released, noun, `no longer blocked${passing}`),
    ...clauseOf(added, noun, `newly blocked${passed}`),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

function secureClauses(changes: readonly MovedPayments[], kind: WorthKind, noun: Noun): string[] {
  return [
    ...clauseOf(cellOf(changes, "pass", "3ds_or_block", kind), noun, "sent to 3-D Secure instead of passed"),
    ...clauseOf(cellOf(changes, "3ds_or_block", "pass", kind), noun, "passed instead of sent to 3-D Secure"),
  ];
}

function nothingSentence(changes: readonly MovedPayments[]): string {
  const all = addWeighed(changes.flatMap(({ bad, good, unlabelled }) => [bad, good, unlabelled])).count;
  return all === 0
    ? "No payment was judged."
    : "Nothing changes: every payment gets the verdict that it gets today.";
}

function cellOf(
  changes: readonly MovedPayments[],
  was: Recommendation,
  now: Recommendation,
  kind: WorthKind,
): Weighed {
  return addWeighed(changes.filter((each) => each.was === was && each.now === now).map((each) => each[kind]));
}

/** `nine fraudulent ones (5 000 EUR) are ...`; none for none. */
function clauseOf(weighed: Weighed, { one, many }: Noun, end: string): string[] {
  const { count } = weighed;
  if (count === 0) return [];
  return [
    `${inWords(count)} ${count === 1 ? one : many}${bracket(weighed)} ${count === 1 ? "is" : "are"} ${end}`,
  ];
}

/** `, four of them pass (134 EUR)` */
function ofThem(part: Weighed, whole: Weighed, verb: string): string {
  if (whole.count === 0) return "";
  const singular = verb.startsWith("passed") ? verb : `${verb}es`;
  if (whole.count === 1) return part.count === 1 ? `, and ${singular}` : "";
  if (part.count === 0) return `, none of them ${singular}`;
  if (part.count === whole.count) return `, all of them ${verb}`;
  return `, ${inWords(part.count)} of them ${part.count === 1 ? singular : verb}${bracket(part)}`;
}

function bracket(weighed: Weighed): string {
  const worth = worthText(weighed);
  return worth === "" ? "" : ` (${worth})`;
}

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** Numbers below ten as words, as in a text that is read aloud. */
function inWords(count: number): string {
  return SMALL[count] ?? formatCount(count);
}

/** Clauses as one sentence. */
function sentenceOf(clauses: readonly string[]): string {
  const text = clauses.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function labelled({ current }: Outcomes): number {
  return worthOf(current, "bad").count + worthOf(current, "good").count;
}

function doubtsOf(outcomes: Outcomes): string[] {
  const { current, proposed, changes } = outcomes;
  if (labelled(outcomes) === 0) {
    return ["No payment has a label, so nobody can say whether the change is right."];
  }
  const { caught } = sideShares(proposed);
  const bad = caught.whole;
  const good = worthOf(current, "good").count;
  const wide = wilson(caught);
  return [
    ...(bad === 0
      ? ["None of the labelled payments is fraudulent: what becomes of fraud is not known."]
      : wide!.to - wide!.from > TOO_WIDE
        ? [`Too few labels to judge: the share of fraud that is blocked lies ${intervalText(caught)!}.`]
        : []),
    ...(good === 0
      ? ["None of the labelled payments is good: how many good customers are blocked is not known."]
      : []),
    ...(["good", "bad"] as const).flatMap((kind) => {
      const { released, added } = movedBlocks(changes, kind);
      const moved = released.count + added.count;
      if (moved === 0 || !isWithinChance(released.count, added.count)) return [];
      const noun = kind === "bad" ? FRAUD_ALONE : NOUNS.good;
      const ways = [
        ...(released.count > 0 ? [`${inWords(released.count)} no longer blocked`] : []),
        ...(added.count > 0 ? [`${inWords(added.count)} newly blocked`] : []),
      ];
      const who = moved === 1 ? `only one ${noun.one} changes` : `only ${inWords(moved)} ${noun.many} change`;
      return [`Within chance: ${who} sides (${ways.join(", ")}); other days may show the opposite.`];
    }),
  ];
}
