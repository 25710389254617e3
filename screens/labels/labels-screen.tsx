// The Labels screen: what became of payments, and how well the rules caught them.

import { useEffect, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { listedOrders, selectedOrder } from "#src/state/history/labels.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { listGo, listMouse } from "#src/ui/mouse.ts";
import { PaneScreen } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { LABELS_SCREEN } from "./keys.ts";
import { labelsView } from "./view-model.ts";

/** As the palette offers them. */
const LINES = [
  { text: "label import ", about: "take labels from a CSV or NDJSON file" },
  { text: "label set ", about: "an order id, and fraud, chargeback, refund or good" },
];

/** Draws exactly its area. */
export function LabelsScreen(size: Size): ReactNode {
  const { labels, history, session, context, now } = useConsole();
  const theme = useTheme();
  const state = useStore(labels.store, (whole) => whole);
  const options = { theme, unit: context.profile.amountUnit, now: now() };
  const { bands, page, end } = labelsView(useShown({ ...state, listed: listedOrders(state) }), size, options);
  const orderId = selectedOrder(state)?.orderId ?? null;

  useEffect(() => void labels.load(), [labels]);
  useEffect(() => {
    if (orderId !== null) void labels.readChecks(orderId);
  }, [labels, orderId]);
  const detail = { scroll: state.scroll, isOpen: state.opened, end };
  const go = listGo(labels, detail);
  const openOrder = (): void => void history.openOrder(orderId ?? "");
  const showActions = (): void => session.showPalette(true, LINES);
  const canUndo = useStore(session.store, ({ undo }) => undo !== null);
  useLayer(LABELS_SCREEN.layer({ labels, state, canUndo, orderId, openOrder, showActions, go, page }));
  return <PaneScreen {...size} bands={bands} mouse={listMouse(labels, detail)} />;
}
