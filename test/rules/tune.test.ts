// Tuning one number of a rule file: each value does what a back-test of a file with it does, and only its place is written.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LABELS, type Label } from "#src/contract/records/label.ts";
import { addWeighed } from "#src/contract/records/outcome-shares.ts";
import type { Tried } from "#src/contract/records/tuning.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import { createBacktest } from "#src/rules/backtest.ts";
import { loadRulesUntested } from "#src/rules/rule-file/rule-file.ts";
import { findNumber } from "#src/rules/rule-file/tuned-number.ts";
import { createTune, rulesWith, type TuneParts } from "#src/rules/tune.ts";
import { factsOf, loadStarter, NOON, payment, starterText } from "./sample.ts";

const starter = await loadStarter();
const find = (word: string) => findNumber(starter, "rules.yaml", word);

const VERDICTS = ["pass", "3ds_or_block", "block"] as const;

/** Values written by hand: the words of the file, and what stands there with another value. */
const BY_HAND: readonly (readonly [
  word: string,
  before: string,
  after: (value: number) => string,
  values: readonly number[],
])[] = [
  [
    "BIN_BURST.limit",
    "params: { limit: { low: 9, medium: 6, high: 4 } }\n    score: 35",
    (value) => `params: { limit: { low: ${value}, medium: ${value}, high: ${value} } }\n    score: 35`,
    [1, 2, 3, 6, 40],
  ],
  [
    "BIN_BURST.score",
    "score: 35\n    needs: [last_four, bin_terminal]",
    (value) => `score: ${value}\n    needs: [last_four, bin_terminal]`,
    [5, 35, 90],
  ],
  [
    "thresholds.block",
    "low: { three_ds: 50, block: 90 }\n  medium: { three_ds: 35, block: 75 }\n  high: { three_ds: 20, block: 60 }",
    (value) =>
      `low: { three_ds: 50, block: ${value} }\n  medium: { three_ds: 35, block: ${value} }\n  high: { three_ds: 20, block: ${value} }`,
    [50, 60, 75, 140],
  ],
];

const payments = fc.array(
  fc.record({
    label: fc.option(fc.constantFrom(...LABELS)),
    bin: fc.constantFrom(411_111, 444_433),
    last: fc.integer({ min: 0, max: 12 }),
    level: fc.constantFrom(...RISK_LEVELS),
    amount: fc.integer({ min: 50, max: 90_000 }),
    currency: fc.constantFrom(980, 978, 51),
    gap: fc.integer({ min: 0, max: 900_000 }),
  }),
  { minLength: 1, maxLength: 60 },
);

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

function dayOf(drawn: Drawn<typeof payments>): { label: Label | null; input: DecisionInput }[] {
  let now = NOON;
  return drawn.map(({ label, bin, last, level, amount, currency, gap }, i) => {
    now += gap;
    const request = payment({
      request: { order_id: `o-${i}`, amount, currency },
      card: { bin_card: bin, cin_card: last },
    });
    return { label, input: factsOf(request, level, now) };
  });
}

/** The figures of a whole back-test, added up apart from the program. */
function figuresOf(
  set: Awaited<ReturnType<typeof loadRulesUntested>>,
  day: ReturnType<typeof dayOf>,
): Record<string, number> {
  const backtest = createBacktest(starter, set);
  const figures: Record<string, number> = {};
  const worth: Record<number, number> = { 980: 100 * 49, 978: 100, 51: 100 * 451 };
  for (const [i, { label, input }] of day.entries()) {
    const { recommendation } = backtest.take(`p-${i}`, input).proposed;
    if (label === null) continue;
    const name = `${label} ${recommendation}`;
    figures[name] = (figures[name] ?? 0) + 1;
    const { amount, currency } = input.request;
    figures[`${name} EUR`] = (figures[`${name} EUR`] ?? 0) + amount! / worth[currency!]!;
  }
  return figures;
}

/** Both parts together. */
function wholeOf({ chosen, heldOut }: TuneParts): Tried[] {
  return chosen.map((one, i) => {
    const other = heldOut?.tried[i];
    if (other === undefined) return one;
    const labels = LABELS.map((label) => [
      label,
      Object.fromEntries(
        VERDICTS.map((verdict) => [
          verdict,
          addWeighed([one.labels[label][verdict], other.labels[label][verdict]]),
        ]),
      ),
    ]);
    return { labels: Object.fromEntries(labels) as Tried["labels"] };
  });
}

describe("a tuned number", () => {
  it.each(BY_HAND)(
    "%s does for each value what the same back-test does with it written by hand",
    async (...row) => {
      const [word, before, after, values] = row;
      expect(starterText.split(before)).toHaveLength(2);
      const number = find(word);
      const sets = await Promise.all(values.map((value) => rulesWith(starter, number, value)));
      const byHand = await Promise.all(
        values.map((value) => loadRulesUntested(starterText.replace(before, after(value)), "by-hand.yaml")),
      );
      fc.assert(
        fc.property(payments, (drawn) => {
          const day = dayOf(drawn);
          const tune = createTune([starter, ...sets]);
          for (const { label, input } of day) tune.take(label, input);
          const [today, ...tried] = wholeOf(tune.read());
          for (const [i, { labels }] of [today!, ...tried].entries()) {
            const wanted = figuresOf(i === 0 ? starter : byHand[i - 1]!, day);
            for (const label of LABELS) {
              for (const verdict of VERDICTS) {
                const { count, eur } = labels[label][verdict];
                expect(count).toBe(wanted[`${label} ${verdict}`] ?? 0);
                expect(eur).toBeCloseTo(wanted[`${label} ${verdict} EUR`] ?? 0, 6);
              }
            }
          }
        }),
        { numRuns: 12 },
      );
    },
  );

  it.each(BY_HAND)(
    "%s is written in its place, and every other character stays",
    (word, before, after, values) => {
      const text = starterText.replace(before, `${before} # why`).replaceAll("\n", "\r\n");
      const number = findNumber({ ...starter, text }, "rules.yaml", word);
      for (const value of values) {
        const wanted = starterText.replace(before, `${after(value)} # why`).replaceAll("\n", "\r\n");
        expect(number.written(value, ["low", "medium", "high"])).toBe(wanted);
      }
    },
  );

  it("writes the levels of the payments alone, and keeps a number with a decimal one", async () => {
    expect(find("BIN_BURST.limit").written(5, ["high"])).toBe(
      starterText.replace(
        "limit: { low: 9, medium: 6, high: 4 } }\n    score: 35",
        "limit: { low: 9, medium: 6, high: 5 } }\n    score: 35",
      ),
    );
    const text = starterText.replace(
      "score: 35\n    needs: [last_four",
      "score: 35.0\n    needs: [last_four",
    );
    const set = await loadRulesUntested(text, "rules.yaml");
    expect(findNumber(set, "rules.yaml", "BIN_BURST.score").written(7, ["low"])).toContain("score: 7.0\n");
  });

  it.each([
    ["BIN_BURST", /names no number/],
    ["BIN_BURST.limit@high", /names no number/],
    ["NO_SUCH.limit", /no rule NO_SUCH; there are thresholds and the rules .*BIN_BURST/],
    ["BIN_BURST.window", /BIN_BURST has no number window to tune; it has limit, score\./],
    ["LIST_BLOCK.score", /LIST_BLOCK has no number score to tune; it has none\./],
    ["thresholds.blocks", /thresholds has no number blocks to tune; it has block, three_ds\./],
  ])("%s is refused with what there is", (word, sentence) => {
    expect(() => find(word)).toThrow(sentence);
  });

  it("is refused where it is shared through an anchor, and for a value that no file may have", async () => {
    const shared = starterText.replace(
      "limit: { low: 9, medium: 6, high: 4 } }\n    score: 35",
      "limit: &shared { low: 9, medium: 6, high: 4 } }\n    score: 35",
    );
    const set = await loadRulesUntested(shared, "rules.yaml");
    expect(() => findNumber(set, "rules.yaml", "BIN_BURST.limit")).toThrow(
      /rules\.yaml:\d+:\d+: BIN_BURST: this is shared/,
    );
    await expect(rulesWith(starter, find("BIN_BURST.score"), 5_000)).rejects.toThrow(
      /^BIN_BURST\.score cannot be 5000: .*must be a number from 1 to 1000$/,
    );
    await expect(rulesWith(starter, find("thresholds.block"), 40)).rejects.toThrow(
      /three_ds of low must not exceed block/,
    );
    const { thresholds } = await rulesWith(starter, find("thresholds.block"), 40, "medium");
    expect([thresholds.medium.block, thresholds.low.block]).toEqual([40, 90]);
  });
});
