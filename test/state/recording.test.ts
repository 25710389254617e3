// What is recorded and when: nothing outside presenter mode and decks, nothing of how a deck is set up, and pauses as people make them.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createStore } from "zustand/vanilla";
import { openGrowing, type GrowingFile } from "#src/actions/growing-file.ts";
import { Fault, storage } from "#src/contract/fault.ts";
import { builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import { createRecording, type Recording } from "#src/state/recording.ts";
import { IDLE, type DemoState } from "#src/state/sandbox/deck-run.ts";
import type { CheckFrame, DemoStage } from "#src/state/sandbox/demo.ts";
import { createSession, type Session } from "#src/state/session.ts";
import { createVirtualTime } from "#src/state/timers.ts";
import { PLAIN_FRAME } from "../check-frame.ts";
import { keyName } from "../keys/standard.ts";
import { submit } from "./answers.ts";

const DECK = builtInDeck("one-card");
const frame = (index: number): CheckFrame =>
  ({ ...PLAIN_FRAME, index, total: 2, say: DECK.steps[index]!.say }) as unknown as CheckFrame;
const NO_DECK: DemoState = { ...IDLE, choices: [], selected: 0, notes: false, recorded: false, autoS: null };

interface Stage {
  readonly recording: Recording;
  readonly session: Session;
  readonly demo: (change: Partial<DemoState>) => void;
  /** What reached the tape. */
  readonly tape: string[];
  readonly folder: string;
  pause(): number;
  said(): string | undefined;
}

function stage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), "verdict-recording-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const session = createSession({ keyName, quit: () => undefined });
  onTestFinished(() => session.close());
  const store = createStore<DemoState>(() => NO_DECK);
  const demo = { store, setRecorded: (recorded: boolean) => store.setState({ recorded }) } as DemoStage;
  const tape: string[] = [];
  let pause = (): number => 0;
  const recording = createRecording(session, demo, {
    start({ write, title, longestPause }) {
      pause = longestPause;
      tape.push(`begin ${title}`);
      write("begun\n");
      return {
        output(piece) {
          tape.push(String(piece));
          write("drawn\n");
        },
        marker: (label) => void tape.push(label),
        end: (status) => tape.push(`end ${status}`) * 1_000,
      };
    },
    redraw(before) {
      before();
      recording.output("whole");
    },
  });
  return {
    recording,
    session,
    demo: store.setState,
    tape,
    folder,
    pause: () => pause(),
    said: () => session.store.getState().messages.at(-1)?.text,
  };
}

it("begins in presenter mode with a whole screen, and ends with the mode before another one is drawn", async () => {
  const it = stage();
  const { recording, session, tape, folder, said } = it;
  recording.toggle();
  expect(session.store.getState().prompt).toBeNull();
  expect(said()).toMatch(/^Recording works only in presenter mode/);
  session.setPresenter(1);
  recording.toggle();
  await submit(session, join(folder, "missing", "talk.cast"));
  expect(said()).toMatch(/there is no folder/);
  await submit(session, join(folder, "talk.cast"));
  recording.output("more");
  session.setPresenter(null);
  recording.output("personal");
  expect(tape).toEqual(["begin verdict", "whole", "more", "end 0"]);
  expect(said()).toBe('The recording is in talk.cast, 4 s long; "asciinema play" plays it.');
  expect(recording.isOn()).toBe(false);
  recording.toggle();
  session.setPresenter(2);
  recording.output("personal");
  expect(tape).toHaveLength(4);
});

it("ends when it is asked for again, and leaves no file where nothing was drawn", async () => {
  const it = stage();
  const { recording, session, folder, demo } = it;
  session.setPresenter(1);
  demo({ opening: true });
  recording.toggle();
  await submit(session, join(folder, "talk.cast"));
  recording.output("set-up");
  recording.toggle();
  expect(existsSync(join(folder, "talk.cast"))).toBe(false);
  expect(recording.isOn()).toBe(false);
});

it("leaves out how a deck is set up, also again, and marks each step and the end", () => {
  const { recording, session, demo, tape, folder } = stage();
  session.go("demo");
  demo({ deck: DECK, checks: 3, opening: true });
  recording.begin(openGrowing(join(folder, "talk.cast"), false));
  recording.output("preparing");
  demo({ opening: false });
  demo({ at: 1, frames: [frame(0)] });
  recording.output("one");
  // The second try of the same step.
  demo({ at: 2, frames: [frame(0), frame(0)] });
  demo({ at: 3, frames: [frame(0), frame(0), frame(1)] });
  demo({ at: 4 });
  demo({ ...NO_DECK, deck: DECK, checks: 3, opening: true, recorded: true });
  recording.output("preparing");
  demo({ opening: false });
  expect(recording.end(8)).toMatch(/^The recording is in talk\.cast/);
  expect(tape).toEqual([
    `begin ${DECK.title}`,
    "whole",
    expect.stringMatching(/^step 1 of 2: A customer/),
    "one",
    expect.stringMatching(/^step 2 of 2: /),
    "the end",
    "whole",
    "end 8",
  ]);
  expect(recording.end()).toBeNull();
});

it("keeps what goes forward by itself as long as it is shown, and pauses of people for 5 s", () => {
  const { recording, session, demo, folder, pause } = stage();
  session.go("demo");
  demo({ deck: DECK, checks: 2, autoS: 20 });
  recording.begin(openGrowing(join(folder, "talk.cast"), false));
  expect(pause()).toBe(Number.POSITIVE_INFINITY);
  for (const byHand of [
    { paused: true },
    { paused: false, at: 3 },
    { at: 0, asked: "flips" as const },
    { asked: null, autoS: null },
  ]) {
    demo(byHand);
    expect(pause()).toBe(5_000);
  }
  recording.end();
});

it("says once that the disk is full, and the deck goes on", () => {
  const { recording, session, demo, tape, said } = stage();
  session.go("demo");
  demo({ deck: DECK, checks: 2 });
  let problem: Fault | null = null;
  const file: GrowingFile = {
    path: "talk.cast",
    problem: () => problem,
    append: () => undefined,
    close: () => undefined,
  };
  recording.begin(file);
  problem = storage`talk.cast ends early.`;
  recording.output("more");
  recording.output("and more");
  expect(said()).toBe("talk.cast ends early.");
  expect(session.store.getState().messages).toHaveLength(1);
  expect(tape).not.toContain("and more");
});

it("has a time that goes from timer to timer", () => {
  const time = createVirtualTime();
  const ran: [string, number][] = [];
  const after = (delay: number, what: string): (() => void) =>
    time.after(delay, () => void ran.push([what, time.now()]));
  after(20, "later");
  after(5, "called off")();
  time.after(10, () => after(3, "soon"));
  while (time.next());
  time.pass(7);
  expect(ran).toEqual([
    ["soon", 13],
    ["later", 20],
  ]);
  expect(time.now()).toBe(27);
});
