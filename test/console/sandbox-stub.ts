// An administrative plane as tests need it: answers from what the test holds, and remembers what it was told.

import type { Context } from "#src/app/context.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import type { RuleFacts, RuleSetFacts } from "#src/contract/records/rule-facts.ts";
import type { FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import type { RuleActivity, RulesReading } from "#src/contract/wire/sandbox-wire.ts";

export interface SandboxStub {
  readonly context: Context;
  /** What it was told, one line each. */
  readonly told: string[];
  movedByMs: number;
  frozen: boolean;
  faults: FaultReading[];
  /** Text of the rule file, and whether there is one. */
  text: string;
  reading: RulesReading;
  facts: RuleSetFacts;
}

export function rule(code: string, change: Partial<RuleFacts> = {}): RuleFacts {
  return {
    code,
    mode: "live",
    effect: "score",
    weights: { low: 40, medium: 40, high: 50 },
    condition: 'velocity("card", "1h") > limit',
    params: [{ name: "limit", values: { low: "5", medium: "3", high: "2" } }],
    text: "{n} attempts with this card in 1 h (limit {limit})",
    tests: [{ name: "over the limit", expect: "hit" }],
    ...change,
  };
}

export const FACTS: RuleSetFacts = {
  hash: "aa",
  thresholds: {
    low: { threeDs: 50, block: 90 },
    medium: { threeDs: 35, block: 75 },
    high: { threeDs: 20, block: 60 },
  },
  rules: [
    rule("CARD_EXPIRED", {
      effect: "block",
      weights: null,
      params: [],
      condition: "expired(card)",
      tests: [],
    }),
    rule("CARD_VELOCITY_1H"),
    rule("TEST_BIN", { mode: "shadow", effect: "3ds", weights: null }),
    rule("A_RULE_WITH_A_NAME_THAT_IS_AS_LONG_AS_SUCH_A_NAME_MAY_BE_6789", { mode: "off" }),
  ],
};

function activityOf(code: string, change: Partial<RuleActivity> = {}): RuleActivity {
  return { code, mode: "live", hits: 0, shadowHits: 0, notEvaluated: 0, lastHitAt: null, ...change };
}

export const READING: RulesReading = {
  name: "starter",
  hash: "aa",
  file: "/home/somebody/.local/state/verdict/sandbox/rules.yaml",
  fromFile: false,
  loadedAt: Date.UTC(2026, 2, 16, 9),
  countedSince: Date.UTC(2026, 2, 16, 9),
  error: null,
  rules: [
    activityOf("CARD_EXPIRED"),
    activityOf("CARD_VELOCITY_1H", { hits: 12, lastHitAt: Date.UTC(2026, 2, 16, 11) }),
    activityOf("TEST_BIN", { mode: "shadow", shadowHits: 7, notEvaluated: 2 }),
    activityOf("A_RULE_WITH_A_NAME_THAT_IS_AS_LONG_AS_SUCH_A_NAME_MAY_BE_6789", { mode: "off" }),
  ],
};

/** Lays the plane into a context of the sandbox profile. */
export function withSandbox(context: Context): SandboxStub {
  const stub = {
    told: [],
    movedByMs: 0,
    frozen: false,
    faults: [],
    text: "rules: []",
    reading: READING,
    facts: FACTS,
  };
  const held: Omit<SandboxStub, "context"> = stub;
  const clock = () => ({
    virtualTime: context.now() + held.movedByMs,
    realTime: context.now(),
    frozen: held.frozen,
  });
  const admin: Partial<SandboxAdmin> = {
    status: () =>
      Promise.resolve({
        virtualTime: clock().virtualTime,
        clockFrozen: held.frozen,
        faults: held.faults,
        ruleError: held.reading.error?.message ?? null,
      } as unknown as Awaited<ReturnType<SandboxAdmin["status"]>>),
    clock: () => Promise.resolve(clock()),
    magic: () =>
      Promise.resolve({ enabled: true, values: [{ prefix: "force-block", what: "recommends block" }] }),
    snapshots: () => Promise.resolve([]),
    rules: () => Promise.resolve(held.reading),
    ruleFacts: () => Promise.resolve(held.facts),
    rulesText: () => Promise.resolve({ text: held.text, fromFile: held.reading.fromFile }),
    reloadRules() {
      held.told.push("reload");
      return Promise.resolve(held.reading);
    },
    saveRules(text) {
      held.told.push("save");
      held.text = text;
      held.reading = { ...held.reading, fromFile: true };
      return Promise.resolve(held.reading);
    },
    removeRules() {
      held.told.push("remove");
      held.reading = { ...held.reading, fromFile: false, error: null };
      return Promise.resolve(held.reading);
    },
  };
  const sandbox = { admin } as unknown as ReturnType<Context["sandbox"]>;
  return Object.assign(held, { context: { ...context, sandbox: () => sandbox } });
}
