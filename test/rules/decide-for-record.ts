// Counts an attempt and decides about it for the record, with counters at hand.

import type { Counters } from "#src/rules/counters/counters.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { decideCounted, type RecordedDecision } from "#src/rules/decision/decision-record.ts";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";

export function decideForRecord(
  ruleSet: RuleSet,
  input: DecisionInput,
  counters: Counters,
): RecordedDecision {
  const keyed = attemptOf(ruleSet, input, counters);
  return decideCounted(ruleSet, input, keyed, counters.record(input.now, keyed.attempt));
}
