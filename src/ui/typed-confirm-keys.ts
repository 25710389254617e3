// The keys of a question that is answered by typing a word.

import type { Binding } from "#src/keys/binding.ts";

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
