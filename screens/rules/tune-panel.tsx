// The values of a number of a rule, over Rules: how far they are tried, then what each does.

import type { ReactNode } from "react";
import { counted } from "#src/display/count.ts";
import { tuneLines } from "#src/display/tune-lines.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { barSpans } from "#src/ui/gauge.ts";
import { panelRoom } from "#src/ui/panel.tsx";
import { hangingRows, type Row, type Size } from "#src/ui/rows.ts";
import { ScrolledPanel } from "#src/ui/scrolled-panel.tsx";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import { TUNE } from "./keys.ts";
import type { RuleTuningState } from "#src/state/sandbox/rule-tuning.ts";

/** Longest progress bar. */
const MOST_BAR = 60;

/** Draws exactly its area. */
export function TunePanel({ columns, rows }: Size): ReactNode {
  const { tuning } = useConsole();
  const theme = useTheme();
  const state = useStore(tuning.store, (whole) => whole);
  return (
    <ScrolledPanel
      title={state.progress === null ? "Tune" : "Tune, under way"}
      layer={(moving) => TUNE.layer({ tuning, isRunning: state.progress !== null, ...moving })}
      rows={tuneRows(state, panelRoom(columns), theme)}
      columns={columns}
      height={rows}
    />
  );
}

function tuneRows({ progress, result }: RuleTuningState, width: number, theme: Theme): Row[] {
  const { ascii, keyName } = theme;
  const labelled = `${keyName("history.label")} on History (${keyName("shell.history")}) sets labels`;
  const lines = result === null ? [] : tuneLines(result, { width, ascii, labelled });
  if (progress === null) return lines.flatMap((line) => hangingRows(line, width));
  const { param, taken, fraction } = progress;
  const text = `Trying values of ${param} on ${counted(taken, "payment")}; ${theme.keyName("tune.close")} stops`;
  const bar = fraction === null ? [] : [barSpans(fraction, Math.min(width, MOST_BAR), null, theme)];
  return [...hangingRows({ fixed: [], text }, width), ...bar];
}
