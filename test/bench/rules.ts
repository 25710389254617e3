// A decision by the starter rules, in time beside the hashing of its keys, and what a million cards cost in memory.

import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { COUNTER_KEYS } from "#src/rules/counters/counter-keys.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import { explainRecord } from "#src/rules/decision/decision-record.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import { TENANT_RULES_TOKENS } from "#src/sandbox/admin/admin-body.ts";
import { decideForRecord } from "../rules/decisions.ts";
import { sideBySide, type Row } from "./measure.ts";

const ROUNDS = 30;
const PER_ROUND = 1_000;
/** Keys of one attempt: the part of a decision that no rule can save. */
const KEYS = COUNTER_KEYS.length;
/** What a decision may cost, in hashes of all its keys. */
const DECISION_BUDGET = 7.4;
const START = Date.parse("2026-03-16T12:00:00Z");

export async function* benchRules(root: string): AsyncGenerator<Row> {
  const starter = readFileSync(`${root}src/rules/rule-file/starter-rules.yaml`, "utf8");
  // Behind another head it is read as a file of one's own: what the build has read of it is in the bundle alone.
  const ruleSet = await loadRules(`# Measured.\n${starter}`, "starter rules");
  const what = `${ruleSet.rules.length} rules and counters`;
  const counters = createCounters();
  let next = 0;
  const thousand =
    (run: (facts: DecisionInput) => unknown): (() => void) =>
    () => {
      for (let i = 0; i < PER_ROUND; i++) run(factsOf(next++));
    };
  const judge = thousand((facts) => decideForRecord(ruleSet, facts, counters));
  const keyText = `${"5".repeat(64)} project-1 card 444433 4242 12 29`;
  const hashes = (): void => {
    for (let i = 0; i < PER_ROUND * KEYS; i++) hash("sha256", keyText, "base64url");
  };
  for (let i = 0; i < ROUNDS; i++) judge();

  const yardstick = `1,000 x ${KEYS} hashes of keys`;
  yield await sideBySide(
    { what: `1,000 x decide by ${what}`, yardstick, budget: DECISION_BUDGET },
    ROUNDS,
    judge,
    hashes,
  );
  const { record } = decideForRecord(ruleSet, factsOf(next++), counters);
  const explained = thousand(() => explainRecord(ruleSet, record, counters.keysOf));
  yield await sideBySide(
    { what: "1,000 x explain a decision, find flips", yardstick, budget: 800 },
    3,
    explained,
    hashes,
  );

  // Five tokens an item: the costliest of the short texts that were tried.
  const dense = `x: [${"{a},".repeat(TENANT_RULES_TOKENS / 5 - 2)}]`;
  const since = performance.now();
  for (let i = 0; i < ROUNDS; i++) void new YamlSource(dense, "rules.yaml");
  const measured = (performance.now() - since) / ROUNDS;
  const longest = "others wait while the rules of a tenant are read";
  yield { what: longest, unit: "ms", measured, budget: 100, rounds: ROUNDS };

  const child = execFileSync(process.execPath, [`${root}test/bench/children/million-cards.ts`], {
    encoding: "utf8",
  });
  const { megabytes } = JSON.parse(child) as { megabytes: number };
  yield { what: "1,000,000 distinct cards counted", unit: "MB", measured: megabytes, budget: 300, rounds: 1 };
}

function factsOf(i: number): DecisionInput {
  return {
    request: requestOf(i),
    project: { projectId: "project-1", riskLevel: "medium", currency: 980 },
    now: START + i * 10,
  };
}

/** Traffic of 5,000 payers, each with a card and an address. */
function requestOf(i: number): CheckRequest {
  const payer = i % 5_000;
  return {
    operation: "payment",
    order_id: `order-${i}`,
    amount: 12_000 + (i % 977),
    currency: 980,
    description: "Order",
    terminal_id: `terminal-${i % 50}`,
    payer: {
      payer_ip: `91.${payer % 200}.${payer >> 8}.${payer % 256}`,
      email: `olena${payer}@example.com`,
      number_phone: `+38050${1_000_000 + payer}`,
      payer_id: `payer-${payer}`,
    },
    card: {
      holder: "OLENA SAMPLE",
      bin_card: 400_000 + ((payer * 37) % 20_000),
      cin_card: payer,
      expiration_month: 12,
      expiration_year: 29,
    },
  };
}
