// The commands of the History screen.

import { isNewestFirst } from "#src/contract/records/list-sort.ts";
import { commands, key, only } from "#src/keys/command.ts";
import { moves, SCROLLING, sorts, type Moving } from "#src/keys/move-commands.ts";
import { shownEntry, type HistoryViewState } from "#src/state/history/history-state.ts";
import { isOpen } from "#src/state/check/checks-state.ts";
import type { HistoryView } from "#src/state/history/history-view.ts";

interface Scene extends Moving {
  readonly history: HistoryView;
  readonly state: HistoryViewState;
  /** The detail has rows on the screen. */
  readonly showsDetail: boolean;
  /** A change of labels can be taken back. */
  readonly canUndo: boolean;
  readonly keyName: (id: string) => string;
}

const isPlain = ({ state }: Scene): boolean => state.range === null && state.compared === null;
const isChosen = (scene: Scene): boolean =>
  isPlain(scene) && (scene.state.opened !== null || scene.state.selectedId !== null);
const isListed = (scene: Scene): boolean => isChosen(scene) && scene.state.opened === null;

function canDecide(scene: Scene): boolean {
  const entry = shownEntry(scene.state);
  return isChosen(scene) && entry !== null && isOpen(entry);
}

function mayOpen(scene: Scene): boolean {
  const { selectedId, reading, opened } = scene.state;
  return isPlain(scene) && opened === null && (selectedId !== null || reading === "none");
}

/** The compared, opened or marked check is left first, then the filter. */
function back(scene: Scene): (() => void) | null {
  const { history, state } = scene;
  const { range, compared, opened, marked, filter } = state;
  if (range !== null) return null;
  if (compared !== null || opened !== null || (marked !== null && isChosen(scene))) return history.close;
  const isUnread = !isChosen(scene) && state.reading === "none";
  return filter === "" || isUnread ? null : () => void history.applyFilter("");
}

function whyNotCompare({ state, keyName }: Scene): string | null {
  const { marked, opened, selectedId } = state;
  if (marked !== null && marked.id !== (opened?.id ?? selectedId)) return null;
  return `Press ${keyName("history.mark")} on one check, then ${keyName("history.compare")} on another.`;
}

export const HISTORY = commands<Scene>("history", "History", 1, {
  open: key("enter", "open", 1, (s) => s.history.open(), { when: mayOpen }),
  filter: key("/", "filter", 2, (s) => s.history.askFilter(), { opensText: true, when: isPlain }),
  ...only<Scene>((scene) => isChosen(scene) && scene.showsDetail, {
    nextTab: key("right tab", "next tab", 3, (s) => s.history.cycleTab(1)),
    previousTab: key("left shift+tab", "previous tab", null, (s) => s.history.cycleTab(-1)),
  }),
  decide: key("d", "3-D Secure?", 3.2, (s) => s.history.decide(), { when: canDecide }),
  ...only(isChosen, {
    resend: key("r", "resend", 4, (s) => s.history.resend()),
    save: key("s", "save as payload", 5, (s) => s.history.askPayloadName()),
    note: key("n", "note", 6, (s) => s.history.askNote(), { exposes: true }),
    label: key("l", "label", 6.5, (s) => s.history.askLabel(), { exposes: true }),
  }),
  undo: key("u", "undo label", 6.7, (s) => s.history.undo(), { when: (s) => s.canUndo }),
  follow: key("f", "follow new, on and off", 9, (s) => s.history.toggleFollowing(), {
    when: (scene) => isListed(scene) && isNewestFirst(scene.state.sort),
  }),
  ...only(isChosen, {
    mark: key("m space", "mark to compare", 7, (s) => s.history.toggleMark()),
    range: key("v", "select a range", 7.5, (s) => s.history.toggleRange(), { when: isListed }),
    compare: key("c", "compare", 3.5, (s) => s.history.compare(), { not: whyNotCompare }),
    batch: key("R", "resend all listed", 10, (s) => s.history.askBatch(), { sends: true }),
    export: key("E", "export all listed", 8, (s) => s.history.askExport(), { opensText: true }),
    copy: key("y", "copy", 4.5, (s) => s.history.askCopy(), { exposes: true }),
  }),
  back: key("esc", "back", 1.5, (scene) => back(scene)?.(), { when: (scene) => back(scene) !== null }),
  ...only(
    isListed,
    sorts(({ history }, how) => void history.sort(how)),
  ),
  ...only<Scene>((scene) => isChosen(scene) || !isPlain(scene), moves(SCROLLING)),
});

export const HISTORY_RANGE = commands<HistoryView>("history.range", "History, a range of checks", 1, {
  batch: key("R", "resend range", 1, (s) => s.askBatch(), { sends: true }),
  export: key("E", "export range", 2, (s) => s.askExport(), { opensText: true }),
  save: key("s", "save range", 3, (s) => s.askPayloadName()),
  label: key("l", "label range", 5, (s) => s.askLabel(), { exposes: true }),
  end: key("esc v", "end", 4, (s) => s.toggleRange()),
});
