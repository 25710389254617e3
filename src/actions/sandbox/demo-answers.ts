// What an audience may ask of a payment, answered before the payment is counted: what would flip it, and other amounts.

import { sweep } from "#src/actions/check/sweep.ts";
import { whatIf, type WhatIfInput } from "#src/actions/check/what-if.ts";
import { Fault } from "#src/contract/fault.ts";
import type { SweepRange } from "#src/contract/records/sweep.ts";
import { proposedValues, readSweepRange, STEPS, sweptField } from "#src/actions/check/sweep-values.ts";
import type { FrameAnswers } from "./demo-frame.ts";
import type { SandboxContext } from "./sandbox-access.ts";

const NO_ANSWERS: FrameAnswers = { flips: [], amounts: null };

/** Nothing is counted by asking; what the sandbox would not answer stays unanswered. */
export async function askedBefore(
  context: SandboxContext,
  { request, project }: WhatIfInput,
  signal: AbortSignal,
): Promise<FrameAnswers> {
  const field = sweptField("amount");
  const usual = readSweepRange(field, proposedValues(field.path, 0)!, STEPS.sandbox);
  const values = withAmount(usual, request.amount ?? usual.from);
  const input = { request, project, field: field.path, values, confirmed: null };
  try {
    const { decision } = await whatIf(context, { request, project });
    const amounts = await sweep(context, input, signal, () => undefined);
    return { flips: decision?.flips ?? [], amounts };
  } catch (error) {
    if (error instanceof Fault) return NO_ANSWERS;
    throw error;
  }
}

/** The range with the payment's own amount in it, up to a round one. */
function withAmount(range: SweepRange, amount: number): SweepRange {
  const round = 10 ** Math.ceil(Math.log10(Math.max(1, amount)));
  const beyond = Math.min(round, Number.MAX_SAFE_INTEGER);
  return { ...range, from: Math.min(range.from, Math.max(1, amount)), to: Math.max(range.to, beyond) };
}
