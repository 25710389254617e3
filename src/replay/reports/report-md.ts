// A run as Markdown, for the summary of a pull request: the matrix with its money, and the worst items with their places.

import { withoutBuildCommands } from "#src/contract/text/build-commands.ts";
import { CARRIED, sharedFlips, type FlipCell } from "#src/contract/records/flip.ts";
import { placeOf } from "#src/contract/records/run.ts";
import { causeText, changeLines, matrixRows, nothingCompared } from "#src/display/comparison-lines.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { eurText, formatMoney, moneyList } from "#src/display/money.ts";
import { paceText, repeatedText, runKinds } from "#src/display/run-lines.ts";
import { disarmed } from "#src/display/guard.ts";
import { safe } from "#src/display/safe.ts";
import { outcomeReason, verdictKind, verdictLabel } from "#src/display/verdict.ts";
import { judgedRows, type JudgedRow, type ReportData, type ReportTotals } from "./report-data.ts";
import { createPrivacy, type Privacy } from "./report-privacy.ts";

/** Items of each kind that are shown; `json` and `html` have all. */
const SHOWN = 10;
const LONGEST_TEXT = 200;

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
  const flips = sharedFlips(comparison?.flips ?? [], SHOWN);
  const changed = flips.flatMap(({ after, was }) => (after === null ? [] : [{ row: after, was }]));
  yield itemTable("Worst changes", changed, comparison?.changes.flipped ?? 0, data, privacy);
  yield itemTable("Not as expected", shown.expectation, totals.standings.expectation, data, privacy);
  yield itemTable(
    "Without a trustworthy verdict",
    shown.no_verdict,
    totals.standings.no_verdict,
    data,
    privacy,
  );
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
  const cell = ({ count, money, eur }: FlipCell): string => {
    const all = money.length > 1 ? eurText(eur) : null;
    const sums = money.length === 0 ? [] : [mdText(moneyList(money, info.amountUnit))];
    return count === 0 ? "" : [formatCount(count), ...sums, ...(all === null ? [] : [all])].join("<br>");
  };
  const rows = matrixRows(comparison!);
  const matrix = mdTable(
    ["was ↓ now →", ...rows[0]!.map(({ now }) => verdictLabel(now, false))],
    rows.map((row) => [`**${verdictLabel(row[0]!.was, false)}**`, ...row.map(cell)]),
  );
  const lines = changeLines(comparison!, true).map(
    (line) => `- ${mdText(line.map((span) => span.text).join(""))}\n`,
  );
  const causes = groupTable("By cause", comparison!.causes, causeText);
  const projects = groupTable("By project", comparison!.projects, ({ project }) => project);
  return `Compared with ${before}:\n\n${matrix}${lines.join("")}\n${causes}${projects}`;
}

function groupTable<G extends FlipCell>(
  heading: string,
  groups: readonly G[],
  nameOf: (group: G) => string,
): string {
  if (groups.length === 0) return "";
  const rows = groups
    .slice(0, SHOWN)
    .map((group) => [
      formatCount(group.count),
      verdictLabel(group.was, false),
      verdictLabel(group.now, false),
      mdText(eurText(group.eur) ?? ""),
      mdText(nameOf(group)),
    ]);
  const more = groups.length > rows.length ? `${formatCount(groups.length - rows.length)} more.\n\n` : "";
  return `### ${heading}\n\n${mdTable(["Changed", "Was", "Now", "Worth", "Why"], rows)}${more}`;
}

type Shown = Pick<JudgedRow, "row" | "was">;

/** The first items of each kind that fails a run. */
async function worst(data: ReportData): Promise<Record<"expectation" | "no_verdict", Shown[]>> {
  const found: Record<"expectation" | "no_verdict", Shown[]> = { expectation: [], no_verdict: [] };
  for await (const judged of judgedRows(data)) {
    if (judged.standing !== "expectation" && judged.standing !== "no_verdict") continue;
    if (found[judged.standing].length < SHOWN) found[judged.standing].push(judged);
  }
  return found;
}

function itemTable(
  heading: string,
  items: readonly Shown[],
  count: number,
  { info }: ReportData,
  privacy: Privacy,
): string {
  if (items.length === 0) return "";
  const rows = items.slice(0, SHOWN).map(({ row, was }) => {
    const { request } = row;
    const own = (raw: string): string => mdText(privacy.text(raw, request));
    return [
      mdText(row.key),
      was === null ? "" : verdictLabel(was, false),
      row.expect === null ? "" : verdictLabel(row.expect, false),
      `**${verdictLabel(verdictKind(row.result), false)}**`,
      mdText(formatMoney(request.amount, request.currency, info.amountUnit)),
      own(row.origin),
      own(row.result?.message ?? outcomeReason(row.result)),
    ];
  });
  const heads = ["Payment", "Was", "Expected", "Now", "Amount", "Where", "Why"];
  const isUsed = heads.map((_, column) => rows.some((cells) => cells[column] !== ""));
  const used = (cells: readonly string[]): string[] => cells.filter((_, column) => isUsed[column]);
  const more = count > rows.length ? `${formatCount(count - rows.length)} more.\n\n` : "";
  return `### ${heading}\n\n${mdTable(used(heads), rows.map(used))}${more}`;
}

export function mdTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return `${line(head)}${line(head.map(() => "---"))}${rows.map(line).join("")}\n`;
}

/** Text that stays text: each character that Markdown or HTML reads is escaped, an address is no link, and a name calls nobody. */
export function mdText(raw: string, max: number = LONGEST_TEXT): string {
  const text = safe(raw, { max })
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\`*_[\]>#|~]/g, "\\$&")
    .replaceAll("://", "\\://")
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}\\.`)
    // Of all that is written only code is never read for names; an escape is undone before they are looked for.
    .replaceAll(/@+/g, "`$&`");
  return withoutBuildCommands(text, (character) => `\\${character}`);
}

/** A name in code style. A backtick would end it, and a bar the cell. */
function code(raw: string): string {
  return `\`${disarmed(safe(raw, { max: LONGEST_TEXT })).replace(/[`|]/g, "'")}\``;
}
