// Stand-ins of a hundred thousand payments: every verdict, score and hit is that of the original, on every risk level.

import { expect, it } from "vitest";
import { pseudonymise } from "#src/actions/rules/pseudonymise.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { loadStarter } from "../rules/sample.ts";
import { bench, inputOf } from "./backtest-bench.ts";
import { differenceOf, labelledDay } from "./pseudonyms.ts";

it.each(RISK_LEVELS)("100,000 payments are decided as the originals on %s", async (riskLevel) => {
  const ruleSet = await loadStarter();
  const used = bench(ruleSet);
  const source = labelledDay(used, 100_000);
  const { current: _, proposed: __, ...transactions } = inputOf(ruleSet, { sources: [source], riskLevel });
  const input = { ...transactions, ruleSet, keyFile: `${source}.key`, out: `${source}.out` };
  const done = await pseudonymise(used.context, input, new AbortController().signal, () => undefined);
  expect(done).toMatchObject({ total: 100_000, equal: 100_000, differing: [], rejected: 0, repeats: 0 });
  expect(await differenceOf(used, [source, input.out], { riskLevel })).toEqual([]);
});
