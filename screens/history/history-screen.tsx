// The History screen: every check, newest first, and the detail of one.

import { useEffect, useState, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { shownEntry } from "#src/state/history/history-state.ts";
import { useEntry } from "#src/state/use-entry.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { listGo, listMouse } from "#src/ui/mouse.ts";
import { PaneScreen } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { HISTORY, HISTORY_RANGE } from "./keys.ts";
import { historyView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function HistoryScreen(size: Size): ReactNode {
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
    asking: useStore(session.store, ({ prompt }) => prompt !== null),
  };
  const view = historyView(useShown(state), size, options, top);
  // The next view starts from this position; changing it needs no redraw.
  if (view.top !== top) setTop(view.top);

  useEffect(() => {
    void history.load();
  }, [history]);
  const onTab = (tab: string) => (state.tab === tab && view.detailPage > 0 ? shownEntry(state) : null);
  useEntry(onTab("why"), history.readSeen);
  useEntry(onTab("signed"), history.readSigning);
  const isOpen = state.opened !== null || state.compared !== null;
  const detail = { scroll: state.scroll, isOpen, end: view.detailEnd };
  const go = listGo(history, detail);
  const page = isOpen ? view.detailPage : view.listPage;
  const showsDetail = view.detailPage > 0;
  const canUndo = useStore(session.store, ({ undo }) => undo !== null);
  useLayer(HISTORY.layer({ history, state, showsDetail, canUndo, keyName: theme.keyName, go, page }));
  useLayer(state.range === null ? null : HISTORY_RANGE.layer(history));
  const isOne = state.range === null && state.compared === null;
  useLayer(isOne ? { scope: "own", level: 1, ...ownCommands.keys("history", shownEntry(state)) } : null);
  const mouse = {
    ...listMouse(history, detail),
    focus(tab: string) {
      while (history.store.getState().tab !== tab) history.cycleTab(1);
    },
  };

  return <PaneScreen {...size} bands={view.bands} mouse={mouse} below={view.feet} />;
}
