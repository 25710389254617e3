// verdict compare: which verdicts changed between two stored runs, and whether that is more than is allowed.

import { compareRuns, findRun } from "#src/actions/replay/compare-runs.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { safe } from "#src/display/safe.ts";
import { comparisonJson } from "#src/replay/reports/comparison-json.ts";
import { createPrivacy } from "#src/replay/reports/report-privacy.ts";
import { comparisonLines } from "./comparison-text.ts";
import { exceeded, readFlipLimits } from "./flip-limits.ts";
import { parseReports, readReportData, writeReports } from "./report-files.ts";
import { withoutVerdict } from "./run-text.ts";

export const compare: CommandRun = async ({ args, context, options, output }) => {
  const limits = readFlipLimits(options);
  const reports = parseReports(options.list("report"));
  const opened = await context();
  const runs = await opened.runs();
  const [earlier, later] = await Promise.all([findRun(runs, args[0]!), findRun(runs, args[1]!)]);
  const comparison = await compareRuns(opened, { run: later.id, baseline: earlier.id });
  for (const { message } of runs.problems) output.complain(message);

  if (options.flag("json")) {
    output.json({ schema: 1, type: "comparison", ...comparisonJson(comparison, createPrivacy(true)) });
  } else {
    for (const line of comparisonLines(comparison, later.amountUnit, output.style, output.columns)) {
      output.line(line);
    }
  }
  for (const caution of cautions(earlier, later)) output.complain(caution);
  if (reports.length > 0) {
    const showPersonal = options.flag("showPersonal");
    await writeReports(reports, await readReportData(opened, { info: later, comparison, showPersonal }));
    for (const { path } of reports) output.complain(`Wrote ${safe(path)}.`);
  }
  return judge(comparison, later, limits, output.complain);
};

/** What makes a comparison say less than it seems to. */
function cautions(earlier: RunInfo, later: RunInfo): string[] {
  const found = [];
  for (const { id, state } of earlier.id === later.id ? [later] : [earlier, later]) {
    if (state === "partial") found.push(`Run ${safe(id)} is partial: it did not send all of its items.`);
  }
  if (earlier.amountUnit !== later.amountUnit) {
    found.push("The two runs give amounts in different units; sums are in the unit of the later one.");
  }
  if (earlier.profile !== later.profile || earlier.project !== later.project) {
    found.push(
      `The runs are of different projects: ${safe(`${earlier.profile}:${earlier.project}`)}, then ${safe(`${later.profile}:${later.project}`)}.`,
    );
  }
  return found;
}

/** 8 beyond a limit; 6 where a verdict is missing, which is said in either case. */
function judge(
  comparison: Comparison,
  later: RunInfo,
  limits: Parameters<typeof exceeded>[1],
  complain: (text: string) => void,
): number {
  const beyond = exceeded(comparison, limits);
  const lacking = Math.max(
    comparison.changes.failed,
    later.summary === null ? 0 : withoutVerdict(later.summary.counts),
  );
  if (lacking > 0) {
    complain(
      `${lacking === 1 ? "1 item has" : `${lacking} items have`} no trustworthy verdict, and cannot count as unchanged; send the payloads again in a new run.`,
    );
  }
  if (beyond !== null) {
    complain(beyond);
    return EXIT.expectation;
  }
  return lacking > 0 ? EXIT.unknown : EXIT.done;
}
