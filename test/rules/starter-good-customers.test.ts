// How calm the starter rules are: what two weak signals add up to, and whom they disturb on days whose outcomes are known.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isBad, type Label } from "#src/contract/records/label.ts";
import { RISK_LEVELS, type CheckRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { assessRecorded } from "#src/rules/decision/decide.ts";
import { factsOf, loadStarter } from "./sample.ts";

interface Labelled {
  readonly at: string;
  readonly outcome: Label;
  readonly tags: readonly string[];
  readonly request: CheckRequest;
}

/** A seed by which no rule was chosen. */
const SEED = "4711";
const GENERATOR = fileURLToPath(new URL("../../examples/labelled-day.mjs", import.meta.url));
const PAYMENTS = execFileSync(
  process.execPath,
  [GENERATOR, "--seed", SEED, "--count", "5000", "--days", "7"],
  { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
)
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Labelled);

const starter = await loadStarter();
const { rules, thresholds } = starter;
const scored = rules.filter(({ mode, weights }) => mode === "live" && weights !== null);

interface Day {
  readonly good: number;
  /** Good payments blocked or sent to 3-D Secure for more than their amount (AMOUNT_NEEDS_3DS), and those blocked. */
  readonly disturbed: number;
  readonly blocked: number;
  readonly hitsOfGood: ReadonlyMap<string, number>;
  /** Bad payments, and those not passed, by kind. */
  readonly bad: ReadonlyMap<string, readonly [all: number, stopped: number]>;
}

function day(level: RiskLevel): Day {
  const counters = createCounters();
  const hitsOfGood = new Map<string, number>();
  const bad = new Map<string, [number, number]>();
  let [good, disturbed, blocked] = [0, 0, 0];
  for (const { at, outcome, tags, request } of PAYMENTS) {
    const assessment = assessRecorded(starter, factsOf(request, level, Date.parse(at)), counters);
    const { recommendation, score, decidedBy, outcomes } = assessment;
    if (isBad(outcome)) {
      const [all, stopped] = bad.get(tags[0]!) ?? [0, 0];
      bad.set(tags[0]!, [all + 1, stopped + (recommendation === "pass" ? 0 : 1)]);
      continue;
    }
    good += 1;
    const hits = rules.filter((_, i) => outcomes[i] === "hit");
    for (const { code } of hits) hitsOfGood.set(code, (hitsOfGood.get(code) ?? 0) + 1);
    const tier = hits.find(({ code }) => code === "AMOUNT_OVER_SCA")?.weights?.[level] ?? 0;
    const isTierAlone = decidedBy === "require_3ds" && score - tier < thresholds[level].threeDs;
    if (recommendation !== "pass" && !isTierAlone) disturbed += 1;
    if (recommendation === "block") blocked += 1;
  }
  return { good, disturbed, blocked, hitsOfGood, bad };
}

const DAYS = Object.fromEntries(RISK_LEVELS.map((level) => [level, day(level)])) as Record<RiskLevel, Day>;

describe.each(RISK_LEVELS)("on %s", (level) => {
  const weightOf = (code: string): number => scored.find((rule) => rule.code === code)?.weights?.[level] ?? 0;

  it("a weak rule and any rule of up to 35 points never block together", () => {
    for (const weak of scored.filter(({ code }) => weightOf(code) <= 20)) {
      for (const other of scored.filter(({ code }) => code !== weak.code && weightOf(code) <= 35)) {
        const sum = weightOf(weak.code) + weightOf(other.code);
        expect(sum, `${weak.code} and ${other.code}`).toBeLessThan(thresholds[level].block);
      }
    }
  });

  it("no two rules that hit one of 200 good payments block together", () => {
    const { good, hitsOfGood } = DAYS[level];
    const common = scored.map(({ code }) => code).filter((code) => (hitsOfGood.get(code) ?? 0) * 200 >= good);
    expect(common).toContain("CURRENCY_NOT_PROJECT");
    for (const [i, one] of common.entries()) {
      for (const other of common.slice(i + 1)) {
        expect(weightOf(one) + weightOf(other), `${one} and ${other}`).toBeLessThan(thresholds[level].block);
      }
    }
  });

  it("few good customers are disturbed, hardly one is blocked, and attacks are not passed", () => {
    const { good, disturbed, blocked, bad } = DAYS[level];
    const most = { low: 0.005, medium: 0.02, high: 0.05 }[level];
    expect(disturbed / good).toBeLessThan(most);
    expect(blocked / good).toBeLessThan(0.005);
    const stopped = (kind: string): number => bad.get(kind)![1] / bad.get(kind)![0];
    expect(stopped("card-testing")).toBeGreaterThan({ low: 0.7, medium: 0.9, high: 0.9 }[level]);
    expect(stopped("takeover")).toBeGreaterThan({ low: 0.05, medium: 0.3, high: 0.5 }[level]);
    // Disputes of customers who look like all others are not what rules find.
    expect(stopped("friendly")).toBeLessThan(0.25);
  });
});
