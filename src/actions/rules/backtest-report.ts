// What the reports of a back-test are made of: rows as those of a replay, and the decision about the rules.

import type { ActionContext } from "#src/actions/action-context.ts";
import { NONE_OR_ALL } from "#src/contract/records/outcome-shares.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleMode } from "#src/contract/wire/explanation.ts";
import type { DecisionData, DecisionRule } from "#src/replay/reports/decision-data.ts";
import type { ReportData } from "#src/replay/reports/report-data.ts";
import { ruleChanges } from "#src/rules/rule-facts.ts";
import type { DecidedPayments } from "./backtest-rows.ts";
import type { Backtested, BacktestInput, NamedRules } from "./backtest.ts";
import { usedLabels } from "./payment-labels.ts";
import { findOverlap } from "./rule-overlap.ts";

/** The earlier side is the current rules and the later one the proposed rules. */
export function backtestReport(
  context: ActionContext,
  input: BacktestInput,
  done: Backtested,
  options: Pick<ReportData, "showPersonal" | "failedGates"> &
    Pick<DecisionData, "gates"> & { readonly startedAt: Milliseconds; readonly payments: DecidedPayments },
): ReportData & { readonly decision: DecisionData } {
  const { current, proposed, sources, riskLevel } = input;
  const { comparison, summary, rejected } = done;
  const counts = { total: summary.total, pass: 0, block: 0, threeDs: 0 };
  const names = { pass: "pass", block: "block", "3ds_or_block": "threeDs" } as const;
  for (const { now, count } of comparison.matrix) counts[names[now]] += count;
  const generatedAt = context.now();
  const info: RunInfo = {
    id: `back-test of ${proposed.name}`,
    at: options.startedAt,
    profile: context.profile.name,
    project: riskLevel === null ? "risk level of each project" : `risk level ${riskLevel}`,
    amountUnit: "minor",
    sources,
    baseline: current.name,
    freshOrderIds: false,
    state: "complete",
    summary: {
      counts: { ...counts, indeterminate: 0, refused: 0, unknown: 0, notSent: 0 },
      rejected,
      expectationsFailed: 0,
      latencies: null,
      ratePerS: null,
      durationMs: generatedAt - options.startedAt,
    },
  };
  const hits = summary.rules.flatMap(({ code, proposed: hit, decided }) =>
    hit === null || hit === 0 ? [] : { code, hits: hit, decided },
  );
  const { showPersonal, failedGates, gates, payments } = options;
  const told = { failedGates, showPersonal, generatedAt };
  const decision = decisionOf(input, done, { ...told, gates });
  return { info, comparison, earlier: null, hits, rows: () => payments.rows(), decision, ...told };
}

function decisionOf(
  input: BacktestInput,
  done: Backtested,
  told: Pick<DecisionData, "gates" | "failedGates" | "showPersonal" | "generatedAt">,
): DecisionData {
  const { sources, riskLevel, stepMs, labels, proposed } = input;
  return {
    ...done,
    ...told,
    ruleChanges: ruleChanges(input.current.ruleSet, proposed.ruleSet),
    sources,
    riskLevel,
    stepMs,
    current: decided(input.current),
    proposed: decided(proposed),
    threeDsStops: input.threeDsStops ?? NONE_OR_ALL,
    total: done.summary.total,
    labels: usedLabels(labels, done.labels),
    rules: ruleSides(input, done),
    overlap: findOverlap(done.summary),
    ratesAsOf: proposed.ruleSet.rates?.asOf ?? null,
  };
}

/** The name without the first digits of the hash, which stands beside it in full. */
function decided({ name, ruleSet: { hash } }: NamedRules): DecisionData["current"] {
  return { name: name.replace(` (${hash.slice(0, 8)})`, ""), hash };
}

/** Every rule of both sides, those of the proposed file first; hits of shadow rules are what they would have hit. */
function ruleSides(
  { current, proposed }: Pick<BacktestInput, "current" | "proposed">,
  { summary, shadow }: Pick<Backtested, "summary" | "shadow">,
): DecisionRule[] {
  const modes = (rules: NamedRules): Map<string, RuleMode> =>
    new Map(rules.ruleSet.rules.map(({ code, mode }) => [code, mode]));
  const [before, after] = [modes(current), modes(proposed)];
  const tried = new Map(shadow.map((each) => [each.code, each]));
  return summary.rules.map((rule) => {
    const side = (mode: RuleMode | undefined, name: "current" | "proposed"): DecisionRule["current"] => ({
      mode: mode ?? null,
      hits: (mode === "shadow" ? tried.get(rule.code)?.[name] : rule[name]) ?? 0,
    });
    return {
      code: rule.code,
      current: side(before.get(rule.code), "current"),
      proposed: side(after.get(rule.code), "proposed"),
      both: rule.both,
      alone: rule.alone,
    };
  });
}
