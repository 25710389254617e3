// Stand-ins of many payments: every verdict, score and hit is that of the original, on every risk level.

import { expect, it } from "vitest";
import { pseudonymise } from "#src/actions/rules/pseudonymise.ts";
import { loadStarter } from "../rules/sample.ts";
import { bench, inputOf } from "./backtest-bench.ts";
import { differenceOf, labelledDay } from "./pseudonyms.ts";

it.each([
  ["medium", 20_000],
  ["low", 5_000],
  ["high", 5_000],
] as const)("on %s %i payments are decided as the originals", async (riskLevel, count) => {
  const ruleSet = await loadStarter();
  const used = bench(ruleSet);
  const source = labelledDay(used, count);
  const { current: _, proposed: __, ...transactions } = inputOf(ruleSet, { sources: [source], riskLevel });
  const input = { ...transactions, ruleSet, keyFile: `${source}.key`, out: `${source}.out` };
  const done = await pseudonymise(used.context, input, new AbortController().signal, () => undefined);
  expect(done).toMatchObject({ total: count, equal: count, differing: [], rejected: 0, repeats: 0 });
  expect(await differenceOf(used, [source, input.out], { riskLevel })).toEqual([]);
});
