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
import { sweepRows } from "./sweep-rows.ts";
import { whatIfRows } from "./what-if-rows.ts";

/** Draws exactly its area. */
export function WhyPanel({ columns, rows }: Size): ReactNode {
  const { checks, context } = useConsole();
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
      scope="why"
      level={1}
      rows={page.rows}
      handlers={{ "why.close": () => checks.why(null) }}
      columns={columns}
      height={rows}
    />
  );
}

/** Draws exactly its area. */
export function SigningPanel({ columns, rows }: Size): ReactNode {
  const { signing } = useConsole();
  const lines = useStore(signing.store, (state) => state.lines);
  return (
    <ScrolledPanel
      title="What is signed"
      scope="signing"
      level={1}
      rows={signingRows(lines ?? [], panelRoom(columns))}
      handlers={{
        "signing.close": signing.close,
        "signing.copy": () => void signing.copy(),
        "signing.anew": () => void signing.show(),
      }}
      columns={columns}
      height={rows}
    />
  );
}

/** Draws exactly its area. */
export function SweepPanel({ columns, rows }: Size): ReactNode {
  const { sweeps, context } = useConsole();
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
      scope="sweep"
      level={1}
      rows={sweepRows(input, theme)}
      handlers={
        running
          ? { "sweep.close": () => void sweeps.cancel() }
          : {
              "sweep.close": sweeps.close,
              "sweep.ask": () => sweeps.ask(),
              "sweep.next": () => sweeps.next(),
            }
      }
      columns={columns}
      height={rows}
    />
  );
}

/** Draws exactly its area. */
export function WhatIfPanel({ columns, rows }: Size): ReactNode {
  const { whatIf } = useConsole();
  const theme = useTheme();
  const supposed = usePresented(useStore(whatIf.store, (state) => state.supposed));
  return (
    <ScrolledPanel
      title="What if"
      scope="whatIf"
      level={1}
      rows={supposed === null ? [] : whatIfRows(supposed, panelRoom(columns), theme)}
      handlers={{ "whatIf.close": whatIf.close, "whatIf.anew": () => void whatIf.show() }}
      columns={columns}
      height={rows}
    />
  );
}
