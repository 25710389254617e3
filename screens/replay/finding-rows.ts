// The findings of a run as a list under its filters. Pure.

import { formatCount } from "#src/display/count.ts";
import type { Sort } from "#src/contract/records/list-sort.ts";
import { causeText } from "#src/display/comparison-lines.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind, VERDICTS, verdictSign, verdictSpan, type VerdictKind } from "#src/display/verdict.ts";
import { listedCauses, shownGroup, type ReplayResult } from "#src/state/replay/replay-result.ts";
import type { Finding, FindingGroup } from "#src/state/replay/run-findings.ts";
import { fit, fitTail, widthOf, window } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import {
  fitRow,
  hitRow,
  markedRow,
  sortedTitle,
  textRows,
  type ListRows,
  type Row,
  type Size,
} from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { causeRows } from "./cause-rows.ts";
import { outcomeRows } from "./outcome-rows.ts";
import type { ReplayRenderOptions } from "./render-options.ts";

/** The filters, and below them the findings of the chosen one, in at most `size.rows` rows. */
export function findingRows(
  result: ReplayResult,
  size: Size,
  options: ReplayRenderOptions,
  before: number,
): ListRows {
  const { columns, rows } = size;
  const group = shownGroup(result);
  const causes = listedCauses(result);
  const head = filterRow(result, columns, options);
  if (causes !== null && causes.length > 0) {
    const list = causeRows(causes, result.selected, { columns, rows: rows - 1 }, options, before);
    return { ...list, rows: [head, ...list.rows] };
  }
  if (group?.kind === "outcomes" && result.outcomes !== null) {
    return { rows: [head, ...outcomeRows(result.outcomes, columns, options)], page: 1, top: 0 };
  }
  const why =
    result.cause === null
      ? []
      : textRows(safe(causeText(result.cause)), columns, options.theme, { role: "heading", limit: 2 });
  const filters = [head, ...why];
  if (group === null || group.findings.length === 0) {
    return { rows: [...filters, ...textRows(emptyText(result), columns, options.theme)], page: 1, top: 0 };
  }
  const page = Math.max(1, rows - 1 - filters.length);
  const visible = window(group.findings.length, page, result.selected, before);
  const shown = group.findings.slice(visible.from, visible.to);
  const widths = columnWidths(shown, group, columns, options);
  return {
    rows: [
      ...filters,
      headRow(group, result.sort, widths, columns, options),
      ...shown.map((finding, index) =>
        hitRow(
          markedRow(
            findingRow(finding, group, visible.from + index === result.selected, widths, columns, options),
            visible.from + index === result.selected,
          ),
          visible.from + index - result.selected,
        ),
      ),
    ],
    page,
    top: visible.from,
  };
}

function emptyText(result: ReplayResult): string {
  const { comparison, reading } = result;
  if (reading) return "Reading the run.";
  if (listedCauses(result) !== null) {
    return "Which rule decided is not known on both sides. A sandbox tells it; compare two runs on one to see why verdicts change.";
  }
  if (result.cause !== null) return "Its flips are not among the worst flips, which are kept here.";
  return comparison === null || comparison.compared > 0
    ? "The run has no items."
    : "There was nothing to compare with.";
}

const TITLE: Readonly<Record<Exclude<FindingGroup["kind"], "cell">, string>> = {
  flips: "Flips",
  causes: "Causes",
  outcomes: "Outcomes",
  failed: "Failed",
  new: "New",
  missing: "Missing",
  unexpected: "Unexpected",
  no_verdict: "No verdict",
  items: "Items",
};

function titleOf({ kind, cell, count }: FindingGroup, { ascii, sign }: Theme): string {
  const short = (verdict: VerdictKind): string => verdictSign(verdict, ascii) || VERDICTS[verdict].word;
  const title = kind === "cell" ? `${short(cell!.was)}${sign("arrow")}${short(cell!.now)}` : TITLE[kind];
  return `${title} ${formatCount(count)}`;
}

/** The filters in one row, the chosen one in brackets; those before it go first; one goes as a whole, because its number is never cut. */
function filterRow({ groups, groupId }: ReplayResult, width: number, options: ReplayRenderOptions): Row {
  const { theme } = options;
  const spans = groups.map((group): Span => {
    const title = titleOf(group, theme);
    return group.id === groupId
      ? { text: `[${title}]`, role: "heading" }
      : { text: ` ${title} `, hit: group.id };
  });
  const at = Math.max(
    0,
    groups.findIndex(({ id }) => id === groupId),
  );
  let from = 0;
  while (from < at && spans.slice(from, at + 1).reduce((sum, { text }) => sum + widthOf(text), 2) > width) {
    from += 1;
  }
  const before = [{ text: from === 0 ? " " : theme.sign("ellipsis") }];
  let to = at + 1;
  const taken = (end: number): number =>
    spans.slice(from, end).reduce((sum, { text }) => sum + widthOf(text), 3);
  while (to < spans.length && taken(to + 1) <= width) to += 1;
  const behind = to < spans.length ? [{ text: ` ${theme.sign("ellipsis")}` }] : [];
  return fitRow([...before, ...spans.slice(from, to), ...behind], width, theme);
}

interface Widths {
  readonly was: number;
  readonly now: number;
  readonly money: number;
  readonly key: number;
  readonly origin: number;
}

const MARGIN = 2;
const VERDICT = 7;
const LABEL = 10;
/** Width from which the origin of an item is shown. */
const WITH_ORIGIN = 84;

function columnWidths(
  shown: readonly Finding[],
  group: FindingGroup,
  columns: number,
  options: ReplayRenderOptions,
): Widths {
  const was = group.kind === "unexpected" ? LABEL : VERDICT;
  // Amounts are never cut.
  const money = shown.reduce((most, finding) => Math.max(most, widthOf(moneyOf(finding, options))), 8);
  const rest = columns - MARGIN - was - LABEL - money - 5;
  const origin = columns >= WITH_ORIGIN ? Math.floor(rest * 0.45) : 0;
  return { was, now: LABEL, money, key: Math.max(4, rest - origin - (origin === 0 ? 0 : 1)), origin };
}

function headRow(
  { kind }: FindingGroup,
  sort: Sort,
  widths: Widths,
  columns: number,
  { theme }: ReplayRenderOptions,
): Row {
  const [was, now] = kind === "unexpected" ? ["Expected", "Got"] : ["Was", "Now"];
  const cells = [
    fit(sortedTitle(was, "was", sort, theme), widths.was),
    `  ${fit(sortedTitle(now, "now", sort, theme), widths.now)}`,
    fit(sortedTitle("Amount", "amount", sort, theme), widths.money, { align: "right" }),
    fit("Payment", widths.key),
    ...(widths.origin === 0 ? [] : [fit("From", widths.origin)]),
  ];
  return fitRow([{ text: `${" ".repeat(MARGIN)}${cells.join(" ")}`, role: "quiet" }], columns, theme);
}

function findingRow(
  finding: Finding,
  { kind }: FindingGroup,
  selected: boolean,
  widths: Widths,
  columns: number,
  options: ReplayRenderOptions,
): Row {
  const { theme } = options;
  const ellipsis = theme.sign("ellipsis");
  const was = verdictSpan(kind === "unexpected" ? (finding.after?.expect ?? null) : finding.was, theme.ascii);
  const now = verdictSpan(
    finding.after === null ? finding.now : verdictKind(finding.after.result),
    theme.ascii,
  );
  const known = kind === "unexpected" || finding.was !== null;
  const arrow = !known || was.text === now.text ? " " : theme.sign("arrow");
  return fitRow(
    [
      { text: `${selected ? theme.sign("pointer") : " "} ` },
      { ...was, text: fit(was.text, widths.was) },
      { text: ` ${arrow}` },
      { ...now, text: ` ${fit(now.text, widths.now)}` },
      { text: ` ${fit(moneyOf(finding, options), widths.money, { align: "right" })} ` },
      { text: fitTail(safe(finding.key, { max: 120 }), widths.key, ellipsis) },
      ...(widths.origin === 0
        ? []
        : [{ text: ` ${fitTail(safe(originOf(finding), { max: 120 }), widths.origin, ellipsis)}` }]),
    ],
    columns,
    theme,
  );
}

function moneyOf({ after, before }: Finding, { unit }: ReplayRenderOptions): string {
  const request = (after ?? before)?.request;
  return formatMoney(request?.amount, request?.currency, unit);
}

function originOf({ after, before }: Finding): string {
  return (after ?? before)?.origin ?? "";
}
