// The text output of a replay: progress, result, and the result of a dry run.

import type { Replayed, ReplayRun } from "#src/actions/replay/replay.ts";
import type { Preflight } from "#src/actions/replay/preflight.ts";
import type { Output } from "#src/cli/output.ts";
import { reportLines } from "#src/cli/report-lines.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { KeptRows } from "#src/contract/records/run.ts";
import { formatCount } from "#src/display/count.ts";
import { leftOutText, plannedLines, warnedText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import type { Style } from "#src/display/style.ts";
import { totalsOf, type RunFacts } from "#src/replay/reports/report-data.ts";
import { runReport } from "#src/replay/reports/run-report.ts";
import type { Warnings } from "#src/replay/warning-tally.ts";
import type { Rejects } from "./rejects.ts";
import { more, progressLine, rejectedLines } from "./run-text.ts";

const WARNINGS_SHOWN = 5;
const REDRAW_MS = 200;
const SENTENCE_MS = 10_000;

/** Shows progress: a redrawn line on a terminal, a line every ten seconds without one. */
export function showProgress(replaying: ReplayRun, output: Output): { end(): void } {
  const { showsProgress, style, columns } = output;
  const timer = setInterval(
    () => {
      const line = progressLine(replaying.progress(), style, columns);
      if (showsProgress) output.progress(line);
      else output.complain(line);
    },
    showsProgress ? REDRAW_MS : SENTENCE_MS,
  );
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      output.progress(null);
    },
  };
}

export function replayLines(
  data: RunFacts,
  { leftOut, warnings }: Replayed,
  rejects: Rejects,
  kept: KeptRows,
  output: Output,
): string[] {
  const { summary } = data.info;
  const rejected = rejectedLines(rejects.kept, rejects.count, output.style);
  // A run without items is not stored and has only rejected lines.
  if (summary!.counts.total === 0) return rejected.slice(1);
  const { findings, ...report } = runReport(data, totalsOf(summary, kept));
  const left = leftOut > 0 ? [{ sign: null, text: `${leftOutText(leftOut)}.` }] : [];
  return [
    ...reportLines({ ...report, findings: [...findings, ...left] }, output),
    ...warningLines(warnings, output.style),
    ...rejected,
  ];
}

/** What a replay of the sources would send and reject. */
export function preflightLines(preflight: Preflight, unit: AmountUnit, style: Style): string[] {
  const { rejected, rejectedCount, warnings } = preflight;
  return [
    ...plannedLines(preflight, unit),
    ...warningLines(warnings, style),
    ...rejectedLines(rejected, rejectedCount, style),
  ];
}

/** The warnings of the payloads, the most frequent first. */
export function warningLines({ payloads, sentences }: Warnings, style: Style): string[] {
  if (payloads === 0) return [];
  const shown = sentences.slice(0, WARNINGS_SHOWN);
  return [
    "",
    style.paint("heading", `${warnedText(payloads)}:`),
    ...shown.map(({ message, count }) => `  ${formatCount(count)} x ${safe(message)}`),
    ...more(sentences.length - shown.length),
  ];
}
