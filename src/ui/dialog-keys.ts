// The keys of the dialogs: a question with yes and no, one that is answered by typing a word, and a one-line prompt.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";

export const CONFIRM_BINDINGS: readonly Binding[] = bindingsOf("confirm", "Questions", [
  { id: "confirm.yes", keys: ["y"], label: "yes", footer: 2, alone: true },
  { id: "confirm.no", keys: ["n", "esc"], label: "no", footer: 3 },
  {
    id: "confirm.turn",
    keys: ["tab", "shift+tab", "left", "right", "h", "l"],
    label: "other answer",
    footer: 4,
  },
  { id: "confirm.take", keys: ["enter"], label: "take the marked answer", footer: 1 },
]);

export const TYPED_CONFIRM_BINDINGS: readonly Binding[] = bindingsOf("typed", "Questions", [
  { id: "typed.submit", keys: ["enter"], label: "confirm, once it is typed", footer: 1 },
  { id: "typed.cancel", keys: ["esc"], label: "no", footer: 2 },
]);

export const PROMPT_BINDINGS: readonly Binding[] = bindingsOf("prompt", "Input line", [
  { id: "prompt.complete", keys: ["tab"], label: "take", footer: 0 },
  { id: "prompt.submit", keys: ["enter"], label: "accept", footer: 1 },
  { id: "prompt.cancel", keys: ["esc"], label: "cancel", footer: 2 },
  { id: "prompt.help", keys: ["f1"], label: "help", footer: 3 },
  { id: "prompt.older", keys: ["up"], label: "earlier one" },
  { id: "prompt.newer", keys: ["down"], label: "later one" },
]);
