// The commands of the Demo screen: while a deck runs, and while one is chosen.

import { commands, key } from "#src/keys/command.ts";
import type { DemoStage } from "#src/state/sandbox/demo.ts";

interface Scene {
  readonly demo: DemoStage;
  /** The step is a check. */
  readonly isCheck: boolean;
  /** Nothing comes behind it, and it has no notes. */
  readonly isEnd: boolean;
  /** It has several answers side by side. */
  readonly hasSides: boolean;
  /** The day has a payment whose verdict changed. */
  readonly hasCase: boolean;
}

const GROUP = "Demo";

/** While the deck advances by itself. */
export const DEMO_AUTO = commands<DemoStage>("demo.auto", GROUP, 2, {
  pause: key("space", "pause", 1, (demo) => demo.togglePause(), { id: "demo.pause" }),
});

export const DEMO_PAUSED = commands<DemoStage>("demo.paused", GROUP, 2, {
  resume: key("space", "go on", 1, (demo) => demo.togglePause(), { id: "demo.resume" }),
});

export const DEMO = commands<Scene>("demo", GROUP, 1, {
  forward: key("space right enter l", "forward", 1, (s) => s.demo.forward(), { when: ({ isEnd }) => !isEnd }),
  back: key("left backspace h", "back", 2, (s) => s.demo.back()),
  notes: key("n", "notes", 4, (s) => s.demo.toggleNotes(), { when: ({ isEnd }) => !isEnd }),
  flips: key("w", "what if", 5, (s) => s.demo.ask("flips"), {
    also: "what would flip the verdict",
    when: ({ isCheck }) => isCheck,
  }),
  amounts: key("W", "amounts", 6, (s) => s.demo.ask("amounts"), { when: ({ isCheck }) => isCheck }),
  first: key("g home", "first", 8, (s) => s.demo.first()),
  step: key("G", "go to a step", 9, (s) => void s.demo.askForStep()),
  restart: key("r", "restart", 7, (s) => s.demo.askToRestart()),
  end: key("q esc", "end", 3, (s) => s.demo.askToEnd()),
});

export const DEMO_ASKED = commands<Scene>("demo.asked", GROUP, 2, {
  answered: key("esc q", "back to the step", 1, (s) => s.demo.ask(null), { id: "demo.answered" }),
  side: key("tab", "next side", 1.5, (s) => s.demo.nextSide(), {
    id: "demo.side",
    when: ({ hasSides }) => hasSides,
  }),
  more: key("down j pagedown", "more of the answer", null, (s) => s.demo.nextPage(), { id: "demo.more" }),
});

/** While a day runs past, and while it stands still. */
export const DEMO_RUNNING = commands<DemoStage>("demo.running", GROUP, 2, {
  stop: key("space", "stop at this case", 1, (demo) => demo.toggleDay(), { id: "demo.stop" }),
});

export const DEMO_STOPPED = commands<DemoStage>("demo.stopped", GROUP, 2, {
  goOn: key("space", "go on", 1, (demo) => demo.toggleDay(), { id: "demo.go-on" }),
});

export const DEMO_DAY = commands<Scene>("demo.day", GROUP, 2, {
  case: key("c", "another case", 2, (s) => s.demo.nextCase(), {
    id: "demo.case",
    when: ({ hasCase }) => hasCase,
  }),
  faster: key("+ =", "faster", 4, (s) => s.demo.faster(2), { id: "demo.faster" }),
  slower: key("-", "slower", 5, (s) => s.demo.faster(1 / 2), { id: "demo.slower" }),
  again: key("r", "run it again", 3, (s) => s.demo.againDay(), { id: "demo.again" }),
});

export const DEMO_CHOICE = commands<DemoStage>("demo.choice", "Demo, choosing a deck", 1, {
  choose: key("enter space", "present it", 1, (demo) => demo.choose(), { id: "demo.choose" }),
  down: key("j down", "next deck", 3, (demo) => demo.select(1), { id: "demo.down" }),
  up: key("k up", "previous deck", 4, (demo) => demo.select(-1), { id: "demo.up" }),
  top: key("g home", "first deck", null, (demo) => demo.select("first"), { id: "demo.top" }),
  bottom: key("G end", "last deck", null, (demo) => demo.select("last"), { id: "demo.bottom" }),
  leave: key("q esc", "leave", 2, (demo) => demo.end(), { id: "demo.leave" }),
});
