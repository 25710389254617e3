// The JSON of decks, with personal data masked. A change of a shape requires a new `schema`.

import type { CheckFrame, FrameSide, StreamFrame } from "#src/actions/sandbox/demo.ts";
import { hitsOf } from "#src/contract/wire/explanation.ts";
import { REQUIRED_REACTION } from "#src/contract/wire/recommendation.ts";
import type { Share } from "#src/contract/records/outcomes.ts";
import { checkCount, type Deck } from "#src/replay/decks/deck.ts";
import { daySides } from "./day-sums.ts";

const SCHEMA = 1;

/** What `verdict demo --list --json` prints for one deck. */
export function deckJson(deck: Deck) {
  const { name, title, summary, startAt, seed, steps } = deck;
  return {
    schema: SCHEMA,
    deck: name,
    title,
    summary,
    start: new Date(startAt).toISOString(),
    seed,
    steps: steps.length,
    checks: checkCount(deck),
  };
}

/** What `verdict demo --json` prints for one check. */
export function frameJson(frame: CheckFrame, notes: boolean) {
  const { request, expected, asExpected, finalAction } = frame;
  return {
    schema: SCHEMA,
    type: "frame",
    step: frame.index + 1,
    steps: frame.total,
    attempt: frame.entries.length,
    attempts: frame.attempts,
    say: frame.say,
    ...(notes ? { note: frame.note } : {}),
    project: frame.projectKey,
    risk_level: frame.riskLevel,
    virtual_time: new Date(frame.virtualTime).toISOString(),
    /** Name of the rules that came into force with this step. */
    rules: frame.rules,
    /** What was made to go wrong. */
    fault: frame.fault,
    request,
    ...verdictJson(frame.entries.at(-1)!),
    final_action: finalAction,
    expected,
    as_expected: asExpected,
    /** The same payment, answered side by side; the first one's answer stands above. */
    sides: frame.sides.map(sideJson),
  };
}

function sideJson({ title, projectKey, riskLevel, expected, entry }: FrameSide) {
  return {
    title,
    project: projectKey,
    risk_level: riskLevel,
    ...verdictJson(entry),
    final_action: entry.finalAction,
    expected,
  };
}

function verdictJson({ result, explanation }: FrameSide["entry"]) {
  const recommendation = result?.recommendation ?? null;
  return {
    outcome: result?.outcome ?? "unknown",
    recommendation,
    reaction: recommendation === null ? null : REQUIRED_REACTION[recommendation],
    score: explanation?.score ?? null,
    three_ds_from: explanation?.thresholds.threeDs ?? null,
    block_from: explanation?.thresholds.block ?? null,
    decided_by: explanation?.decidedBy ?? null,
    repeat: explanation?.repeat ?? false,
    reasons: (explanation === null ? [] : hitsOf(explanation)).map(({ code, weight, effect, text }) => ({
      code,
      weight,
      effect,
      text,
    })),
    latency_ms: result?.latencyMs == null ? null : Math.round(result.latencyMs * 10) / 10,
  };
}

/** What `verdict demo --json` prints for a day of payments. */
export function dayJson({ index, total, say, note, day }: StreamFrame, notes: boolean) {
  const time = (place: number): string | null => {
    const payment = day.payments.at(place);
    return payment === undefined ? null : new Date(payment.at).toISOString();
  };
  const [today, proposed] = daySides(day).map(({ rules, verdicts, shares }) => ({
    rules,
    verdicts,
    good_blocked: shares === null ? null : shareJson(shares.goodBlocked),
    fraud_passed: shares === null ? null : shareJson(shares.badPassed),
    fraud_secured: shares === null ? null : shareJson(shares.badSecured),
    fraud_blocked: shares === null ? null : shareJson(shares.caught),
    /** Fraud among what is blocked. */
    precision: shares === null ? null : shareJson(shares.precision),
  }));
  return {
    schema: SCHEMA,
    type: "day",
    step: index + 1,
    steps: total,
    say,
    ...(notes ? { note } : {}),
    payments: day.payments.length,
    changed: day.payments.filter((payment) => payment.today !== payment.proposed).length,
    from: time(0),
    to: time(-1),
    today: today!,
    proposed: proposed ?? null,
    rule_changes: day.changes,
    sentences: day.sentences,
  };
}

function shareJson({ part, whole }: Share) {
  return { part: Math.round(part), whole: Math.round(whole) };
}

/** The last line of `verdict demo --json`. */
export function deckSummaryJson(deck: Deck, expectationsFailed: number) {
  return {
    schema: SCHEMA,
    type: "summary",
    deck: deck.name,
    steps: deck.steps.length,
    checks: checkCount(deck),
    expectations_failed: expectationsFailed,
  };
}
