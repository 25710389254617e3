// The service clock for countdowns, corrected when the local clock jumps.

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { ClockReading } from "#src/contract/wire/sandbox-wire.ts";

/** A context that may have an embedded sandbox, whose virtual clock can be read. */
export type ClockedContext = ActionContext & {
  sandbox(): { readonly admin: { clock(): Promise<ClockReading> } } | null;
};

/** A smaller difference is a busy machine, not a clock jump. */
const JUMP_MS: Milliseconds = 2_000;

/** @param steady ms of a clock that only goes forward */
export function createServiceClock(
  context: ClockedContext,
  steady: () => Milliseconds = () => performance.now(),
) {
  let service: Service | null = null;
  let frozenAt: Milliseconds | null = null;
  let last: {
    readonly local: Milliseconds;
    readonly steady: Milliseconds;
    readonly service: Milliseconds;
  } | null = null;

  const now = (): Milliseconds => frozenAt ?? service?.now() ?? context.now();

  return {
    /** The service's time in ms since the epoch; the local time while the service is not there yet. */
    now,
    /** False while the service is not there yet. */
    isKnown: () => service !== null,
    /** Compares the local clock with the steady one; to be called about once a second. */
    check() {
      if (service === null) return;
      const passed = steady() - (last?.steady ?? 0);
      // An answer since then is more accurate than any estimate from before it.
      const isAnswered = last !== null && service.now() - context.now() !== last.service - last.local;
      // Set back: no time was gained. A jump forward may as well be the end of a suspension, during which time did pass.
      if (last !== null && !isAnswered && context.now() - last.local - passed < -JUMP_MS) {
        service.follow({ virtualTimeMs: last.service + passed, serverDateMs: null });
      }
      last = { local: context.now(), steady: steady(), service: service.now() };
    },
    /** Reads the clock of an embedded sandbox, which may have been moved or frozen. Never rejects. */
    async poll() {
      const sandbox = context.sandbox();
      if (sandbox === null || service === null) return;
      try {
        const reading = await sandbox.admin.clock();
        frozenAt = reading.frozen ? reading.virtualTime : null;
        service.follow({ virtualTimeMs: reading.virtualTime, serverDateMs: null });
        last = null;
      } catch (error) {
        // It is asked again soon; a call that matters says what is wrong.
        if (!(error instanceof Fault)) throw error;
      }
    },
    /** Uses the service from now on, and the offset of an earlier run until an answer tells better. */
    use(opened: Service, remembered: Milliseconds | null) {
      service = opened;
      if (remembered !== null) opened.assumeOffset(remembered);
    },
  };
}
