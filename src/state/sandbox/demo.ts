// The store of the demo screen: the choice of decks, the frame shown, and automatic play. Independent of the profile in use.

import { createStore } from "zustand/vanilla";
import type { CheckFrame, Deck, DemoFrame, DemoOpening } from "#src/actions/sandbox/demo.ts";
import { unexpectedChecks } from "#src/actions/sandbox/demo-frame.ts";
import type { OpenEphemeral } from "#src/app/ephemeral.ts";
import { unexpectedText } from "#src/display/deck-lines.ts";
import { movedIndex, type ListMove } from "#src/state/list-selection.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { ScreenName } from "#src/state/page.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";
import { createDayRun } from "./day-run.ts";
import { createDeckRun, IDLE, type DemoQuestion, type DemoState } from "./deck-run.ts";
import { secondsToRead } from "./reading-time.ts";
import { createNotesTeller, type OpenNotes } from "./notes-teller.ts";

export type {
  CheckFrame,
  DayPayment,
  Deck,
  DemoFrame,
  DemoOpening,
  StreamFrame,
} from "#src/actions/sandbox/demo.ts";

export interface DemoStageOptions {
  /** Schedules a callback and returns how to cancel it; real timers by default. */
  readonly after?: After;
  /** The real clock by default. */
  readonly now?: () => Milliseconds;
  /** For those who follow on a second terminal; nobody can by default. */
  readonly openNotes?: OpenNotes | undefined;
  /** Called before the console is seen again, where a deck was presented in it. */
  readonly onLeft?: () => void;
}

export function createDemoStage(
  openEphemeral: OpenEphemeral,
  session: Session,
  options: DemoStageOptions = {},
) {
  const { after = afterTimeout, now = Date.now } = options;
  const store = createStore<DemoState>(() => ({
    ...IDLE,
    choices: [],
    selected: 0,
    notes: false,
    recorded: false,
    autoS: null,
  }));
  const set = (change: Partial<DemoState>): void => store.setState(change);
  const { getState: get } = store;
  const deckRun = createDeckRun(openEphemeral, store, arrive);
  const dayRun = createDayRun(after, (day) => set({ day }), plan);
  const notes = createNotesTeller(store, now, options.openNotes);
  let callOff: (() => void) | null = null;
  /** The step to show as soon as that can be; null for the one at which it arrives. */
  let goesOnTo: number | null = null;
  /** Where to go back to; null where there is nothing but the demo. */
  let before: ScreenName | null = null;
  let chooses = true;
  let hasPresented = false;
  /** Whether a deck begins with its notes in sight: a key shows or hides those of one deck alone. */
  let notesAtFirst = false;

  function start(deck: Deck, from: number | null = null): void {
    cancelPlan();
    goesOnTo = from;
    dayRun.leave();
    deckRun.start(deck);
    hasPresented = true;
    notes.start();
  }

  function stop(): void {
    cancelPlan();
    dayRun.leave();
    deckRun.stop();
    notes.stop();
  }

  /** At a frame, or at one of the ends. @param isBack a day is shown as it ended */
  function arrive(isBack: boolean = false): void {
    const { at, frames, failed } = get();
    const frame = frames[at - 1];
    set({ asked: null, askedSide: 0, askedPage: 0 });
    const step = goesOnTo;
    goesOnTo = null;
    if (step !== null && failed === null) return goTo(step);
    if (frame?.kind !== "stream" || failed !== null) dayRun.leave();
    else if (isBack) dayRun.showEnd(frame);
    else dayRun.start(frame);
    plan();
  }

  function move(at: number, isBack: boolean): void {
    set({ at });
    arrive(isBack);
  }

  /** The first frame of a step; those before it are sent and counted, and not shown. */
  function goTo(step: number): void {
    const { frames } = get();
    const isThere = ({ index }: DemoFrame): boolean => index >= step - 1;
    const known = frames.findIndex(isThere);
    cancelPlan();
    if (known < 0) {
      set({ goingTo: step });
      void deckRun.send(isThere);
    } else move(known + 1, true);
  }

  function cancelPlan(): void {
    callOff?.();
    callOff = null;
    set({ nextAt: null });
  }

  function openChoice(): void {
    chooses = true;
    stop();
    set({ ...IDLE, notes: notesAtFirst });
    if (get().choices.length > 0) return;
    import("#src/actions/sandbox/demo-decks.ts").then(
      ({ demoDecks }) => set({ choices: demoDecks() }),
      (error: unknown) => deckRun.fail(error),
    );
  }

  /** Goes forward by itself later, unless something is done before. */
  function plan(): void {
    cancelPlan();
    const { autoS, paused, at, checks, frames, deck, opening, failed, asked, day } = get();
    if (autoS === null || paused || deck === null || opening || failed !== null || at > checks) return;
    if (asked !== null || day?.runs === true) return;
    const frame = frames[at - 1];
    const isStopped = frame?.kind === "stream" && day !== null && day.shown < frame.day.payments.length;
    const waitMs = (autoS === "reading" ? secondsToRead(get()) : autoS) * 1000;
    set({ nextAt: now() + waitMs });
    callOff = after(waitMs, () => {
      callOff = null;
      if (isStopped) dayRun.toggle();
      else stage.forward();
    });
  }

  /** Nothing leads back to the step of a deck that was left. */
  async function askFirst(what: string, yes: string, act: () => void): Promise<void> {
    const { deck, frames, at, checks, failed } = get();
    if (deck === null || frames.length === 0 || at > checks || failed !== null) return act();
    cancelPlan();
    const steps = deck.steps.length;
    const step = frames[Math.max(at, 1) - 1]!.index + 1;
    const text = `This is step ${step} of ${steps}. ${what}`;
    if (await session.agree({ text, yes })) act();
    else plan();
  }

  const stage = {
    store,
    /** Opens the screen: on a deck, or on the choice of one. */
    open(opening?: DemoOpening) {
      const { screen } = session.store.getState();
      before = opening !== undefined ? null : screen === "demo" ? before : screen;
      notesAtFirst = opening?.notes ?? false;
      set({ autoS: opening?.autoS ?? null, notes: notesAtFirst });
      session.go("demo");
      if (opening === undefined || opening.deck === null) return openChoice();
      chooses = false;
      start(opening.deck, opening.from ?? null);
    },
    select(move: ListMove) {
      set({ selected: movedIndex(get().selected, move, get().choices.length) });
    },
    /** Runs the selected deck. */
    choose() {
      const { choices, selected } = get();
      const chosen = choices[selected];
      if (chosen !== undefined) start(chosen);
    },
    /** The next frame: one that was computed already, or by a check. */
    forward() {
      const { at, frames, checks, sending, opening, failed } = get();
      // It begins as soon as it can.
      if (opening && failed === null) goesOnTo ??= 1;
      if (!deckRun.isReady() || sending || opening || failed !== null || at > checks) return;
      if (at === frames.length && at < checks) void deckRun.send();
      else move(at + 1, false);
    },
    back() {
      if (!get().sending) move(Math.max(0, get().at - 1), true);
    },
    first() {
      if (!get().sending) move(0, true);
    },
    /** Asks for a step, and goes there. */
    async askForStep() {
      const { deck, opening, failed } = get();
      if (deck === null || opening || failed !== null || !deckRun.isReady()) return;
      cancelPlan();
      const steps = deck.steps.length;
      const isStep = (text: string): boolean => /^\d+$/.test(text) && +text >= 1 && +text <= steps;
      const line = await session.askUntil({ label: `Go to step, 1 to ${steps}` }, (text) =>
        text === "" || isStep(text) ? null : `A step is a number from 1 to ${steps}.`,
      );
      if (get().deck !== deck) return;
      if (line === null || line === "") plan();
      else if (get().sending) goesOnTo = Number(line);
      else goTo(Number(line));
    },
    /** From the beginning, on a fresh sandbox. */
    restart() {
      const { deck } = get();
      if (deck !== null) start(deck);
    },
    toggleNotes: () => set({ notes: !get().notes }),
    /** The screen is recorded from now on, or no more. */
    setRecorded: (recorded: boolean) => set({ recorded }),
    /** Pauses going forward by itself, or goes on. */
    togglePause() {
      set({ paused: !get().paused });
      plan();
    },
    /** Answers a question about the frame, and goes back to it when asked again, or without a question. */
    ask(question: DemoQuestion | null) {
      set({ asked: question === get().asked ? null : question, askedPage: 0 });
      plan();
    },
    /** Answers the question about the next one of several answers. */
    nextSide() {
      const frame = get().frames[get().at - 1];
      const sides = frame?.kind === "check" ? frame.sides.length : 0;
      if (sides > 0) set({ askedSide: (get().askedSide + 1) % sides, askedPage: 0 });
    },
    /** The next page of the answer. */
    nextPage: () => set({ askedPage: get().askedPage + 1 }),
    /** Stops the day that runs past at its next case, or goes on with it. */
    toggleDay() {
      cancelPlan();
      dayRun.toggle();
    },
    /** Names the next payment of the day whose verdicts differ. */
    nextCase() {
      cancelPlan();
      dayRun.nextCase();
    },
    /** Lets the day run past again. */
    againDay: () => arrive(),
    /** @param times by which a day runs faster */
    faster: (times: number) => dayRun.faster(times),
    /** Ends the deck, then the screen. */
    end() {
      if (get().deck !== null && chooses) openChoice();
      else if (before === null) session.quit();
      else {
        stop();
        set(IDLE);
        if (hasPresented) options.onLeft?.();
        hasPresented = false;
        session.go(before);
      }
    },
    /** The same for a key: asked first while a deck is under way. */
    askToEnd: () =>
      askFirst("The deck cannot be resumed, and its sandbox is removed. End the deck?", "end it", stage.end),
    /** `restart` for a key: asked first while a deck is under way. */
    askToRestart: () =>
      askFirst("Start the deck again at its first step, on a fresh sandbox?", "start again", stage.restart),
    /** Frames whose verdict is not what the deck expects. */
    unexpected: (): readonly CheckFrame[] => unexpectedChecks(get().frames),
    /** For the shell that the user comes back to. */
    summary() {
      const wrong = stage.unexpected().map((frame) => unexpectedText(frame));
      const unfollowed = notes.problem();
      return [
        "The demo ran on a sandbox of its own, which is removed.",
        ...wrong,
        ...(unfollowed === null ? [] : [unfollowed]),
      ].join("\n");
    },
    /** Resolves when every sandbox is ended and removed. */
    async close() {
      stop();
      await deckRun.close();
    },
  };
  return stage;
}

export type DemoStage = ReturnType<typeof createDemoStage>;
