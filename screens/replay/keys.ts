// The keys of the Replay screen: of the list and the result, of the running replay, and of the form of a new one.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";
import { buttonBindings, choiceBindings, fieldBindings } from "#src/keys/form-bindings.ts";
import { moveBindings, SCROLLING, sortBindings } from "#src/keys/move-bindings.ts";

const SCOPE = "replay";
const LIVE = "replay.live";
const FINDING = "replay.finding";
const GROUP = "Replay";
const FORM_GROUP = "Replay, in a form";

export const REPLAY_BINDINGS: readonly Binding[] = [
  ...bindingsOf(SCOPE, GROUP, [
    { id: "replay.open", keys: ["enter"], label: "open", footer: 1 },
    { id: "replay.back", keys: ["esc"], label: "back", footer: 1.5 },
    { id: "replay.new", keys: ["n"], label: "new replay", footer: 2 },
    { id: "replay.nextGroup", keys: ["right", "tab", "f"], label: "next filter", footer: 3 },
    { id: "replay.previousGroup", keys: ["left", "shift+tab", "F"], label: "previous filter" },
    { id: "replay.export", keys: ["e"], label: "export", footer: 4 },
    { id: "replay.goOn", keys: ["c"], label: "continue", footer: 1.7, sends: true },
    { id: "replay.again", keys: ["a"], label: "resend some", footer: 3.5 },
    { id: "replay.mark", keys: ["m"], label: "mark to compare", footer: 6 },
    { id: "replay.baseline", keys: ["b"], label: "baseline", footer: 7 },
    { id: "replay.remove", keys: ["d", "x", "delete"], label: "remove", footer: 8 },
  ]),
  ...sortBindings(SCOPE, GROUP),
  ...moveBindings(SCOPE, GROUP, SCROLLING),
  ...bindingsOf(FINDING, GROUP, [
    { id: "replay.finding.next", keys: ["right", "tab"], label: "next payment", footer: 1 },
    { id: "replay.finding.previous", keys: ["left", "shift+tab"], label: "previous payment" },
  ]),
  ...bindingsOf(LIVE, GROUP, [
    { id: "replay.live.pause", keys: [" "], label: "pause, go on", footer: 1 },
    { id: "replay.live.cancel", keys: ["esc"], label: "cancel", footer: 2 },
  ]),
  ...buttonBindings("replay.setup", FORM_GROUP).map((binding) =>
    binding.id === "replay.setup.submit" ? { ...binding, label: "start", sends: true as const } : binding,
  ),
  ...fieldBindings("replay.field", FORM_GROUP),
  ...fieldBindings("replay.choice", FORM_GROUP),
  ...choiceBindings("replay.choice", FORM_GROUP),
];
