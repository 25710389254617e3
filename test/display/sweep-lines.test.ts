// The chart of a sweep: every cell has its verdict's symbol, tipping points are named in words, and nothing personal is shown.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stretchesOf } from "#src/actions/check/sweep-tips.ts";
import type { SweepPoint, SweepResult, SweepValues } from "#src/contract/records/sweep.ts";
import { MASK } from "#src/display/mask.ts";
import { sweepLines, type SweepOptions, UNTRIED } from "#src/display/sweep-lines.ts";

const OPTIONS: SweepOptions = { width: 40, ascii: false, unit: "minor", masked: false };
const point = (
  value: string | number,
  verdict: SweepPoint["verdict"],
  reason: string | null = null,
  codes: string[] = [],
): SweepPoint => ({
  value,
  verdict,
  reason,
  codes,
});
const resultOf = (
  field: string,
  values: SweepValues,
  points: SweepPoint[],
  change: Partial<SweepResult> = {},
): SweepResult => ({
  profile: "sandbox",
  project: "shop/medium",
  field,
  values,
  request: { operation: "payment", amount: 1, currency: 978 },
  at: Date.UTC(2026, 2, 16),
  points,
  stretches: stretchesOf(points, values.kind === "range"),
  real: false,
  asked: points.length,
  stopped: null,
  ...change,
});
const text = (result: SweepResult, options: Partial<SweepOptions> = {}): string[] =>
  sweepLines(result, { ...OPTIONS, ...options }).map(
    (line) => line.fixed.map((span) => span.text).join("") + line.text,
  );

const RANGE: SweepValues = { kind: "range", from: 1_000, to: 500_000, steps: 48 };
const AMOUNTS = resultOf("amount", RANGE, [
  point(1_000, "pass"),
  point(25_000, "pass"),
  point(25_001, "3ds_or_block", "worth 250.01 EUR", ["AMOUNT_OVER_SCA"]),
  point(199_999, "3ds_or_block", "worth 1 999.99 EUR", ["AMOUNT_OVER_SCA"]),
  point(200_000, "block", "over the limit", ["AMOUNT_LIMIT", "AMOUNT_OVER_SCA"]),
  point(500_000, "block", "over the limit", ["AMOUNT_LIMIT", "AMOUNT_OVER_SCA"]),
]);

describe("a range", () => {
  it("is for a screen reader a sentence a stretch, without the bar and its marks", () => {
    const lines = text(AMOUNTS, { ascii: "words" });
    expect([lines.length, lines[5]]).toEqual([6, UNTRIED]);
    expect(lines.slice(2, 5).map((line) => /^[A-Z0-9]+/.exec(line)?.[0])).toEqual(["PASS", "3DS", "BLOCK"]);
    expect(lines.join("\n")).not.toMatch(/(?![ -~])\p{S}/u);
  });

  it("is a bar a stretch, where it lies in the range, with its values below", () => {
    const lines = text(AMOUNTS);
    expect(lines[0]).toBe(
      "Amount from 10.00 EUR to 5 000.00 EUR for shop/medium: 6 questions to the sandbox, nothing counted.",
    );
    expect(lines.slice(2)).toEqual([
      "✔ PASS    ━━━━━━━━━━━━━━━━──────────────",
      "          10.00 EUR to 250.00 EUR: no rule has an objection.",
      "◆ 3DS     ────────────────━━━━━━━━━━────",
      "          250.01 EUR to 1 999.99 EUR: AMOUNT_OVER_SCA now hits, worth 250.01 EUR.",
      "✖ BLOCK   ──────────────────────────━━━━",
      "          from 2 000.00 EUR on: AMOUNT_LIMIT now hits, over the limit.",
      "          10.00 EUR   log   5 000.00 EUR",
      UNTRIED,
    ]);
    const whole = { kind: "range", from: 1, to: 2, steps: 2 } as const;
    expect(text(resultOf("amount", whole, [point(1, "pass"), point(2, "block")]))).not.toContain(UNTRIED);
  });

  it("names a scale that is not even, as far as there is room", () => {
    const axis = (width: number): string => text(AMOUNTS, { width }).at(-2)!.trim();
    expect(axis(50)).toBe("10.00 EUR logarithmic scale 5 000.00 EUR");
    expect(axis(40)).toBe("10.00 EUR   log   5 000.00 EUR");
    expect(axis(32)).toBe("10.00 EUR 5 000.00 EUR");
    const even = { kind: "range", from: 400_000, to: 500_000, steps: 4 } as const;
    const points = [point(400_000, "pass"), point(500_000, "pass")];
    expect(text(resultOf("amount", even, points)).join("\n")).not.toContain("log");
  });

  it("needs neither colour nor Unicode", () => {
    const lines = text(AMOUNTS, { ascii: true });
    expect(lines[4]).toMatch(/^\* 3DS     -+=+-+$/);
    expect(lines.join("\n")).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("says where a change was not narrowed down, and where it was cut short", () => {
    const points = [point(1_000, "pass"), point(90_000, "block")];
    const lines = text(resultOf("amount", RANGE, points, { real: true, stopped: "It was cancelled." }));
    expect(lines.join("\n")).toContain("at 900.00 EUR (somewhere after the value before)");
    expect(lines[4]).toMatch(/^✖ BLOCK   ─+━─+$/);
    expect(lines.at(-1)).toBe("! It was cancelled.");
    expect(lines[0]).toContain("2 checks sent through sandbox");
  });

  it("has one bar of the wanted width a stretch, whatever was found", () => {
    const verdicts = ["pass", "block", "3ds_or_block", "refused", "unknown"] as const;
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 40 }),
        fc.array(fc.constantFrom(...verdicts), { minLength: 40, maxLength: 40 }),
        fc.integer({ min: 1, max: 120 }),
        (values, drawn, width) => {
          const sorted = values.toSorted((a, b) => a - b);
          const points = sorted.map((value, index) => point(value, drawn[index]!));
          const range = { kind: "range", from: sorted[0]!, to: sorted.at(-1)!, steps: 2 } as const;
          const result = resultOf("amount", range, points);
          const bars = text(result, { width }).filter((line) => line.includes("━"));
          expect(bars).toHaveLength(result.stretches.length);
          for (const bar of bars) {
            expect(bar.slice(10)).toMatch(/^─*━+─*$/);
            expect(bar).toHaveLength(Math.max(24, width));
          }
        },
      ),
    );
  });
});

describe("a list", () => {
  it.each([
    ["the rule that decides, where all verdicts are the same", "block", "VELOCITY"],
    [
      "the rule that makes the difference, where a stronger one hits for every value",
      "3ds_or_block",
      "PHONE",
    ],
  ] as const)("names %s", (_, other, named) => {
    const known = (value: string, verdict: SweepPoint["verdict"], codes: string[]): SweepPoint => ({
      ...point(value, verdict, `${codes[0]} hits`, codes),
      reasons: codes.map((code) => `${code} hits`),
    });
    const lines = text(
      resultOf("payer.number_phone", { kind: "list", values: ["+210", "+380"] }, [
        known("+210", "block", ["VELOCITY", "PHONE"]),
        known("+380", other, ["VELOCITY"]),
      ]),
    );
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(new RegExp(`${named}, ${named} hits$`)),
      expect.stringMatching(/VELOCITY, VELOCITY hits$/),
    ]);
  });

  const PHONES = ["+380501234567", "+4915123456789"];
  const phones = resultOf("payer.number_phone", { kind: "list", values: PHONES }, [
    point(PHONES[0]!, "pass"),
    point(PHONES[1]!, "block", "+4915123456789 is on the list", ["LISTS"]),
  ]);

  it("has a line for each value with what it means", () => {
    expect(text(phones).slice(2)).toEqual([
      "+380501234567 Ukraine   ✔ PASS    no rule has an objection",
      "+4915123456789 Germany  ✖ BLOCK   LISTS, +4915123456789 is on the list",
    ]);
  });

  it("shows an audience neither a number nor its country", () => {
    const shown = text(phones, { masked: true }).join("\n");
    expect(shown).toContain(`${MASK}  ✔ PASS`);
    expect(shown).not.toContain("Germany");
    expect(shown).not.toMatch(/\+?(?:380501234567|4915123456789)/);
    const years: SweepValues = { kind: "list", values: [27, 28] };
    const cards = resultOf("card.expiration_year", years, [point(27, "pass"), point(28, "pass")]);
    expect(text(cards, { masked: true }).slice(2).join("\n")).not.toMatch(/2[78]/);
  });
});
