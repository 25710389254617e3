// The keys of the Rules screen.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";
import { SCROLLING, moveBindings, pagerBindings, sortBindings } from "#src/keys/move-bindings.ts";

const SCOPE = "rules";
/** While an invalid draft is kept. */
const DRAFT = "rules.draft";
const GROUP = "Rules";
/** While the values of a number are tried, and their result is shown. */
const TUNE = "tune";
const TUNE_GROUP = "Rules, tuning a number";

export const RULES_BINDINGS: readonly Binding[] = [
  ...bindingsOf(DRAFT, GROUP, [
    { id: "rules.editAgain", keys: ["e"], label: "edit again", footer: 0.1 },
    { id: "rules.discard", keys: ["x", "delete"], label: "discard", footer: 0.2 },
  ]),
  ...bindingsOf(SCOPE, GROUP, [
    { id: "rules.open", keys: ["enter"], label: "open", footer: 1 },
    { id: "rules.back", keys: ["esc"], label: "back", footer: 1.5 },
    { id: "rules.edit", keys: ["e"], label: "edit the rule file", footer: 2 },
    { id: "rules.reload", keys: ["R"], label: "read it again", footer: 3 },
    { id: "rules.filter", keys: ["/"], label: "filter", footer: 2.5, opensText: true },
    { id: "rules.tune", keys: ["W"], label: "tune a number", footer: 3.5, opensText: true },
    { id: "rules.since", keys: ["t"], label: "since a time", footer: 2.7, opensText: true },
    { id: "rules.starter", keys: ["x"], label: "starter rules", footer: 4 },
  ]),
  ...sortBindings(SCOPE, GROUP),
  ...moveBindings(SCOPE, GROUP, SCROLLING),
  ...bindingsOf(TUNE, TUNE_GROUP, [
    { id: "tune.close", keys: ["esc"], label: "back", footer: 1 },
    { id: "tune.ask", keys: ["W", "enter"], label: "other values", footer: 2, opensText: true },
  ]),
  ...pagerBindings(TUNE, TUNE_GROUP, { down: 3 }),
];
