// The filter language of the findings of a run: what it finds, and how it points at a mistake.

import { describe, expect, it } from "vitest";
import { completeFilter, wrongFilter } from "#src/actions/history/complete-filter.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { FINDING_FILTER } from "#src/actions/replay/filter-findings.ts";
import { runResult, runRow } from "../console/replay-engine.ts";

const row = (rule: string, amount: number) =>
  runRow(7, {
    key: "o-7",
    origin: "day.csv:7",
    request: { order_id: "Shop-7", amount, currency: 980, payer: { email: "jane@example.com" } },
    result: { ...runResult("block"), basis: { score: 60, rules: [rule] }, latencyMs: 40 },
  });
const FLIP = {
  key: "o-7",
  was: "pass" as const,
  now: "block" as const,
  before: row("AMOUNT_NEEDS_3DS", 900),
  after: row("CARD_LISTED", 150_000),
};

describe("the filter of findings", () => {
  it.each([
    ["was:pass now:block", true],
    ["verdict:block", true],
    ["was:3ds", false],
    ["-was:none expected:none", true],
    ["now:b*k", true],
    ["amount>100000 amount<=150000", true],
    ["amount<1000", false],
    ["currency:UAH latency<50ms", true],
    ["rule:AMOUNT_NEEDS", false],
    ["rule:amount_needs* rule:*listed", true],
    ["rule:*c*a*r*d*l*d", true],
    ["rule:card*card_listed", false],
    ["rule:**x*", false],
    ["order:shop-7", true],
    ["order=shop-7", false],
    ['order:"shop*"', false],
    ["bin:4*", false],
    ["-bin:4*", true],
    ["from:day.csv* email:*@EXAMPLE.com", true],
    ["AMOUNT_NEEDS block -refused", true],
    ["SHOP", true],
    ["amount>=150000 -amount<150000", true],
    ["", true],
  ])("lets %s through: %s", (filter, passes) => {
    expect(FINDING_FILTER.compile(filter)(FLIP)).toBe(passes);
  });

  it("tells a missing payment, and one without an outcome, from those with one", () => {
    const now = (after: typeof FLIP.after | null): boolean =>
      FINDING_FILTER.compile("now:unknown")({ ...FLIP, now: null, after });
    expect(now({ ...FLIP.after, result: null })).toBe(true);
    expect(now(null)).toBe(false);
  });

  it("says no, and goes on, where what is stored is no text", () => {
    const odd: unknown[] = [42, true, ["a"], { toString: 1 }, { a: 1 }, null];
    const filters =
      "order email ip payer bin operation amount currency rule from now was verdict expected latency";
    for (const value of odd) {
      const payer = { email: value, payer_ip: value, payer_id: value };
      for (const request of [
        {
          order_id: value,
          operation: value,
          amount: value,
          currency: value,
          payer,
          card: { bin_card: value },
        },
        { payer: value, card: value },
        value,
      ] as CheckRequest[]) {
        const after = { ...FLIP.after, request };
        for (const field of filters.split(" ")) {
          const wanted =
            { amount: "1", currency: "UAH", latency: "1ms", now: "pass", was: "none" }[field] ?? "pass";
          expect(FINDING_FILTER.compile(`${field}:${wanted}`)({ ...FLIP, after }), field).toBe(false);
        }
        expect(FINDING_FILTER.compile("nowhere")({ ...FLIP, after })).toBe(false);
        expect(FINDING_FILTER.compile("CARD_LISTED")({ ...FLIP, after })).toBe(true);
      }
    }
    const numbered = { ...FLIP.after, request: { card: { bin_card: 444_433 } } };
    expect(FINDING_FILTER.compile("bin:4444*")({ ...FLIP, after: numbered })).toBe(true);
  });

  it("names its own fields, and offers them", () => {
    const wrong = (filter: string) => wrongFilter(filter, 0, FINDING_FILTER)?.message;
    expect(wrong("label:fraud")).toMatch(
      /^Filter, column 1: there is no field "label"; the fields are was, now, verdict,/,
    );
    expect(wrong("was:unknown")).toContain("use pass, block, 3ds_or_block, none.");
    const offered = completeFilter("ru", 0, "minor", FINDING_FILTER).candidates.map(({ text }) => text);
    expect(offered).toEqual(["rule:"]);
  });
});
