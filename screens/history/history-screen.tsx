// The History screen: every check, newest first, and the detail of one.

import { Box } from "ink";
import { Fragment, useEffect, useState, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import type { HistoryView, HistoryViewState } from "#src/state/history-view.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { Line } from "#src/ui/line.tsx";
import { PaneRule, PaneTitles } from "#src/ui/pane.tsx";
import { useTheme } from "#src/ui/theme.ts";
import type { Row } from "./detail-lines.ts";
import { historyView, type HistoryScreenView, type PaneView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function HistoryScreen({
  columns,
  rows,
}: {
  readonly columns: number;
  readonly rows: number;
}): ReactNode {
  const { history, checks, context, now } = useConsole();
  const { ascii } = useTheme();
  const state = useStore(history.store, (whole) => whole);
  const sendingId = useStore(checks.store, ({ inFlight }) => inFlight?.id ?? null);
  const [top, setTop] = useState(0);
  const look = {
    ascii,
    unit: context.profile.amountUnit,
    now: now(),
    sendingId,
    profile: context.profile.name,
  };
  const view = historyView(state, { columns, rows }, look, top);
  // The next view starts from where this one stands, which draws nothing anew.
  if (view.top !== top) setTop(view.top);

  useEffect(() => {
    void history.load();
  }, [history]);
  useLayer({ scope: "history", level: 1, handlers: handlers(history, state, view) });

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <PaneTitles panes={view.panes} />
      <Box height={view.height}>
        {view.panes.map((pane, index) => (
          <Fragment key={index === 0 ? "first" : "second"}>
            {index === 0 ? null : <PaneRule height={view.height} />}
            <Pane pane={pane} />
          </Fragment>
        ))}
      </Box>
      <Rows rows={view.feet} />
    </Box>
  );
}

function Pane({ pane }: { readonly pane: PaneView }): ReactNode {
  return (
    <Box flexDirection="column" width={pane.width} flexShrink={0}>
      <Rows rows={pane.rows} />
    </Box>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  // A row of the screen has no identity but its place.
  // oxlint-disable-next-line react/no-array-index-key
  return rows.map((spans, index) => <Line key={index} spans={spans} />);
}

type Handlers = Record<string, () => void | boolean>;

/** The same keys move through the list, or through the detail once that is open. */
function handlers(history: HistoryView, state: HistoryViewState, view: HistoryScreenView): Handlers {
  const { opened, filter, selectedId, scroll } = state;
  const { detailPage, detailEnd, listPage } = view;
  const move = (amount: number): void =>
    opened === null
      ? history.select(amount)
      : history.scrollTo(Math.min(Math.min(scroll, detailEnd) + amount, detailEnd));
  const page = opened === null ? listPage : detailPage;
  const jump = (to: "first" | "last"): void =>
    opened === null ? history.select(to) : history.scrollTo(to === "first" ? 0 : detailEnd);

  const always: Handlers = { "history.filter": () => history.askFilter() };
  if (selectedId === null && opened === null) {
    if (state.reading === "none") return { ...always, "history.open": () => history.open() };
    return filter === "" ? always : { ...always, "history.back": () => void history.applyFilter("") };
  }
  return {
    ...always,
    "history.down": () => move(1),
    "history.up": () => move(-1),
    "history.first": () => jump("first"),
    "history.last": () => jump("last"),
    "history.pageDown": () => move(page),
    "history.pageUp": () => move(-page),
    "history.resend": () => history.resend(),
    "history.save": () => history.askPayloadName(),
    "history.note": () => history.askNote(),
    ...(opened === null ? { "history.open": () => history.open() } : {}),
    ...(detailPage > 0
      ? { "history.nextTab": () => history.turnTab(1), "history.previousTab": () => history.turnTab(-1) }
      : {}),
    ...(opened !== null
      ? { "history.back": () => history.close() }
      : filter !== ""
        ? { "history.back": () => void history.applyFilter("") }
        : {}),
  };
}
