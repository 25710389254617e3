// Converts a check on the wire to the input of rules: currencies of ISO 4217, amounts in minor units.

import type { SandboxSwitches } from "#src/contract/wire/sandbox-wire.ts";
import { inIso4217, inMinorUnits, type DecisionInput } from "#src/rules/decision/situation.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";

/** Switches that say what the numbers of a check mean. */
export type NumberSwitches = Pick<
  SandboxSwitches,
  "currencyNumbering" | "registrationCurrencyNumbering" | "amountUnit"
>;

/** @throws Refusal `invalid_request` for an amount that cannot be held in minor units */
export function decisionInput(
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
