// What a replay says on its way and at its end, and what a dry run found.

import type { Replayed, ReplayRun } from "#src/actions/replay/replay.ts";
import type { Survey } from "#src/actions/replay/survey-sources.ts";
import type { Output } from "#src/cli/output.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { RejectedLine, RunRow } from "#src/contract/records/run.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import type { Style } from "#src/display/style.ts";
import type { Warnings } from "#src/replay/warning-tally.ts";
import { comparisonLines } from "./comparison-text.ts";
import type { Rejects } from "./rejects.ts";
import { findFindings, findingLines, more, progressLine, runLines } from "./run-text.ts";

const REJECTED_SHOWN = 10;
const WARNINGS_SHOWN = 5;
const REDRAW_MS = 200;
const SENTENCE_MS = 10_000;

/** How far a replay is: a line that is redrawn on a terminal, a sentence every ten seconds where there is none. */
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

export async function replayLines(
  { info, comparison, warnings }: Replayed,
  rejects: Rejects,
  rows: () => AsyncIterable<RunRow>,
  { style, columns }: Output,
): Promise<string[]> {
  const summary = info.summary!;
  const compares = info.baseline !== null || comparison.compared > 0;
  // A run without items is not kept, and there is nothing else to tell of it.
  if (summary.counts.total === 0) return rejectedLines(rejects.kept, rejects.count, style).slice(1);
  return [
    ...runLines(info, style),
    ...warningLines(warnings, style),
    ...rejectedLines(rejects.kept, rejects.count, style),
    ...findingLines(await findFindings(summary, rows), summary, style),
    ...(compares ? ["", ...comparisonLines(comparison, info.amountUnit, style, columns)] : []),
  ];
}

/** What a replay of these sources would send, and what it would leave out. */
export function surveyLines(survey: Survey, unit: AmountUnit, style: Style): string[] {
  const { items, money, expectations, rejected, rejectedCount, warnings } = survey;
  return [
    items === 1 ? "1 payload can be sent." : `${items} payloads can be sent.`,
    ...money.map(({ currency, amount }) => `  ${formatMoney(amount, currency, unit)}`),
    ...(expectations === 0
      ? []
      : [`  ${expectations === 1 ? "1 expects" : `${expectations} expect`} a verdict`]),
    ...warningLines(warnings, style),
    ...rejectedLines(rejected, rejectedCount, style),
  ];
}

/** Which warnings the payloads have, the most frequent first. */
function warningLines({ payloads, sentences }: Warnings, style: Style): string[] {
  if (payloads === 0) return [];
  const shown = sentences.slice(0, WARNINGS_SHOWN);
  return [
    "",
    style.paint(
      "heading",
      payloads === 1 ? "1 payment has warnings:" : `${payloads} payments have warnings:`,
    ),
    ...shown.map(({ message, count }) => `  ${count} x ${safe(message)}`),
    ...more(sentences.length - shown.length),
  ];
}

function rejectedLines(kept: readonly RejectedLine[], count: number, style: Style): string[] {
  if (count === 0) return [];
  const shown = kept.slice(0, REJECTED_SHOWN);
  return [
    "",
    style.paint("heading", `Rejected lines: ${count}`),
    ...shown.map(({ origin, message }) => `  ${safe(origin)}: ${message}`),
    ...more(count - shown.length),
  ];
}
