// The keys of a question with yes and no.

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
