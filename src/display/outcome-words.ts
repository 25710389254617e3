// What two rule sets do to payments, as sentences that a person can sign: gain and price, and what they do not prove. Pure.

import {
  addWeighed,
  isJudged,
  liftOf,
  movedBlocks,
  NONE_OR_ALL,
  sideShares,
  wilson,
  worthOf,
  type MovedPayments,
  type SideShares,
  type ThreeDsStops,
  type WorthKind,
} from "#src/contract/records/outcome-shares.ts";
import type { Outcomes, Share, Weighed } from "#src/contract/records/outcomes.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { formatCount, percent } from "./count.ts";

/** `322 of 373, 86.3 %`; of few cases `1 of 1`; `none to judge` for none of none. */
export function shareText(share: Share): string {
  const { part, whole } = share;
  if (whole === 0) return NONE_TO_JUDGE;
  const cases = `${formatCount(Math.round(part))} of ${formatCount(Math.round(whole))}`;
  return isFew(share) ? cases : `${cases}, ${percent(part, whole)}`;
}

export const NONE_TO_JUDGE = "none to judge";

/** Of fewer cases no percentage is said: "100 %" of one case is one case. */
const FEWEST_CASES = 10;

export function isFew({ whole }: Share): boolean {
  return whole < FEWEST_CASES;
}

/** `75.0 %`; of few cases the cases, `1 of 1`; `-` of none. */
export function rateText(share: Share): string {
  const { part, whole } = share;
  if (whole === 0) return "-";
  return isFew(share) ? `${formatCount(part)} of ${formatCount(whole)}` : percent(part, whole);
}

/** `0.8`, how many times the base rate; `-` where there is none. */
export function liftFigure(share: Share, base: Share): string {
  const lift = liftOf(share, base);
  return lift === null ? "-" : lift < 10 ? lift.toFixed(1) : formatCount(Math.round(lift));
}

/** `lift 0.8`; empty where there is none. */
export function liftText(share: Share, base: Share): string {
  const figure = liftFigure(share, base);
  return figure === "-" ? "" : `lift ${figure}`;
}

/** Shares as people read them. Of fraud and of good payments, what is blocked, sent to 3-D Secure and passed is all of them. */
export const SHARE_NAMES = [
  ["caught", "Fraud blocked"],
  ["badSecured", "Fraud to 3-D Secure"],
  ["badPassed", "Fraud passed"],
  ["goodBlocked", "Good blocked"],
  ["goodSecured", "Good to 3-D Secure"],
  ["goodPassed", "Good passed"],
  ["goodDisturbed", "Good blocked or to 3-D Secure"],
] as const satisfies readonly (readonly [keyof SideShares, string])[];

/** An interval that is wider is said in words, as that of 322 of 373, or one as wide as half of its share: that of 28 of 9 700. */
const SAID_FROM = 0.02;
const SAID_FROM_OF_SHARE = 0.5;
/** Below, hundredths of a percent count. */
const SMALL_SHARE = 0.05;
/** An interval that is wider says nearly nothing; 9 of 10 is one, 90 of 100 is not. */
const TOO_WIDE = 0.2;

/**
 * `between 82 and 90 %, 95 % sure from 373 cases`, rounded outwards; null where so many cases leave no doubt
 * that is worth a word, or where there are none.
 */
export function intervalText(share: Share): string | null {
  const interval = wilson(share);
  if (interval === null) return null;
  const width = interval.to - interval.from;
  const isSmall = share.part > 0 && width <= SAID_FROM && share.part / share.whole < SMALL_SHARE;
  if (width <= SAID_FROM && !(isSmall && (width * share.whole) / share.part > SAID_FROM_OF_SHARE))
    return null;
  const decimals = isSmall ? 2 : 0;
  const units = 10 ** (decimals + 2);
  const from = (Math.floor(interval.from * units) * 100) / units;
  const to = (Math.ceil(interval.to * units) * 100) / units;
  const cases = share.whole === 1 ? "one case" : `${formatCount(share.whole)} cases`;
  return `between ${from.toFixed(decimals)} and ${to.toFixed(decimals)} %, 95 % sure from ${cases}`;
}

/** A sum in EUR of payments: `124 500 EUR`; empty for none, as where no currency has a rate. */
export function worthText({ eur }: Weighed): string {
  if (eur <= 0) return "";
  return eur < 1 ? "less than 1 EUR" : eurText(eur);
}

/** What a change of rules does, for a headline and the lines below it; whole sentences. */
export interface OutcomeWords {
  /** The sentence to sign: good payments and fraud that cross the border of a block, and fraud that of 3-D Secure. */
  readonly sentence: string;
  /** Net money, and what else changes: 3-D Secure for good payments, and payments without a label. */
  readonly besides: readonly string[];
  /** Why the numbers may not hold for other payments. */
  readonly doubts: readonly string[];
}

/** @param stops for each a sum of net money */
export function outcomeWords(outcomes: Outcomes, stops: ThreeDsStops = NONE_OR_ALL): OutcomeWords {
  const { changes, current } = outcomes;
  const doubts = doubtsOf(outcomes);
  const unlabelled = blockClauses(changes, "unlabelled");
  const besides = [netClauses(outcomes, stops), secureClauses(changes, "good", NOUNS.good), unlabelled]
    .filter((clauses) => clauses.length > 0)
    .map(sentenceOf);
  if (labelled(outcomes) === 0 && unlabelled.length > 0)
    return { sentence: besides[0]!, besides: [], doubts };
  const good = blockClauses(changes, "good");
  const bad = blockClauses(changes, "bad", good.length === 0 ? FRAUD_ALONE : NOUNS.bad);
  const isQuiet = good.length + bad.length === 0;
  // Fraud that passes is the price, wherever it comes from.
  const secure = secureClauses(changes, "bad", isQuiet ? FRAUD_ALONE : NOUNS.bad);
  if (isQuiet && secure.length + besides.length === 0) {
    return { sentence: nothingSentence(changes), besides, doubts };
  }
  const isSame = (clauses: readonly string[], kind: "good" | "bad"): boolean =>
    clauses.length === 0 && worthOf(current, kind).count > 0;
  const sentence = isQuiet
    ? sentenceOf(["no labelled payment is newly blocked or released", ...secure])
    : sentenceOf([
        ...good,
        ...bad,
        ...secure,
        ...(isSame(good, "good") ? ["no good payment changes sides"] : []),
        ...(isSame(bad, "bad") ? ["no fraudulent one changes sides"] : []),
      ]);
  return { sentence, besides, doubts };
}

/** What is gained and lost in all, of what is worth a whole euro; none where labels of one kind say one half of it. */
function netClauses({ current, proposed }: Outcomes, stops: ThreeDsStops): string[] {
  const moved = (kind: "bad" | "good", verdict: Recommendation): number =>
    Math.round(worthOf(proposed, kind, [verdict]).eur - worthOf(current, kind, [verdict]).eur);
  const [fraud, secured, good] = [
    moved("bad", "block"),
    moved("bad", "3ds_or_block"),
    moved("good", "block"),
  ] as const;
  if (!isJudged(current) || [fraud, secured, good].every((eur) => eur === 0)) return [];
  const net = (stopped: number, assumed: string): string => {
    const eur = fraud + Math.round(stopped * secured) - good;
    return `net ${eur < 0 ? "loss" : "gain"}${assumed}: ${eur === 0 ? "none" : eurText(Math.abs(eur))}`;
  };
  const rise = (name: string, eur: number): string[] =>
    eur === 0 ? [] : [`${name}: ${eurText(Math.abs(eur))} ${eur > 0 ? "more" : "less"}`];
  return [
    ...(secured === 0
      ? [net(0, ", however much fraud 3-D Secure stops")]
      : stops.map((each) => net(each, ` if ${stopsText(each)}`))),
    ...rise("fraud blocked", fraud),
    ...rise("fraud sent to 3-D Secure", secured),
    ...rise("good payments blocked", good),
  ];
}

/** The assumption on which a sum of money rests: `3-D Secure stops no fraud`. */
export function stopsText(stops: number): string {
  const part = stops === 1 ? "all" : `${Number((stops * 100).toFixed(6))} %`;
  return stops === 0 ? "3-D Secure stops no fraud" : `3-D Secure stops ${part} of the fraud sent to it`;
}

function eurText(eur: number): string {
  return `${formatCount(Math.round(eur))} EUR`;
}

/** The same without any label: what changes, and nobody can say whether it is right. */
export function changeWords(changes: readonly MovedPayments[]): string {
  const parts = [...blockClauses(changes, "unlabelled", ANY), ...secureClauses(changes, "unlabelled", ANY)];
  return parts.length === 0 ? nothingSentence(changes) : sentenceOf(parts);
}

/** One, and several. */
type Noun = readonly [one: string, many: string];

const NOUNS: Readonly<Record<WorthKind, Noun>> = {
  good: ["good payment", "good payments"],
  bad: ["fraudulent payment", "fraudulent ones"],
  unlabelled: ["payment without a label", "payments without a label"],
};
const FRAUD_ALONE: Noun = ["fraudulent payment", "fraudulent payments"];
const ANY: Noun = ["payment", "payments"];

/** `1 240 good payments (124 500 EUR) are no longer blocked`, and those that are newly blocked. */
function blockClauses(
  changes: readonly MovedPayments[],
  kind: WorthKind,
  noun: Noun = NOUNS[kind],
): string[] {
  const { released, added } = movedBlocks(changes, kind);
  // What becomes of fraud that is let go is the price of it; what it was before is the gain.
  const passing = kind === "bad" ? ofThem(cellOf(changes, "block", "pass", kind), released, "pass") : "";
  const passed = kind === "bad" ? ofThem(cellOf(changes, "pass", "block", kind), added, "passed before") : "";
  return [
    ...clauseOf(released, noun, `no longer blocked${passing}`),
    ...clauseOf(added, noun, `newly blocked${passed}`),
  ];
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
function clauseOf(weighed: Weighed, [one, many]: Noun, end: string): string[] {
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
  if (part.count === 0) return `, not one ${singular}`;
  if (part.count === whole.count) return `, all of them ${verb}`;
  return `, ${inWords(part.count)} of them ${part.count === 1 ? singular : verb}${bracket(part)}`;
}

/** ` (124 500 EUR)`; empty for none. */
export function bracket(weighed: Weighed): string {
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
  if (labelled(outcomes) === 0) {
    return ["No payment has a label, so whether the change is right is not known."];
  }
  const { caught, goodBlocked } = sideShares(outcomes.proposed);
  const interval = wilson(caught);
  return [
    ...(interval === null
      ? ["No labelled payment is fraudulent, so how much fraud is blocked is not known."]
      : interval.to - interval.from > TOO_WIDE
        ? [`Too few labels to judge: the share of fraud that is blocked lies ${intervalText(caught)!}.`]
        : []),
    ...(goodBlocked.whole === 0
      ? [
          "No labelled payment is good, so how many good customers are blocked is not known; --unlabelled good counts payments without a label as good.",
        ]
      : []),
  ];
}
