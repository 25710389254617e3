// The keys of the demo screen: while a deck runs, and while one is chosen.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";

const GROUP = "Demo";
const CHOICE = "Demo, choosing a deck";

export const DEMO_BINDINGS: readonly Binding[] = [
  ...bindingsOf("demo.auto", GROUP, [{ id: "demo.pause", keys: [" "], label: "pause", footer: 1 }]),
  ...bindingsOf("demo.paused", GROUP, [{ id: "demo.resume", keys: [" "], label: "go on", footer: 1 }]),
  ...bindingsOf("demo", GROUP, [
    { id: "demo.forward", keys: [" ", "right", "enter", "l"], label: "forward", footer: 1 },
    { id: "demo.back", keys: ["left", "backspace", "h"], label: "back", footer: 2 },
    { id: "demo.notes", keys: ["n"], label: "notes", footer: 4 },
    { id: "demo.flips", keys: ["w"], label: "what if", footer: 5, also: "what would flip the verdict" },
    { id: "demo.amounts", keys: ["W"], label: "other amounts", footer: 6 },
    { id: "demo.first", keys: ["g", "home"], label: "first", footer: 8 },
    { id: "demo.restart", keys: ["r"], label: "restart", footer: 7 },
    { id: "demo.end", keys: ["q", "esc"], label: "end", footer: 3 },
  ]),
  ...bindingsOf("demo.asked", GROUP, [
    { id: "demo.answered", keys: ["esc", "q"], label: "back to the step", footer: 1 },
  ]),
  ...bindingsOf("demo.running", GROUP, [
    { id: "demo.stop", keys: [" "], label: "stop at this case", footer: 1 },
  ]),
  ...bindingsOf("demo.stopped", GROUP, [{ id: "demo.go-on", keys: [" "], label: "go on", footer: 1 }]),
  ...bindingsOf("demo.day", GROUP, [
    { id: "demo.case", keys: ["c"], label: "another case", footer: 2 },
    { id: "demo.faster", keys: ["+", "="], label: "faster", footer: 4 },
    { id: "demo.slower", keys: ["-"], label: "slower", footer: 5 },
    { id: "demo.again", keys: ["r"], label: "run it again", footer: 3 },
  ]),

  ...bindingsOf("demo.choice", CHOICE, [
    { id: "demo.choose", keys: ["enter", " "], label: "present it", footer: 1 },
    { id: "demo.down", keys: ["j", "down"], label: "next deck", footer: 3 },
    { id: "demo.up", keys: ["k", "up"], label: "previous deck", footer: 4 },
    { id: "demo.top", keys: ["g", "home"], label: "first deck" },
    { id: "demo.bottom", keys: ["G", "end"], label: "last deck" },
    { id: "demo.leave", keys: ["q", "esc"], label: "leave", footer: 2 },
  ]),
];
