import fc from "fast-check";
import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { describe, expect, test } from "vitest";
import { countRows, type ReportData } from "#src/replay/reports/report-data.ts";
import { BREAKS } from "#src/replay/reports/page-markup.ts";
import style from "#src/replay/reports/page/all.css";
import script from "#src/replay/reports/page/report.browser.js";
import { SIGN } from "#src/display/sign.ts";
import { htmlReport } from "#src/replay/reports/report-html.ts";
import { HOSTILE, hostileRow } from "./hostile.ts";
import {
  attribute,
  elementsOf,
  expectNamed,
  expectSelfContained,
  parsedPage,
  textOf,
  type ParsedPage,
} from "./page-elements.ts";
import { reportOf, runInfo, sampleReport, whole } from "./report-sample.ts";
import { runRow } from "./rows.ts";

interface Page extends ParsedPage {
  readonly data: { readonly rows: readonly (readonly unknown[])[] };
}

async function page(data: ReportData): Promise<Page> {
  const parsed = parsedPage(await whole(htmlReport(data, await countRows(data))));
  const embedded = parsed.elements.find((element) => attribute(element, "id") === "data")!;
  return { ...parsed, data: JSON.parse(textOf(embedded)) as Page["data"] };
}

/** The tags of a page with their attributes' names: what hostile text must not change. A path may be broken anywhere. */
function skeleton({ elements }: Page): string[] {
  return elements
    .filter(({ tagName }) => tagName !== "wbr")
    .map(({ tagName, attrs }) => [tagName, ...attrs.map(({ name }) => name).sort()].join(" "));
}

describe("one page by itself", () => {
  test("has the style of all pages, and a script with the signs and breaks of the rest", async () => {
    const data = await sampleReport(1);
    const text = await whole(htmlReport(data, await countRows(data)));
    expect(style).toContain("header");
    expect(text).toContain(style);
    expect(text).toContain(script);
    for (const part of [String(BREAKS), SIGN.up.symbol, SIGN.down.symbol]) expect(script).toContain(part);
  });

  test("asks for nothing, and its policy allows its one script alone", async () => {
    const made = await page(await sampleReport(500));
    expectSelfContained(made);
    const scripts = made.elements.filter(({ tagName }) => tagName === "script");
    expect(scripts.map((script) => attribute(script, "type"))).toEqual(["application/json", undefined]);
  });

  test("headings, table headings and labels are there for those who hear the page", async () => {
    const made = await page(await sampleReport(500));
    expectNamed(made);
    const named = (tag: string): Tree.Element[] => made.elements.filter(({ tagName }) => tagName === tag);
    const labelled = named("label").flatMap((label) => elementsOf(label));
    for (const field of [...named("input"), ...named("select")]) expect(labelled).toContain(field);
  });

  test("says what came out, with the money behind it", async () => {
    const earlier = [runRow(1, "pass"), runRow(2, "pass"), runRow(3, "block"), runRow(4, "pass")];
    const later = [runRow(1, "block"), runRow(2, "pass"), runRow(3, "pass"), runRow(4, "unknown")];
    const { text, data } = await page(await reportOf(later, earlier));
    expect(text).toContain("2 of 3 verdicts changed");
    expect(text).toContain("1 payment newly blocked, worth 120.00 UAH.");
    expect(text).toContain("1 payment no longer blocked, and passed, worth 120.00 UAH.");
    expect(text).toContain("1 payment has no trustworthy verdict");
    expect(data.rows.map((row) => row[3])).toEqual(["o-1", "o-2", "o-3", "o-4"]);
  });

  test("a run without anything to compare, and one without anything at all", async () => {
    expect((await page(await reportOf([runRow(1, "pass")]))).text).toContain("1 payment checked");
    const info = runInfo({ summary: null, state: "partial" });
    const { text, data } = await page(await reportOf([], null, { info }));
    expect(text).toContain("Nothing was sent");
    expect(text).not.toContain("NaN");
    expect(text).not.toContain("Infinity");
    expect(data.rows).toEqual([]);
  });

  test("a run without changes, and one that is not finished, say so", async () => {
    const rows = [runRow(1, "pass"), runRow(2, "block")];
    const calm = await page(await reportOf(rows, rows));
    expect(calm.text).toContain("No verdict changed");
    expect(calm.text).toContain("2 payments compared, with the same verdict as before.");
    expect(calm.text).toContain("Every payment has a trustworthy verdict.");
    const partial = await page(await reportOf(rows, rows, { info: runInfo({ state: "partial" }) }));
    expect(partial.text).toContain("Not finished: the run was stopped");
  });

  test("a large run lists what changed or failed before all others", { timeout: 120_000 }, async () => {
    const data = await sampleReport(30_000);
    const { data: embedded, text } = await page(data);
    const totals = await countRows(data);
    expect(embedded.rows).toHaveLength(20_000);
    expect(text).toContain("20 000 of 30 000 are listed");
    expect(embedded.rows.filter((row) => row[0] !== 0)).toHaveLength(totals.total - totals.standings.passed);
  });
});

describe("hostile text", () => {
  test.each(HOSTILE)("%j changes no tag, no attribute, no data", async (text) => {
    const build = (word: string): Promise<ReportData> => {
      const earlier = [1, 2, 3].map((seq) => hostileRow(seq, word, "pass"));
      const later = [hostileRow(1, word, "block"), hostileRow(2, word, "unknown"), hostileRow(3, word, null)];
      const info = runInfo({ id: word, profile: word, project: word, sources: [word], baseline: word });
      return reportOf(later, earlier, { info, showPersonal: true });
    };
    const made = await page(await build(text));
    expect(skeleton(made)).toEqual(skeleton(await page(await build("harmless"))));
    expect(made.data.rows).toHaveLength(3);
    // oxlint-disable-next-line no-control-regex
    expect(made.text).not.toMatch(/[\u0000-\u0008\u000b\u001b\u007f-\u009f\u202e\u200b\u2028\u2029]/);
  });

  test("any text at all leaves the page as it is", async () => {
    const harmless = skeleton(
      await page(await reportOf([hostileRow(1, "harmless")], [hostileRow(1, "harmless", "block")])),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (text) => {
        const data = await reportOf([hostileRow(1, text)], [hostileRow(1, text, "block")], {
          showPersonal: true,
        });
        expect(skeleton(await page(data))).toEqual(harmless);
      }),
      { numRuns: 40, examples: [[""]] },
    );
  });
});
