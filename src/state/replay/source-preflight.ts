// The preflight of a source in the replay form: runs after a pause in typing, with a time limit.

import { faultOf } from "#src/state/report-faults.ts";
import type { After } from "#src/state/timers.ts";
import type { SetupPreflight } from "./replay-engine.ts";

/** `long`: the source could not be read within the time limit. */
export type PreflightState =
  | { readonly state: "reading" }
  | { readonly state: "done"; readonly preflight: SetupPreflight }
  | { readonly state: "fault"; readonly message: string }
  | { readonly state: "long" };

/** Pause in typing before the preflight starts. */
const REST_MS = 400;
const LONGEST_MS = 2_500;

/**
 * @param count runs the preflight of the whole source
 * @param found called with each state, `reading` first
 */
export function createSourcePreflight<Source>(
  count: (source: Source, signal: AbortSignal) => Promise<SetupPreflight>,
  after: After,
  found: (state: PreflightState) => void,
) {
  let looked: string | null = null;
  let stopping: AbortController | null = null;
  let waiting: { readonly begin: () => void; readonly callOff: () => void } | null = null;
  let counting: Promise<void> = Promise.resolve();

  const stop = (): void => {
    waiting?.callOff();
    waiting = null;
    stopping?.abort();
    stopping = null;
    looked = null;
  };

  const begin = async (source: Source): Promise<void> => {
    const mine = new AbortController();
    stopping = mine;
    let long = false;
    const callOff = after(LONGEST_MS, () => {
      long = true;
      mine.abort();
    });
    let state: PreflightState;
    try {
      state = { state: "done", preflight: await count(source, mine.signal) };
    } catch (error) {
      state = { state: "fault", message: faultOf(error).message };
    } finally {
      callOff();
    }
    if (long) found({ state: "long" });
    else if (stopping === mine) found(state);
  };

  return {
    /** Starts the preflight of a source (plain data), unless it was the last one. @param now without waiting for more typing */
    look(source: Source, now: boolean = false) {
      const text = JSON.stringify(source);
      if (text === looked) return;
      stop();
      looked = text;
      found({ state: "reading" });
      const start = (): void => {
        waiting = null;
        counting = begin(source);
      };
      if (now) start();
      else waiting = { begin: start, callOff: after(REST_MS, start) };
    },
    /** Resolves when the current preflight has ended. */
    async settled() {
      if (waiting !== null) {
        waiting.callOff();
        waiting.begin();
      }
      await counting;
    },
    /** Cancels the current preflight. */
    stop,
  };
}
