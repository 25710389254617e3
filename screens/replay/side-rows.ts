// The facts of one payment before and now: verdict, reason, timing and request. Pure.

import type { RunRow } from "#src/contract/records/run.ts";
import { formatDateTime, formatLatency } from "#src/display/time.ts";
import { outcomeReason, verdictKind, VERDICTS, verdictSpan } from "#src/display/verdict.ts";
import type { Finding } from "#src/state/replay/run-findings.ts";
import { requestFacts, textValue, type Fact, type SideLine, type Value } from "#src/ui/sides.ts";
import type { ReplayRenderOptions } from "./render-options.ts";

/** Every fact of a finding, before and after. */
export function findingLines(finding: Finding, { theme: { ascii }, unit }: ReplayRenderOptions): SideLine[] {
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
  const was = finding.was === null ? null : verdictSpan(finding.was, ascii);
  const facts: Fact[] = [
    both("Verdict", (row) => verdictSpan(verdictKind(row.result), ascii), true, was),
    both("Required", (row) => ({ text: VERDICTS[verdictKind(row.result)].reaction }), false),
    both("Message", (row) => textValue(row.result?.message ?? null)),
    both("Reason", reasonOf),
    both("Score", (row) => textValue(row.result?.basis?.score.toString() ?? null)),
    both("Rules", (row) => textValue(rulesText(row.result))),
    both("Decided", (row) => (row.result?.repeated === true ? { text: "earlier: a stored answer" } : null)),
    both("Latency", (row) => ({ text: formatLatency(row.result?.latencyMs ?? null) }), false),
    both("Status", (row) => textValue(row.result?.httpStatus?.toString() ?? null)),
    both("Attempts", (row) => textValue(row.result === null ? null : String(row.result.attempts)), false),
    both("Decision", (row) => textValue(row.result?.decisionId ?? null), false),
    both("Expected", (row) => (row.expect === null ? null : verdictSpan(row.expect, ascii)), false),
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
                ? "The earlier result is unknown."
                : "Only the verdict of the earlier result is known.",
          },
        ]
      : []),
    { heading: "Request" },
    ...requestFacts(before?.request ?? null, after?.request ?? null, unit),
  ];
}

/** Null where a service does not tell them. */
function rulesText(result: RunRow["result"]): string | null {
  return result?.basis === undefined ? null : result.basis.rules.join(", ") || "none";
}

/** Why there is no verdict; null for an answered call, whose message is a fact of its own. */
function reasonOf({ result }: RunRow): Value | null {
  return result?.outcome === "answered" ? null : textValue(outcomeReason(result));
}
