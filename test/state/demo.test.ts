// The presenter's deck as a store: forward computes once, back sends nothing, restart begins on a fresh sandbox.

import { deckFiles } from "#src/app/deck-files.ts";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { DeckNotes } from "#src/actions/sandbox/deck-notes.ts";
import { sandboxFault } from "#src/contract/fault.ts";
import type { ClockChange } from "#src/contract/wire/sandbox-wire.ts";
import { readDeck } from "#src/replay/decks/deck-reader.ts";
import {
  createDemoStage,
  type CheckFrame,
  type Deck,
  type DemoFrame,
  type DemoStage,
} from "#src/state/sandbox/demo.ts";
import { createSession, type Session } from "#src/state/session.ts";
import { answered, testContext, type TestService } from "../console/test-context.ts";
import { dayFrame } from "../day-frame.ts";
import { keyName } from "../keys/standard.ts";
import { agree, leave, submit } from "./answers.ts";

const DECK: Deck = readDeck(
  `title: Three checks
summary: In two steps.
start: "2026-01-15T10:00:00Z"
seed: 5
project: { merchant: shop, currency: UAH, risk_level: medium }
steps:
  - say: One
    payload: { operation: payment, order_id: "o-{n}", amount: 100, currency: 980 }
    expect: pass
  - say: Two
    repeat: 2
    clock: +1h
    every: +2h
    expect: block
`,
  { file: "test.yaml", name: "test", files: deckFiles(".") },
);

const NOW = Date.UTC(2026, 1, 3, 9);

interface Stage {
  readonly stage: DemoStage;
  readonly session: Session;
  readonly quit: ReturnType<typeof vi.fn>;
  readonly onLeft: ReturnType<typeof vi.fn>;
  readonly sent: string[];
  readonly clock: ClockChange[];
  /** Sandboxes opened, and ended. */
  readonly life: string[];
  /** Timers that wait: how long. */
  readonly timers: Map<() => void, number>;
  readonly answers: TestService;
  /** What those who follow were told. */
  readonly told: DeckNotes[];
}

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function setUp(): Promise<Stage> {
  const sent: string[] = [];
  const clock: ClockChange[] = [];
  const life: string[] = [];
  const timers = new Map<() => void, number>();
  const quit = vi.fn();
  const onLeft = vi.fn();
  const told: DeckNotes[] = [];
  const answers: TestService = {
    check: ({ order_id }) => {
      sent.push(order_id!);
      return answered("pass");
    },
  };
  const session = createSession({ keyName, quit });
  const stage = createDemoStage(
    async (seed, startAt) => {
      const { context, remove } = await testContext(answers);
      life.push(`open ${seed} ${new Date(startAt).toISOString()}`);
      const admin = {
        changeClock: (change: ClockChange) => {
          clock.push(change);
          return Promise.resolve({ virtualTime: 0 });
        },
        whatIf: () => Promise.resolve({ decision: null, magic: null }),
      };
      return {
        context: {
          ...context,
          sandbox: () => ({ admin }) as unknown as ReturnType<typeof context.sandbox>,
        },
        async end() {
          await remove();
          life.push("end");
        },
      };
    },
    session,
    {
      after(delay, run) {
        timers.set(run, delay);
        return () => timers.delete(run);
      },
      now: () => NOW,
      onLeft,
      openNotes: () => ({
        tell: (notes) => void told.push(notes),
        problem: () => "Nobody could follow.",
        close: () => void life.push("unfollowed"),
      }),
    },
  );
  ended.push(() => stage.close());
  onTestFinished(() => session.close());
  return { stage, session, quit, onLeft, sent, clock, life, timers, answers, told };
}

async function opened(stage: DemoStage, autoS: number | "reading" | null = null): Promise<void> {
  stage.open({ deck: DECK, autoS, notes: false });
  await vi.waitFor(() =>
    expect(stage.store.getState()).toMatchObject({ opening: false, failed: null, at: 0 }),
  );
}

async function forward(stage: DemoStage): Promise<void> {
  const { at } = stage.store.getState();
  stage.forward();
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ at: at + 1, sending: false }));
}

it("begins as soon as it can, when asked while it is prepared", async () => {
  const { stage, sent } = await setUp();
  stage.open({ deck: DECK, autoS: null, notes: false });
  stage.forward();
  stage.forward();
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ at: 1, sending: false }));
  expect(sent).toEqual(["o-1"]);
});

it("sends one check a step forward, and nothing on the way back", async () => {
  const { stage, session, sent, clock, life } = await setUp();
  await opened(stage);
  expect(session.store.getState().screen).toBe("demo");
  expect(life).toEqual(["open 5 2026-01-15T10:00:00.000Z"]);
  clock.length = 0;
  await forward(stage);
  expect(sent).toEqual(["o-1"]);
  await forward(stage);
  await forward(stage);
  expect(sent).toEqual(["o-1", "o-2", "o-3"]);
  expect(clock).toEqual([
    { do: "advance", byMs: 3_600_000 },
    { do: "advance", byMs: 7_200_000 },
  ]);
  const { frames } = stage.store.getState();
  const checks = frames.filter((frame) => frame.kind === "check");
  expect(checks.map(({ index, attempts, entries }) => [index, attempts, entries.length])).toEqual([
    [0, 1, 1],
    [1, 2, 1],
    [1, 2, 2],
  ]);
  stage.back();
  stage.back();
  expect(stage.store.getState().at).toBe(1);
  stage.first();
  expect(stage.store.getState().at).toBe(0);
  for (let step = 0; step < 9; step += 1) stage.forward();
  // Behind the last frame stands what came out, and nothing behind that.
  expect(stage.store.getState().at).toBe(4);
  expect(sent).toHaveLength(3);
  expect(stage.unexpected().map(({ index, entries }) => [index, entries.length])).toEqual([
    [1, 1],
    [1, 2],
  ]);
  expect(stage.summary()).toContain("Step 2, attempt 2: expected block, and the verdict is pass.");
});

it("begins at a step, with the checks before it sent and not shown, and goes to another one", async () => {
  const { stage, session, sent } = await setUp();
  stage.open({ deck: DECK, autoS: null, notes: false, from: 2 });
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ at: 2, sending: false }));
  expect(sent).toEqual(["o-1", "o-2"]);
  const asked = stage.askForStep();
  await submit(session, "3");
  expect(session.store.getState()).toMatchObject({ toasts: [{ text: "A step is a number from 1 to 2." }] });
  await submit(session, "1");
  await asked;
  expect(stage.store.getState().at).toBe(1);
  const again = stage.askForStep();
  await leave(session);
  await again;
  expect(stage.store.getState().at).toBe(1);
  expect(sent).toHaveLength(2);
});

it("takes one key at a time while a check is under way", async () => {
  const { stage, sent, answers } = await setUp();
  await opened(stage);
  let answer: (() => void) | null = null;
  answers.check = async ({ order_id }) => {
    sent.push(order_id!);
    await new Promise<void>((resolve) => (answer = resolve));
    return answered("pass");
  };
  stage.forward();
  stage.forward();
  stage.back();
  await vi.waitFor(() => expect(answer).not.toBeNull());
  expect(stage.store.getState()).toMatchObject({ at: 0, sending: true });
  answer!();
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ at: 1, sending: false }));
  expect(sent).toEqual(["o-1"]);
});

it("goes to a step that is asked for while a check is under way", async () => {
  const { stage, session, sent, answers } = await setUp();
  await opened(stage);
  const first = Promise.withResolvers<void>();
  answers.check = async ({ order_id }) => {
    sent.push(order_id!);
    await first.promise;
    return answered("pass");
  };
  stage.forward();
  const asked = stage.askForStep();
  await submit(session, "2");
  await asked;
  first.resolve();
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ at: 2, goingTo: null }));
  expect(sent).toEqual(["o-1", "o-2"]);
});

it("begins again on a fresh sandbox, and ends every one that was opened", async () => {
  const { stage, sent, life } = await setUp();
  await opened(stage);
  await forward(stage);
  stage.restart();
  expect(stage.store.getState()).toMatchObject({ at: 0, frames: [], opening: true });
  await vi.waitFor(() => expect(stage.store.getState().opening).toBe(false));
  await forward(stage);
  expect(sent).toEqual(["o-1", "o-1"]);
  await stage.close();
  expect(life.filter((what) => what === "end")).toHaveLength(2);
});

it("goes forward by itself, pauses, and starts counting anew after a key", async () => {
  const { stage, sent, timers } = await setUp();
  await opened(stage, 7);
  const due = (): (() => void) => {
    expect([...timers.values()]).toEqual([7_000]);
    const [run] = [...timers.keys()];
    timers.clear();
    return run!;
  };
  due()();
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ at: 1, sending: false }));
  stage.back();
  due();
  stage.togglePause();
  expect(timers.size).toBe(0);
  stage.forward();
  expect(stage.store.getState()).toMatchObject({ at: 1, paused: true });
  expect(timers.size).toBe(0);
  stage.togglePause();
  for (let at = 2; at <= 4; at += 1) {
    due()();
    await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ at, sending: false }));
  }
  expect(timers.size).toBe(0);
  expect(sent).toHaveLength(3);
});

/** A deck that is ready, at a check that was sent, with a day behind it. */
async function beforeDay(autoS: number | "reading" | null = null): Promise<Stage> {
  const setting = await setUp();
  const { stage } = setting;
  await opened(stage, autoS);
  stage.togglePause();
  await forward(stage);
  stage.store.setState({ frames: [...stage.store.getState().frames, dayFrame(1_000)], checks: 2 });
  return setting;
}

/** Rings the only timer that waits. */
function ring(timers: Map<() => void, number>, delay: number): void {
  expect([...timers.values()]).toEqual([delay]);
  const [run] = timers.keys();
  timers.clear();
  run!();
}

it("runs a day past on the way forward, and shows its end on the way back", async () => {
  const { stage, timers, sent } = await beforeDay();
  const day = () => stage.store.getState().day;
  expect(day()).toBeNull();
  stage.forward();
  expect(day()).toMatchObject({ shown: 0, runs: true });
  ring(timers, 100);
  expect(day()).toMatchObject({ shown: 5 });
  stage.toggleDay();
  expect(day()).toMatchObject({ shown: 12, runs: false, named: 11 });
  expect(timers.size).toBe(0);
  stage.againDay();
  expect(day()).toMatchObject({ shown: 0, runs: true });
  // The step after it can be reached while it runs.
  stage.forward();
  expect(stage.store.getState().at).toBe(3);
  expect(day()).toBeNull();
  expect(timers.size).toBe(0);
  stage.back();
  expect(day()).toMatchObject({ shown: 1_000, runs: false });
  stage.restart();
  expect(day()).toBeNull();
  expect(sent).toHaveLength(1);
});

it("lets a day take its own time when it advances by itself, and shows its end as long as it takes to read", async () => {
  const { stage, timers } = await beforeDay("reading");
  const state = stage.store.getState;
  stage.togglePause();
  stage.forward();
  expect(state().at).toBe(2);
  for (let tick = 0; tick < 200; tick += 1) ring(timers, 100);
  expect(state().day).toMatchObject({ shown: 1_000, runs: false });
  // A sentence of 28 words below a title of six.
  ring(timers, 13_000);
  expect(state().at).toBe(3);
  expect(timers.size).toBe(0);
});

it("goes on by itself where the deck stops a day, and waits where the presenter did", async () => {
  const { stage, timers } = await beforeDay(8);
  const state = stage.store.getState;
  stage.store.setState({ frames: [state().frames[0]!, dayFrame(1_000, { stops: [3] })] });
  stage.togglePause();
  stage.forward();
  ring(timers, 100);
  expect(state().day).toMatchObject({ shown: 4, runs: false, named: 3 });
  ring(timers, 8_000);
  expect(state().day).toMatchObject({ runs: true });
  stage.toggleDay();
  expect(state().day).toMatchObject({ runs: false });
  expect(timers.size).toBe(0);
});

it("waits as long as a step takes to read, or as its deck says", async () => {
  const { stage, timers } = await setUp();
  await opened(stage, "reading");
  // Title and summary are five words.
  expect([...timers.values()]).toEqual([4_000]);
  stage.togglePause();
  await forward(stage);
  const [frame] = stage.store.getState().frames;
  const shownFor = (change: Partial<DemoFrame>): number => {
    timers.clear();
    stage.store.setState({ frames: [{ ...frame!, ...change } as DemoFrame], at: 1, paused: true });
    stage.togglePause();
    return [...timers.values()][0]!;
  };
  expect(shownFor({ say: "word ".repeat(30) })).toBeGreaterThan(12_000);
  expect(shownFor({ say: "word ".repeat(300) })).toBe(30_000);
  expect(shownFor({ say: "word ".repeat(300), seconds: 3 })).toBe(3_000);
  // The notes are read only where they are shown.
  const noted = { say: "word ".repeat(30), note: "word ".repeat(30) };
  const without = shownFor(noted);
  stage.toggleNotes();
  expect(shownFor(noted)).toBe(without + 10_000);
});

it.each([false, true])("begins each deck with its notes as it was opened: %s", async (notes) => {
  const { stage } = await setUp();
  stage.open({ deck: null, autoS: null, notes });
  await vi.waitFor(() => expect(stage.store.getState().choices).not.toEqual([]));
  for (let deck = 1; deck <= 2; deck += 1) {
    stage.choose();
    await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ opening: false, notes }));
    stage.toggleNotes();
    stage.end();
    expect(stage.store.getState().deck).toBeNull();
  }
});

it("answers a question, and goes back to the same place", async () => {
  const { stage, timers } = await setUp();
  await opened(stage, 5);
  stage.togglePause();
  await forward(stage);
  stage.togglePause();
  expect([...timers.values()]).toEqual([5_000]);
  stage.ask("flips");
  expect(stage.store.getState()).toMatchObject({ asked: "flips", at: 1 });
  // Whoever asks reads the answer as long as they like.
  expect(timers.size).toBe(0);
  stage.nextPage();
  stage.ask("amounts");
  expect(stage.store.getState()).toMatchObject({ asked: "amounts", askedPage: 0 });
  stage.nextSide();
  expect(stage.store.getState().askedSide).toBe(0);
  const [frame] = stage.store.getState().frames as [CheckFrame];
  const side = {
    title: "low",
    projectKey: "shop/low",
    riskLevel: "low",
    rules: null,
    expected: null,
  } as const;
  const sides = [side, side].map((each) => ({ ...each, entry: frame.entries[0]! }));
  stage.store.setState({ frames: [{ ...frame, sides }] });
  stage.nextSide();
  expect(stage.store.getState()).toMatchObject({ asked: "amounts", askedSide: 1 });
  stage.nextSide();
  expect(stage.store.getState().askedSide).toBe(0);
  stage.nextSide();
  stage.ask("amounts");
  expect(stage.store.getState()).toMatchObject({ asked: null, at: 1 });
  expect([...timers.values()]).toEqual([5_000]);
  // The side that was chosen stays for the next question.
  stage.ask("flips");
  expect(stage.store.getState().askedSide).toBe(1);
  stage.ask(null);
  expect(stage.store.getState().asked).toBeNull();
  stage.ask("flips");
  await forward(stage);
  expect(stage.store.getState().asked).toBeNull();
});

it("goes back to the choice, to the screen before, or out of the console", async () => {
  const { stage, session, quit, onLeft } = await setUp();
  session.go("history");
  stage.open();
  stage.end();
  expect(session.store.getState().screen).toBe("history");
  expect(onLeft).not.toHaveBeenCalled();
  stage.open();
  await vi.waitFor(() => expect(stage.store.getState().choices.length).toBeGreaterThan(2));
  stage.select("last");
  stage.select(1);
  expect(stage.store.getState().selected).toBe(stage.store.getState().choices.length - 1);
  stage.select("first");
  stage.choose();
  expect(stage.store.getState().deck?.name).toBe("one-card");
  stage.end();
  expect(stage.store.getState().deck).toBeNull();
  expect(session.store.getState().screen).toBe("demo");
  expect(onLeft).not.toHaveBeenCalled();
  stage.end();
  expect(session.store.getState().screen).toBe("history");
  expect(onLeft).toHaveBeenCalledOnce();
  expect(quit).not.toHaveBeenCalled();

  stage.open({ deck: DECK, autoS: null, notes: true });
  stage.end();
  expect(quit).toHaveBeenCalledOnce();
});

it("asks before a deck that is under way ends or starts over, and at its end no more", async () => {
  const { stage, session, quit } = await setUp();
  const question = (): string | undefined => session.store.getState().dialog?.yes;
  stage.open({ deck: DECK, autoS: 3, notes: false });
  await vi.waitFor(() => expect(stage.store.getState().opening).toBe(false));
  await forward(stage);
  for (const [ask, yes] of [
    [stage.askToEnd, "end it"],
    [stage.askToRestart, "start again"],
  ] as const) {
    void ask();
    expect(question()).toBe(yes);
    expect(session.store.getState().dialog!.text).toContain("step 1 of 2");
    // Nothing goes forward behind the question.
    expect(stage.store.getState().nextAt).toBeNull();
    await agree(session, false);
    expect(stage.store.getState()).toMatchObject({ at: 1, nextAt: expect.any(Number) as number });
  }
  await forward(stage);
  await forward(stage);
  stage.forward();
  void stage.askToRestart();
  expect(question()).toBeUndefined();
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ opening: false, at: 0 }));
  await forward(stage);
  void stage.askToEnd();
  await agree(session);
  expect(quit).toHaveBeenCalledOnce();
});

it("says what went wrong, and can be started again", async () => {
  const { stage, answers } = await setUp();
  answers.register = () => Promise.reject(sandboxFault`The sandbox does not answer.`);
  stage.open({ deck: DECK, autoS: 3, notes: false });
  await vi.waitFor(() => expect(stage.store.getState().failed).toBe("The sandbox does not answer."));
  stage.forward();
  expect(stage.store.getState()).toMatchObject({ at: 0, opening: false });
  delete answers.register;
  stage.restart();
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ opening: false, failed: null }));
  await forward(stage);
});

it("tells those who follow the title of a deck that is driven by hand", async () => {
  const { stage, told } = await setUp();
  await opened(stage);
  expect(told).toMatchObject([{ place: "title", next: "One", next_at: null }]);
});

it("tells those who follow each move once, and when the next one comes", async () => {
  const { stage, told, life } = await setUp();
  await opened(stage, 7);
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ place: "title", started_at: null }));
  expect(told.at(-1)!.next_at).toBe(new Date(NOW + 7_000).toISOString());
  told.length = 0;
  await forward(stage);
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ place: "step", step: 1, next: "Two" }));
  expect(told.filter(({ place }) => place === "step")).toHaveLength(1);
  expect(told.at(-1)!.started_at).toBe(new Date(NOW).toISOString());
  stage.togglePause();
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ step: 1, next_at: null }));
  stage.back();
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ place: "title" }));
  stage.restart();
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ place: "title", started_at: null }));
  expect(life).not.toContain("unfollowed");
  await stage.close();
  expect(life).toContain("unfollowed");
  expect(stage.summary()).toContain("Nobody could follow.");
});
