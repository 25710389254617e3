// The columns of the list of rules. Pure.

import { allOf, precisionOf } from "#src/contract/records/outcome-shares.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { formatCount } from "#src/display/count.ts";
import { rateText } from "#src/display/outcome-words.ts";
import { ruleEffect } from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatClockOrDay } from "#src/display/time.ts";
import type { ListedRule } from "#src/state/sandbox/rules.ts";
import { NO_RECORD, type RuleRecords } from "#src/contract/records/rule-record.ts";
import type { ListColumn } from "#src/ui/list.ts";
import type { Row } from "#src/ui/rows.ts";
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

/** The columns of the list; those of the record of the rules once a time was chosen. @param records null while none was */
export function ruleColumns(
  records: RuleRecords | null,
  { theme, now, level }: RulesRenderOptions,
): ListColumn<ListedRule>[] {
  const figure = (text: string): Row =>
    text === "0"
      ? [{ text: theme.sign("zero"), role: "quiet" }]
      : [{ text, role: text === "-" ? "quiet" : null }];
  const count = (value: number): Row => figure(formatCount(value));
  const worthOf = ({ record }: ListedRule): typeof NO_RECORD => record ?? NO_RECORD;
  const general: ListColumn<ListedRule>[] = [
    { title: "Rule", said: "", by: "rule", share: 1, least: 8, cell: ({ code }) => safe(code, { max: 60 }) },
    {
      title: "Mode",
      width: 6,
      from: records === null ? 64 : 78,
      cell: ({ mode }) => [{ text: mode, role: mode === "live" ? null : "warning" }],
    },
    {
      title: "Effect",
      width: 6,
      from: records === null ? 0 : 66,
      align: "right",
      cell: ({ effect, weights }) => ruleEffect({ effect, weight: weights === null ? null : weights[level] }),
    },
  ];
  if (records === null) {
    return [
      ...general,
      {
        title: "Hits",
        by: "hits",
        width: 7,
        align: "right",
        cell: ({ activity }) => count(activity?.hits ?? 0),
      },
      {
        title: "Shadow",
        width: 7,
        align: "right",
        cell: ({ activity, mode }) =>
          mode === "live" && !activity?.shadowHits ? figure("-") : count(activity?.shadowHits ?? 0),
      },
      {
        title: "Not eval.",
        width: 10,
        from: 78,
        align: "right",
        cell: ({ activity }) => count(activity?.notEvaluated ?? 0),
      },
      {
        title: "Last hit",
        by: "last",
        width: 10,
        align: "right",
        cell: ({ activity }) =>
          figure(activity?.lastHitAt == null ? "-" : formatClockOrDay(activity.lastHitAt, now)),
      },
    ];
  }
  const { bad, good } = records.labelled;
  const fraud: ListColumn<ListedRule> = {
    title: "Fraud",
    width: 7,
    align: "right",
    cell: (rule) => figure(rateText(precisionOf(worthOf(rule).hits))),
  };
  return [
    ...general,
    {
      title: "Hits",
      by: "hits",
      width: 7,
      align: "right",
      cell({ record, mode }) {
        const hits = allOf((record ?? NO_RECORD).hits).count;
        // A decision names the live rules only.
        return record === null || (mode !== "live" && hits === 0) ? figure("-") : count(hits);
      },
    },
    { title: "Alone", width: 6, align: "right", cell: (rule) => count(allOf(worthOf(rule).alone).count) },
    ...(bad > 0 && good > 0 ? [fraud] : []),
    {
      title: "EUR",
      width: 10,
      align: "right",
      cell: (rule) => count(Math.round(allOf(worthOf(rule).hits).eur)),
    },
  ];
}
