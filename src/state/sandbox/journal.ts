// The journal of the sandbox: the requests that it received, followed while somebody looks.

import { createStore } from "zustand/vanilla";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";
import { everyInterval, type Every } from "#src/state/timers.ts";

export interface JournalState {
  /** Newest first, the newest `ENTRY_LIMIT`. */
  readonly entries: readonly JournalEntry[];
  /** Number of the newest entry; 0 before the first. */
  readonly last: number;
}

const POLL_MS: Milliseconds = 1_000;
/** Entries kept in memory; the command `verdict sandbox journal` shows more. */
const ENTRY_LIMIT = 200;
const EMPTY: JournalState = { entries: [], last: 0 };

export function createJournal(context: Pick<SandboxContext, "sandbox">, every: Every = everyInterval) {
  const store = createStore<JournalState>(() => EMPTY);
  let reading = false;

  const read = async (): Promise<void> => {
    const admin = context.sandbox()?.admin;
    if (admin === undefined || reading) return;
    reading = true;
    try {
      const { last } = store.getState();
      const page = await admin.journal(ENTRY_LIMIT, last);
      // Another sandbox, with a journal of its own: it is read whole with the next turn.
      if (page.last < last) store.setState(EMPTY);
      else if (page.last > last) {
        store.setState(({ entries }) => ({
          entries: [...page.entries.toReversed(), ...entries].slice(0, ENTRY_LIMIT),
          last: page.last,
        }));
      }
    } catch (error) {
      // It has ended or is being replaced; the next call that needs it reports that.
      if (!(error instanceof Fault)) throw error;
    } finally {
      reading = false;
    }
  };

  return {
    store,
    /** Reads it now and once a second; starts no sandbox. Returns how to stop. */
    follow() {
      void read();
      return every(POLL_MS, () => void read());
    },
  };
}
