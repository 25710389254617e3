// The keys of the demo screen: while a deck runs, and while one is chosen.

import type { Binding } from "#src/keys/binding.ts";

const GROUP = "Demo";
const CHOICE = "Demo, choosing a deck";

export const DEMO_BINDINGS: readonly Binding[] = [
  { id: "demo.pause", keys: [" "], scope: "demo.auto", label: "pause", group: GROUP, footer: 1 },
  { id: "demo.resume", keys: [" "], scope: "demo.paused", label: "go on", group: GROUP, footer: 1 },
  {
    id: "demo.forward",
    keys: [" ", "enter", "right", "l"],
    scope: "demo",
    label: "forward",
    group: GROUP,
    footer: 1,
  },
  {
    id: "demo.back",
    keys: ["left", "backspace", "h"],
    scope: "demo",
    label: "back",
    group: GROUP,
    footer: 2,
  },
  { id: "demo.notes", keys: ["n"], scope: "demo", label: "notes", group: GROUP, footer: 4 },
  { id: "demo.first", keys: ["g", "home"], scope: "demo", label: "first", group: GROUP, footer: 6 },
  { id: "demo.restart", keys: ["r"], scope: "demo", label: "restart", group: GROUP, footer: 5 },
  { id: "demo.end", keys: ["q", "esc"], scope: "demo", label: "end", group: GROUP, footer: 3 },

  {
    id: "demo.choose",
    keys: ["enter", " "],
    scope: "demo.choice",
    label: "present it",
    group: CHOICE,
    footer: 1,
  },
  {
    id: "demo.down",
    keys: ["j", "down"],
    scope: "demo.choice",
    label: "next deck",
    group: CHOICE,
    footer: 3,
  },
  {
    id: "demo.up",
    keys: ["k", "up"],
    scope: "demo.choice",
    label: "previous deck",
    group: CHOICE,
    footer: 4,
  },
  { id: "demo.top", keys: ["g", "home"], scope: "demo.choice", label: "first deck", group: CHOICE },
  { id: "demo.bottom", keys: ["G", "end"], scope: "demo.choice", label: "last deck", group: CHOICE },
  { id: "demo.leave", keys: ["q", "esc"], scope: "demo.choice", label: "leave", group: CHOICE, footer: 2 },
];
