// Decisions about rules: of a day of labelled payments, judged by two real rule sets, and of groups of equal payments.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findOverlap } from "#src/actions/rules/rule-overlap.ts";
import type { SidedRow } from "#src/contract/records/flip.ts";
import type { Label } from "#src/contract/records/label.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { FlipCounter } from "#src/replay/flips.ts";
import type { DecisionData } from "#src/replay/reports/decision-data.ts";
import { createBacktest, type BacktestSummary } from "#src/rules/backtest.ts";
import { createOutcomeTally } from "#src/rules/outcomes/outcome-tally.ts";
import { eurPerUnit } from "#src/rules/rule-file/eur-rates.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { runResult, runRow } from "./rows.ts";

interface Line {
  readonly at: string;
  readonly outcome: Label;
  readonly request: CheckRequest;
}

const BURST = /- code: BIN_BURST\n[\s\S]*?needs: \[last_four, bin_terminal\]/;

/** A rule that blocks by itself. */
const burst = (limit: number): string => `- code: BIN_BURST
    text: "{n} last fours of this BIN in 6 h (limit {limit})"
    clear: "last fours of this BIN in 6 h: {n} (limit {limit})"
    when: distinct("last_four", "bin_terminal", "6h") > limit
    params: { limit: ${limit} }
    score: 75
    needs: [last_four, bin_terminal]`;

/** The starter rules with a limit that is too narrow, and one that is too wide. */
async function ruleSets(): Promise<Record<"current" | "proposed", Awaited<ReturnType<typeof loadRules>>>> {
  const text = readFileSync("src/rules/rule-file/starter-rules.yaml", "utf8");
  // The tests of the file belong to its limits.
  const untested = text.replaceAll(/\n {4}tests:(\n {6}.*)+/g, "");
  return {
    current: await loadRules(untested.replace(BURST, burst(1)), "today.yaml"),
    proposed: await loadRules(untested.replace(BURST, burst(8)), "proposal.yaml"),
  };
}

/** @param keeps false leaves a payment without its label */
export async function decisionDay(
  count: number,
  changes: Partial<DecisionData> = {},
  keeps: (label: Label, index: number) => boolean = () => true,
): Promise<DecisionData> {
  const { stdout } = spawnSync(
    process.execPath,
    ["examples/labelled-day.mjs", "--count", String(count), "--days", "2"],
    { encoding: "utf8", maxBuffer: 1e9 },
  );
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const { current, proposed } = await ruleSets();
  const backtest = createBacktest(current, proposed);
  const tally = createOutcomeTally(current, proposed);
  const rates = eurPerUnit(proposed.rates, "minor");
  const flips = new FlipCounter({ baseline: "today.yaml", run: "proposal.yaml" }, rates);
  for (const [index, { at, outcome, request }] of lines.entries()) {
    const now = Date.parse(at);
    const key = String(request.order_id);
    const project = { projectId: "p", riskLevel: "medium", currency: null } as const;
    const verdicts = backtest.take(key, { request, project, now });
    const lost = verdicts.current.hits.filter((code) => !verdicts.proposed.hits.includes(code));
    const row = runRow(index + 1, verdicts.proposed.recommendation, {
      key,
      request,
      at: now,
      origin: `day.ndjson:${index + 1}`,
      result: runResult(verdicts.proposed.recommendation, {
        message: `no longer hit ${lost.join(", ")}; score ${verdicts.current.score} before, ${verdicts.proposed.score} now`,
        basis: { score: verdicts.proposed.score, rules: verdicts.proposed.rules },
      }),
    });
    const earlier = { verdict: verdicts.current.recommendation, rules: verdicts.current.rules };
    const sided: SidedRow = { row, earlier };
    flips.take(row, earlier, "shop/medium");
    const rate = rates.get(request.currency ?? 0);
    tally.take({
      label: keeps(outcome, index) ? outcome : null,
      sided,
      current: verdicts.current,
      proposed: verdicts.proposed,
      eur: rate === undefined ? null : rate * Number(request.amount),
      at: now,
      riskLevel: "medium",
    });
  }
  const summary = backtest.summary();
  return decisionOf({
    current: { name: "today.yaml", hash: current.hash },
    proposed: { name: "proposal.yaml", hash: proposed.hash },
    from: Date.parse(lines[0]!.at),
    to: Date.parse(lines.at(-1)!.at),
    total: lines.length,
    comparison: flips.comparison(),
    outcomes: tally.read(3),
    rules: rulesOf(summary),
    overlap: findOverlap(summary),
    ratesAsOf: proposed.rates?.asOf ?? null,
    ...changes,
  });
}

function rulesOf({ rules }: BacktestSummary): DecisionData["rules"] {
  return rules.map(({ code, current, proposed, both, alone }) => ({
    code,
    both,
    alone,
    current: { mode: current === null ? null : "live", hits: current ?? 0 },
    proposed: { mode: proposed === null ? null : "live", hits: proposed ?? 0 },
  }));
}

export const NO_LABELS: DecisionData["labels"] = {
  origins: [],
  asOf: null,
  assumed: 0,
  unused: 0,
  late: 0,
  madeAfter: 0,
  turnedBad: 0,
  missed: 0,
  idleTags: [],
};

/** A decision about no payments, with what is given. */
export function decisionOf(changes: Partial<DecisionData> = {}): DecisionData {
  const names = { baseline: "today.yaml", run: "proposal.yaml" };
  return {
    current: { name: "today.yaml", hash: "0f".repeat(32) },
    proposed: { name: "proposal.yaml", hash: "1e".repeat(32) },
    ruleChanges: ["block mark at medium from 75 to 60"],
    sources: ["day.ndjson"],
    from: null,
    to: null,
    total: 0,
    dataHash: "2d".repeat(32),
    comparison: new FlipCounter(names, new Map()).comparison(),
    outcomes: null,
    threeDsStops: [0, 1],
    labels: { ...NO_LABELS, origins: ["column outcome of day.ndjson"] },
    stepMs: 60_000,
    outOfOrder: 0,
    rules: [],
    overlap: { together: [], within: [] },
    gates: [],
    failedGates: [],
    ratesAsOf: "2026-11-01",
    riskLevel: "medium",
    rejected: 0,
    untimed: 0,
    repeats: 0,
    showPersonal: false,
    generatedAt: Date.UTC(2026, 10, 21, 9, 31),
    ...changes,
  };
}
