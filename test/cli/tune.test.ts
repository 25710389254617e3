// verdict rules tune: it finds the limit that was planted, and counts as a pencil does. The rest is in tune.transcript.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeOfTests } from "./in-process.ts";

const RULES = `# ours
name: ours
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
rates: { as_of: "2026-03-01", per_eur: { EUR: 1 } }
sample: { at: "2026-03-16T12:00:00Z", project_currency: 978, request: { operation: payment, amount: 1, currency: 978, terminal_id: t, card: { bin_card: 411111, cin_card: 1 } } }
rules:
  - code: BURST   # many cards of one bank
    text: "{n} last fours"
    when: distinct("last_four", "bin_terminal", "6h") > limit
    params: { limit: { low: 9,   medium: 2, high: 4 } } # medium was guessed
    score: 80
    tests: [{ counts: { distinct/last_four/bin_terminal/6h: 40 }, expect: hit }, { name: two, counts: { distinct/last_four/bin_terminal/6h: 2 }, expect: no_hit }]
`;

type SharesJson = Record<"caught" | "good_blocked" | "good_disturbed", { readonly part: number }>;
interface TriedJson {
  readonly value: number;
  readonly shares: SharesJson;
  readonly eur_shares: SharesJson;
  readonly kept_eur: number;
}

const home = homeOfTests();

/** Bursts of payments of 10 EUR, each with a BIN of its own: their sizes, and what became of them. */
function dayOf(name: string, bursts: readonly (readonly [size: number, outcome: string])[]): string {
  const lines = bursts.flatMap(([size, outcome], burst) =>
    Array.from({ length: size }, (_, i) =>
      JSON.stringify({
        at: new Date(Date.UTC(2026, 2, 1, 0, burst, i)).toISOString(),
        outcome,
        request: {
          operation: "payment",
          order_id: `o-${burst}-${i}`,
          amount: 1_000,
          currency: 978,
          terminal_id: "web",
          card: { bin_card: 400_000 + burst, cin_card: i },
        },
      }),
    ),
  );
  const path = join(home.folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

function rulesOf(name: string): string {
  const path = join(home.folder, name);
  writeFileSync(path, RULES);
  return path;
}

/** Good bursts of at most so many cards, most of them of exactly so many, and attacks of more. */
function planted(best: number): readonly (readonly [number, string])[] {
  return [
    ...Array.from({ length: 6 }, () => [best, "good"] as const),
    [1, "refund"],
    [Math.max(1, best - 1), "good"],
    [best + 9, "fraud"],
    [best + 4, "chargeback"],
    [best + 2, "fraud"],
  ];
}

describe("rules tune", () => {
  it.each([1, 4, 9, 17])("finds that %i is the best limit, where it was made to be", async (best) => {
    const rules = rulesOf(`planted-${best}.yaml`);
    const bursts = planted(best);
    const day = dayOf(`planted-${best}.ndjson`, bursts);
    for (const limits of [
      "",
      "--max-good-blocked 0",
      "--max-good-blocked 0%",
      "--max-good-blocked 0 --min-caught 1",
    ]) {
      const args = `rules tune ${rules} --over ${day} --param BURST.limit 0..30 ${limits} --json`.split(/ +/);
      const [told] = await home.json(args);
      expect(told).toMatchObject({ proposed: best, levels: ["medium"], written: null });
      for (const value of told!["values"] as TriedJson[]) {
        // Each burst has the cards beyond the limit blocked: what a pencil gives.
        const limit = value.value;
        const beyond = (bad: boolean): number =>
          bursts
            .filter(([, outcome]) => ["fraud", "chargeback"].includes(outcome) === bad)
            .reduce((sum, [size]) => sum + Math.max(0, size - limit), 0);
        expect(value.shares.caught.part, `${limit}`).toBe(beyond(true));
        expect(value.eur_shares.caught.part).toBeCloseTo(beyond(true) * 10, 6);
        expect(value.shares.good_blocked.part).toBe(beyond(false));
        expect(value.shares.good_disturbed.part).toBe(beyond(false));
        expect(value.kept_eur).toBeCloseTo((beyond(true) - beyond(false)) * 10, 6);
      }
    }
  });
});
