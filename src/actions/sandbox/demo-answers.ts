// What an audience may ask of a payment, answered before the payment is counted: what would flip it, and other amounts.

import { sweep } from "#src/actions/check/sweep.ts";
import { whatIf, type WhatIfInput } from "#src/actions/check/what-if.ts";
import { Fault } from "#src/contract/fault.ts";
import { proposedValues, readSweepValues, STEPS, sweptField } from "#src/actions/check/sweep-values.ts";
import type { FrameAnswers } from "./demo-frame.ts";
import type { SandboxContext } from "./sandbox-access.ts";

export const NO_ANSWERS: FrameAnswers = { flips: [], amounts: null };

/** Nothing is counted by asking; what the sandbox would not answer stays unanswered. */
export async function askedBefore(
  context: SandboxContext,
  { request, project }: WhatIfInput,
  signal: AbortSignal,
): Promise<FrameAnswers> {
  const field = sweptField("amount");
  const values = readSweepValues(field, proposedValues(field.path, 0)!, STEPS.sandbox);
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
