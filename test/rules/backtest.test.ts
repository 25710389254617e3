// Back-tests: what changes between two rule files, counted from zero and apart from everything live.

import { describe, expect, it } from "vitest";
import { createBacktest } from "#src/rules/backtest.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { decide } from "./decisions.ts";
import { MINUTE, NOON, factsOf, loadStarter, payment, starterText } from "./sample.ts";

const starter = await loadStarter();
const LIMIT = "params: { limit: { low: 5, medium: 3, high: 2 } }\n    score: 35\n    needs: [card]";
const stricter: RuleSet = await loadRules(
  starterText
    .replace(LIMIT, LIMIT.replace("score: 35", "score: 80"))
    .replace(
      "- { name: at the limit, counts: { velocity/card/1h: 3 }, expect: no_hit }",
      "- { expect: no_hit }",
    ),
  "stricter.yaml",
);
const facts = (i: number) =>
  factsOf(payment({ request: { order_id: `o-${i}` } }), "medium", NOON + i * MINUTE);

describe("createBacktest", () => {
  it("decides as a service with these rules would, on both sides", () => {
    const backtest = createBacktest(starter, stricter);
    const [current, proposed] = [createCounters(), createCounters()];
    const flips: string[] = [];
    for (let i = 0; i < 8; i++) {
      const row = backtest.take(`p-${i}`, facts(i));
      expect(row.current.recommendation).toBe(decide(starter, facts(i), current).recommendation);
      expect(row.proposed.recommendation).toBe(decide(stricter, facts(i), proposed).recommendation);
      if (row.why !== null) flips.push(`${row.current.recommendation} ${row.proposed.recommendation}`);
    }
    const summary = backtest.summary();
    // The fourth and the fifth were asked for 3-D Secure and are blocked now.
    expect(flips).toEqual(["3ds_or_block block", "3ds_or_block block"]);
    expect(summary.total).toBe(8);
    expect(summary.rules.find(({ code }) => code === "CARD_VELOCITY_1H")).toMatchObject({
      current: 5,
      proposed: 5,
      both: 5,
    });
    expect(summary.overlaps.every(({ count }) => count > 0)).toBe(true);
  });

  it("turns round with its sides, and knows a rule that one side does not have", async () => {
    const without = await loadRules(
      starterText.replace("code: CARD_VELOCITY_1H", "code: CARD_OFTEN"),
      "other.yaml",
    );
    const backtest = createBacktest(stricter, without);
    const taken = Array.from({ length: 8 }, (_, i) => backtest.take(`p-${i}`, facts(i)));
    const flips = taken.filter(({ current, proposed }) => current.recommendation !== proposed.recommendation);
    expect(flips.map(({ current }) => current.recommendation)).toEqual(["block", "block"]);
    const { rules } = backtest.summary();
    expect(rules.find(({ code }) => code === "CARD_OFTEN")).toMatchObject({
      current: null,
      proposed: 5,
      both: 0,
    });
    expect(rules.find(({ code }) => code === "CARD_VELOCITY_1H")).toMatchObject({
      current: 5,
      proposed: null,
    });
  });
});
