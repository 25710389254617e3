// The service's time for countdowns: what the service told last, kept right when the local clock is moved.

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { ClockReading } from "#src/contract/wire/sandbox-wire.ts";

/** A context that may have an embedded sandbox, whose virtual clock can be read. */
export type ClockedContext = ActionContext & {
  sandbox(): { readonly admin: { clock(): Promise<ClockReading> } } | null;
};

export interface ServiceClock {
  /** The service's time in ms since the epoch; the local time while the service is not there yet. */
  now(): Milliseconds;
  /** False while the service is not there yet. */
  isKnown(): boolean;
  /** Compares the local clock with the steady one; to be called about once a second. */
  check(): void;
  /** Reads the clock of an embedded sandbox, which somebody may have moved or frozen. Never rejects. */
  poll(): Promise<void>;
  /** Uses the service from now on, and the offset of an earlier run until an answer tells better. */
  use(service: Service, remembered: Milliseconds | null): void;
}

/** Less than this is no jump of the clock but a busy machine. */
const JUMP_MS: Milliseconds = 2_000;

/** @param steady ms of a clock that only goes forward */
export function createServiceClock(
  context: ClockedContext,
  steady: () => Milliseconds = () => performance.now(),
): ServiceClock {
  let service: Service | null = null;
  let frozenAt: Milliseconds | null = null;
  let last: {
    readonly local: Milliseconds;
    readonly steady: Milliseconds;
    readonly service: Milliseconds;
  } | null = null;

  const now = (): Milliseconds => frozenAt ?? service?.now() ?? context.now();

  return {
    now,
    isKnown: () => service !== null,
    check() {
      if (service === null) return;
      const passed = steady() - (last?.steady ?? 0);
      // An answer that told the time since knows better than any reckoning from before it.
      const told = last !== null && service.now() - context.now() !== last.service - last.local;
      // Set back: no time was gained. A jump forward may as well be the end of a suspension, during which time did pass.
      if (last !== null && !told && context.now() - last.local - passed < -JUMP_MS) {
        service.follow({ virtualTimeMs: last.service + passed, serverDateMs: null });
      }
      last = { local: context.now(), steady: steady(), service: service.now() };
    },
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
    use(opened, remembered) {
      service = opened;
      if (remembered !== null) opened.assumeOffset(remembered);
    },
  };
}
