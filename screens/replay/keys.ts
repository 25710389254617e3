// The keys of the Replay screen: of the list and the result, of the running replay, and of the form of a new one.

import type { Binding } from "#src/keys/binding.ts";
import { buttonBindings, choiceBindings, fieldBindings } from "#src/keys/form-bindings.ts";
import { moveBindings, SCROLLING, sortBindings } from "#src/keys/move-bindings.ts";

const SCOPE = "replay";
const LIVE = "replay.live";
const FINDING = "replay.finding";
const GROUP = "Replay";
const FORM_GROUP = "Replay, in a form";

export const REPLAY_BINDINGS: readonly Binding[] = [
  { id: "replay.open", keys: ["enter"], scope: SCOPE, group: GROUP, label: "open", footer: 1 },
  { id: "replay.back", keys: ["esc"], scope: SCOPE, group: GROUP, label: "back", footer: 1.5 },
  { id: "replay.new", keys: ["n"], scope: SCOPE, group: GROUP, label: "new replay", footer: 2 },
  {
    id: "replay.nextGroup",
    keys: ["right", "tab", "f"],
    scope: SCOPE,
    group: GROUP,
    label: "next filter",
    footer: 3,
  },
  {
    id: "replay.previousGroup",
    keys: ["left", "shift+tab", "F"],
    scope: SCOPE,
    group: GROUP,
    label: "previous filter",
  },
  { id: "replay.export", keys: ["e"], scope: SCOPE, group: GROUP, label: "export", footer: 4 },
  { id: "replay.goOn", keys: ["c"], scope: SCOPE, group: GROUP, label: "continue", footer: 1.7, sends: true },
  { id: "replay.again", keys: ["a"], scope: SCOPE, group: GROUP, label: "resend some", footer: 3.5 },
  { id: "replay.mark", keys: ["m"], scope: SCOPE, group: GROUP, label: "mark to compare", footer: 6 },
  { id: "replay.baseline", keys: ["b"], scope: SCOPE, group: GROUP, label: "baseline", footer: 7 },
  { id: "replay.remove", keys: ["d", "x", "delete"], scope: SCOPE, group: GROUP, label: "remove", footer: 8 },
  ...sortBindings(SCOPE, GROUP),
  ...moveBindings(SCOPE, GROUP, SCROLLING),
  {
    id: "replay.finding.next",
    keys: ["right", "tab"],
    scope: FINDING,
    group: GROUP,
    label: "next payment",
    footer: 1,
  },
  {
    id: "replay.finding.previous",
    keys: ["left", "shift+tab"],
    scope: FINDING,
    group: GROUP,
    label: "previous payment",
  },
  { id: "replay.live.pause", keys: [" "], scope: LIVE, group: GROUP, label: "pause, go on", footer: 1 },
  { id: "replay.live.cancel", keys: ["esc"], scope: LIVE, group: GROUP, label: "cancel", footer: 2 },
  ...buttonBindings("replay.setup", FORM_GROUP).map((binding) =>
    binding.id === "replay.setup.submit" ? { ...binding, label: "start", sends: true as const } : binding,
  ),
  ...fieldBindings("replay.field", FORM_GROUP),
  ...fieldBindings("replay.choice", FORM_GROUP),
  ...choiceBindings("replay.choice", FORM_GROUP),
];
