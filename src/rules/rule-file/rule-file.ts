// Loads rule files: strict YAML with positions in errors; every condition is compiled and every embedded test run.

import { hash } from "node:crypto";
import { packedPlace } from "#src/contract/text/packed-place.ts";
import { placeAt, type Place } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import type { DistinctPair, CountRead } from "#src/rules/counters/attempt-view.ts";
import { createCountList } from "#src/rules/expressions/count-functions.ts";
import { eachTest } from "./embedded-tests.ts";
import type { EurRates } from "./eur-rates.ts";
import { RATES, RULE_FILE } from "./rule-file-shape.ts";
import type { Rule, RuleSet } from "./rule-set.ts";

export type { RuleSet } from "./rule-set.ts";

/** Largest rule file that is read, in characters: some 25,000 entries of lists. */
export const RULE_FILE_LIMIT = 1024 * 1024;

/** Tests of a rule file, wherever they stand in it: those of the starter rules twelve times. */
const MOST_TESTS = 2_000;

/** Others wait no longer for a file that is being read. */
const TURN_MS = 10;

/**
 * Loads a rule file and runs its embedded tests; those of the built-in rules have run before they were built in.
 * @param sourceName name of the file in messages
 * @throws YamlFault with line, column and rule code: syntax, an unknown key, a wrong type, a fault in a condition
 *   (pointing into it), or an embedded test that fails
 */
export async function loadRules(text: string, sourceName: string): Promise<RuleSet> {
  const { ruleSet, source } = await readRules(text, sourceName);
  if (source === null) return ruleSet;
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
  let since = Date.now();
  return () => {
    if (Date.now() - since < TURN_MS) return;
    return new Promise<void>((resolve) => void setImmediate(resolve)).then(() => void (since = Date.now()));
  };
}

/** Loads a rule file without running its tests, for callers that use `checkRules`. Throws like `loadRules`. */
export async function loadRulesUntested(text: string, sourceName: string): Promise<RuleSet> {
  return (await readRules(text, sourceName)).ruleSet;
}

/** The rates of the built-in rules, without loading the rules. */
export async function starterRates(): Promise<EurRates> {
  const { default: places } = await import("./starter-rules.yaml?places");
  return readShape(RATES, placeAt(packedPlace(places), "rates"), "rates");
}

/** How the built-in rules begin: with any other text they are not loaded. */
export const STARTER_HEAD = "# The rules that a new sandbox starts with.";

/** The built-in rules, which the build has read; null for another text. */
async function starterPlace(text: string): Promise<Place | null> {
  if (!text.startsWith(STARTER_HEAD)) return null;
  const { default: starter } = await import("./starter-rules.yaml");
  return text === starter ? packedPlace((await import("./starter-rules.yaml?places")).default) : null;
}

async function readRules(
  text: string,
  sourceName: string,
): Promise<{ ruleSet: RuleSet; source: YamlSource | null }> {
  // Imported on demand, because most runs of the program need no rules.
  const [{ loadRuleLanguage }, { createRuleReader }] = await Promise.all([
    import("#src/rules/expressions/expression.ts"),
    import("./rule-reader.ts"),
  ]);
  const counts = createCountList();
  const language = await loadRuleLanguage(counts);
  const inTurns = createTurns();
  const starter = await starterPlace(text);
  const source = starter === null ? openSource(text, sourceName) : null;
  const read = readShape(RULE_FILE, starter ?? source!.place(), "the file");
  const { rules: places, rates = null, sample, ...named } = read;

  await inTurns();
  const readRule = createRuleReader(source ?? { subject: null }, language, sample, named.lists);
  const rules: Rule[] = [];
  let tests = 0;
  for (const place of places) {
    const rule = readRule(place);
    rules.push(rule);
    tests += rule.tests.length;
    if (tests > MOST_TESTS) {
      throw place.fault(`the rules have more than ${MOST_TESTS} tests in all; leave some out`);
    }
    await inTurns();
  }
  const ruleSet: RuleSet = {
    ...named,
    hash: hash("sha256", text, "hex"),
    rates,
    rules,
    text,
    countReads: counts.reads,
    readsRun: counts.reads.some(({ what }) => what === "run"),
    distinctPairs: distinctPairs(counts.reads),
  };
  return { ruleSet, source };
}

function openSource(text: string, sourceName: string): YamlSource {
  const source = new YamlSource(text.slice(0, RULE_FILE_LIMIT), sourceName);
  if (text.length > RULE_FILE_LIMIT) {
    throw source.fault(null, `the file is longer than ${RULE_FILE_LIMIT} characters; take out what is old`);
  }
  if (source.root === null)
    throw source.fault(null, 'the file is empty; "verdict rules print starter" prints a whole one');
  return source;
}

function distinctPairs(reads: readonly CountRead[]): DistinctPair[] {
  const pairs = reads.flatMap(({ of, key }) => (of === null || key === null ? [] : [[of, key] as const]));
  return [...new Map(pairs.map((pair) => [pair.join(), pair])).values()];
}
