// What a run and the rules of a service did to payments of which it is known what became of them, against counting row by row.

import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";

import { runOutcomes } from "#src/actions/replay/run-outcomes.ts";
import { ruleRecords } from "#src/actions/rules/rule-records.ts";
import { isBad, LABELS, type Label } from "#src/contract/records/label.ts";
import { allOf } from "#src/contract/records/outcome-shares.ts";
import { NO_RECORD } from "#src/contract/records/rule-record.ts";
import type { LabelledGroup } from "#src/contract/records/run.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { answer, intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";

const RATES = new Map([
  [978, 0.01],
  [980, 0.0002],
]);

it("a run's matrix holds every labelled item with a verdict, and says how many it leaves out", () => {
  const group: fc.Arbitrary<LabelledGroup> = fc.record({
    label: fc.constantFrom(null, ...LABELS),
    was: fc.constantFrom(null, ...RECOMMENDATIONS),
    verdict: fc.constantFrom(null, "refused" as const, ...RECOMMENDATIONS),
    currency: fc.constantFrom(null, 978, 980, 392),
    count: fc.integer({ min: 1, max: 9 }),
    amounts: fc.constant(1),
    amount: fc.bigInt({ min: 0n, max: 1_000_000n }),
  });
  fc.assert(
    fc.property(fc.array(group, { maxLength: 30 }), (groups) => {
      const total = groups.reduce((sum, { count }) => sum + count, 0);
      const outcomes = runOutcomes(groups, RATES);
      if (outcomes === null) {
        expect(groups.every(({ label }) => label === null)).toBe(true);
        return;
      }
      const cells = LABELS.flatMap((label) =>
        RECOMMENDATIONS.map((verdict) => outcomes.now.labels[label][verdict]),
      );
      const counted = cells.reduce((sum, { count }) => sum + count, 0);
      expect(counted + outcomes.noVerdict).toBe(outcomes.labelled);
      expect(outcomes.labelled + outcomes.unlabelled).toBe(total);
      const eur = groups
        .filter(({ label, verdict }) => label !== null && RECOMMENDATIONS.some((word) => word === verdict))
        .reduce((sum, { amount, currency }) => sum + Number(amount) * (RATES.get(currency ?? 0) ?? 0), 0);
      expect(cells.reduce((sum, cell) => sum + cell.eur, 0)).toBeCloseTo(eur, 6);
      expect(outcomes.before === null).toBe(groups.every(({ label, was }) => label === null || was === null));
    }),
  );
});

it("the records of rules are those of the history's checks since a time, by what became of each order", async () => {
  const entry = fc.record({
    rules: fc.option(fc.uniqueArray(fc.constantFrom("A", "B", "C"), { maxLength: 3 }), { nil: null }),
    order: fc.constantFrom("one", "Two", "two", "three", "none"),
    amount: fc.nat(1_000),
    currency: fc.constantFrom(978, 392),
    at: fc.nat(9),
    profile: fc.constantFrom("sandbox", "other"),
  });
  const labels = new Map<string, Label>([
    ["one", "fraud"],
    ["Two", "good"],
    ["two", "chargeback"],
    ["three", "refund"],
  ]);
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (entries) => {
      const history = historyIn(temporaryFolder());
      onTestFinished(() => history.close());
      for (const [index, { rules, order, amount, currency, at, profile }] of entries.entries()) {
        const made = intent(String(index).padStart(3, "0"), {
          at,
          profile,
          request: { operation: "payment", order_id: order, amount, currency },
        });
        await history.intend(made);
        const basis = rules === null ? {} : { basis: { score: 10, rules } };
        await history.settle({ ...made, result: answer(basis) });
      }
      await history.labels.set(Array.from(labels, ([orderId, label]) => ({ orderId, label, at: null })));
      const since = 4;
      const {
        checks,
        labelled,
        rules: records,
      } = ruleRecords(await history.decided("sandbox", since), RATES);
      const wanted = entries.filter(
        (each) => each.rules !== null && each.profile === "sandbox" && each.at >= since,
      );
      expect(checks).toBe(wanted.length);
      expect(labelled.bad + labelled.good).toBe(wanted.filter(({ order }) => labels.has(order)).length);
      for (const code of ["A", "B", "C"] as const) {
        const hit = wanted.filter(({ rules }) => rules!.includes(code));
        const record = records.get(code) ?? NO_RECORD;
        expect(allOf(record.hits).count).toBe(hit.length);
        expect(allOf(record.alone).count).toBe(hit.filter(({ rules }) => rules!.length === 1).length);
        for (const side of ["bad", "good"] as const) {
          const of = hit.filter(({ order }) => {
            const label = labels.get(order);
            return label !== undefined && isBad(label) === (side === "bad");
          });
          const eur = of.reduce((sum, each) => sum + each.amount * (RATES.get(each.currency) ?? 0), 0);
          expect(record.hits[side].count).toBe(of.length);
          expect(record.hits[side].eur).toBeCloseTo(eur, 6);
        }
      }
      await history.close();
    }),
    { numRuns: 25 },
  );
});
