// The History screen: every check, newest first, and the detail of one.

import { Box } from "ink";
import { useEffect, useState, type ReactNode } from "react";
import { isNewestFirst } from "#src/contract/records/list-sort.ts";
import { moveHandlers, scrolled, sortHandlers, type MoveTo } from "#src/keys/move-bindings.ts";
import type { Layer } from "#src/keys/layers.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { shownEntry, type HistoryViewState } from "#src/state/history/history-state.ts";
import type { HistoryView } from "#src/state/history/history-view.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useIsPresented, usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { Rows } from "#src/ui/line.tsx";
import { listMouse, mouseOn } from "#src/ui/mouse.ts";
import { Bands } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import { historyView, type HistoryScreenView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function HistoryScreen({ columns, rows, zoom }: Size): ReactNode {
  const { history, checks, context, now, session, ownCommands } = useConsole();
  const theme = useTheme();
  const state = useStore(history.store, (whole) => whole);
  const sendingId = useStore(checks.store, ({ inFlight }) => inFlight?.id ?? null);
  const [top, setTop] = useState(0);
  const options = {
    theme,
    unit: context.profile.amountUnit,
    now: now(),
    sendingId,
    profile: context.profile.name,
    presented: useIsPresented(),
    asking: useStore(session.store, ({ prompt }) => prompt !== null),
  };
  const view = historyView(usePresented(state), { columns, rows, zoom }, options, top);
  // The next view starts from this position; changing it needs no redraw.
  if (view.top !== top) setTop(view.top);

  useEffect(() => {
    void history.load();
  }, [history]);
  const shown = state.tab === "signed" && view.detailPage > 0 ? shownEntry(state) : null;
  const shownId = shown?.id ?? null;
  useEffect(() => {
    if (shown !== null) void history.readSigning(shown);
    // oxlint-disable-next-line react/exhaustive-deps -- the signature of an entry never changes
  }, [history, shownId]);
  useLayer({
    scope: "history",
    level: 1,
    handlers: handlers(history, state, view),
    ...(mayCompareLater(state) ? { disabled: { "history.compare": markFirst(theme) } } : {}),
  });
  useLayer(rangeLayer(history, state));
  const isOne = state.range === null && state.compared === null;
  useLayer(isOne ? { scope: "own", level: 1, ...ownCommands.keys("history", shownEntry(state)) } : null);
  const isOpen = state.opened !== null || state.compared !== null;
  const mouse = {
    ...listMouse(history, { scroll: state.scroll, isOpen, end: view.detailEnd }),
    focus(tab: string) {
      while (history.store.getState().tab !== tab) history.cycleTab(1);
    },
  };

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Bands bands={[{ ...view, panes: mouseOn(view.panes, mouse) }]} />
      <Rows rows={view.feet} />
    </Box>
  );
}

/** The keys that act on a range; null without one. */
function rangeLayer(history: HistoryView, { range }: HistoryViewState): Layer | null {
  if (range === null) return null;
  const handlers: Handlers = {
    "history.range.batch": () => history.askBatch(),
    "history.range.export": () => history.askExport(),
    "history.range.save": () => history.askPayloadName(),
    "history.range.label": () => history.askLabel(),
    "history.range.end": () => history.toggleRange(),
  };
  return { scope: "history.range", level: 1, handlers };
}

const markFirst = ({ keyName }: Theme): string =>
  `Press ${keyName("history.mark")} on one check, then ${keyName("history.compare")} on another.`;

function canCompare({ marked, opened, selectedId }: HistoryViewState): boolean {
  return marked !== null && marked.id !== (opened?.id ?? selectedId);
}

function mayCompareLater(state: HistoryViewState): boolean {
  const { compared, opened, selectedId, range } = state;
  return (
    compared === null && range === null && (opened !== null || selectedId !== null) && !canCompare(state)
  );
}

type Handlers = Record<string, () => void | boolean>;

/** The same keys move through the list, or scroll the open detail or comparison. */
function handlers(history: HistoryView, state: HistoryViewState, view: HistoryScreenView): Handlers {
  const { opened, compared, filter, selectedId, scroll, marked } = state;
  const { detailPage, detailEnd, listPage } = view;
  const inList = opened === null && compared === null;
  const go = (to: MoveTo): void =>
    inList ? history.select(to) : history.scrollTo(scrolled(scroll, to, detailEnd));
  const page = inList ? listPage : detailPage;
  const moves = moveHandlers("history", go, page);
  if (state.range !== null) return moves;
  if (compared !== null) return { ...moves, "history.back": () => history.close() };

  const always: Handlers = { "history.filter": () => history.askFilter() };
  if (selectedId === null && opened === null) {
    if (state.reading === "none") return { ...always, "history.open": () => history.open() };
    return filter === "" ? always : { ...always, "history.back": () => void history.applyFilter("") };
  }
  return {
    ...always,
    ...moves,
    "history.resend": () => history.resend(),
    "history.save": () => history.askPayloadName(),
    "history.label": () => history.askLabel(),
    "history.note": () => history.askNote(),
    "history.copy": () => history.askCopy(),
    "history.mark": () => history.toggleMark(),
    "history.batch": () => history.askBatch(),
    "history.export": () => history.askExport(),
    ...(canCompare(state) ? { "history.compare": () => history.compare() } : {}),
    ...(opened === null
      ? {
          "history.open": () => history.open(),
          ...(isNewestFirst(state.sort) ? { "history.follow": () => history.toggleFollowing() } : {}),
          "history.range": () => history.toggleRange(),
          ...sortHandlers("history", (how) => history.sort(how)),
        }
      : {}),
    ...(detailPage > 0
      ? { "history.nextTab": () => history.cycleTab(1), "history.previousTab": () => history.cycleTab(-1) }
      : {}),
    ...(opened !== null || marked !== null
      ? { "history.back": () => history.close() }
      : filter !== ""
        ? { "history.back": () => void history.applyFilter("") }
        : {}),
  };
}
