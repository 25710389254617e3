// The presenter's deck as a store: forward computes once, back sends nothing, restart begins on a fresh sandbox.

import { deckFiles } from "#src/app/deck-files.ts";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { DeckNotes } from "#src/actions/sandbox/deck-notes.ts";
import { Fault } from "#src/contract/fault.ts";
import type { ClockChange } from "#src/contract/wire/sandbox-wire.ts";
import { readDeck } from "#src/replay/decks/deck-reader.ts";
import { createDemoStage, type Deck, type DemoStage } from "#src/state/sandbox/demo.ts";
import { createSession, type Session } from "#src/state/session.ts";
import { answered, testContext, type TestService } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";

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
      openNotes: () => ({
        tell: (notes) => void told.push(notes),
        problem: () => "Nobody could follow.",
        close: () => void life.push("unfollowed"),
      }),
    },
  );
  ended.push(() => stage.close());
  onTestFinished(() => session.close());
  return { stage, session, quit, sent, clock, life, timers, answers, told };
}

async function opened(stage: DemoStage, autoS: number | null = null): Promise<void> {
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

it("goes back to the choice, to the screen before, or out of the console", async () => {
  const { stage, session, quit } = await setUp();
  session.go("history");
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
  stage.end();
  expect(session.store.getState().screen).toBe("history");
  expect(quit).not.toHaveBeenCalled();

  stage.open({ deck: DECK, autoS: null, notes: true });
  stage.end();
  expect(quit).toHaveBeenCalledOnce();
});

it("says what went wrong, and can be started again", async () => {
  const { stage, answers } = await setUp();
  answers.register = () => Promise.reject(new Fault("sandbox", "The sandbox does not answer."));
  stage.open({ deck: DECK, autoS: 3, notes: false });
  await vi.waitFor(() => expect(stage.store.getState().failed).toBe("The sandbox does not answer."));
  stage.forward();
  expect(stage.store.getState()).toMatchObject({ at: 0, opening: false });
  delete answers.register;
  stage.restart();
  await vi.waitFor(() => expect(stage.store.getState()).toMatchObject({ opening: false, failed: null }));
  await forward(stage);
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
