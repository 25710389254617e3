// What became of payments under two rule sets as JSON, for reports and standard output. A change of its shape requires a new `schema`.

import { sideShares, wilson, type SideShares } from "#src/contract/records/outcome-shares.ts";
import type {
  ByWorth,
  OutcomeCase,
  Outcomes,
  RuleWorth,
  Share,
  SideOutcomes,
  Weighed,
} from "#src/contract/records/outcomes.ts";
import { isoTime } from "#src/display/time.ts";
import type { Privacy } from "./report-privacy.ts";

/** Amounts are in minor units, EUR about; a share is null where there is nothing to judge. */
export function outcomesJson(outcomes: Outcomes, privacy: Privacy) {
  return {
    current: sideJson(outcomes.current),
    proposed: sideJson(outcomes.proposed),
    changes: outcomes.changes.map(({ was, now, unlabelled, cases, ...worth }) => ({
      was,
      now,
      ...worthJson(worth),
      unlabelled: weighedJson(unlabelled),
      cases: [...cases.bad, ...cases.good].map((each) => caseJson(each, privacy)),
    })),
    causes: outcomes.causes.map(({ was, now, before, after, unlabelled, ...worth }) => ({
      was,
      now,
      before,
      after,
      ...worthJson(worth),
      unlabelled: weighedJson(unlabelled),
    })),
    rules: outcomes.rules.map(({ code, current, proposed }) => ({
      code,
      current: ruleJson(current),
      proposed: ruleJson(proposed),
    })),
    spans: outcomes.spans.map(({ from, total, current, proposed }) => ({
      from: isoTime(from),
      total,
      current: { good_blocked: current.goodBlocked, bad_passed: current.badPassed },
      proposed: { good_blocked: proposed.goodBlocked, bad_passed: proposed.badPassed },
    })),
    span_ms: outcomes.spanMs,
    without_rate: outcomes.withoutRate,
    unused_labels: outcomes.unused,
  };
}

function sideJson(side: SideOutcomes) {
  const { labels, unlabelled, curve, scores, marks } = side;
  const byVerdict = (of: typeof unlabelled) => ({
    pass: weighedJson(of.pass),
    "3ds_or_block": weighedJson(of["3ds_or_block"]),
    block: weighedJson(of.block),
  });
  return {
    labels: {
      fraud: byVerdict(labels.fraud),
      chargeback: byVerdict(labels.chargeback),
      refund: byVerdict(labels.refund),
      good: byVerdict(labels.good),
    },
    unlabelled: byVerdict(unlabelled),
    shares: sharesJson(sideShares(side), true),
    eur_shares: sharesJson(sideShares(side, "eur"), false),
    curve: curve.map(({ shift, ...worth }) => ({ shift, ...worthJson(worth) })),
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
    good_disturbed: json(shares.goodDisturbed),
    precision: json(shares.precision),
  };
}

function ruleJson(rule: RuleWorth | null) {
  if (rule === null) return null;
  return { hits: worthJson(rule.hits), alone: worthJson(rule.alone), unlabelled: rule.unlabelled };
}

function caseJson({ row, earlier, label }: OutcomeCase, privacy: Privacy) {
  const readable = (text: string): string => privacy.text(text, row.request);
  return {
    key: readable(row.key),
    origin: readable(row.origin),
    order_id: row.request.order_id === undefined ? null : readable(row.request.order_id),
    at: isoTime(row.at),
    amount: row.request.amount ?? null,
    currency: row.request.currency ?? null,
    label,
    rules_before: earlier?.rules ?? [],
    rules_now: row.result?.rules ?? [],
    message: readable(row.result?.message ?? ""),
  };
}

function worthJson({ bad, good }: ByWorth) {
  return { bad: weighedJson(bad), good: weighedJson(good) };
}

function weighedJson({ count, eur }: Weighed) {
  return { count, eur: cents(eur) };
}

export function cents(eur: number): number {
  return Math.round(eur * 100) / 100;
}
