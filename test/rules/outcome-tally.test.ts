// What became of payments under two rule sets, added up: laws, and the same by counting every payment anew and by SQL.

import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { decisiveRule } from "#src/contract/records/flip.ts";
import { describe, expect, it } from "vitest";
import { LABELS, isBad, type Label } from "#src/contract/records/label.ts";
import { CASES_KEPT, SPANS_KEPT, type Outcomes } from "#src/contract/records/outcomes.ts";
import { sideShares } from "#src/contract/records/outcome-shares.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { BacktestVerdict } from "#src/rules/backtest.ts";
import { createOutcomeTally, type JudgedPayment } from "#src/rules/outcomes/outcome-tally.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { runRow } from "../replay/rows.ts";
import { HOUR, NOON } from "./sample.ts";

const VERDICTS: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];
const THRESHOLDS = {
  low: { threeDs: 60, block: 100 },
  medium: { threeDs: 40, block: 80 },
  high: { threeDs: 30, block: 60 },
};

/** A rule set of a tally: its codes and its marks. */
function rules(...codes: string[]): RuleSet {
  return { rules: codes.map((code) => ({ code })), thresholds: THRESHOLDS } as unknown as RuleSet;
}

/** What the judge of decide.ts says of a score, without rules that require 3-D Secure. */
function judged(
  score: number,
  hard: "block" | "allow" | null,
  level: RiskLevel,
): Pick<BacktestVerdict, "recommendation" | "decidedBy"> {
  if (hard === "block") return { recommendation: "block", decidedBy: "hard_block" };
  if (hard === "allow") return { recommendation: "pass", decidedBy: "allow_list" };
  const { block, threeDs } = THRESHOLDS[level];
  if (score >= block) return { recommendation: "block", decidedBy: "block_score" };
  if (score >= threeDs) return { recommendation: "3ds_or_block", decidedBy: "3ds_score" };
  return { recommendation: "pass", decidedBy: "pass" };
}

const side = (codes: readonly string[]) =>
  fc.record({
    score: fc.nat(140),
    hard: fc.constantFrom(null, null, null, "block" as const, "allow" as const),
    hits: fc.subarray([...codes]),
    shadowHits: fc.subarray(["TRIED"]),
  });
const payments = fc
  .array(
    fc.record({
      label: fc.constantFrom<Label | null>(null, ...LABELS),
      riskLevel: fc.constantFrom(...RISK_LEVELS),
      eur: fc.constantFrom(null, 0, 1, 12, 12, 250),
      gap: fc.constantFrom(0, 1_000, HOUR, 30 * HOUR, 900 * HOUR),
      before: side(["A", "B"]),
      after: side(["B", "C"]),
    }),
    { maxLength: 60 },
  )
  .map((list) => {
    let at = NOON;
    return list.map(({ gap, before, after, ...rest }, n): JudgedPayment => {
      at += gap;
      const verdict = ({ hard, ...own }: typeof before): BacktestVerdict => ({
        ...own,
        ...judged(own.score, hard, rest.riskLevel),
        rules: own.hits,
        notEvaluated: 0,
      });
      return {
        ...rest,
        at,
        current: verdict(before),
        proposed: verdict(after),
        sided: { row: runRow(n, "pass"), earlier: null },
      };
    });
  });

function tallied(list: readonly JudgedPayment[]): Outcomes {
  const tally = createOutcomeTally(rules("A", "B", "TRIED"), rules("B", "C", "TRIED"));
  for (const each of list) tally.take(each);
  return tally.read(7);
}

const kindOf = ({ label }: JudgedPayment): "bad" | "good" | "unlabelled" =>
  label === null ? "unlabelled" : isBad(label) ? "bad" : "good";
/** Count and worth of the payments that fit, counted anew. */
function weighed(list: readonly JudgedPayment[], fits: (payment: JudgedPayment) => boolean) {
  const some = list.filter(fits);
  return { count: some.length, eur: some.reduce((sum, { eur }) => sum + (eur ?? 0), 0) };
}
const SIDES = ["current", "proposed"] as const;
const KINDS = ["bad", "good"] as const;

describe("createOutcomeTally", () => {
  it("says what counting every payment anew says, cell by cell", () => {
    fc.assert(
      fc.property(payments, (list) => {
        const outcomes = tallied(list);
        for (const name of SIDES) {
          for (const verdict of VERDICTS) {
            const isVerdict = (each: JudgedPayment): boolean => each[name].recommendation === verdict;
            for (const label of LABELS)
              expect(outcomes[name].labels[label][verdict]).toEqual(
                weighed(list, (each) => each.label === label && isVerdict(each)),
              );
            expect(outcomes[name].unlabelled[verdict]).toEqual(
              weighed(list, (each) => each.label === null && isVerdict(each)),
            );
          }
        }
        expect(outcomes.changes.map(({ was, now }) => [was, now])).toEqual(
          VERDICTS.flatMap((was) => VERDICTS.map((now) => [was, now])),
        );
        for (const change of outcomes.changes) {
          const here = list.filter(
            ({ current, proposed }) =>
              current.recommendation === change.was && proposed.recommendation === change.now,
          );
          for (const kind of [...KINDS, "unlabelled"] as const)
            expect(change[kind]).toEqual(weighed(here, (each) => kindOf(each) === kind));
          for (const kind of KINDS) {
            const most = here
              .filter((each) => kindOf(each) === kind)
              .toSorted((a, b) => (b.eur ?? -1) - (a.eur ?? -1))
              .slice(0, CASES_KEPT);
            expect(change.cases[kind]).toEqual(
              most.map(({ sided, label, eur }) => ({ ...sided, label, eur })),
            );
          }
        }
        for (const cause of outcomes.causes) {
          expect(cause.was).not.toBe(cause.now);
          for (const kind of [...KINDS, "unlabelled"] as const)
            expect(cause[kind]).toEqual(
              weighed(
                list,
                (each) =>
                  kindOf(each) === kind &&
                  each.current.recommendation === cause.was &&
                  each.proposed.recommendation === cause.now &&
                  decisiveRule(cause.was, each.current.rules) === cause.before &&
                  decisiveRule(cause.now, each.proposed.rules) === cause.after,
              ),
            );
        }
        for (const { code, ...both } of outcomes.rules) {
          for (const name of SIDES) {
            const hit = (each: JudgedPayment): boolean =>
              [...each[name].hits, ...each[name].shadowHits].includes(code);
            const alone = (each: JudgedPayment): boolean =>
              hit(each) && each[name].hits.filter((other) => other !== code).length === 0;
            const rule = both[name];
            expect(rule === null).toBe(code === (name === "current" ? "C" : "A"));
            for (const kind of [...KINDS, "unlabelled"] as const) {
              if (rule === null) continue;
              expect(rule.hits[kind]).toEqual(weighed(list, (each) => kindOf(each) === kind && hit(each)));
              expect(rule.alone[kind]).toEqual(weighed(list, (each) => kindOf(each) === kind && alone(each)));
            }
          }
        }
        expect(outcomes.withoutRate).toBe(
          list.filter(({ label, eur }) => label !== null && eur === null).length,
        );
        expect(outcomes.unused).toBe(7);
      }),
    );
  });

  it("has the same sums in all of its parts", () => {
    fc.assert(
      fc.property(payments, (list) => {
        const { changes, causes, spans, ...sides } = tallied(list);
        const count = (
          parts: readonly {
            bad: { count: number };
            good: { count: number };
            unlabelled: { count: number };
          }[],
        ) =>
          parts.reduce(
            (sum, { bad, good, unlabelled }) => sum + bad.count + good.count + unlabelled.count,
            0,
          );
        expect(count(changes)).toBe(list.length);
        expect(count(causes)).toBe(count(changes.filter(({ was, now }) => was !== now)));
        expect(spans.reduce((sum, { total }) => sum + total, 0)).toBe(list.length);
        const labelled = list.filter(({ label }) => label !== null).length;
        for (const name of SIDES) {
          const { scores, labels } = sides[name];
          expect(scores.reduce((sum, { bad, good }) => sum + bad + good, 0)).toBe(labelled);
          const all = LABELS.flatMap((label) => Object.values(labels[label]));
          expect(all.reduce((sum, cell) => sum + cell.count, 0)).toBe(labelled);
          const blocked = sideShares(sides[name]);
          const today = sides[name].curve.find(({ shift }) => shift === 0)!;
          expect([today.bad.count, today.good.count]).toEqual([
            blocked.caught.part,
            blocked.goodBlocked.part,
          ]);
        }
      }),
    );
  });

  it("moves the block marks of every level: what is decided anew with other marks lies on the curve", () => {
    fc.assert(
      fc.property(payments, (list) => {
        const { curve } = tallied(list).proposed;
        for (const [i, point] of curve.entries()) {
          const later = curve[i + 1];
          if (later !== undefined) {
            expect(later.shift).toBeGreaterThan(point.shift);
            // Higher marks block no more.
            for (const kind of KINDS) expect(later[kind].count).toBeLessThanOrEqual(point[kind].count);
          }
          for (const kind of KINDS) {
            expect(point[kind]).toEqual(
              weighed(list, (each) => {
                const { decidedBy, score } = each.proposed;
                const over = score >= THRESHOLDS[each.riskLevel].block + point.shift;
                return (
                  kindOf(each) === kind &&
                  (decidedBy === "hard_block" || (decidedBy !== "allow_list" && over))
                );
              }),
            );
          }
        }
        expect(
          curve.every(
            ({ shift }) =>
              shift === 0 ||
              shift > -THRESHOLDS.high.block ||
              list.every(({ riskLevel }) => riskLevel !== "high"),
          ),
        ).toBe(true);
      }),
    );
  });

  it("names the marks of the only level, and bins scores side by side", () => {
    fc.assert(
      fc.property(payments, (list) => {
        const outcomes = tallied(list);
        const levels = new Set(list.map(({ riskLevel }) => riskLevel));
        expect(outcomes.current.marks).toEqual(levels.size === 1 ? THRESHOLDS[[...levels][0]!] : null);
        for (const name of SIDES) {
          const bins = outcomes[name].scores;
          for (const [i, bin] of bins.entries()) {
            const to = bins[i + 1]?.from ?? Infinity;
            for (const kind of KINDS)
              expect(bin[kind]).toBe(
                list.filter(
                  (each) => kindOf(each) === kind && each[name].score >= bin.from && each[name].score < to,
                ).length,
              );
          }
        }
      }),
    );
  });

  it("cuts time into hours without gaps, and into longer spans where there would be too many", () => {
    fc.assert(
      fc.property(payments, (list) => {
        const { spans, spanMs } = tallied(list);
        const index = ({ at }: { at: number }, ms: number): number => Math.floor(at / ms);
        const [first, last] = [list[0], list.at(-1)];
        if (first === undefined || last === undefined) return spans.length === 0;
        let ms = HOUR;
        while (index(last, ms) - index(first, ms) >= SPANS_KEPT) ms *= 2;
        expect([spanMs, spans.length]).toEqual([ms, index(last, ms) - index(first, ms) + 1]);
        for (const [i, span] of spans.entries()) {
          expect(span.from).toBe((index(first, ms) + i) * ms);
          const here = list.filter((each) => index(each, ms) * ms === span.from);
          const figures = (name: (typeof SIDES)[number]) => ({
            goodBlocked: here.filter(
              (each) => kindOf(each) === "good" && each[name].recommendation === "block",
            ).length,
            badPassed: here.filter((each) => kindOf(each) === "bad" && each[name].recommendation === "pass")
              .length,
          });
          expect(span).toMatchObject({
            total: here.length,
            current: figures("current"),
            proposed: figures("proposed"),
          });
        }
        return true;
      }),
    );
  });

  it("says what SQL says of the same payments", () => {
    fc.assert(
      fc.property(payments, (list) => {
        const database = new DatabaseSync(":memory:");
        database.exec("CREATE TABLE payment(label TEXT, was TEXT, now TEXT)");
        const insert = database.prepare("INSERT INTO payment VALUES (?, ?, ?)");
        for (const { label, current, proposed } of list)
          insert.run(label, current.recommendation, proposed.recommendation);
        const { changes, proposed } = tallied(list);
        const cell = database.prepare(
          "SELECT count(*) FILTER (WHERE label IN ('fraud', 'chargeback')) AS bad, count(*) FILTER (WHERE label IN ('good', 'refund')) AS good FROM payment WHERE was = ? AND now = ?",
        );
        for (const { was, now, bad, good } of changes)
          expect({ ...cell.get(was, now) }).toEqual({ bad: bad.count, good: good.count });
        const shares = sideShares(proposed);
        const sql = database
          .prepare(
            `WITH judged AS (SELECT label IN ('fraud', 'chargeback') AS bad, now FROM payment WHERE label IS NOT NULL)
             SELECT iif(min(bad) < max(bad), avg(bad) FILTER (WHERE now = 'block'), NULL) AS precision, avg(now = 'block') FILTER (WHERE bad) AS caught,
               avg(now <> 'pass') FILTER (WHERE NOT bad) AS disturbed FROM judged`,
          )
          .get()!;
        const share = ({ part, whole }: { part: number; whole: number }) =>
          whole === 0 ? null : part / whole;
        expect(share(shares.precision) ?? -1).toBeCloseTo(Number(sql.precision ?? -1), 12);
        expect(share(shares.caught) ?? -1).toBeCloseTo(Number(sql.caught ?? -1), 12);
        expect(share(shares.goodDisturbed) ?? -1).toBeCloseTo(Number(sql.disturbed ?? -1), 12);
        database.close();
      }),
    );
  });
});
