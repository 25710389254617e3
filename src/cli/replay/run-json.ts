// The JSON of replays and runs. A change of a shape requires a new `schema`.

import { checkJson } from "#src/actions/check/check-json.ts";
import type { Preflight } from "#src/actions/replay/preflight.ts";
import type { RunOutcomes } from "#src/contract/records/outcomes.ts";
import type { Replayed, ReplayProgress } from "#src/actions/replay/replay.ts";
import type { ItemChange } from "#src/contract/records/flip.ts";
import type {
  FailedGate,
  RuleHits,
  RunHeader,
  RunInfo,
  RunRow,
  RunSummary,
} from "#src/contract/records/run.ts";
import { rulesJson } from "#src/replay/reports/comparison-json.ts";

const SCHEMA = 1;

/** What `verdict replay --json` prints for one item: the JSON of a check with the item's place in the run. */
export function resultJson(run: RunInfoPart, row: RunRow, change: ItemChange) {
  const { schema, ...check } = checkJson({
    id: `${run.id}:${row.seq}`,
    at: row.at,
    profile: run.profile,
    project: run.project,
    request: row.request,
    result: row.result,
    finalAction: null,
    repeats: null,
    warnings: row.warnings ?? [],
    explanation: null,
    note: null,
  });
  const { seq, key, origin, expect, was } = row;
  const { score = null, rules = null } = row.result?.basis ?? {};
  return { schema, type: "result", ...check, score, rules, seq, key, origin, expect, was, change };
}

type RunInfoPart = Pick<RunInfo, "id" | "profile" | "project">;

/** The last line of `verdict replay --json`. */
export function summaryJson(
  { info, comparison, warnings, stopped }: Replayed,
  failedGates: readonly FailedGate[],
  hits: readonly RuleHits[],
) {
  const summary = info.summary!;
  return {
    schema: SCHEMA,
    type: "summary",
    run: info.id,
    state: info.state,
    stopped,
    ...countsJson(summary),
    rejected: summary.rejected,
    warned: warnings.payloads,
    flips: comparison.changes.flipped,
    ...figuresJson(summary),
    failed_gates: failedGates,
    rules: hits,
  };
}

/** The first line of `verdict replay --json`. */
export function startedJson(header: RunHeader, alreadySent: number) {
  const {
    state: _state,
    summary: _summary,
    ...run
  } = runJson({ ...header, state: "partial", summary: null });
  return { ...run, type: "started", already_sent: alreadySent };
}

/** How far a replay is, once a second. */
export function progressJson(
  run: string,
  { summary, comparison, fraction, etaMs, inFlight, state }: ReplayProgress,
) {
  return {
    schema: SCHEMA,
    type: "progress",
    run,
    state,
    fraction,
    eta_ms: etaMs === null ? null : Math.round(etaMs),
    in_flight: inFlight,
    ...countsJson(summary),
    rejected: summary.rejected,
    flips: comparison.changes.flipped,
    ...figuresJson(summary),
  };
}

/** What `verdict run list --json` and `run show --json` print for one run. */
export function runJson(run: RunInfo) {
  const { id, at, profile, project, sources, baseline, freshOrderIds, state, summary } = run;
  return {
    schema: SCHEMA,
    run: id,
    at: new Date(at).toISOString(),
    profile,
    project,
    state,
    sources,
    baseline,
    fresh_order_ids: freshOrderIds,
    decided_by: rulesJson(run),
    shard: run.shard ?? null,
    only_tags: run.onlyTags ?? [],
    skip_tags: run.skipTags ?? [],
    summary:
      summary === null
        ? null
        : {
            ...countsJson(summary),
            rejected: summary.rejected,
            ...figuresJson(summary),
            duration_ms: Math.round(summary.durationMs),
          },
  };
}

/** What `verdict replay --dry-run --json` prints. Sums are texts, because they may exceed the exact range of JSON numbers. */
export function preflightJson(preflight: Preflight) {
  const { items, leftOut, rejectedCount, warnings, expectations, money } = preflight;
  return {
    schema: SCHEMA,
    dry_run: true,
    items,
    left_out: leftOut,
    rejected: rejectedCount,
    warned: warnings.payloads,
    warnings: warnings.sentences,
    expectations,
    money: money.map(({ currency, amount }) => ({ currency, amount: String(amount) })),
  };
}

function countsJson({ counts }: RunSummary) {
  return {
    total: counts.total,
    pass: counts.pass,
    block: counts.block,
    "3ds_or_block": counts.threeDs,
    indeterminate: counts.indeterminate,
    refused: counts.refused,
    unknown: counts.unknown,
    not_sent: counts.notSent,
  };
}

function figuresJson({ expectationsFailed, undecided, repeated, ratePerS, latencies }: RunSummary) {
  return {
    expectations_failed: expectationsFailed,
    undecided: undecided ?? 0,
    repeated: repeated ?? 0,
    rate_per_s: tenths(ratePerS),
    p50_ms: tenths(latencies?.p50),
    p95_ms: tenths(latencies?.p95),
    p99_ms: tenths(latencies?.p99),
  };
}

function tenths(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value * 10) / 10;
}

/** The verdicts of a run by what became of its payments; null where nobody knows. */
export function outcomesJson(outcomes: RunOutcomes | null) {
  if (outcomes === null) return null;
  const { now, before, labelled, unlabelled, noVerdict } = outcomes;
  return { labelled, unlabelled, no_verdict: noVerdict, now: now.labels, before: before?.labels ?? null };
}
