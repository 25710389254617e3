import { marked, type Token, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import type { RunRow } from "#src/contract/records/run.ts";
import { countRows, type ReportData } from "#src/replay/reports/report-data.ts";
import { jsonReport } from "#src/replay/reports/report-json.ts";
import { reportMd } from "#src/replay/reports/md.ts";
import { runReport } from "#src/replay/reports/run-report.ts";
import { HOSTILE, hostileRow } from "./hostile.ts";
import { reportOf, runInfo, sampleReport, whole } from "./report-sample.ts";
import { runResult, runRow } from "./rows.ts";

async function md(data: ReportData): Promise<string> {
  return reportMd(runReport(data, await countRows(data)));
}

/** The tables below their headings, as a reader of GitHub Flavored Markdown sees them. */
function tablesOf(text: string): ReadonlyMap<string, Tokens.Table> {
  const tables = new Map<string, Tokens.Table>();
  let heading = "";
  for (const token of marked.lexer(text)) {
    if (token.type === "heading") heading = (token as Tokens.Heading).text;
    if (token.type === "table") tables.set(heading, token as Tokens.Table);
  }
  return tables;
}

const textOf = ({ tokens }: Tokens.TableCell): string =>
  tokens.map((token) => ("text" in token ? String(token.text) : token.raw)).join("");

test("a run that is shown without its earlier one names the command that compares both", async () => {
  const data = { ...(await sampleReport(100)), comparison: null };
  expect(await md(data)).toContain(`verdict compare ${data.info.baseline} ${data.info.id}`);
  const first = { ...data, info: { ...data.info, baseline: null } };
  expect(await md(first)).toContain("there is no earlier run beside it");
});

describe("a run compared with an earlier one", () => {
  test("groups what changed by the rules that decided", async () => {
    const ruled = (verdict: "pass" | "block", rules: string[]): RunRow =>
      runRow(1, verdict, { result: runResult(verdict, { basis: { score: 0, rules } }) });
    const data = await reportOf([ruled("block", ["AMOUNT_CAP"])], [ruled("pass", [])]);
    const causes = tablesOf(await md(data)).get("By cause")!;
    expect(causes.rows.map((cells) => cells.map(textOf))).toEqual([
      ["AMOUNT_CAP decides now", "1", "✔ PASS", "✖ BLOCK", "about 2 EUR"],
    ]);
    expect(JSON.parse(await whole(jsonReport(data, await countRows(data))))).toMatchObject({
      comparison: {
        causes: [{ before: null, after: "AMOUNT_CAP", was: "pass", now: "block", count: 1, about_eur: 2.45 }],
      },
    });
  });

  test("has the matrix with its money, and the ten worst changes with their places", async () => {
    const data = await sampleReport(3_000);
    const text = await md(data);
    expect(text).toMatch(/^## 26 of 2 995 verdicts changed\n/);
    const tables = tablesOf(text);
    const matrix = tables.get("Verdicts before and now")!;
    const counts = matrix.rows.flatMap((cells) =>
      cells.slice(1).map((cell) => parseInt(cell.text.replaceAll(" ", "") || "0", 10)),
    );
    expect(counts).toEqual(data.comparison!.matrix.map(({ count }) => count));
    const changes = tables.get("Changed verdicts, worst first")!;
    expect(changes.header.map(textOf)).toEqual([
      "Payment",
      "Before",
      "Now",
      "Amount",
      "The service says now",
      "Source",
    ]);
    expect(changes.rows).toHaveLength(10);
    expect(changes.rows[0]!.map(textOf)).toEqual([
      "order-40970",
      "✔ PASS",
      "✖ BLOCK",
      "1 814.30 EUR",
      "6 attempts with this card in 1 h (limit 3).",
      "november/payments.ndjson:970",
    ]);
    expect(text).toContain("16 more; --report json=FILE has all of them.");
    expect(tables.get("Without a trustworthy verdict")!.rows).toHaveLength(5);
  });

  test("says why nothing could be compared", async () => {
    expect(await md(await reportOf([runRow(1, "pass")], []))).toContain("no item in common");
  });
});

describe("a run on its own", () => {
  test("has its verdicts, and nothing about changes", async () => {
    const counts = {
      total: 3,
      pass: 2,
      block: 1,
      threeDs: 0,
      indeterminate: 0,
      refused: 0,
      unknown: 0,
      notSent: 0,
    };
    const info = runInfo();
    const text = await md(
      await reportOf([runRow(1, "pass"), runRow(2, "pass"), runRow(3, "block")], null, {
        info: { ...info, baseline: null, summary: { ...info.summary!, counts } },
      }),
    );
    const [verdicts] = [...tablesOf(text).values()];
    expect(verdicts!.rows.map((cells) => cells.map(textOf))).toEqual([
      ["✔ PASS", "2", "66.7 %"],
      ["◆ 3DS", "0", "0 %"],
      ["✖ BLOCK", "1", "33.3 %"],
    ]);
    expect(text).not.toContain("changed");
  });

  test("a partial one says so", async () => {
    const data = await reportOf([runRow(1, "pass")], null, {
      info: runInfo({ state: "partial", summary: null }),
    });
    expect(await md(data)).toContain("**Not finished:**");
  });
});

describe("hostile text", () => {
  const MARKUP = [
    "| a | b |",
    "`x`",
    "[a](javascript:b)",
    "![x](y)",
    "<img src=x>",
    "# h",
    "https://evil.example/a",
    "&lt;b&gt;",
    "**b** _i_ ~~s~~",
    "a\\|b",
    "@octocat",
    "mailto:a@shop.example",
    "`@@octocat`",
    "www.evil.example/a",
    "WWW.evil.example",
  ];

  test.each([...HOSTILE, ...MARKUP])("%j stays text", async (hostile) => {
    const rows = [hostileRow(1, hostile, "unknown")];
    const text = await md(
      await reportOf(rows, null, {
        showPersonal: true,
        info: runInfo({ sources: [hostile], project: hostile, profile: hostile }),
      }),
    );
    const [cells] = tablesOf(text).get("Without a trustworthy verdict")!.rows;
    expect(cells).toHaveLength(5);
    const kinds = new Set<string>();
    const codes: string[] = [];
    const walk = (tokens: readonly Token[]): void => {
      for (const token of tokens) {
        if (token.type === "codespan") codes.push((token as Tokens.Codespan).text);
        kinds.add(token.type);
        if ("tokens" in token && token.tokens !== undefined) walk(token.tokens);
      }
    };
    for (const cell of cells!) walk(cell.tokens);
    for (const kind of ["link", "image", "html", "em", "del"]) expect(kinds).not.toContain(kind);
    // A name calls nobody where its sign is code, and nothing else is.
    expect(codes.filter((code) => !/^@+$/.test(code))).toEqual([]);
    expect(
      text
        .replaceAll(/`@+`/g, "")
        .split("\n")
        .filter((line) => line.startsWith("|"))
        .join(""),
    ).not.toContain("@");
  });
});
