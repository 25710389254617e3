// A run as rows: the bar and the counts of its verdicts, pace, latencies and what went wrong. Pure.

import type { RunCounts, RunInfo, RunSummary } from "#src/contract/records/run.ts";
import { counted } from "#src/display/count.ts";
import {
  choiceText,
  countSpans,
  latencyText,
  NO_SUMMARY,
  paceText,
  repeatedText,
  settingText,
} from "#src/display/run-lines.ts";
import { widthOf, fit } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { AXIS, fitRow, textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import type { ReplayRenderOptions } from "./render-options.ts";

/** `✔ 30 PASS  ✖ 6 BLOCK`: the counts above zero, wrapped. */
export function countRows(counts: RunCounts, width: number, { theme }: ReplayRenderOptions): Row[] {
  const rows: Span[][] = [];
  let left = 0;
  for (const span of countSpans(counts, theme.ascii)) {
    const taken = 2 + widthOf(span.text);
    if (rows.length === 0 || taken > left) {
      rows.push([{ text: fit("", AXIS) }, span]);
      left = width - taken + 1;
    } else {
      rows.at(-1)!.push({ text: "  " }, span);
      left -= taken;
    }
  }
  return (rows.length === 0 ? [[{ text: "  nothing yet" }]] : rows).map((row) => fitRow(row, width, theme));
}

/** Pace and latency, in one row if they fit. */
function paceRows(summary: RunSummary, width: number, { theme }: ReplayRenderOptions): Row[] {
  const [pace, latency] = [paceText(summary), latencyText(summary.latencies)];
  const both = `${pace}; ${latency}`;
  const lines = widthOf(both) + AXIS + 1 <= width ? [both] : [pace, latency];
  return lines.flatMap((line) => textRows(line, width, theme, { limit: 1 }));
}

/** The summary of a finished run, and what is special about it. */
export function summaryRows(run: RunInfo, width: number, options: ReplayRenderOptions): Row[] {
  const { summary } = run;
  const choice = choiceText(run);
  const sentences = [settingText(run), choice === null ? null : `${choice.replace(/^c/, "C")}.`];
  const special = sentences.flatMap((text) =>
    text === null ? [] : textRows(text, width, options.theme, { limit: 2 }),
  );
  if (summary === null) {
    return [...textRows(NO_SUMMARY, width, options.theme, { role: "warning", limit: 2 }), ...special];
  }
  return [
    ...countRows(summary.counts, width, options),
    ...paceRows(summary, width, options),
    ...special,
    ...wrongRows(summary, width, options.theme),
  ];
}

/** What went wrong in a run and what was not decided again, a sentence each; none when nothing did. */
export function wrongRows(summary: RunSummary, width: number, theme: Theme): Row[] {
  const { rejected, expectationsFailed } = summary;
  const repeated = repeatedText(summary);
  const wrong = [
    ...(expectationsFailed === 0 ? [] : [`${counted(expectationsFailed, "expectation")} failed`]),
    ...(rejected === 0 ? [] : [`${counted(rejected, "payload")} rejected`]),
  ];
  const sentences = [
    ...(wrong.length === 0 ? [] : [`${wrong.join(", ")}.`]),
    ...(repeated === null ? [] : [repeated]),
  ];
  return sentences.flatMap((text) => textRows(text, width, theme, { role: "warning", limit: 2 }));
}
