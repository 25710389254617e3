// What became of payments under two rule sets as JSON, for reports and standard output. A change of its shape requires a new `schema`.

import {
  isJudged,
  keptEur,
  sideShares,
  wilson,
  type SideShares,
  type ThreeDsStops,
} from "#src/contract/records/outcome-shares.ts";
import type { OutcomeCase, Outcomes, Share, SideOutcomes } from "#src/contract/records/outcomes.ts";
import { isoTime } from "#src/display/time.ts";
import type { Privacy } from "./report-privacy.ts";

/** Amounts are in minor units, EUR about; a share is null where there is nothing to judge. */
export function outcomesJson(outcomes: Outcomes, threeDsStops: ThreeDsStops, privacy: Privacy) {
  const { current, proposed, changes, causes, rules, spans, spanMs, withoutRate, unused } = outcomes;
  return inCents({
    current: sideJson(current),
    proposed: sideJson(proposed),
    three_ds_stops: threeDsStops,
    // For each of these shares; null with labels of one kind, which say one half of it.
    net_eur: isJudged(current)
      ? threeDsStops.map((stops) => cents(keptEur(proposed, stops) - keptEur(current, stops)))
      : null,
    changes: changes.map(({ cases, ...change }) => ({
      ...change,
      cases: [...cases.bad, ...cases.good].map((each) => caseJson(each, privacy)),
    })),
    causes,
    rules,
    spans: spans.map((span) => ({
      from: isoTime(span.from),
      total: span.total,
      current: { good_blocked: span.current.goodBlocked, bad_passed: span.current.badPassed },
      proposed: { good_blocked: span.proposed.goodBlocked, bad_passed: span.proposed.badPassed },
    })),
    span_ms: spanMs,
    without_rate: withoutRate,
    unused_labels: unused,
  });
}

function sideJson({ labels, unlabelled, curve, scores, marks }: SideOutcomes) {
  return {
    labels,
    unlabelled,
    shares: sharesJson(sideShares({ labels }), true),
    eur_shares: sharesJson(sideShares({ labels }, "eur"), false),
    curve,
    scores,
    marks: marks === null ? null : { three_ds: marks.threeDs, block: marks.block },
  };
}

export function sharesJson(shares: SideShares, counts: boolean) {
  const json = (share: Share) => {
    const { part, whole } = share;
    // The interval of so many cases at 95 %; sums of money are no cases.
    const interval = counts ? wilson(share) : null;
    return { part: cents(part), whole: cents(whole), share: whole === 0 ? null : part / whole, interval };
  };
  return {
    caught: json(shares.caught),
    bad_secured: json(shares.badSecured),
    bad_passed: json(shares.badPassed),
    good_blocked: json(shares.goodBlocked),
    good_secured: json(shares.goodSecured),
    good_passed: json(shares.goodPassed),
    good_disturbed: json(shares.goodDisturbed),
    precision: json(shares.precision),
    base_rate: json(shares.baseRate),
  };
}

function caseJson({ row, earlier, label }: OutcomeCase, privacy: Privacy) {
  const readable = (text: string): string => privacy.text(text, row.request);
  return {
    key: row.key,
    origin: readable(row.origin),
    order_id: row.request.order_id ?? null,
    at: isoTime(row.at),
    amount: row.request.amount ?? null,
    currency: row.request.currency ?? null,
    label,
    rules_before: earlier?.rules ?? [],
    rules_now: row.result?.basis?.rules ?? [],
    message: readable(row.result?.message ?? ""),
  };
}

/** With sums rounded after all is added up. */
function inCents<T>(json: T): T {
  const rounded = (key: string, value: unknown): unknown =>
    key === "eur" && typeof value === "number" ? cents(value) : value;
  return JSON.parse(JSON.stringify(json, rounded)) as T;
}

export function cents(eur: number): number {
  return Math.round(eur * 100) / 100;
}
