// What a source would send, counted while the form is filled in: once the typing rests, and only as long as it is cheap.

import type { Survey } from "#src/actions/replay/survey-sources.ts";
import { faultOf } from "#src/state/guarded.ts";
import type { After } from "#src/state/timers.ts";

/** - `long`: more than can be counted while somebody waits; the replay reads it as it goes */
export type SurveyState =
  | { readonly state: "reading" }
  | { readonly state: "done"; readonly survey: Survey }
  | { readonly state: "fault"; readonly message: string }
  | { readonly state: "long" };

export interface SourceSurvey {
  /** Counts a source, unless it is the one that was counted last. @param now at once, without waiting for more typing */
  look(source: string, now?: boolean): void;
  /** Resolves when what is being counted is counted, or given up. */
  settled(): Promise<void>;
  /** Forgets everything. */
  stop(): void;
}

/** A source is typed letter by letter, and most beginnings of it are no source. */
const REST_MS = 400;
const LONGEST_MS = 2_500;

/**
 * @param count reads the whole source
 * @param found hears what is known, first that it is being counted
 */
export function createSourceSurvey(
  count: (source: string, signal: AbortSignal) => Promise<Survey>,
  after: After,
  found: (state: SurveyState) => void,
): SourceSurvey {
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

  const begin = async (source: string): Promise<void> => {
    const mine = new AbortController();
    stopping = mine;
    let long = false;
    const callOff = after(LONGEST_MS, () => {
      long = true;
      mine.abort();
    });
    let state: SurveyState;
    try {
      state = { state: "done", survey: await count(source, mine.signal) };
    } catch (error) {
      state = { state: "fault", message: faultOf(error).message };
    } finally {
      callOff();
    }
    if (long) found({ state: "long" });
    else if (stopping === mine) found(state);
  };

  return {
    look(source, now = false) {
      if (source === looked) return;
      stop();
      looked = source;
      found({ state: "reading" });
      const start = (): void => {
        waiting = null;
        counting = begin(source);
      };
      if (now) start();
      else waiting = { begin: start, callOff: after(REST_MS, start) };
    },
    async settled() {
      if (waiting !== null) {
        waiting.callOff();
        waiting.begin();
      }
      await counting;
    },
    stop,
  };
}
