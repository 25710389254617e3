// What is left of a decision: enough to explain it for ever, and to tell what would flip it, with the rules it was made by.

import type { Milliseconds } from "#src/contract/clock.ts";
import type { RuleOutcome } from "#src/contract/explanation.ts";
import type { Recommendation } from "#src/contract/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire.ts";
import { attemptOf } from "./attempt.ts";
import type { Counters } from "./counters.ts";
import { recordCounts, replayCounts, type CountsRecord } from "./counts-record.ts";
import { assess, explain, messageOf, type Assessment, type DecisionDraft } from "./decide.ts";
import { flipPoints } from "./flip-point.ts";
import type { RuleSet } from "./rule-set.ts";
import { FIELD_GROUPS, PLAIN_FIELDS, type Facts, type ProjectFacts } from "./situation.ts";

export interface DecisionRecord {
  /** SHA-256 of the rule file in hexadecimal. */
  readonly ruleSetHash: string;
  /** Virtual time. */
  readonly at: Milliseconds;
  readonly project: ProjectFacts;
  /** Those fields that rules can read. */
  readonly request: CheckRequest;
  readonly counts: CountsRecord;
  /** A letter per rule, in the order of the file. */
  readonly outcomes: string;
  readonly recommendation: Recommendation;
  readonly message: string;
  readonly decidedBy: string;
  readonly score: number;
}

const LETTERS: Readonly<Record<RuleOutcome, string>> = { hit: "h", no_hit: "n", not_evaluated: "-" };

/** What decided where the order id did: no rule has a say in it then. */
export const DECIDED_BY_MAGIC = "magic";

/** A decision as it was made, and what is to be kept of it. */
export interface RecordedDecision {
  readonly outcomes: readonly RuleOutcome[];
  readonly record: DecisionRecord;
}

/** Counts the attempt, then decides about it: every count includes it. Words are found later, by `explainRecord`. */
export function decideForRecord(
  ruleSet: RuleSet,
  facts: Facts,
  counters: Pick<Counters, "keysOf" | "record">,
): RecordedDecision {
  const { attempt, address } = attemptOf(ruleSet, facts, counters);
  const view = counters.record(facts.now, attempt);
  const assessment = assess(ruleSet, facts, attempt.keys, view, address);
  return recorded(ruleSet, assessment, recordCounts(ruleSet, view));
}

/** The same with counters that stay as they are. */
export function previewForRecord(
  ruleSet: RuleSet,
  facts: Facts,
  counters: Pick<Counters, "keysOf" | "peek">,
): RecordedDecision {
  return decideForRecord(ruleSet, facts, { keysOf: counters.keysOf, record: counters.peek });
}

function recorded(ruleSet: RuleSet, assessment: Assessment, counts: CountsRecord): RecordedDecision {
  const { situation, outcomes, recommendation, decidedBy, score } = assessment;
  const { request, project, now } = situation.facts;
  let letters = "";
  for (const outcome of outcomes) letters += LETTERS[outcome];
  const record: DecisionRecord = {
    ruleSetHash: ruleSet.hash,
    at: now,
    project,
    request: readableFields(request),
    counts,
    outcomes: letters,
    recommendation,
    message: messageOf(ruleSet, assessment),
    decidedBy,
    score,
  };
  return { outcomes, record };
}

/**
 * The whole explanation, with what would flip it.
 * @param ruleSet that of `record.ruleSetHash`
 * @param keysOf of the counters that it was counted in
 */
export function explainRecord(
  ruleSet: RuleSet,
  record: DecisionRecord,
  keysOf: Counters["keysOf"],
): DecisionDraft {
  const { request, project, at, counts, recommendation, message, decidedBy, score } = record;
  const facts: Facts = { request, project, now: at };
  const { attempt, address } = attemptOf(ruleSet, facts, { keysOf });
  const view = replayCounts(ruleSet, counts, at, attempt, attempt);
  const again = assess(ruleSet, facts, attempt.keys, view, address);
  const assessment = { ...again, ...asDecided(record, again), recommendation, decidedBy, score };
  const flips =
    decidedBy === DECIDED_BY_MAGIC ? [] : flipPoints(ruleSet, { facts, attempt, address, counts, keysOf });
  return { ...explain(ruleSet, assessment), message, flips };
}

/** What was decided stands, even if a later version of the program would see a rule otherwise. */
function asDecided(
  { outcomes }: DecisionRecord,
  again: Assessment,
): Pick<Assessment, "outcomes" | "missing"> {
  const missing = again.missing.map((reason, i) =>
    reason === null && outcomes[i] === LETTERS.not_evaluated ? "it could not be evaluated then" : reason,
  );
  return {
    missing,
    outcomes: missing.map((reason, i) => {
      if (reason !== null) return "not_evaluated";
      return outcomes[i] === LETTERS.hit ? "hit" : "no_hit";
    }),
  };
}

const PLAIN = Object.keys(PLAIN_FIELDS) as (keyof typeof PLAIN_FIELDS)[];
const PAYER = Object.keys(FIELD_GROUPS.payer.fields);
const CARD = Object.keys(FIELD_GROUPS.card.fields);

/** A request may hold more than its fields; that is nobody's business. */
function readableFields(request: CheckRequest): CheckRequest {
  const kept = pick(request, PLAIN);
  const { payer, card } = request;
  if (typeof payer === "object" && payer !== null) kept["payer"] = pick(payer, PAYER);
  if (typeof card === "object" && card !== null) kept["card"] = pick(card, CARD);
  return kept;
}

function pick(source: object, names: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of names) {
    const value = (source as Record<string, unknown>)[name];
    if (typeof value === "string" || typeof value === "number") kept[name] = value;
  }
  return kept;
}
