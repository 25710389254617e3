// Loads rule files: strict YAML with positions in errors; every condition is compiled and every embedded test run.

import { hash } from "node:crypto";
import type { Node } from "yaml";
import { currencyByAlpha } from "#src/contract/lists/currency.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { isCounterKey } from "#src/rules/counters/counter-keys.ts";
import { createCountList } from "#src/rules/expressions/count-functions.ts";
import { checkRules } from "./embedded-tests.ts";
import type { EurRates } from "./eur-rates.ts";
import { readLists } from "./list-reader.ts";
import { perLevel, type RuleSet } from "./rule-set.ts";
import type { SamplePayment } from "./rule-test-reader.ts";

export type { RuleSet } from "./rule-set.ts";

/** Largest rule file that is read, in characters: some 25,000 entries of lists. */
export const RULE_FILE_LIMIT = 1024 * 1024;

/**
 * Loads a rule file and runs its embedded tests.
 * @param sourceName name of the file in messages
 * @throws YamlFault with line, column and rule code: syntax, an unknown key, a wrong type, a fault in a condition
 *   (pointing into it), or an embedded test that fails
 */
export async function loadRules(text: string, sourceName: string): Promise<RuleSet> {
  const { ruleSet, source } = await readRules(text, sourceName);
  const failed = checkRules(ruleSet).find(({ ok }) => !ok);
  if (failed) {
    source.subject = failed.code;
    throw source.faultAtLine(failed.line, failed.message);
  }
  return ruleSet;
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
  const source = new YamlSource(text.slice(0, RULE_FILE_LIMIT), sourceName);
  if (text.length > RULE_FILE_LIMIT) {
    throw source.fault(null, `the file is longer than ${RULE_FILE_LIMIT} characters; take out what is old`);
  }
  const file = source.map(source.root, "the file", [
    "name",
    "thresholds",
    "rates",
    "lists",
    "sample",
    "rules",
  ]);
  const missing = ["name", "thresholds", "sample", "rules"].filter((key) => !file.has(key));
  if (missing.length > 0) {
    throw source.fault(
      source.root,
      `the file needs ${missing.join(", ")}; "verdict rules starter" prints a whole one`,
    );
  }

  const lists = readLists(source, file.get("lists") ?? null);
  const reader = new RuleReader(source, language, readSample(source, file.get("sample") ?? null), lists);
  const rules = source.list(file.get("rules") ?? null, "rules").map((node) => reader.read(node));
  const ruleSet: RuleSet = {
    name: source.text(file.get("name") ?? null, "name").value,
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
  const levels = source.map(node, "thresholds", RISK_LEVELS);
  const read = (level: RiskLevel): { threeDs: number; block: number } => {
    const pair = source.map(levels.get(level) ?? node, `thresholds of ${level}`, ["three_ds", "block"]);
    const value = (key: string): number =>
      source.number(pair.get(key) ?? levels.get(level) ?? node, `${key} of ${level}`, 1, 10_000);
    const threeDs = value("three_ds");
    const block = value("block");
    if (threeDs > block)
      throw source.fault(levels.get(level) ?? node, `three_ds of ${level} must not exceed block`);
    return { threeDs, block };
  };
  return perLevel(read);
}

function readRates(source: YamlSource, node: Node | null): EurRates {
  const map = source.map(node, "rates", ["as_of", "per_eur"]);
  const asOf = source.text(map.get("as_of") ?? node, "as_of").value;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(asOf) || Number.isNaN(Date.parse(asOf))) {
    throw source.fault(map.get("as_of") ?? node, "as_of must be a day such as 2026-01-31");
  }
  const byCurrency = new Map<number, { minorUnit: number; unitsPerEur: number }>();
  for (const [alpha, { keyNode, value }] of source.entries(map.get("per_eur") ?? node, "per_eur")) {
    const currency = currencyByAlpha(alpha);
    if (!currency || currency.minorUnits === null) {
      throw source.fault(keyNode, `"${alpha}" is not a currency of ISO 4217 with a minor unit`);
    }
    const unitsPerEur = source.number(value, `the rate of ${alpha}`, 1e-9, 1e12);
    byCurrency.set(currency.numeric, { minorUnit: 10 ** currency.minorUnits, unitsPerEur });
  }
  return { asOf, byCurrency };
}

function readSample(source: YamlSource, node: Node | null): SamplePayment {
  const map = source.map(node, "sample", ["at", "project_currency", "request"]);
  const now = Date.parse(source.text(map.get("at") ?? node, "at").value);
  if (Number.isNaN(now))
    throw source.fault(map.get("at") ?? node, "at must be a time such as 2026-01-31T12:00:00Z");
  const projectCurrency = source.number(map.get("project_currency") ?? node, "project_currency", 1, 999);
  source.entries(map.get("request") ?? node, "request");
  return {
    now,
    projectCurrency,
    request: source.plain(map.get("request") ?? null) as Record<string, unknown>,
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
