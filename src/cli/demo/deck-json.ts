// The JSON of decks, with personal data masked. A change of a shape requires a new `schema`.

import type { CheckFrame } from "#src/actions/sandbox/demo.ts";
import { hitsOf } from "#src/contract/wire/explanation.ts";
import { REQUIRED_REACTION } from "#src/contract/wire/recommendation.ts";
import { redactRequest } from "#src/display/mask.ts";
import { maskedWords } from "#src/display/masked-words.ts";
import { checkCount, type Deck } from "#src/replay/decks/deck.ts";

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
  const { result, explanation } = frame.entries.at(-1)!;
  const recommendation = result?.recommendation ?? null;
  const masked = (text: string): string => maskedWords(text, [request]);
  return {
    schema: SCHEMA,
    type: "frame",
    step: frame.index + 1,
    steps: frame.total,
    attempt: frame.entries.length,
    attempts: frame.attempts,
    say: masked(frame.say),
    ...(notes ? { note: frame.note === null ? null : masked(frame.note) } : {}),
    project: frame.projectKey,
    risk_level: frame.riskLevel,
    virtual_time: new Date(frame.virtualTime).toISOString(),
    request: redactRequest(request),
    outcome: result?.outcome ?? "unknown",
    recommendation,
    reaction: recommendation === null ? null : REQUIRED_REACTION[recommendation],
    final_action: finalAction,
    expected,
    as_expected: asExpected,
    score: explanation?.score ?? null,
    three_ds_from: explanation?.thresholds.threeDs ?? null,
    block_from: explanation?.thresholds.block ?? null,
    decided_by: explanation?.decidedBy ?? null,
    repeat: explanation?.repeat ?? false,
    reasons: (explanation === null ? [] : hitsOf(explanation)).map(({ code, weight, effect, text }) => ({
      code,
      weight,
      effect,
      text: masked(text),
    })),
    latency_ms: result?.latencyMs == null ? null : Math.round(result.latencyMs * 10) / 10,
  };
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
