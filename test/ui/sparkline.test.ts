// The line of latencies and the bar of verdicts.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measured, sparkline } from "#src/ui/sparkline.ts";
import { countKinds, verdictMix } from "#src/display/verdict-mix.ts";
import { VERDICT_KINDS } from "#src/display/verdict.ts";

describe("the line of latencies", () => {
  it("draws heights relative to the greatest, and a gap where nothing was measured", () => {
    expect(sparkline([10, 80, null, 40, 0], 20, false)).toBe("▁█·▄▁");
    expect(sparkline([10, 80, null, 40, 0], 20, true)).toBe("_@ =_");
    expect(sparkline([], 20, false)).toBe("");
    expect(sparkline([0, 0], 20, false)).toBe("▁▁");
  });

  it("keeps the newest of more than there is room for", () => {
    expect(sparkline([9, 1, 1, 8], 2, false)).toBe("▁█");
    expect(sparkline([1, 2], 0, false)).toBe("");
  });

  it("is one column a value, and never higher for a smaller one", () => {
    const values = fc.array(fc.oneof(fc.constant(null), fc.nat(100_000)), { maxLength: 60 });
    fc.assert(
      fc.property(values, fc.nat(80), fc.boolean(), (latencies, width, ascii) => {
        const line = sparkline(latencies, width, ascii);
        const drawn = width === 0 ? [] : latencies.slice(-width);
        expect(line).toHaveLength(drawn.length);
        if (ascii) expect(line).toMatch(/^[\x20-\x7e]*$/);
        const order = ascii ? "_.-=+*#@" : "▁▂▃▄▅▆▇█";
        for (const [one, a] of drawn.entries()) {
          for (const [other, b] of drawn.entries()) {
            if (a === null || b === null || a > b) continue;
            expect(order.indexOf(line[one]!)).toBeLessThanOrEqual(order.indexOf(line[other]!));
          }
        }
      }),
    );
  });

  it("has median, 95th percentile and maximum as figures", () => {
    expect(measured([30, null, 10, 20])).toEqual({ median: 20, p95: 30, most: 30 });
    expect(measured([30, 10])).toEqual({ median: 20, p95: 30, most: 30 });
    expect(measured([...Array.from({ length: 19 }, () => 20), 30_000])).toMatchObject({ p95: 20 });
    expect(measured([null])).toBeNull();
  });
});

describe("the bar of verdicts", () => {
  it("is a heavy line for each verdict, with its count", () => {
    const kinds = [...Array.from({ length: 8 }, () => "pass" as const), "block" as const, "unknown" as const];
    const mix = verdictMix(countKinds(kinds), 10, false);
    expect(mix.map(({ bar }) => bar)).toEqual(["━".repeat(8), "━", "━"]);
    expect(mix.map(({ label }) => label)).toEqual(["✔ 8", "✖ 1", "? 1"]);
    expect(verdictMix(countKinds(kinds), 10, true).map(({ label }) => label)).toEqual(["+ 8", "x 1", "? 1"]);
    expect(verdictMix([], 10, false)).toEqual([]);
    const rare = [...Array.from({ length: 99 }, () => "pass" as const), "block" as const];
    expect(verdictMix(countKinds(rare), 10, false).map(({ bar }) => bar)).toEqual(["━".repeat(9), "━"]);
  });

  it("fills its width exactly, shows every verdict that is there, and counts them all", () => {
    const kinds = fc.array(fc.constantFrom(...VERDICT_KINDS), { maxLength: 300 });
    fc.assert(
      fc.property(kinds, fc.integer({ min: 0, max: 60 }), fc.boolean(), (all, width, ascii) => {
        const mix = verdictMix(countKinds(all), width, ascii);
        const bar = mix.map((part) => part.bar).join("");
        expect(bar).toHaveLength(all.length === 0 ? 0 : width);
        expect(mix.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
        if (width >= mix.length) for (const part of mix) expect(part.bar).not.toBe("");
        expect(bar.replaceAll(ascii ? "=" : "━", "")).toBe("");
      }),
    );
  });
});
