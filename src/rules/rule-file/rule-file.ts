// Loads rule files: strict YAML with positions in errors; every condition is compiled and every embedded test run.

import { hash } from "node:crypto";
import type { Node } from "yaml";
import { currencyByAlpha } from "#src/contract/lists/currency.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import type { DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { isCounterKey } from "#src/rules/counters/counter-keys.ts";
import { createCountList } from "#src/rules/expressions/count-functions.ts";
import { eachTest } from "./embedded-tests.ts";
import type { EurRates } from "./eur-rates.ts";
import { readLists } from "./list-reader.ts";
import { RATE, RATES, RULE_FILE, SAMPLE, THRESHOLD, THRESHOLDS, TIME } from "./rule-file-shape.ts";
import { perLevel, type Rule, type RuleSet } from "./rule-set.ts";
import { readRequest, type SamplePayment } from "./rule-test-reader.ts";

export type { RuleSet } from "./rule-set.ts";

/** Largest rule file that is read, in characters: some 25,000 entries of lists. */
export const RULE_FILE_LIMIT = 1024 * 1024;

/** Tests of a rule file, wherever they stand in it: those of the starter rules twelve times. */
const MOST_TESTS = 2_000;

/** Others wait no longer for a file that is being read. */
const TURN_MS = 10;

/**
 * Loads a rule file and runs its embedded tests.
 * @param sourceName name of the file in messages
 * @throws YamlFault with line, column and rule code: syntax, an unknown key, a wrong type, a fault in a condition
 *   (pointing into it), or an embedded test that fails
 */
export async function loadRules(text: string, sourceName: string): Promise<RuleSet> {
  const { ruleSet, source } = await readRules(text, sourceName);
  const inTurns = createTurns();
  for (const { ok, code, line, message } of eachTest(ruleSet)) {
    if (!ok) {
      source.subject = code;
      throw source.faultAtLine(line, message);
    }
    await inTurns();
  }
  return ruleSet;
}

/** Lets other work of the process in where this one has had its time. */
function createTurns(): () => Promise<void> | void {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return;
    return new Promise<void>((resolve) => void setImmediate(resolve)).then(
      () => void (since = performance.now()),
    );
  };
}

/** Loads a rule file without running its tests, for callers that use `checkRules`. Throws like `loadRules`. */
export async function loadRulesUntested(text: string, sourceName: string): Promise<RuleSet> {
  return (await readRules(text, sourceName)).ruleSet;
}

/** The rates of the built-in rules, without loading the rules. */
export async function starterRates(): Promise<EurRates> {
  const { default: text } = await import("./starter-rules.yaml");
  const source = new YamlSource(text, "starter rules");
  return readRates(source, source.entries(source.root, "the file").get("rates")?.value ?? null);
}

async function readRules(
  text: string,
  sourceName: string,
): Promise<{ ruleSet: RuleSet; source: YamlSource }> {
  // Imported on demand, because most runs of the program need no rules.
  const [{ loadRuleLanguage }, { RuleReader }] = await Promise.all([
    import("#src/rules/expressions/rule-language.ts"),
    import("./rule-reader.ts"),
  ]);
  const counts = createCountList();
  const language = await loadRuleLanguage(counts);
  const inTurns = createTurns();
  const source = new YamlSource(text.slice(0, RULE_FILE_LIMIT), sourceName);
  if (text.length > RULE_FILE_LIMIT) {
    throw source.fault(null, `the file is longer than ${RULE_FILE_LIMIT} characters; take out what is old`);
  }
  if (source.root === null)
    throw source.fault(null, 'the file is empty; "verdict rules starter" prints a whole one');
  const file = source.map(source.root, "the file", RULE_FILE);
  const missing = RULE_FILE.required.filter((key) => !file.has(key));
  if (missing.length > 0) {
    throw source.fault(
      source.root,
      `the file needs ${missing.join(", ")}; "verdict rules starter" prints a whole one`,
    );
  }

  await inTurns();
  const lists = readLists(source, file.get("lists") ?? null);
  const reader = new RuleReader(source, language, readSample(source, file.get("sample") ?? null), lists);
  const rules: Rule[] = [];
  let tests = 0;
  for (const node of source.list(file.get("rules") ?? null, "rules")) {
    const rule = reader.read(node);
    rules.push(rule);
    tests += rule.tests.length;
    if (tests > MOST_TESTS) {
      throw source.fault(node, `the rules have more than ${MOST_TESTS} tests in all; leave some out`);
    }
    await inTurns();
  }
  const ruleSet: RuleSet = {
    name: file.text("name"),
    hash: hash("sha256", text, "hex"),
    thresholds: readThresholds(source, file.get("thresholds") ?? null),
    rates: file.has("rates") ? readRates(source, file.get("rates") ?? null) : null,
    lists,
    rules,
    text,
    countReads: counts.reads,
    readsRun: counts.reads.some(({ what }) => what === "run"),
    distinctPairs: distinctPairs(rules),
  };
  return { ruleSet, source };
}

function readThresholds(source: YamlSource, node: Node | null): RuleSet["thresholds"] {
  const levels = source.map(node, "thresholds", THRESHOLDS);
  const read = (level: RiskLevel): { threeDs: number; block: number } => {
    const pair = source.map(levels.at(level), `thresholds of ${level}`, THRESHOLD);
    const threeDs = pair.number("three_ds", `three_ds of ${level}`);
    const block = pair.number("block", `block of ${level}`);
    if (threeDs > block) throw source.fault(levels.at(level), `three_ds of ${level} must not exceed block`);
    return { threeDs, block };
  };
  return perLevel(read);
}

function readRates(source: YamlSource, node: Node | null): EurRates {
  const map = source.map(node, "rates", RATES);
  const asOf = map.text("as_of");
  if (Number.isNaN(Date.parse(asOf))) throw source.fault(map.at("as_of"), "as_of is no day of the calendar");
  const byCurrency = new Map<number, { minorUnit: number; unitsPerEur: number }>();
  for (const [alpha, { keyNode, value }] of source.entries(map.at("per_eur"), "per_eur")) {
    const currency = currencyByAlpha(alpha);
    if (!currency || currency.minorUnits === null) {
      throw source.fault(keyNode, `"${alpha}" is not a currency of ISO 4217 with a minor unit`);
    }
    const unitsPerEur = source.number(value, `the rate of ${alpha}`, RATE);
    byCurrency.set(currency.numeric, { minorUnit: 10 ** currency.minorUnits, unitsPerEur });
  }
  return { asOf, byCurrency };
}

function readSample(source: YamlSource, node: Node | null): SamplePayment {
  const map = source.map(node, "sample", SAMPLE);
  const now = Date.parse(map.text("at"));
  if (Number.isNaN(now)) throw source.fault(map.at("at"), `at must be ${TIME}`);
  const projectCurrency = map.number("project_currency");
  return {
    now,
    projectCurrency,
    request: readRequest(source, map.at("request")!, "request"),
  };
}

function distinctPairs(rules: RuleSet["rules"]): DistinctPair[] {
  const pairs = new Map<string, DistinctPair>();
  for (const { host, literals } of rules.flatMap((rule) => rule.expression.calls)) {
    const [of, key] = literals;
    if (host.name !== "distinct" || !of || !key || !isCounterKey(of) || !isCounterKey(key)) continue;
    pairs.set(`${of} ${key}`, [of, key]);
  }
  return [...pairs.values()];
}
