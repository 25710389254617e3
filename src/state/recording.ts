// Records what the console draws: of decks, and of the rest in presenter mode alone, so that a recording holds nothing personal.

import { basename } from "node:path";
import { openGrowing, type GrowingFile } from "#src/actions/growing-file.ts";
import { typedPath } from "#src/app/typed-path.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { saidIn } from "#src/display/audience-words.ts";
import { markerText, deckText } from "#src/display/deck-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatDuration } from "#src/display/time.ts";
import type { DemoStage } from "#src/state/sandbox/demo.ts";
import { pathCompletion } from "./path-completion.ts";
import { problemIn } from "./report-faults.ts";
import type { Session } from "./session.ts";

/** What a terminal can do for a recording. */
export interface ScreenRecorder {
  /** Begins to write one. */
  start(options: {
    readonly write: (lines: string) => void;
    readonly title: string;
    readonly longestPause: () => Milliseconds;
  }): Tape;
  /** Writes the whole screen again, once what has changed is drawn. @param before called just before that */
  redraw(before: () => void): void;
}

interface Tape {
  output(piece: string | Uint8Array): void;
  marker(label: string): void;
  /** @returns its length */
  end(status: number): Milliseconds;
}

/** Pauses of a person; what a deck that goes forward by itself shows is kept as long as it is shown. */
const LONGEST_PAUSE_MS: Milliseconds = 5_000;

export function createRecording(session: Session, demo: DemoStage, recorder: ScreenRecorder) {
  let file: GrowingFile | null = null;
  let tape: Tape | null = null;
  /** Until a whole screen is drawn. */
  let hidden = true;

  const isOpening = (): boolean => demo.store.getState().opening;
  const longestPause = (): Milliseconds => {
    const { autoS, paused, deck, at, checks, failed, asked } = demo.store.getState();
    const waits = paused || asked !== null || failed !== null || at > checks;
    const advances = autoS !== null && deck !== null && !waits;
    return advances ? Number.POSITIVE_INFINITY : LONGEST_PAUSE_MS;
  };
  const show = (): void => {
    hidden = true;
    recorder.redraw(() => (hidden = isOpening()));
  };

  demo.store.subscribe((state, before) => {
    if (file === null) return;
    if (before.opening && !state.opening) return show();
    if (state.opening) hidden = true;
    const { deck, at, frames, checks } = state;
    if (deck === null || at === before.at) return;
    const [frame, former] = [frames[at - 1], before.frames[before.at - 1]];
    if (at > checks) tape?.marker(saidIn(deck.words)("the_end"));
    else if (frame !== undefined && frame.index !== former?.index) tape?.marker(markerText(frame, deck));
  });
  session.store.subscribe(({ presenter, screen }) => {
    if (presenter === null && screen !== "demo") recording.endAndSay();
  });

  function start(into: GrowingFile): Tape {
    const { deck } = demo.store.getState();
    return recorder.start({
      write: into.append,
      title: deck === null ? "verdict" : deckText(deck.title),
      longestPause,
    });
  }

  const recording = {
    isOn: () => file !== null,
    /** Begins with the next whole screen that is ready. */
    begin(into: GrowingFile) {
      file = into;
      demo.setRecorded(true);
      if (!isOpening()) show();
    },
    /** Begins one in a file that is asked for, or ends it and says so. */
    toggle() {
      if (file !== null) return recording.endAndSay();
      if (session.store.getState().presenter === null) {
        const key = session.keyName("shell.presenter");
        return session.say(
          `Recording works only in presenter mode, which hides personal data; ${key} enters it.`,
          "note",
        );
      }
      const question = {
        label: "Record into",
        placeholder: "a new file, such as talk.cast",
        complete: pathCompletion(session),
      };
      // In the turn of Enter: a moment later the mode may be over.
      void session.askUntil(question, (typed) =>
        typed === "" ? null : problemIn(() => recording.begin(openGrowing(typedPath(typed), false))),
      );
    },
    /** Ends it where there is one, and says so in the console. */
    endAndSay() {
      const isWhole = file?.problem() === null;
      const text = recording.end();
      if (text !== null) session.say(text, isWhole ? "done" : "error");
    },
    /** Takes what is drawn. */
    output(piece: string | Uint8Array) {
      if (file === null || hidden) return;
      tape ??= start(file);
      tape.output(piece);
      if (file.problem() !== null) recording.endAndSay();
    },
    /**
     * @param status exit status of the program; 0 by default
     * @returns file and length, or why it ends early, in a sentence; null when there was none
     */
    end(status: number = 0) {
      if (file === null) return null;
      const ended = file;
      const lengthMs = tape?.end(status) ?? 0;
      [file, tape, hidden] = [null, null, true];
      demo.setRecorded(false);
      ended.close();
      const text = `The recording is in ${safe(basename(ended.path))}, ${formatDuration(lengthMs)} long; "asciinema play" plays it.`;
      return ended.problem()?.message ?? text;
    },
  };
  return recording;
}

export type Recording = ReturnType<typeof createRecording>;
