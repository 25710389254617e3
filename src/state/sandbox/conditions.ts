// The conditions of the sandbox: its clock, its faults, and whether its rule file is right.

import { createStore } from "zustand/vanilla";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { readConditions, type SandboxConditions } from "#src/actions/sandbox/sandbox-conditions.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { counted } from "#src/display/count.ts";
import { formatDuration } from "#src/display/time.ts";
import type { Session } from "#src/state/session.ts";
import { everyInterval, type Every } from "#src/state/timers.ts";

export interface ConditionsState {
  /** Null while there is no sandbox to ask. */
  readonly seen: SandboxConditions | null;
}

/** Commands and other sessions may change them as well. */
const REFRESH_MS: Milliseconds = 5_000;

export function createConditions(context: SandboxContext, session: Session, every: Every = everyInterval) {
  const isSandbox = context.profile.environment === "SANDBOX";
  const store = createStore<ConditionsState>(() => ({ seen: null }));
  const get = store.getState;

  const take = (seen: SandboxConditions | null): void => {
    const before = get().seen;
    // Nothing is drawn again for what has not changed.
    if (JSON.stringify(seen) === JSON.stringify(before)) return;
    store.setState({ seen });
    const { screen } = session.store.getState();
    const error = seen?.ruleError ?? null;
    if (error !== null && error !== before?.ruleError && screen !== "rules" && screen !== "demo") {
      session.say(
        `The rule file is wrong, and the previous rules stay in effect; ${session.keyName("shell.rules")} shows where. ${error}`,
        "error",
      );
    }
  };

  const refresh = async (): Promise<void> => {
    try {
      take(await readConditions(context));
    } catch (error) {
      // It has ended or is being replaced; the next call that needs it reports that.
      if (!(error instanceof Fault)) throw error;
      take(null);
    }
  };

  return {
    store,
    /** Asks the sandbox, if one is there. Never rejects. */
    refresh,
    /** Refreshes now and then; returns how to stop. */
    watch() {
      if (!isSandbox) return () => undefined;
      void refresh();
      return every(REFRESH_MS, () => void refresh());
    },
  };
}

/** What the header shows: `FROZEN`, `CLOCK +1 d`, `2 FAULTS`. */
export function conditionMarks(seen: SandboxConditions | null): readonly string[] {
  if (seen === null) return [];
  const { movedByMs, frozen, faults } = seen;
  const sign = movedByMs < 0 ? "-" : "+";
  const clock = frozen
    ? ["FROZEN"]
    : movedByMs === 0
      ? []
      : [`CLOCK ${sign}${formatDuration(Math.abs(movedByMs))}`];
  const count = faults.length;
  return [...clock, ...(count === 0 ? [] : [counted(count, "FAULT", "FAULTS")])];
}
