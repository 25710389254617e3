// The findings of a run as a list under its groups. Pure.

import { formatCount } from "#src/display/count.ts";
import { causeText } from "#src/display/comparison-lines.ts";
import { formatMoney } from "#src/display/money.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind, verdictSpan } from "#src/display/verdict.ts";
import { listedCauses, shownGroup, type ReplayResult } from "#src/state/replay/replay-result.ts";
import type { Finding, FindingGroup } from "#src/state/replay/run-findings.ts";
import { selectedAt } from "#src/state/list-selection.ts";
import type { Span } from "#src/ui/line.tsx";
import { listRows, type ListColumn } from "#src/ui/list.ts";
import { fitRow, textRows, type ListRows, type Row, type Size } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { causeRows } from "./cause-rows.ts";
import { flipText } from "./live-changes.ts";
import { outcomeRows } from "./outcome-rows.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { spansWidth } from "#src/ui/fit.ts";

/** The groups, and below them the findings of the chosen one, in at most `size.rows` rows. */
export function findingRows(
  result: ReplayResult,
  size: Size,
  options: ReplayRenderOptions,
  before: number,
): ListRows {
  const { columns, rows } = size;
  const group = shownGroup(result);
  const causes = listedCauses(result);
  const head = groupRow(result, columns, options);
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
  const heads = [head, ...why];
  if (group === null || group.findings.length === 0) {
    return { rows: [...heads, ...textRows(emptyText(result), columns, options.theme)], page: 1, top: 0 };
  }
  const list = listRows(
    {
      items: group.findings,
      selected: result.selected,
      columns: findingColumns(group, options),
      sort: result.sort,
    },
    { columns, rows: rows - heads.length },
    options.theme,
    before,
  );
  return { ...list, rows: [...heads, ...list.rows] };
}

function emptyText(result: ReplayResult): string {
  const { comparison, reading, filter } = result;
  if (reading) return "Reading the run.";
  if (filter !== "") return "No payment here matches the filter.";
  if (listedCauses(result) !== null) {
    return "The deciding rules are not known for both runs. To see why verdicts change, compare two runs that were sent to a sandbox.";
  }
  if (result.cause !== null) return "This run keeps only the largest flips, and no flip of this rule.";
  return comparison === null || comparison.compared > 0
    ? "The run has no items."
    : "There was nothing to compare with.";
}

const TITLE: Readonly<Record<Exclude<FindingGroup["kind"], "cell">, string>> = {
  flips: "Flips",
  causes: "Causes",
  outcomes: "Labels",
  failed: "Failed",
  new: "New",
  missing: "Missing",
  unexpected: "Unexpected",
  no_verdict: "No verdict",
  items: "Items",
};

function titleOf({ kind, cell, count }: FindingGroup, theme: Theme): string {
  const title = kind === "cell" ? flipText(cell!, theme, "") : TITLE[kind];
  return `${title} ${formatCount(count)}`;
}

/** The groups in one row, the chosen one in brackets; those before it go first; one goes as a whole, because its number is never cut. */
function groupRow({ groups, groupId }: ReplayResult, width: number, options: ReplayRenderOptions): Row {
  const { theme } = options;
  const spans = groups.map((group): Span => {
    const title = titleOf(group, theme);
    return group.id === groupId
      ? { text: `[${title}]`, role: "heading" }
      : { text: ` ${title} `, hit: group.id };
  });
  const at = selectedAt(groups, ({ id }) => id === groupId);
  let from = 0;
  while (from < at && 2 + spansWidth(spans.slice(from, at + 1)) > width) {
    from += 1;
  }
  const before = [{ text: from === 0 ? " " : theme.sign("ellipsis") }];
  let to = at + 1;
  // With room for an ellipsis behind all but the last.
  const taken = (end: number): number => spansWidth(spans.slice(from, end)) + (end < spans.length ? 3 : 1);
  while (to < spans.length && taken(to + 1) <= width) to += 1;
  const behind = to < spans.length ? [{ text: ` ${theme.sign("ellipsis")}` }] : [];
  return fitRow([...before, ...spans.slice(from, to), ...behind], width, theme);
}

function findingColumns({ kind }: FindingGroup, options: ReplayRenderOptions): ListColumn<Finding>[] {
  const { ascii, sign } = options.theme;
  const isExpected = kind === "unexpected";
  const wasOf = ({ was, after }: Finding): Span =>
    verdictSpan(isExpected ? (after?.expect ?? null) : was, ascii);
  const nowOf = ({ now, after }: Finding): Span =>
    verdictSpan(after === null ? now : verdictKind(after.result), ascii);
  return [
    {
      title: isExpected ? "Expected" : "Was",
      by: "was",
      width: isExpected ? 10 : 7,
      cell: (finding) => [wasOf(finding)],
    },
    {
      title: "",
      width: 1,
      cell(finding) {
        const known = isExpected || finding.was !== null;
        return known && wasOf(finding).text !== nowOf(finding).text ? sign("arrow") : "";
      },
    },
    { title: isExpected ? "Got" : "Now", by: "now", width: 10, cell: (finding) => [nowOf(finding)] },
    // Amounts are never cut.
    {
      title: "Amount",
      said: "",
      by: "amount",
      least: 8,
      align: "right",
      cell({ after, before }) {
        const request = (after ?? before)?.request;
        return formatMoney(request?.amount, request?.currency, options.unit);
      },
    },
    { title: "Payment", share: 1, least: 4, cut: "start", cell: ({ key }) => safe(key, { max: 120 }) },
    {
      title: "From",
      share: 0.45,
      from: 84,
      cut: "start",
      cell: ({ after, before }) => safe((after ?? before)?.origin ?? "", { max: 120 }),
    },
  ];
}
