// The keys of the History screen.

import { bindingsOf, type Binding } from "#src/keys/binding.ts";
import { SCROLLING, moveBindings, sortBindings } from "#src/keys/move-bindings.ts";

const SCOPE = "history";
const GROUP = "History";
const RANGE_GROUP = "History, a range of checks";
const COPY_GROUP = "What to copy";

export const HISTORY_BINDINGS: readonly Binding[] = [
  ...bindingsOf(SCOPE, GROUP, [
    { id: "history.open", keys: ["enter"], label: "open", footer: 1 },
    { id: "history.filter", keys: ["/"], label: "filter", footer: 2, opensText: true },
    { id: "history.nextTab", keys: ["right", "tab"], label: "next tab", footer: 3 },
    { id: "history.previousTab", keys: ["left", "shift+tab"], label: "previous tab" },
    { id: "history.resend", keys: ["r"], label: "resend", footer: 4 },
    { id: "history.save", keys: ["s"], label: "save as payload", footer: 5 },
    { id: "history.note", keys: ["n"], label: "note", footer: 6, exposes: true },
    { id: "history.label", keys: ["l"], label: "label", footer: 6.5, exposes: true },
    { id: "history.follow", keys: ["f"], label: "follow new, on and off", footer: 9 },
    { id: "history.mark", keys: ["m", " "], label: "mark to compare", footer: 7 },
    { id: "history.range", keys: ["v"], label: "select a range", footer: 7.5 },
    { id: "history.compare", keys: ["c"], label: "compare", footer: 3.5 },
    { id: "history.batch", keys: ["R"], label: "resend all listed", footer: 10, sends: true },
    { id: "history.export", keys: ["e"], label: "export all listed", footer: 8, opensText: true },
  ]),
  ...bindingsOf("history.range", RANGE_GROUP, [
    { id: "history.range.batch", keys: ["R"], label: "resend range", footer: 1, sends: true },
    { id: "history.range.export", keys: ["e"], label: "export range", footer: 2, opensText: true },
    { id: "history.range.save", keys: ["s"], label: "save range", footer: 3 },
    { id: "history.range.label", keys: ["l"], label: "label range", footer: 5, exposes: true },
    { id: "history.range.end", keys: ["esc", "v"], label: "end", footer: 4 },
  ]),
  { id: "history.copy", keys: ["y"], scope: SCOPE, group: GROUP, label: "copy", footer: 4.5, exposes: true },
  ...(
    [
      ["order", "o", "order id"],
      ["decision", "d", "decision id"],
      ["reason", "r", "reason"],
      ["request", "j", "request"],
      ["entry", "a", "all"],
    ] as const
  ).map(([part, key, label], index) => ({
    id: `history.copy.${part}`,
    keys: [key],
    scope: "history.copy",
    group: COPY_GROUP,
    label,
    footer: index + 1,
    exposes: true as const,
    answers: true as const,
  })),
  {
    id: "history.copy.cancel",
    keys: ["esc", "y"],
    scope: "history.copy",
    group: COPY_GROUP,
    label: "nothing",
    answers: true,
    footer: 6,
  },
  { id: "history.back", keys: ["esc"], scope: SCOPE, group: GROUP, label: "back", footer: 1.5 },
  ...sortBindings(SCOPE, GROUP),
  ...moveBindings(SCOPE, GROUP, SCROLLING),
];
