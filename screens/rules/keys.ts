// The keys of the Rules screen.

import type { Binding } from "#src/keys/binding.ts";
import { SCROLLING, moveBindings, sortBindings } from "#src/keys/move-bindings.ts";

const SCOPE = "rules";
/** While an invalid draft is kept. */
const DRAFT = "rules.draft";
const GROUP = "Rules";

export const RULES_BINDINGS: readonly Binding[] = [
  { id: "rules.editAgain", keys: ["e"], scope: DRAFT, group: GROUP, label: "edit again", footer: 0.1 },
  { id: "rules.discard", keys: ["x", "delete"], scope: DRAFT, group: GROUP, label: "discard", footer: 0.2 },
  { id: "rules.open", keys: ["enter"], scope: SCOPE, group: GROUP, label: "open", footer: 1 },
  { id: "rules.back", keys: ["esc"], scope: SCOPE, group: GROUP, label: "back", footer: 1.5 },
  { id: "rules.edit", keys: ["e"], scope: SCOPE, group: GROUP, label: "edit the rule file", footer: 2 },
  { id: "rules.reload", keys: ["R"], scope: SCOPE, group: GROUP, label: "read it again", footer: 3 },
  {
    id: "rules.filter",
    keys: ["/"],
    scope: SCOPE,
    group: GROUP,
    label: "filter",
    footer: 2.5,
    opensText: true,
  },
  { id: "rules.starter", keys: ["x"], scope: SCOPE, group: GROUP, label: "starter rules", footer: 4 },
  ...sortBindings(SCOPE, GROUP),
  ...moveBindings(SCOPE, GROUP, SCROLLING),
];
