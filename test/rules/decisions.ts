// Counts an attempt and decides about it, as an explanation and as a record, with counters at hand.

import type { Counters } from "#src/rules/counters/counters.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { assessRecorded, explain, type DecisionDraft } from "#src/rules/decision/decide.ts";
import { decideCounted, type RecordedDecision } from "#src/rules/decision/decision-record.ts";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";

/** Counts the attempt, then decides about it: every count includes it. */
export function decide(ruleSet: RuleSet, input: DecisionInput, counters: Counters): DecisionDraft {
  return explain(ruleSet, assessRecorded(ruleSet, input, counters));
}

/** The same for the record. */
export function decideForRecord(
  ruleSet: RuleSet,
  input: DecisionInput,
  counters: Counters,
): RecordedDecision {
  const keyed = attemptOf(ruleSet, input, counters);
  return decideCounted(ruleSet, input, keyed, counters.record(input.now, keyed.attempt));
}
