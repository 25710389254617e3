// verdict compare: the verdicts that changed between two stored runs, with an exit code by limits.

import { findRun, openSide } from "#src/actions/replay/compare-runs.ts";
import { readGolden } from "#src/actions/replay/golden-file.ts";
import { readReportData } from "#src/actions/replay/write-report.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import { placeOf, withoutVerdict, type FailedGate, type RunInfo } from "#src/contract/records/run.ts";
import { counted } from "#src/display/count.ts";
import { repeatedText } from "#src/display/run-lines.ts";
import { safe } from "#src/display/safe.ts";
import { comparisonJson } from "#src/replay/reports/comparison-json.ts";
import { createPrivacy } from "#src/replay/reports/report-privacy.ts";
import { comparisonLines } from "./comparison-text.ts";
import { acceptsMissing, failedGates } from "./gates.ts";
import { settleGolden } from "./golden.ts";
import { deliver, hasReports, readReports } from "./report-files.ts";
import type { ANSWER_GATES, FLIP_GATES, Json, REPORTS } from "#src/cli/option-specs.ts";

export const compare: CommandRun<Json & typeof ANSWER_GATES & typeof FLIP_GATES & typeof REPORTS> = async (
  invocation,
) => {
  const { args, context, options, output, signal } = invocation;
  const reports = readReports(options);
  const opened = await context();
  const runs = await opened.runs();
  const word = args[0]!;
  // No id of a run holds a dot or a slash.
  const side = await openSide(runs, /[./\\]/.test(word) ? await readGolden(word, false, signal) : word);
  const later = await findRun(runs, args[1]!);
  const compared = await side.compare(later);
  const { comparison } = compared;
  const failed = failedGates({ ...compared, summary: later.summary, state: later.state }, options);
  for (const { message } of runs.problems) output.complain(message);

  if (options.json) {
    const json = comparisonJson(comparison, side.run, createPrivacy(true));
    output.json({ schema: 1, type: "comparison", ...json, run_on: placeOf(later), failed_gates: failed });
  } else {
    output.lines(comparisonLines(comparison, side.run, later, output));
  }
  for (const caution of cautions(side.run ?? later, later)) output.complain(caution);
  await settleGolden(compared, later, false, output.complain);
  if (hasReports(reports)) {
    const told = { info: later, comparison, failedGates: failed, showPersonal: options.showPersonal };
    await deliver(invocation, reports, await readReportData(opened, side, told));
  }
  return judge(comparison, later, { failed, accepted: acceptsMissing(options, failed) }, output.complain);
};

/** Reasons why a comparison is less meaningful than it seems. */
function cautions(earlier: RunInfo, later: RunInfo): string[] {
  const found = [];
  for (const { id, state, summary } of earlier.id === later.id ? [later] : [earlier, later]) {
    if (state === "partial") found.push(`Run ${safe(id)} is partial: it did not send all of its items.`);
    const repeated = summary === null ? null : repeatedText(summary);
    if (repeated !== null) found.push(`Run ${safe(id)}: ${repeated}`);
  }
  if (earlier.amountUnit !== later.amountUnit) {
    found.push("The two runs give amounts in different units; sums are in the unit of the later one.");
  }
  return found;
}

/** 8 for a failed gate, else 6 for a missing verdict that is not accepted, or for missing items; all are reported. */
function judge(
  comparison: Comparison,
  later: RunInfo,
  { failed, accepted }: { readonly failed: readonly FailedGate[]; readonly accepted: boolean },
  complain: (text: string) => void,
): number {
  const own = later.summary === null ? 0 : withoutVerdict(later.summary.counts);
  const { changes } = comparison;
  const lacking = accepted ? changes.failed - own : Math.max(changes.failed, own);
  if (lacking > 0) {
    complain(
      `${counted(lacking, "item has", "items have")} no trustworthy verdict, and cannot count as unchanged; send the payloads again in a new run.`,
    );
  }
  for (const { message } of failed) complain(message);
  if (failed.length > 0) return EXIT.expectation;
  return lacking > 0 || later.state === "partial" ? EXIT.unknown : EXIT.done;
}
