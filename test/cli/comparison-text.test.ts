import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { comparisonLines as linesOf } from "#src/cli/replay/comparison-text.ts";
import { CARRIED, type Comparison } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { createStyle, type Style } from "#src/display/style.ts";
import { FlipCounter } from "#src/replay/flips.ts";
import { HOSTILE } from "../replay/hostile.ts";
import { reportOf, runInfo, sampleReport } from "../replay/report-sample.ts";
import { RATES, runResult, runRow } from "../replay/rows.ts";

const PLAIN = createStyle({ color: false, ascii: true });
const RICH = createStyle({ color: true, ascii: false });

function comparisonLines(
  comparison: Comparison,
  amountUnit: AmountUnit,
  style: Style,
  columns: number,
): string[] {
  return linesOf(comparison, null, runInfo({ amountUnit }), { style, columns });
}

async function compare(earlier: readonly RunRow[], later: readonly RunRow[]): Promise<Comparison> {
  const info = runInfo({ id: "later", baseline: "earlier" });
  return (await reportOf(later, earlier, { info })).comparison!;
}

describe("a comparison of some payments", () => {
  const earlier = [
    runRow(1, "pass"),
    runRow(2, "pass"),
    runRow(3, "block", { request: { amount: 500, currency: 978 } }),
    runRow(4, "pass"),
    runRow(5, "3ds_or_block"),
    runRow(6, "pass"),
  ];
  const later = [
    runRow(1, "block"),
    runRow(2, "pass"),
    runRow(3, "pass", { request: { amount: 500, currency: 978 } }),
    runRow(4, "unknown"),
    runRow(5, "3ds_or_block"),
    runRow(7, "pass"),
  ];

  test("at 80 columns, in ASCII", async () => {
    expect(comparisonLines(await compare(earlier, later), "minor", PLAIN, 80)).toEqual([
      "Run later compared with earlier",
      "",
      "Verdicts before and now",
      "  BEFORE   NOW + PASS   NOW * 3DS  NOW X BLOCK",
      "  + PASS            1           0            1",
      "               25.0 %                   25.0 %",
      "           120.00 UAH               120.00 UAH",
      "  * 3DS             0           1            0",
      "                           25.0 %",
      "                       120.00 UAH",
      "  x BLOCK           1           0            0",
      "               25.0 %",
      "             5.00 EUR",
      "  4 compared: 2 changed (50.0 %), 2 unchanged",
      "  New blocks: 1 (25.0 %), about 2 EUR",
      "  No longer blocked: 1 (25.0 %), about 5 EUR",
      "  Not compared: 1 new, 1 missing, 1 without a trustworthy verdict",
      "",
      "Changed verdicts, worst first",
      expect.stringMatching(/^ {2}First payments that passed/),
      expect.any(String),
      expect.any(String),
      "  PAYMENT  BEFORE   NOW          AMOUNT  SOURCE",
      "  o-1      + PASS   x BLOCK  120.00 UAH  payments.ndjson:1",
      "    Recommended: block",
      "  o-3      x BLOCK  + PASS     5.00 EUR  payments.ndjson:3",
      "    Recommended: pass",
    ]);
  });

  test("groups flips by the rules that decided, within the width of the terminal", async () => {
    const ruled = (seq: number, verdict: Recommendation, rules: string[]): RunRow =>
      runRow(seq, verdict, { result: runResult(verdict, { basis: { score: 0, rules } }) });
    const before = [1, 2, 3].map((seq) => ruled(seq, "block", ["BIN_BURST"]));
    const after = [ruled(1, "pass", []), ruled(2, "pass", []), ruled(3, "3ds_or_block", ["LATE"])];
    const lines = comparisonLines(await compare(before, after), "minor", PLAIN, 80);
    expect(lines.slice(lines.indexOf("By cause"), lines.indexOf("By cause") + 4)).toEqual([
      "By cause",
      "  CHANGED  BEFORE   NOW           WORTH  CAUSE",
      "        2  x BLOCK  + PASS  about 5 EUR  BIN_BURST no longer decides",
      "        1  x BLOCK  * 3DS   about 2 EUR  LATE decides instead of BIN_BURST",
    ]);
    const narrow = comparisonLines(await compare(before, after), "minor", PLAIN, 60);
    expect(narrow).toContain("    BIN_BURST no longer decides");
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test("colour is for what changed: the diagonal has none", async () => {
    const lines = comparisonLines(await compare(earlier, later), "minor", RICH, 80);
    const row = lines.find((line) => line.includes("✔ PASS") && !line.includes("NOW"))!;
    const cells = row.slice(row.indexOf("PASS"));
    expect(cells).toMatch(/ {2}\s+1 {2}/);
    expect(cells).toContain("\u001b[31m");
  });

  test("amounts in major units have no decimals to set apart", async () => {
    const lines = comparisonLines(await compare(earlier, later), "major", PLAIN, 80);
    expect(lines.join("\n")).toContain("12000 UAH");
  });
});

test.each([60, 80, 100, 140])("no line is wider than %i columns", async (columns) => {
  const comparison = (await sampleReport(5_000)).comparison!;
  for (const style of [PLAIN, RICH]) {
    const lines = comparisonLines(comparison, "minor", style, columns);
    for (const line of lines) {
      expect(stringWidth(stripVTControlCharacters(line)), line).toBeLessThanOrEqual(
        columns + (columns < 80 ? 8 : 0),
      );
    }
    expect(lines.at(-1)).toMatch(/and \d+ more; --json or --report html=FILE lists them$/);
  }
});

test("sums that do not fit side by side become a list", async () => {
  const amount = Number.MAX_SAFE_INTEGER;
  const rows = [1, 2, 3].map((seq) =>
    runRow(seq, (["pass", "block", "3ds_or_block"] as const)[seq - 1]!, {
      request: { amount, currency: 980 },
    }),
  );
  const lines = comparisonLines(await compare(rows, rows), "minor", PLAIN, 60);
  expect(lines.slice(3, 5)).toEqual([
    "  BEFORE: + PASS",
    "  NOW + PASS: 1, 33.3 %, 90 071 992 547 409.91 UAH",
  ]);
});

test("nothing to compare is said in words", async () => {
  const text = async (earlier: readonly RunRow[], later: readonly RunRow[]): Promise<string> =>
    comparisonLines(await compare(earlier, later), "minor", PLAIN, 80).join("\n");
  expect(await text([], [])).toContain("Neither side has any items.");
  expect(await text([runRow(1, "pass")], [runRow(2, "pass")])).toContain("no item in common");
  expect(await text([runRow(1, "unknown")], [runRow(1, "pass")])).toContain(
    "Not compared: 1 without a trustworthy verdict",
  );
  const carried = new FlipCounter({ baseline: CARRIED, run: "later" }, RATES);
  carried.take(runRow(1, "pass"), null);
  expect(comparisonLines(carried.comparison(), "minor", PLAIN, 80).join("\n")).toContain(
    "The payloads carried no earlier verdict",
  );
});

test.each(HOSTILE)("%j cannot move the terminal", async (text) => {
  const row = (verdict: "pass" | "block"): RunRow => runRow(1, verdict, { key: text, origin: text });
  const comparison = { ...(await compare([row("pass")], [row("block")])), baseline: text, run: text };
  for (const line of comparisonLines(comparison, "minor", PLAIN, 80)) {
    // oxlint-disable-next-line no-control-regex
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e\u2028]/);
  }
});
