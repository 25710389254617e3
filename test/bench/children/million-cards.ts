// Prints what 1,000,000 distinct cards cost in memory: counts, holders and payers per card, and the latest amounts.

import type { DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { createCounters, type Counters } from "#src/rules/counters/counters.ts";

const CARDS = 1_000_000;
const WARM_UP = 100_000;
const PAIRS: readonly DistinctPair[] = [
  ["payer", "card"],
  ["holder", "card"],
  ["card", "payer"],
  ["card", "ip"],
];
const START = Date.parse("2026-03-16T00:00:00Z");

function fill(counters: Counters, cards: number): void {
  for (let i = 0; i < cards; i++) {
    const request = {
      amount: 10_000 + (i % 977),
      currency: 980,
      terminal_id: `terminal-${i % 50}`,
      payer: { payer_ip: `91.198.${(i >> 8) % 256}.${i % 256}`, payer_id: `payer-${i % 20_000}` },
      card: {
        holder: "OLENA SAMPLE",
        bin_card: 400_000 + (i % 100),
        cin_card: Math.floor(i / 100) % 10_000,
        expiration_month: 12,
        expiration_year: 29,
      },
    };
    const keys = counters.keysOf(request, "00000000-0000-4000-8000-000000000000");
    const { amount, currency } = request;
    counters.record(START + i * 50, { keys, pairs: PAIRS, eurCents: 200, amount, currency });
  }
}

// The engine's own heap has its size by then.
fill(createCounters({ maxBytes: 200_000 }), WARM_UP);
const before = process.memoryUsage().rss;
const counters = createCounters();
fill(counters, CARDS);
const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
console.log(JSON.stringify({ megabytes: Math.round(megabytes), keys: counters.size }));
