// The result of tuning as lines: within its width, marked, and told in words to a screen reader.

import { describe, expect, it } from "vitest";
import { tuneLines, tunePage, whyUnjudged } from "#src/display/tune-lines.ts";
import type { ByVerdict } from "#src/contract/records/outcomes.ts";
import type { TunedValue } from "#src/contract/records/tuning.ts";
import { byVerdict, tried, tuned, tuningOf } from "./tuned-sample.ts";

const textOf = (tuning = tuningOf(), width = 76, ascii: boolean | "words" = false): string[] =>
  tuneLines(tuning, { width, ascii }).map(
    ({ fixed, text }) => fixed.map((span) => span.text).join("") + text,
  );

describe("tuneLines", () => {
  it.each([56, 76, 136])("keeps the table within %i columns", (width) => {
    const many = Array.from({ length: 200 }, (_, i) => ({
      ...tuned(i, 0, 0, 0),
      ...tried(90_000 - i, 80_000, 1_000, 100_000, 2_000_000),
    }));
    for (const tuning of [tuningOf(), tuningOf({ values: many, today: many[0]!, proposed: many[99]! })]) {
      const fixed = tuneLines(tuning, { width, ascii: true }).filter(({ text }) => text === "");
      expect(fixed.length).toBeGreaterThan(tuning.values.length);
      for (const line of fixed) {
        expect(line.fixed.map(({ text }) => text).join("").length).toBeLessThanOrEqual(width);
      }
    }
  });

  it("marks the proposed value and today's, and says why", () => {
    const lines = textOf();
    expect(lines.filter((line) => line.endsWith(" proposed"))).toHaveLength(1);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ +6 +10 +100 % +7 +35\.0 % +75\.0 % +58\.8 % +1\.8 +10 +today$/),
    );
    expect(lines[1]).toMatch(
      /^Proposed: 12\. It blocks 8 of 10, 80\.0 % of fraud \(8 EUR\), sends 0 to 3-D Secure and passes 2, blocks 1 of 20/,
    );
    expect(lines[2]).toMatch(
      /^It keeps most money \(.*\) if 3-D Secure stops no fraud: about 7 EUR, and about 3 EUR today\. If 3-D Secure stops all of the fraud sent to it, most is kept by 14: about 8 EUR, and 12 keeps about 7 EUR\.$/,
    );
    expect(lines[3]).toMatch(/^Today's 6 blocks 10 of 10, 100 % of fraud/);
    const proposed = tuningOf().values.find(({ isToday }) => isToday)!;
    expect(textOf(tuningOf({ proposed }))[2]).toMatch(/^It keeps most money .*stops no fraud: about 3 EUR\./);
  });

  it("says which value keeps most money if 3-D Secure stops all fraud", () => {
    const value = (number: number, fraud: ByVerdict): TunedValue => {
      const { labels } = tried(0, 1, 0);
      return { value: number, isToday: false, onFrontier: true, heldOut: null, labels: { ...labels, fraud } };
    };
    const [blocking, asking] = [value(1, byVerdict(5, 0, 5)), value(2, byVerdict(0, 7, 3))];
    const text = textOf(tuningOf({ values: [blocking, asking], proposed: blocking })).join("\n");
    expect(text).toContain(
      "If 3-D Secure stops all of the fraud sent to it, most is kept by 2: about 9 EUR, and 1 keeps about 4 EUR.",
    );
  });

  it("says by which limit it was chosen, and what comes nearest where none meets it", () => {
    const limit = { text: "0.5%", admits: () => true };
    const limits = { maxGoodBlocked: limit, minCaught: { ...limit, text: "85%" } };
    expect(textOf(tuningOf({ limits })).join("\n")).toContain(
      "Of the values of which each blocks at most 0.5% of good payments and catches at least 85% of fraud, it catches most fraud.",
    );
    expect(textOf(tuningOf({ limits, proposed: null })).join("\n")).toMatch(
      /No value blocks at most 0\.5% .* caught by 4, .* blocked by 13, /,
    );
  });

  it("has a row of its own for rules that differ by level, and tells that all were tried", () => {
    const values = tuningOf().values.map((value) => ({ ...value, isToday: false }));
    const text = textOf(tuningOf({ levels: ["medium", "high"], values })).join("\n");
    expect(text).toContain("levels medium and high, and each value was tried on all of them");
    expect(text).toMatch(/^today +10 +100 %/m);
    expect(text).toContain("Today's 6 on medium, 4 on high blocks");
  });

  it("is a sentence a value for a screen reader, without table", () => {
    const lines = textOf(tuningOf(), 76, "words");
    expect(lines).toContain(
      "6: blocks 10 of 10, 100 % of fraud (10 EUR), sends 0 to 3-D Secure and passes 0, blocks 7 of 20, 35.0 % of good payments (7 EUR), disturbs 15 of 20, 75.0 % of them, today.",
    );
    expect(lines.join("\n")).not.toContain("PRECISE");
  });

  it("tells what to do where nothing can be judged", () => {
    expect(whyUnjudged(tuningOf())).toBeNull();
    expect(textOf(tuningOf({ today: tried(0, 0, 0, 0, 0) }))).toEqual([
      expect.stringContaining("No payment has a label"),
    ]);
    expect(whyUnjudged(tuningOf({ total: 0 }))).toContain("no payment to decide about");
  });

  it("is on a page a table with a bar for each share, and words for a screen reader", () => {
    const page = (ascii: boolean | "words", width = 76) => tunePage(tuningOf(), { width, ascii });
    const table = page(false).find((line) => "cells" in line)!;
    expect(table.cells).toHaveLength(tuningOf().values.length);
    expect(table.cells[2]!.map(({ text, share }) => share ?? text)).toEqual([
      "6",
      1,
      "100 %",
      // Of ten, as the worst value blocks nine.
      7 / 10,
      "7",
      "3",
      "today",
    ]);
    const wide = page(false, 140).find((line) => "cells" in line)!;
    expect(wide.cells[2]!.map(({ text, share }) => share ?? text).slice(5, 7)).toEqual([15 / 19, "15"]);
    expect(table.cells[8]!.at(-1)!.text).toBe("* proposed");
    expect(page("words")).toEqual(tuneLines(tuningOf(), { width: 76, ascii: "words" }));
  });

  it("shows on the page what goes to 3-D Secure where all values block the same", () => {
    const { today } = tuningOf();
    const values = tuningOf().values.map((value) => ({ ...value, ...today }));
    const table = tunePage(tuningOf({ values }), { width: 140, ascii: false }).find(
      (line) => "cells" in line,
    )!;
    const titles = table.columns.map(({ title }) => title).filter((title) => title !== "");
    expect(titles).toEqual(["Value", "Fraud to 3DS", "Good disturbed", "Net EUR"]);
  });
});
