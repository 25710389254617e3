// A back-test over a day of payments.

import { expect, it } from "vitest";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { loadStarter, payment } from "../rules/sample.ts";
import { bench, changedRules } from "./backtest-bench.ts";

it("10,000 transactions are a matter of seconds, and every one is decided", async () => {
  const { run, file } = bench(await loadStarter());
  const stricter = await changedRules(
    /(code: CARD_VELOCITY_1H[^]*?limit: \{ low: )\d+, medium: \d+/,
    "$15, medium: 2",
  );
  const buyer = (n: number): CheckRequest =>
    payment({
      request: { order_id: `order-${n}`, amount: 1_000 + (n % 997) },
      payer: {
        payer_ip: `${20 + (n % 90)}.${n % 250}.1.1`,
        email: `b${n % 2_000}@example.com`,
        payer_id: `p${n % 2_000}`,
      },
      card: { bin_card: 400_000 + (n % 2_000), cin_card: n % 2_000 },
    });
  const source = file(Array.from({ length: 10_000 }, (_, n) => buyer(n)));
  const done = await run({ sources: [source], proposed: { ruleSet: stricter, name: "stricter" } });
  expect(done.summary.total).toBe(10_000);
  expect(done.comparison.compared).toBe(10_000);
});
