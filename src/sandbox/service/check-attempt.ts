// A check on the wire as rules and counters take it, and what a magic order id makes of the decision on it.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Magic } from "#src/contract/wire/magic-order.ts";
import type { SandboxSwitches } from "#src/contract/wire/sandbox-wire.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { ADVICE, type DecisionDraft } from "#src/rules/decision/decide.ts";
import { DECIDED_BY_MAGIC } from "#src/rules/decision/decision-record.ts";
import { inIso4217, inMinorUnits, type DecisionInput } from "#src/rules/decision/situation.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import type { CheckAttempt } from "#src/sandbox/state/sandbox-state.ts";
import { answerDigest } from "#src/sandbox/state/stored-answers.ts";
import type { SandboxProject } from "#src/sandbox/state/stored-accounts.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";

/** Switches that say what the numbers of a check mean. */
export type NumberSwitches = Pick<
  SandboxSwitches,
  "currencyNumbering" | "registrationCurrencyNumbering" | "amountUnit"
>;

/** @throws Refusal `invalid_request` for an amount that cannot be held in minor units */
export function attemptAt(
  now: Milliseconds,
  check: CheckRequest,
  body: Uint8Array,
  { projectId, riskLevel, currency }: SandboxProject,
  { rules: { current: ruleSet }, state }: Pick<Tenant, "rules" | "state">,
  numbers: NumberSwitches,
) {
  const project = { projectId, riskLevel, currency };
  const input = asRulesTakeIt({ request: check, project, now }, numbers);
  const bodyDigest = answerDigest(body, ruleSet);
  const attempt: CheckAttempt = { projectId, orderId: check.order_id ?? null, bodyDigest, at: now };
  return { ruleSet, input, attempt, keyed: attemptOf(ruleSet, input, state) };
}

/** With currencies of ISO 4217, and amounts in minor units. */
function asRulesTakeIt(
  input: DecisionInput,
  { currencyNumbering, registrationCurrencyNumbering, amountUnit }: NumberSwitches,
): DecisionInput {
  const read = inMinorUnits(inIso4217(input, currencyNumbering, registrationCurrencyNumbering), amountUnit);
  const { amount } = read.request;
  if (amount === undefined || Number.isSafeInteger(amount)) return read;
  const message = `amount must be at most ${Number.MAX_SAFE_INTEGER} in minor units of its currency.`;
  throw new Refusal("invalid_request", "The request has a wrong field.", {
    fields: [{ path: "amount", message }],
  });
}

/** The decision with the recommendation that an order id forces, if it does; the results of the rules stay. */
export function forced<D extends Pick<DecisionDraft, "recommendation" | "decidedBy" | "message">>(
  decided: D,
  magic: Magic | null,
): D {
  if (magic === null || !("recommendation" in magic)) return decided;
  const { recommendation, prefix } = magic;
  const message = `${ADVICE[recommendation]}: forced by the order id (${prefix}).`;
  return { ...decided, recommendation, decidedBy: DECIDED_BY_MAGIC, message };
}
