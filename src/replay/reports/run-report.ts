// The report of a run, beside an earlier one where there is one.

import { addEur, addMoney, type Comparison, type Money } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import { placeOf, type RuleHits, type RunInfo } from "#src/contract/records/run.ts";
import { isRecommendation, MILDEST_FIRST, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { LABELS } from "#src/contract/records/label.ts";
import type { RunOutcomes } from "#src/contract/records/outcomes.ts";
import { runOutcomeLines, uncountedText } from "#src/display/run-outcome-lines.ts";
import { eurText, moneyList } from "#src/display/money.ts";
import {
  choiceText,
  latencyText,
  NO_SUMMARY,
  rateText,
  repeatedText,
  settingText,
} from "#src/display/run-lines.ts";
import { formatLatency, formatTook, utcTime } from "#src/display/time.ts";
import { comparisonParts, itemTable } from "./comparison-parts.ts";
import type { Fact, Finding, Part, Report, Table } from "./parts.ts";
import { baselineText, type RunFacts, type RunTotals } from "./report-data.ts";
import { latencyChart, MIX_ORDER, mixChart } from "./report-page-charts.ts";
import { createPrivacy, type Privacy } from "./report-privacy.ts";

export function runReport(data: RunFacts, totals: RunTotals): Report {
  const { info, comparison, generatedAt } = data;
  const privacy = createPrivacy(data.showPersonal);
  const { expectation, no_verdict: lacking } = totals.first;
  const unit = info.amountUnit;
  return {
    kind: "replay report",
    name: `Replay report: ${info.project}, run ${info.id}`,
    headline: headline(data, totals),
    findings: findings(data, totals),
    facts: facts(data, privacy),
    parts: [
      ...(totals.total === 0 ? [] : verdictParts(info, totals)),
      ...(comparison === null ? [] : comparisonParts(comparison, unit, privacy)),
      hitTable(data.hits),
      itemTable("Not as expected", expectation, totals.standings.expectation, unit, privacy),
      itemTable("Without a trustworthy verdict", lacking, totals.standings.no_verdict, unit, privacy),
    ],
    generatedAt,
  };
}

function headline({ info, comparison }: RunFacts, { total }: RunTotals): string {
  if (total === 0) return info.summary === null ? NO_SUMMARY : "Nothing was sent";
  if (comparison === null || comparison.compared === 0) return `${counted(total, "payment")} checked`;
  const { flipped } = comparison.changes;
  const compared = counted(comparison.compared, "verdict");
  return flipped === 0 ? "No verdict changed" : `${formatCount(flipped)} of ${compared} changed`;
}

function findings({ info, comparison, failedGates }: RunFacts, totals: RunTotals): Finding[] {
  const { total, expectationsFailed } = totals;
  const lacking = totals.standings.no_verdict;
  const repeated = info.summary === null ? null : repeatedText(info.summary);
  const all: readonly (false | null | Finding)[] = [
    info.state !== "complete" && {
      sign: "unknown",
      lead: "Not finished:",
      text: "the run was stopped before every payment of its sources was sent.",
    },
    ...failedGates.map(({ message }): Finding => ({ sign: "block", lead: message, text: "" })),
    repeated !== null && { sign: null, text: repeated },
    ...(comparison === null
      ? [{ sign: null, text: aloneText(info) }]
      : comparedFindings(comparison, info.amountUnit)),
    expectationsFailed > 0 && {
      sign: null,
      lead: counted(expectationsFailed, "payment"),
      text: "did not get the verdict that was expected.",
    },
    lacking > 0 && {
      sign: "unknown",
      lead: counted(lacking, "payment"),
      text: `${lacking === 1 ? "has" : "have"} no trustworthy verdict and must not go on without one.`,
    },
    lacking === 0 && total > 0 && { sign: null, text: "Every payment has a trustworthy verdict." },
  ];
  return all.filter((finding) => finding !== false && finding !== null);
}

const WAYS: readonly (readonly [Recommendation, readonly Recommendation[], string])[] = [
  ["block", ["pass", "3ds_or_block"], "newly blocked"],
  ["pass", ["block"], "no longer blocked, and passed"],
  ["3ds_or_block", ["pass"], "newly sent to 3-D Secure"],
];

function comparedFindings({ compared, changes, matrix }: Comparison, unit: AmountUnit): Finding[] {
  if (compared === 0) {
    return [
      { sign: null, text: "There was nothing to compare with: no payment has a verdict on both sides." },
    ];
  }
  if (changes.flipped === 0) {
    return [
      { sign: null, lead: counted(compared, "payment"), text: "compared, with the same verdict as before." },
    ];
  }
  return WAYS.flatMap(([now, before, what]) => {
    const cells = matrix.filter((cell) => cell.now === now && before.includes(cell.was));
    const count = cells.reduce((sum, cell) => sum + cell.count, 0);
    const worth = moneyWords(addMoney(cells.map((cell) => cell.money)), addEur(cells), unit);
    return count === 0 ? [] : { sign: now, lead: counted(count, "payment"), text: `${what}${worth}.` };
  });
}

/** The first three sums, how many more currencies there are, and what all of them are worth. */
function moneyWords(money: readonly Money[], eur: number | null, unit: AmountUnit): string {
  if (money.length === 0) return "";
  const all = money.length > 1 ? eurText(eur) : null;
  return `, worth ${moneyList(money, unit, 3)}${all === null ? "" : `: ${all}`}`;
}

function facts(data: RunFacts, privacy: Privacy): Fact[] {
  const { info, comparison } = data;
  const { summary } = info;
  const rate = summary === null || summary.ratePerS === null ? "" : `, ${rateText(summary.ratePerS)}`;
  const { latencies = null } = summary ?? {};
  const setting = settingText(info);
  const choice = choiceText(info);
  const some = (name: string, text: string | null): Fact[] => (text === null ? [] : [[name, text]]);
  return [
    ["Sent to", placeOf(info)],
    ["Run", `${info.id}, ${info.state}`],
    ["Sources", info.sources.map((source) => privacy.source(source)).join(", ") || "none"],
    ["Started", utcTime(info.at)],
    ...(summary === null ? [] : [["Took", `${formatTook(summary.durationMs)}${rate}`] as const]),
    ...some("Answer time", latencies && `${latencyText(latencies)}  max ${formatLatency(latencies.max)}`),
    ...some("Decided", setting),
    ...some("Chosen", choice),
    ...some("Order ids", info.freshOrderIds ? "every payment was sent with an order id of its own" : null),
    ...some("Copy of", info.copyOf?.join(" ") ?? null),
    ...some("Compared with", comparison && baselineText(data, comparison)),
  ];
}

function verdictParts({ summary }: RunInfo, totals: RunTotals): Part[] {
  const { kinds, total, latency } = totals;
  const shown = MIX_ORDER.filter((kind) => kinds[kind] > 0 || isRecommendation(kind));
  return [
    {
      title: "Verdicts",
      what: "What the service recommends for these payments.",
      heads: ["Verdict", "Payments", "Share"],
      rows: shown.map((kind) => [{ verdict: kind }, formatCount(kinds[kind]), percent(kinds[kind], total)]),
      draw: () => mixChart(totals),
    },
    {
      title: "Answer time",
      what: "From the first byte sent to the last byte read, for every payment that was answered.",
      heads: [],
      rows: [],
      draw: () => latencyChart(latency, summary?.latencies ?? null),
    },
  ];
}

function aloneText({ id, baseline }: RunFacts["info"]): string {
  if (baseline === null) return "Reported on its own: there is no earlier run beside it.";
  return `Reported on its own; "verdict compare ${baseline} ${id}" shows what changed since the earlier run.`;
}

function hitTable(hits: readonly RuleHits[]): Table {
  return {
    title: "Hits of each rule",
    heads: ["Rule", "Hits", "Decided"],
    rows: hits.map(({ code, hits: count, decided }) => [code, formatCount(count), formatCount(decided)]),
  };
}

/** The verdicts against what became of the payments. */
export function outcomeTable(outcomes: RunOutcomes): Table {
  return {
    title: "What became of the payments",
    heads: ["Label", ...MILDEST_FIRST.map((now) => ({ now }))],
    rows: LABELS.map((label) => [
      label,
      ...MILDEST_FIRST.map((verdict) => formatCount(outcomes.now.labels[label][verdict].count)),
    ]),
    notes: [...runOutcomeLines(outcomes), uncountedText(outcomes)],
  };
}
