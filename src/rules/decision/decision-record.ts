// The stored record of a decision: with its rule set it yields the full explanation and the flip points at any time.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleOutcome } from "#src/contract/wire/explanation.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { type AttemptView, readCounts } from "#src/rules/counters/attempt-view.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { attemptOf, recordCounts, replayCounts, type CountsRecord } from "./attempt.ts";
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
/** `decidedBy` of a recommendation forced by a magic order id. */
export const DECIDED_BY_MAGIC = "magic";

/** A decision and its record. */
export type RecordedDecision = ReturnType<typeof decideCounted>;

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
) {
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

function lettersOf(outcomes: readonly RuleOutcome[]): string {
  let letters = "";
  for (const outcome of outcomes) letters += LETTERS[outcome];
  return letters;
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

/** The fields that rules can read; other fields of a request are not stored. */
function readableFields(request: CheckRequest): CheckRequest {
  const { operation, order_id, amount, currency, description, terminal_id, payer, card } = request;
  return {
    operation,
    order_id,
    amount,
    currency,
    description,
    terminal_id,
    payer: payer && {
      payer_ip: payer.payer_ip,
      email: payer.email,
      number_phone: payer.number_phone,
      payer_id: payer.payer_id,
    },
    card: card && {
      holder: card.holder,
      bin_card: card.bin_card,
      cin_card: card.cin_card,
      expiration_month: card.expiration_month,
      expiration_year: card.expiration_year,
    },
  };
}
