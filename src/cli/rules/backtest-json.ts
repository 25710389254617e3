// The JSON of a back-test. A change of a shape requires a new `schema`.

import type { Backtested, BacktestInput, NamedRules } from "#src/actions/rules/backtest.ts";
import { findOverlap } from "#src/actions/rules/rule-overlap.ts";
import { NONE_OR_ALL } from "#src/contract/records/outcome-shares.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { isoTime } from "#src/display/time.ts";
import { comparisonJson } from "#src/replay/reports/comparison-json.ts";
import { outcomesJson } from "#src/replay/reports/outcomes-json.ts";
import { createPrivacy } from "#src/replay/reports/report-privacy.ts";
import type { BacktestRow, BacktestVerdict } from "#src/rules/backtest.ts";

const SCHEMA = 1;

/** What `verdict rules backtest --json` prints for one changed verdict. Amounts are in minor units. */
export function flipJson(row: RunRow, { current, proposed }: BacktestRow) {
  const { seq, key, origin, request, at } = row;
  return {
    schema: SCHEMA,
    type: "flip",
    seq,
    key,
    origin,
    at: isoTime(at),
    order_id: request.order_id ?? null,
    label: row.label ?? null,
    amount: request.amount ?? null,
    currency: request.currency ?? null,
    was: current.recommendation,
    now: proposed.recommendation,
    newly_hit: proposed.hits.filter((code) => !current.hits.includes(code)),
    no_longer_hit: current.hits.filter((code) => !proposed.hits.includes(code)),
    current: sideJson(current),
    proposed: sideJson(proposed),
  };
}

function sideJson({ decidedBy, score, hits, shadowHits, notEvaluated }: BacktestVerdict) {
  return { decided_by: decidedBy, score, hits, shadow_hits: shadowHits, not_evaluated: notEvaluated };
}

/** The last line of `verdict rules backtest --json`. Sums of money are texts, in minor units. */
export function backtestJson(input: BacktestInput, done: Backtested) {
  const { summary, comparison, shadow, repeats, rejected, untimed, from, to } = done;
  const {
    worst_flips: _,
    baseline_on: __,
    ...compared
  } = comparisonJson(comparison, null, createPrivacy(true));
  const { together, within } = findOverlap(summary);
  const { assumed, idleTags, unused: ___, madeAfter, turnedBad, ...use } = done.labels;
  const asOf = input.labels?.asOf ?? null;
  return {
    schema: SCHEMA,
    type: "backtest",
    current: rulesJson(input.current),
    proposed: rulesJson(input.proposed),
    risk_level: input.riskLevel,
    total: summary.total,
    data_hash: done.dataHash,
    from: from === null ? null : isoTime(from),
    to: to === null ? null : isoTime(to),
    untimed,
    step_ms: input.stepMs,
    out_of_order: done.outOfOrder,
    repeats,
    rejected,
    flips: comparison.changes.flipped,
    new_blocks: comparison.newBlocks,
    released: comparison.released,
    comparison: compared,
    labels: {
      ...use,
      idle_tags: idleTags,
      taken_for_good: assumed,
      made_after: madeAfter,
      turned_bad: turnedBad,
      as_of: asOf === null ? null : isoTime(asOf),
    },
    outcomes:
      done.outcomes === null
        ? null
        : outcomesJson(done.outcomes, input.threeDsStops ?? NONE_OR_ALL, createPrivacy(true)),
    rules: summary.rules,
    shadow,
    overlap: {
      always_together: together,
      never_without: within.map(({ otherCount, ...rest }) => ({ ...rest, other_count: otherCount })),
      pairs: summary.overlaps,
    },
  };
}

function rulesJson({ name, ruleSet }: NamedRules) {
  return { label: name, name: ruleSet.name, hash: ruleSet.hash };
}
