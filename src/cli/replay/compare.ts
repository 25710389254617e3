// verdict compare: the verdicts that changed between two stored runs, with an exit code by limits.

import { compareRuns, findRun } from "#src/actions/replay/compare-runs.ts";
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
import { compareWithGolden, goldenGate, requireGolden, settleGolden } from "./golden.ts";
import { deliver, hasReports, readReports } from "./report-files.ts";
import type { ANSWER_GATES, FLIP_GATES, Json, REPORTS } from "#src/cli/option-specs.ts";

export const compare: CommandRun<Json & typeof ANSWER_GATES & typeof FLIP_GATES & typeof REPORTS> = async (
  invocation,
) => {
  const { args, context, options, output, signal } = invocation;
  const reports = readReports(options);
  const opened = await context();
  const runs = await opened.runs();
  const path = args[0]!;
  // No id of a run holds a dot or a slash.
  const golden = /[./\\]/.test(path)
    ? { path, update: false, before: await requireGolden(path, signal) }
    : null;
  const earlier = golden === null ? await findRun(runs, path) : null;
  const later = await findRun(runs, args[1]!);
  const beside = golden === null ? null : await compareWithGolden(opened, later, golden);
  const comparison =
    beside?.comparison ?? (await compareRuns(opened, { run: later.id, baseline: earlier!.id }));
  const failed = failedGates({ comparison, summary: later.summary, state: later.state }, options);
  if (beside !== null) failed.push(...goldenGate(golden!, beside));
  for (const { message } of runs.problems) output.complain(message);

  if (options.json) {
    const json = comparisonJson(comparison, earlier, createPrivacy(true));
    output.json({ schema: 1, type: "comparison", ...json, run_on: placeOf(later), failed_gates: failed });
  } else {
    output.lines(comparisonLines(comparison, earlier, later, output));
  }
  for (const caution of cautions(earlier ?? later, later)) output.complain(caution);
  if (beside !== null) await settleGolden(golden!, beside, later, output.complain);
  if (hasReports(reports)) {
    const showPersonal = options.showPersonal;
    await deliver(
      invocation,
      reports,
      await readReportData(
        opened,
        { info: later, comparison, failedGates: failed, showPersonal },
        golden?.before,
      ),
    );
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
