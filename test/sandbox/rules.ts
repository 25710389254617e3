// A small rule file: what these tests need to see counted and decided.

import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";

const RULES = `
name: rules of the sandbox's tests
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
sample: { at: "2026-03-01T12:00:00Z", project_currency: 980, request: { operation: payment } }
rules:
  - code: PAYER_1H
    text: "{n} attempts of this payer in 1 h (limit {limit})"
    when: velocity("payer", "1h") > limit
    params: { limit: 2 }
    score: 40
    needs: [payer.payer_id]
  - code: PAYER_BLOCKED
    text: "this payer is blocked"
    when: payer.payer_id == "blocked"
    effect: block
    needs: [payer.payer_id]
`;

export async function testRules(): Promise<RuleSet> {
  return await loadRules(RULES, "test rules");
}
