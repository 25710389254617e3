// The keys of a one-line prompt.

import type { Binding } from "#src/keys/binding.ts";

export const PROMPT_BINDINGS: readonly Binding[] = [
  { id: "prompt.submit", keys: ["enter"], scope: "prompt", label: "accept", group: "Input line", footer: 1 },
  { id: "prompt.cancel", keys: ["esc"], scope: "prompt", label: "cancel", group: "Input line", footer: 2 },
];
