// Makes an embedded test of a rule: the sample payment, changed as the test says.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { RuleTest, SamplePayment } from "./rule-file-shape.ts";
import type { EmbeddedTest } from "./rule-set.ts";

export function embeddedTest(sample: SamplePayment, test: RuleTest): EmbeddedTest {
  const { name, given, level, at = sample.at, counts, lists, expect, line } = test;
  return {
    name,
    request: merged(sample.request, given) as CheckRequest,
    project: { projectId: "sample", riskLevel: level, currency: sample.project_currency },
    now: at,
    counts,
    lists,
    expect,
    line,
  };
}

/** The change laid over the base, object by object; null removes a field. */
function merged(base: unknown, change: unknown): unknown {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change;
  const result: Record<string, unknown> = { ...(base as Record<string, unknown> | undefined) };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}
