// History entries for tests.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";

export function intent(id: string, changes: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id,
    at: Date.UTC(2026, 0, 2, 12),
    profile: "sandbox",
    project: "merchant-7/medium",
    request: { operation: "payment", order_id: `A-${id}`, amount: 12_000, currency: 980 },
    result: null,
    finalAction: null,
    repeats: null,
    warnings: [],
    explanation: null,
    note: null,
    ...changes,
  };
}

export function answer(changes: Partial<CheckResult> = {}): CheckResult {
  return {
    outcome: "answered",
    reason: null,
    explanation: "The service answered.",
    httpStatus: 200,
    latencyMs: 84,
    attempts: 1,
    retryAfterS: null,
    serverDateMs: null,
    clockSkewS: null,
    virtualTimeMs: null,
    decisionId: null,
    recommendation: "block",
    message: "Too many attempts",
    rawCode: null,
    ...changes,
  };
}
