// The JSON report of a run for other programs. Each item is one line, so that it can be streamed.
// Times are ISO 8601 in UTC; sums of money are texts; `standing` is passed, expectation, flip or no_verdict; `outcomes`, of a
// back-test, is null where no payment has a label.

import { safeJson } from "#src/display/safe.ts";
import { isoTime } from "#src/display/time.ts";
import { NO_OUTCOME } from "#src/display/verdict.ts";
import { comparisonJson, rulesJson } from "./comparison-json.ts";
import { outcomesJson } from "./outcomes-json.ts";
import { judgedRows, type JudgedRow, type ReportData, type ReportTotals } from "./report-data.ts";
import { createPrivacy, type Privacy } from "./report-privacy.ts";

const SCHEMA = 1;

/** The document in pieces; invisible characters are escaped. */
export async function* jsonReport(data: ReportData, totals: ReportTotals): AsyncGenerator<string> {
  const { decision } = data;
  const privacy = createPrivacy(data.showPersonal);
  const head = {
    schema: SCHEMA,
    type: "replay_report",
    generated_at: isoTime(data.generatedAt),
    personal_data: privacy.masked ? "masked" : "shown",
    run: runJson(data, privacy),
    summary: summaryJson(data, totals),
    comparison: data.comparison === null ? null : comparisonJson(data.comparison, data.earlier, privacy),
    ...(decision === undefined
      ? {}
      : {
          outcomes:
            decision.outcomes === null
              ? null
              : outcomesJson(decision.outcomes, decision.threeDsStops, privacy),
        }),
  };
  const members = Object.entries(head).map(([name, value]) => `${safeJson(name)}:${safeJson(value)},\n`);
  yield `{${members.join("")}"items":[`;
  let between = "\n";
  for await (const judged of judgedRows(data)) {
    yield between + safeJson(itemJson(judged, privacy));
    between = ",\n";
  }
  yield "\n]}\n";
}

function runJson({ info }: ReportData, privacy: Privacy) {
  return {
    id: info.id,
    at: isoTime(info.at),
    state: info.state,
    profile: info.profile,
    project: info.project,
    amount_unit: info.amountUnit,
    sources: info.sources.map((source) => privacy.source(source)),
    fresh_order_ids: info.freshOrderIds,
    decided_by: rulesJson(info),
  };
}

function summaryJson({ info: { summary }, failedGates, hits }: ReportData, totals: ReportTotals) {
  return {
    total: totals.total,
    ...totals.kinds,
    rejected: summary?.rejected ?? null,
    expectations: totals.expectations,
    expectations_failed: totals.expectationsFailed,
    repeated: summary?.repeated ?? 0,
    rules: hits,
    duration_ms: summary?.durationMs ?? null,
    rate_per_s: summary?.ratePerS ?? null,
    p50_ms: summary?.latencies?.p50 ?? null,
    p95_ms: summary?.latencies?.p95 ?? null,
    p99_ms: summary?.latencies?.p99 ?? null,
    max_ms: summary?.latencies?.max ?? null,
    failed_gates: failedGates,
  };
}

function itemJson({ row, was, change, standing }: JudgedRow, privacy: Privacy) {
  const { result, request } = row;
  const readable = (text: string | null): string | null =>
    text === null ? null : privacy.text(text, request);
  return {
    seq: row.seq,
    key: row.key,
    origin: readable(row.origin),
    tags: row.tags.map(readable),
    ...(row.label === undefined ? {} : { label: row.label }),
    at: isoTime(row.at),
    standing,
    // An intent without an outcome was lost in a crash.
    outcome: result?.outcome ?? "unknown",
    recommendation: result?.recommendation ?? null,
    expect: row.expect,
    was,
    change,
    message: readable(result?.message ?? null),
    reason: result === null ? "no_outcome" : result.reason,
    explanation: readable(result === null ? NO_OUTCOME : result.explanation),
    http_status: result?.httpStatus ?? null,
    latency_ms: result?.latencyMs == null ? null : Math.round(result.latencyMs * 10) / 10,
    attempts: result?.attempts ?? 0,
    repeated: result?.repeated === true,
    decision_id: result?.decisionId ?? null,
    request: privacy.request(request),
  };
}
