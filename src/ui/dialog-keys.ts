// The keys of the dialogs: a question with yes and no, one that is answered by typing a word, and a one-line prompt.

import type { Binding } from "#src/keys/binding.ts";

export const CONFIRM_BINDINGS: readonly Binding[] = [
  {
    id: "confirm.yes",
    keys: ["y"],
    scope: "confirm",
    label: "yes",
    group: "Questions",
    footer: 2,
    alone: true,
  },
  { id: "confirm.no", keys: ["n", "esc"], scope: "confirm", label: "no", group: "Questions", footer: 3 },
  {
    id: "confirm.turn",
    keys: ["tab", "shift+tab", "left", "right", "h", "l"],
    scope: "confirm",
    label: "other answer",
    group: "Questions",
    footer: 4,
  },
  {
    id: "confirm.take",
    keys: ["enter"],
    scope: "confirm",
    label: "take the marked answer",
    group: "Questions",
    footer: 1,
  },
];

export const TYPED_CONFIRM_BINDINGS: readonly Binding[] = [
  {
    id: "typed.submit",
    keys: ["enter"],
    scope: "typed",
    label: "do it, once it is typed",
    group: "Questions",
    footer: 1,
  },
  { id: "typed.cancel", keys: ["esc"], scope: "typed", label: "no", group: "Questions", footer: 2 },
];

export const PROMPT_BINDINGS: readonly Binding[] = [
  { id: "prompt.complete", keys: ["tab"], scope: "prompt", label: "take", group: "Input line", footer: 0 },
  { id: "prompt.submit", keys: ["enter"], scope: "prompt", label: "accept", group: "Input line", footer: 1 },
  { id: "prompt.cancel", keys: ["esc"], scope: "prompt", label: "cancel", group: "Input line", footer: 2 },
  { id: "prompt.help", keys: ["f1"], scope: "prompt", label: "help", group: "Input line", footer: 3 },
  { id: "prompt.older", keys: ["up"], scope: "prompt", label: "earlier one", group: "Input line" },
  { id: "prompt.newer", keys: ["down"], scope: "prompt", label: "later one", group: "Input line" },
];
