// The panels over Check: the whole decision, the signed request byte by byte, a sweep with its chart, and a what-if.

import type { ReactNode } from "react";
import { safe } from "#src/display/safe.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useIsPresented, usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { decisionLines } from "#src/ui/decision-lines.ts";
import { Page } from "#src/ui/page.ts";
import { panelRoom } from "#src/ui/panel.tsx";
import type { Size } from "#src/ui/rows.ts";
import { ScrolledPanel } from "#src/ui/scrolled-panel.tsx";
import { signingRows } from "#src/ui/signing-rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { SIGNING, SWEEP, WHAT_IF, WHY } from "./keys.ts";
import { sweepRows } from "./sweep-rows.ts";
import { whatIfRows } from "./what-if-rows.ts";

/** Draws exactly its area. */
export function WhyPanel({ columns, rows }: Size): ReactNode {
  const model = useConsole();
  const { checks, context } = model;
  const theme = useTheme();
  const { entries, whyId, inFlight } = usePresented(useStore(checks.store, (state) => state));
  const entry = entries.find(({ id }) => id === whyId);
  const { name: profile, amountUnit: unit } = context.profile;
  const page = new Page(panelRoom(columns), theme);
  if (entry !== undefined) {
    decisionLines(page, entry, { theme, unit, profile, sendingId: inFlight?.id ?? null });
  }
  return (
    <ScrolledPanel
      title={`Why  ${safe(entry?.request.order_id ?? "no order id", { max: 40 })}`}
      layer={(moving) => WHY.layer({ ...model, ...moving })}
      rows={page.rows}
      columns={columns}
      height={rows}
    />
  );
}

/** Draws exactly its area. */
export function SigningPanel({ columns, rows }: Size): ReactNode {
  const model = useConsole();
  const lines = useStore(model.signing.store, (state) => state.lines);
  return (
    <ScrolledPanel
      title="What is signed"
      layer={(moving) => SIGNING.layer({ ...model, ...moving })}
      rows={signingRows(lines ?? [], panelRoom(columns))}
      columns={columns}
      height={rows}
    />
  );
}

/** Draws exactly its area. */
export function SweepPanel({ columns, rows }: Size): ReactNode {
  const model = useConsole();
  const { sweeps, context } = model;
  const theme = useTheme();
  const state = useStore(sweeps.store, (whole) => whole);
  const masked = useIsPresented();
  const running = state.progress !== null;
  const input = { state, unit: context.profile.amountUnit, masked, width: panelRoom(columns) };
  return (
    <ScrolledPanel
      // A new chart starts at its top.
      key={state.result?.field ?? ""}
      title={running ? "Sweep, under way" : "Sweep"}
      layer={(moving) => SWEEP.layer({ ...model, isRunning: running, ...moving })}
      rows={sweepRows(input, theme)}
      columns={columns}
      height={rows}
    />
  );
}

/** Draws exactly its area. */
export function WhatIfPanel({ columns, rows }: Size): ReactNode {
  const model = useConsole();
  const theme = useTheme();
  const supposed = usePresented(useStore(model.whatIf.store, (state) => state.supposed));
  return (
    <ScrolledPanel
      title="What if"
      layer={(moving) => WHAT_IF.layer({ ...model, ...moving })}
      rows={supposed === null ? [] : whatIfRows(supposed, panelRoom(columns), theme)}
      columns={columns}
      height={rows}
    />
  );
}
