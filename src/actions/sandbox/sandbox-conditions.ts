// The conditions of the sandbox: virtual clock, injected faults, order ids that force an answer.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import type { ClockChange, ClockReading, MagicListing } from "#src/contract/wire/sandbox-wire.ts";
import { administer, type SandboxContext } from "./sandbox-access.ts";

export interface SandboxConditions {
  /** Virtual minus real time in ms, in whole seconds; 0 while the clock was not moved. */
  readonly movedByMs: Milliseconds;
  readonly frozen: boolean;
  /** The active ones. */
  readonly faults: readonly FaultReading[];
  /** Why the rule file is not active; null when it is. */
  readonly ruleError: string | null;
}

const SECOND: Milliseconds = 1_000;

/** The conditions now; null while there is no sandbox behind the context. Starts nothing. */
export async function readConditions(
  context: Pick<SandboxContext, "sandbox" | "now">,
): Promise<SandboxConditions | null> {
  const sandbox = context.sandbox();
  if (sandbox === null) return null;
  const asked = context.now();
  const { virtualTime, clockFrozen, faults, ruleError } = await sandbox.admin.status();
  const answered = context.now();
  // Its clock was read between the two times, and is never moved by less than a second.
  const isReal = virtualTime >= asked - SECOND && virtualTime <= answered + SECOND;
  const offset = virtualTime - (asked + answered) / 2;
  return {
    movedByMs: isReal ? 0 : Math.round(offset / SECOND) * SECOND,
    frozen: clockFrozen,
    faults: faults.filter(({ count, made }) => count === null || made < count),
    ruleError,
  };
}

/** Moves, freezes or resumes the virtual clock; the countdowns of the context follow. */
export async function changeClock(context: SandboxContext, change: ClockChange): Promise<ClockReading> {
  const admin = await administer(context);
  const reading = await admin.changeClock(change);
  (await context.service()).follow({ virtualTimeMs: reading.virtualTime, serverDateMs: null });
  return reading;
}

/** Order ids that force an answer. */
export async function magicOrders(context: SandboxContext): Promise<MagicListing> {
  return (await administer(context)).magic();
}
