// The stored record of a decision: with its rule set it yields the full explanation and the flip points at any time.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleOutcome } from "#src/contract/wire/explanation.ts";
import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { AttemptView } from "#src/rules/counters/attempt-view.ts";
import { readCounts } from "#src/rules/counters/count-reads.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { attemptOf } from "./attempt.ts";
import { recordCounts, replayCounts, type CountsRecord } from "./counts-record.ts";
import { assess, basisOf, explain, messageOf, type Assessment, type DecisionDraft } from "./decide.ts";
import { flipPoints } from "./flip-point.ts";
import type { DecisionInput, ProjectFacts } from "./situation.ts";

export interface DecisionRecord {
  /** SHA-256 of the rule file in hexadecimal. */
  readonly ruleSetHash: string;
  /** Virtual time. */
  readonly at: Milliseconds;
  readonly project: ProjectFacts;
  /** Those fields that rules can read. */
  readonly request: CheckRequest;
  readonly counts: CountsRecord;
  /** One letter per rule, in file order. */
  readonly outcomes: string;
  readonly recommendation: Recommendation;
  readonly message: string;
  readonly decidedBy: string;
  readonly score: number;
}

const LETTERS = { hit: "h", no_hit: "n", not_evaluated: "-" } as const satisfies Record<RuleOutcome, string>;
const CODES = {
  hit: LETTERS.hit.charCodeAt(0),
  no_hit: LETTERS.no_hit.charCodeAt(0),
  not_evaluated: LETTERS.not_evaluated.charCodeAt(0),
};

/** `decidedBy` of a recommendation forced by a magic order id. */
export const DECIDED_BY_MAGIC = "magic";

/** A decision and its record. */
export interface RecordedDecision {
  readonly outcomes: readonly RuleOutcome[];
  readonly basis: DecisionBasis;
  readonly record: DecisionRecord;
}

/**
 * Decides about an attempt that has been counted. `explainRecord` explains it later.
 * @param keyed the attempt as `attemptOf` makes it
 * @param view its counts
 */
export function decideCounted(
  ruleSet: RuleSet,
  input: DecisionInput,
  { attempt, address }: ReturnType<typeof attemptOf>,
  view: AttemptView,
): RecordedDecision {
  const values = readCounts(ruleSet.countReads, view);
  const assessment = assess(ruleSet, input, attempt.keys, values, address);
  const { outcomes, recommendation, decidedBy, score } = assessment;
  const { request, project, now } = input;
  const record: DecisionRecord = {
    ruleSetHash: ruleSet.hash,
    at: now,
    project,
    request: readableFields(request),
    counts: recordCounts(ruleSet, view, values),
    outcomes: lettersOf(outcomes),
    recommendation,
    message: messageOf(ruleSet, assessment),
    decidedBy,
    score,
  };
  return { outcomes, basis: basisOf(ruleSet, assessment), record };
}

let codes = Buffer.alloc(0);

/** Built in a buffer, which is faster than concatenating letters and gives a flat string. */
function lettersOf(outcomes: readonly RuleOutcome[]): string {
  const { length } = outcomes;
  if (codes.length < length) codes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) {
    const outcome = outcomes[i];
    codes[i] = outcome === "no_hit" ? CODES.no_hit : outcome === "hit" ? CODES.hit : CODES.not_evaluated;
  }
  return codes.toString("latin1", 0, length);
}

/**
 * The full explanation with flip points.
 * @param ruleSet the one with `record.ruleSetHash`
 * @param keysOf of the counters that counted the attempt
 */
export function explainRecord(
  ruleSet: RuleSet,
  record: DecisionRecord,
  keysOf: Counters["keysOf"],
): DecisionDraft {
  const { request, project, at, counts, recommendation, message, decidedBy, score } = record;
  const input: DecisionInput = { request, project, now: at };
  const { attempt, address } = attemptOf(ruleSet, input, { keysOf });
  const values = replayCounts(ruleSet, counts, at, attempt, attempt);
  const again = assess(ruleSet, input, attempt.keys, values, address);
  const assessment = { ...again, ...asDecided(record, again), recommendation, decidedBy, score };
  const flips =
    decidedBy === DECIDED_BY_MAGIC ? [] : flipPoints(ruleSet, { input, attempt, address, counts, keysOf });
  return { ...explain(ruleSet, assessment), message, flips };
}

/** The recorded outcomes win, even if a later version of the program would evaluate a rule differently. */
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

/**
 * The fields that rules can read; other fields of a request are not stored. Written out for speed: it runs at every decision.
 */
function readableFields(request: CheckRequest): CheckRequest {
  const { payer, card } = request;
  const kept: Unchecked<CheckRequest> = {
    operation: plain(request.operation),
    order_id: plain(request.order_id),
    amount: plain(request.amount),
    currency: plain(request.currency),
    description: plain(request.description),
    terminal_id: plain(request.terminal_id),
    payer: undefined,
    card: undefined,
  };
  if (typeof payer === "object" && payer !== null) {
    const fields: Unchecked<NonNullable<CheckRequest["payer"]>> = {
      payer_ip: plain(payer.payer_ip),
      email: plain(payer.email),
      number_phone: plain(payer.number_phone),
      payer_id: plain(payer.payer_id),
    };
    kept.payer = fields;
  }
  if (typeof card === "object" && card !== null) {
    const fields: Unchecked<NonNullable<CheckRequest["card"]>> = {
      holder: plain(card.holder),
      bin_card: plain(card.bin_card),
      cin_card: plain(card.cin_card),
      expiration_month: plain(card.expiration_month),
      expiration_year: plain(card.expiration_year),
    };
    kept.card = fields;
  }
  return kept as CheckRequest;
}

/** Every field, present or not. */
type Unchecked<T> = { -readonly [name in keyof Required<T>]: unknown };

function plain(value: unknown): unknown {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}
