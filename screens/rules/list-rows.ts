// The list of rules as rows of columns: as many columns as the width has room for. Pure.

import { allOf, precisionOf } from "#src/contract/records/outcome-shares.ts";
import type { Sort } from "#src/contract/records/list-sort.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { formatCount, percent } from "#src/display/count.ts";
import { ruleEffect } from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatClockOrDay } from "#src/display/time.ts";
import type { ListedRule } from "#src/state/sandbox/rules.ts";
import { NO_RECORD, type RuleRecords } from "#src/contract/records/rule-record.ts";
import { fit } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { fitCell, fitRow, sortedTitle, titlesRow, type Column, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

export interface RulesRenderOptions {
  readonly theme: Theme;
  /** Local wall time in ms since the epoch. */
  readonly now: number;
  /** Risk level of the session's project. */
  readonly level: RiskLevel;
  /** False where the service is not the sandbox. */
  readonly isThere: boolean;
}

type RuleColumn = Column<ListedRule, RulesRenderOptions>;

const MODE: RuleColumn = { title: "Mode", width: 6, align: "left", read: ({ mode }) => mode };
const EFFECT: RuleColumn = {
  title: "Hit is",
  width: 6,
  align: "right",
  read: ({ effect, weights }, { level }) =>
    ruleEffect({ effect, weight: weights === null ? null : weights[level] }),
};
const HITS: RuleColumn = {
  title: "Hits",
  by: "hits",
  width: 7,
  align: "right",
  read: ({ activity }) => formatCount(activity?.hits ?? 0),
};
const SHADOW: RuleColumn = {
  title: "Shadow",
  width: 7,
  align: "right",
  read: ({ activity, mode }) =>
    mode === "live" && !activity?.shadowHits ? "-" : formatCount(activity?.shadowHits ?? 0),
};
const LAST: RuleColumn = {
  title: "Last hit",
  by: "last",
  width: 10,
  align: "right",
  read: ({ activity }, { now }) =>
    activity?.lastHitAt == null ? "-" : formatClockOrDay(activity.lastHitAt, now),
};
const OPEN: RuleColumn = {
  title: "Not eval.",
  width: 10,
  align: "right",
  read: ({ activity }) => formatCount(activity?.notEvaluated ?? 0),
};

/** Since a chosen time. */
const RECORD_HITS: RuleColumn = {
  ...HITS,
  // A decision names the live rules only.
  read: ({ record, mode }) =>
    record === null || (mode !== "live" && allOf(record.hits).count === 0)
      ? "-"
      : formatCount(allOf(record.hits).count),
};
const ALONE: RuleColumn = {
  title: "Alone",
  width: 6,
  align: "right",
  read: ({ record }) => formatCount(allOf((record ?? NO_RECORD).alone).count),
};
const PRECISION: RuleColumn = {
  title: "Fraud",
  width: 7,
  align: "right",
  read: ({ record }) => {
    const { part, whole } = precisionOf((record ?? NO_RECORD).hits);
    return whole === 0 ? "-" : percent(part, whole);
  },
};
const MONEY: RuleColumn = {
  title: "EUR",
  width: 10,
  align: "right",
  read: ({ record }) => formatCount(Math.round(allOf((record ?? NO_RECORD).hits).eur)),
};

/** Pointer, and the padding at both ends. */
const MARGIN = 4;

/** @param records null while no time was chosen */
export function tableColumns(columns: number, records: RuleRecords | null): readonly RuleColumn[] {
  if (records !== null) {
    const { bad, good } = records.labelled;
    const record = [RECORD_HITS, ALONE, ...(bad > 0 && good > 0 ? [PRECISION] : []), MONEY];
    return columns >= 78 ? [MODE, EFFECT, ...record] : columns >= 66 ? [EFFECT, ...record] : record;
  }
  if (columns >= 78) return [MODE, EFFECT, HITS, SHADOW, OPEN, LAST];
  return columns >= 64 ? [MODE, EFFECT, HITS, SHADOW, LAST] : [EFFECT, HITS, SHADOW, LAST];
}

function codeWidth(table: readonly RuleColumn[], columns: number): number {
  return Math.max(8, columns - MARGIN - table.reduce((sum, { width }) => sum + width + 1, 0));
}

export function headRow(table: readonly RuleColumn[], columns: number, sort: Sort, theme: Theme): Row {
  const code = fit(sortedTitle("Rule", "rule", sort, theme), codeWidth(table, columns));
  const cells = table.map(({ title, by, width, align }) =>
    fit(sortedTitle(title, by, sort, theme), width, { align }),
  );
  return fitRow(titlesRow([code, ...cells], theme), columns, theme);
}

export function ruleRow(
  rule: ListedRule,
  isSelected: boolean,
  table: readonly RuleColumn[],
  columns: number,
  options: RulesRenderOptions,
): Row {
  const { theme } = options;
  const ellipsis = theme.sign("ellipsis");
  const code = fit(safe(rule.code, { max: 60 }), codeWidth(table, columns), { ellipsis });
  const cells = table.map((column): Span => {
    const read = column.read(rule, options);
    const text = read === "0" ? theme.sign("zero") : read;
    return {
      text: ` ${fitCell(column, text, theme)}`,
      role:
        column === MODE && rule.mode !== "live" ? "warning" : read === "0" || read === "-" ? "quiet" : null,
    };
  });
  const pointer = isSelected ? theme.sign("pointer") : " ";
  return fitRow([{ text: `${pointer} ${code}` }, ...cells], columns, theme);
}
