// One check from its count to its stored answer, on any state.

import type { Attempt, AttemptView } from "#src/rules/counters/attempt-view.ts";
import type {
  CheckAttempt,
  CountMode,
  Decided,
  SandboxState,
  SettledCheck,
} from "#src/sandbox/state/sandbox-state.ts";

/**
 * Decides once: an identical repeat gets the stored answer, and `decide` is not called.
 * @param counted the same check for the counters
 * @param decide decides by the counts, which include the check
 * @param most decisions that there may be
 * @throws QuotaReached
 */
export async function settleCheck(
  state: Pick<SandboxState, "count" | "answer">,
  attempt: CheckAttempt,
  counted: Attempt,
  mode: CountMode,
  decide: (view: AttemptView) => Decided,
  most = Infinity,
): Promise<SettledCheck> {
  const counting = state.count(attempt, counted, mode);
  // An await would let an equal check in before the answer: a state that counts at once reserves no order, and both would
  // be decided.
  const found = counting instanceof Promise ? await counting : counting;
  return found.repeat === null ? await state.answer(found.token, decide(found.view), most) : found.repeat;
}
