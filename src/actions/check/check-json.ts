// One check as JSON, for commands and exports. A change of its shape requires a new `schema`.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { REQUIRED_REACTION } from "#src/contract/wire/recommendation.ts";
import { NO_OUTCOME } from "#src/display/verdict.ts";

const SCHEMA = 1;

/** What `verdict check --json` and `verdict history --json` print for one check. */
export function checkJson(entry: HistoryEntry) {
  const { result } = entry;
  const recommendation = result?.recommendation ?? null;
  return {
    schema: SCHEMA,
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    profile: entry.profile,
    project: entry.project,
    order_id: entry.request.order_id ?? null,
    amount: entry.request.amount ?? null,
    currency: entry.request.currency ?? null,
    // An intent without an outcome is unknown: in flight, or lost in a crash.
    outcome: result?.outcome ?? "unknown",
    recommendation,
    message: result?.message ?? null,
    reason: result?.reason ?? null,
    explanation: result?.explanation ?? NO_OUTCOME,
    reaction: recommendation === null ? null : REQUIRED_REACTION[recommendation],
    final_action: entry.finalAction,
    http_status: result?.httpStatus ?? null,
    latency_ms: result?.latencyMs == null ? null : Math.round(result.latencyMs * 10) / 10,
    attempts: result?.attempts ?? 0,
    warnings: entry.warnings,
    // Only where somebody has said what became of the order.
    ...(entry.label === undefined ? {} : { label: entry.label }),
    // Only for a repeated attempt.
    ...(entry.repeats === null ? {} : { repeats: entry.repeats }),
  };
}
