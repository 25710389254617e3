// The commands of the Labels screen.

import { commands, key, only } from "#src/keys/command.ts";
import { moves, SCROLLING, sorts, type Moving } from "#src/keys/move-commands.ts";
import type { LabelsBook, LabelsState } from "#src/state/history/labels.ts";

interface Scene extends Moving {
  readonly labels: LabelsBook;
  readonly state: LabelsState;
  /** Of the selected order; null where none is listed. */
  readonly orderId: string | null;
  /** A change of labels can be taken back. */
  readonly canUndo: boolean;
  /** Shows the selected order in the history. */
  readonly openOrder: () => void;
  /** Opens the palette on lines for labels. */
  readonly showActions: () => void;
}

const isListed = ({ orderId }: Scene): boolean => orderId !== null;

export const LABELS_SCREEN = commands<Scene>("labels", "Labels", 1, {
  open: key("enter", "open", 1, (s) => s.labels.open(), {
    when: (scene) => isListed(scene) && !scene.state.opened,
  }),
  back: key(
    "esc",
    "back",
    1.5,
    ({ labels, state }) => (state.opened ? labels.close() : labels.setFilter("")),
    {
      when: ({ state }) => state.opened || state.filter !== "",
    },
  ),
  filter: key("/", "filter", 2, (s) => s.labels.askFilter(), { opensText: true, exposes: true }),
  ...only(isListed, {
    pane: key("tab", "other pane", null, ({ labels, state }) => labels[state.opened ? "close" : "open"]()),
    label: key("l", "label", 3, (s) => s.labels.label(), { exposes: true }),
    history: key("h", "checks in History", 6, (s) => s.openOrder()),
    remove: key("d delete", "remove", 7, (s) => s.labels.remove(), { exposes: true }),
  }),
  actions: key("x", "actions", 5, (s) => s.showActions(), {
    opensText: true,
    exposes: true,
    also: "import, add",
  }),
  undo: key("u", "undo label", 3.5, (s) => s.labels.undo(), { when: (s) => s.canUndo }),
  since: key("t", "rules since a time", 8, (s) => s.labels.askSince(), { opensText: true }),
  ...only(
    isListed,
    sorts<Scene>(({ labels }, how) => labels.sort(how)),
  ),
  ...moves(SCROLLING),
});
