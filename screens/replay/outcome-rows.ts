// The verdicts of a run against what became of its payments, as rows: a matrix, and what it comes down to. Pure.

import { LABELS } from "#src/contract/records/label.ts";
import type { RunOutcomes } from "#src/contract/records/outcomes.ts";
import { MILDEST_FIRST } from "#src/contract/wire/recommendation.ts";
import { formatCount } from "#src/display/count.ts";
import { runOutcomeLines, runOutcomeTable, uncountedText } from "#src/display/run-outcome-lines.ts";
import { verdictSpan } from "#src/display/verdict.ts";
import { fit } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { tableRows } from "#src/ui/list.ts";
import { AXIS, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import type { ReplayRenderOptions } from "./render-options.ts";

const NAME = 12;
const CELL = 11;

export function outcomeRows(outcomes: RunOutcomes, width: number, { theme }: ReplayRenderOptions): Row[] {
  const right = (span: Span): Span => ({ ...span, text: fit(span.text, CELL, { align: "right" }) });
  const cell = (value: number): Span =>
    right({ text: value === 0 ? theme.sign("zero") : formatCount(value) });
  const row = (name: Span, cells: readonly Span[]): Row =>
    fitRow([{ text: fit("", AXIS) }, { ...name, text: fit(name.text, NAME) }, ...cells], width, theme);
  const quiet = (text: string): Span => ({ text, role: "quiet" });
  const verdicts = MILDEST_FIRST.map((verdict) => right(verdictSpan(verdict, theme.ascii)));
  return [
    row(quiet("Label"), [...verdicts, right(quiet("all"))]),
    ...LABELS.map((label) => {
      const counts = MILDEST_FIRST.map((verdict) => outcomes.now.labels[label][verdict].count);
      return row({ text: label }, [...counts, counts.reduce((sum, count) => sum + count, 0)].map(cell));
    }),
    ...shareRows(outcomes, width, theme),
    ...textRows(uncountedText(outcomes), width, theme, { role: "quiet", limit: 2 }),
  ];
}

function shareRows(outcomes: RunOutcomes, width: number, theme: Theme): readonly Row[] {
  if (theme.ascii === "words")
    return runOutcomeLines(outcomes).flatMap((line) => textRows(line, width, theme));
  const rows = tableRows(runOutcomeTable(outcomes), width - AXIS, theme);
  return rows.map((row) => [{ text: fit("", AXIS) }, ...row]);
}
