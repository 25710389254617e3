// A project, a decision and a rule of it for tests, and anything of each replaced.

import type { Project } from "#src/contract/records/project.ts";
import type { Explanation, RuleTrace } from "#src/contract/wire/explanation.ts";

/** A project of the sandbox that waits for its credential, named by its merchant and risk level. */
export function projectOf(change: Partial<Project> = {}): Project {
  const { merchantId = "demo-shop", riskLevel = "medium" } = change;
  return {
    key: `${merchantId}/${riskLevel}`,
    profile: "sandbox",
    companyId: "company-1",
    merchantId,
    riskLevel,
    name: "Demo shop",
    description: null,
    currency: 980,
    state: "registered",
    startedAt: 0,
    provenStartAt: null,
    serviceOffsetMs: null,
    projectId: null,
    ...change,
  };
}

export function traceOf(change: Partial<RuleTrace> = {}): RuleTrace {
  return {
    code: "R",
    text: "",
    outcome: "hit",
    mode: "live",
    weight: 40,
    effect: "score",
    values: {},
    ...change,
  };
}

/** A block by its score, without rules and counters. */
export function explanationOf(change: Partial<Explanation> = {}): Explanation {
  return {
    id: "d-1",
    recommendation: "block",
    message: "Block",
    at: 0,
    projectId: "p-1",
    riskLevel: "medium",
    orderId: "o",
    score: 80,
    thresholds: { threeDs: 35, block: 75 },
    decidedBy: "block_score",
    rules: [],
    counters: [],
    ruleSetHash: "00",
    repeat: false,
    ...change,
  };
}
