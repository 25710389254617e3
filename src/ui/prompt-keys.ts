// The keys of a one-line prompt.

import type { Binding } from "#src/keys/binding.ts";

export const PROMPT_BINDINGS: readonly Binding[] = [
  { id: "prompt.submit", keys: ["enter"], scope: "prompt", label: "accept", group: "Input line", footer: 1 },
  { id: "prompt.cancel", keys: ["esc"], scope: "prompt", label: "cancel", group: "Input line", footer: 2 },
  { id: "prompt.older", keys: ["up"], scope: "prompt", label: "earlier one", group: "Input line" },
  { id: "prompt.newer", keys: ["down"], scope: "prompt", label: "later one", group: "Input line" },
];
