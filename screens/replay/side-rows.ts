// One payment before and now, as facts: verdict, reason, timing and request, to be set beside or below each other. Pure.

import type { RunRow } from "#src/contract/records/run.ts";
import { formatDateTime, formatLatency } from "#src/display/time.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import type { Finding } from "#src/state/replay/run-findings.ts";
import { requestFacts, textValue, type Fact, type SideLine, type Value } from "#src/ui/sides.ts";
import { resultKind, verdictSpan, type ReplayLook } from "./look.ts";

/** Everything that is known of a finding, before and after. */
export function findingLines(finding: Finding, look: ReplayLook): SideLine[] {
  const { before, after } = finding;
  const both = (
    label: string,
    read: (row: RunRow) => Value | null,
    marks: boolean = true,
    without: Value | null = null,
  ): Fact => ({
    label,
    before: before === null ? without : read(before),
    after: after === null ? null : read(after),
    marks,
  });
  const was = finding.was === null ? null : verdictSpan(finding.was, look);
  const facts: Fact[] = [
    both("Verdict", (row) => verdictSpan(resultKind(row.result), look), true, was),
    both("Required", (row) => ({ text: VERDICTS[resultKind(row.result)].reaction }), false),
    both("Message", (row) => textValue(row.result?.message ?? null)),
    both("Reason", reasonOf),
    both("Latency", (row) => ({ text: formatLatency(row.result?.latencyMs ?? null) }), false),
    both("Status", (row) => textValue(row.result?.httpStatus?.toString() ?? null)),
    both("Attempts", (row) => textValue(row.result === null ? null : String(row.result.attempts)), false),
    both("Decision", (row) => textValue(row.result?.decisionId ?? null), false),
    both("Expected", (row) => (row.expect === null ? null : verdictSpan(row.expect, look)), false),
    both("Sent at", (row) => ({ text: formatDateTime(row.at) }), false),
    both("From", (row) => textValue(row.origin), false),
  ];
  return [
    ...facts.filter((fact) => fact.before !== null || fact.after !== null),
    ...(before === null
      ? [
          {
            heading:
              finding.was === null
                ? "Of the earlier side nothing is known."
                : "Of the earlier side only the verdict is known.",
          },
        ]
      : []),
    { heading: "Request" },
    ...requestFacts(before?.request ?? null, after?.request ?? null, look.unit),
  ];
}

/** Why there is no verdict; of an answered call its message says everything. */
function reasonOf({ result }: RunRow): Value | null {
  if (result === null) return { text: "No outcome was recorded; the request may have arrived." };
  return result.outcome === "answered" ? null : textValue(result.explanation);
}
