// A run as Markdown, for the summary of a pull request: the matrix with its money, and the worst items with their places.

import { CARRIED } from "#src/contract/records/flip.ts";
import { placeOf } from "#src/contract/records/run.ts";
import { changeLines, matrixRows, nothingCompared } from "#src/display/comparison-lines.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { paceText, repeatedText, runKinds } from "#src/display/run-lines.ts";
import { verdictLabel } from "#src/display/verdict.ts";
import { flipTable, groupTables, itemTable, sums } from "./comparison-parts.ts";
import { code, mdList, mdPart, mdTable, mdText, SHOWN } from "./md.ts";
import { judgedRows, type JudgedRow, type ReportData, type ReportTotals } from "./report-data.ts";
import { createPrivacy } from "./report-privacy.ts";

/** GitHub Flavored Markdown in pieces, at most some 20 KB; a summary of a job may have 1 MiB. */
export async function* mdReport(data: ReportData, totals: ReportTotals): AsyncGenerator<string> {
  const { info, comparison } = data;
  const privacy = createPrivacy(data.showPersonal);
  const title =
    comparison === null || comparison.compared === 0
      ? counted(totals.total, "payment")
      : `${counted(comparison.changes.flipped, "verdict")} of ${formatCount(comparison.compared)} changed`;
  yield `## verdict replay: ${title}\n\n`;
  yield `Run ${code(info.id)} of ${info.sources.map((source) => code(privacy.source(source))).join(", ")} on ${code(info.project)}, profile ${code(info.profile)}`;
  yield info.summary === null ? ".\n\n" : `: ${paceText(info.summary)}.\n\n`;
  if (info.state === "partial") yield "**The run is partial: not every payment was sent.**\n\n";
  const repeated = info.summary === null ? null : repeatedText(info.summary);
  if (repeated !== null) yield `**${repeated}**\n\n`;
  for (const { message } of data.failedGates) yield `**${mdText(message)}**\n\n`;
  yield comparison === null ? verdictTable(data) : comparisonPart(data);
  const { expectations, expectationsFailed } = totals;
  if (expectations > 0)
    yield `${formatCount(expectationsFailed)} of ${formatCount(expectations)} expected verdicts were not given.\n\n`;
  const shown = await worst(data);
  const { expectation, no_verdict: lacking } = totals.standings;
  const unit = info.amountUnit;
  if (comparison !== null) yield mdPart(flipTable(comparison, unit, privacy));
  yield mdPart(itemTable("Not as expected", shown.expectation, expectation, unit, privacy));
  yield mdPart(itemTable("Without a trustworthy verdict", shown.no_verdict, lacking, unit, privacy));
}

function verdictTable({ info }: ReportData): string {
  if (info.summary === null) return "";
  const kinds = runKinds(info.summary.counts).filter(([, count]) => count > 0);
  return mdTable(
    kinds.map(([kind]) => verdictLabel(kind, false)),
    [kinds.map(([, count]) => formatCount(count))],
  );
}

function comparisonPart({ info, comparison, earlier }: ReportData): string {
  const { baseline, compared } = comparison!;
  const on = earlier === null ? "" : ` on ${code(placeOf(earlier))}`;
  const named = earlier === null ? code(baseline) : `run ${code(baseline)}${on}`;
  const before = baseline === CARRIED ? baseline : named;
  if (compared === 0) return `Compared with ${before}: ${nothingCompared(comparison!)}\n\n`;
  const rows = matrixRows(comparison!);
  const matrix = mdTable(
    ["was ↓ now →", ...rows[0]!.map(({ now }) => verdictLabel(now, false))],
    rows.map((row) => [
      `**${verdictLabel(row[0]!.was, false)}**`,
      ...row.map((cell) =>
        cell.count === 0
          ? ""
          : [formatCount(cell.count), ...sums(cell, info.amountUnit)]
              .map((line) => mdText(line))
              .join("<br>"),
      ),
    ]),
  );
  const lines = changeLines(comparison!, true).map((line) => line.map((span) => span.text).join(""));
  return `Compared with ${before}:\n\n${matrix}${mdList(lines)}${groupTables(comparison!).map(mdPart).join("")}`;
}

/** The first items of each kind that fails a run. */
async function worst(data: ReportData): Promise<Record<"expectation" | "no_verdict", JudgedRow[]>> {
  const found: Record<"expectation" | "no_verdict", JudgedRow[]> = { expectation: [], no_verdict: [] };
  for await (const judged of judgedRows(data)) {
    if (judged.standing !== "expectation" && judged.standing !== "no_verdict") continue;
    if (found[judged.standing].length < SHOWN) found[judged.standing].push(judged);
  }
  return found;
}
