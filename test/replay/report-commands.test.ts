// Whatever a run holds, a log that shows one of its files is not obeyed by a build server.

import { expect, test } from "vitest";
import { goldenText, compareGolden, parseGolden } from "#src/replay/golden.ts";
import { githubAnnotations } from "#src/replay/reports/annotations.ts";
import { countRows, type ReportData, type ReportTotals } from "#src/replay/reports/report-data.ts";
import { htmlReport } from "#src/replay/reports/report-html.ts";
import { jsonReport } from "#src/replay/reports/report-json.ts";
import { junitReport } from "#src/replay/reports/report-junit.ts";
import { reportMd } from "#src/replay/reports/md.ts";
import { runReport } from "#src/replay/reports/run-report.ts";
import { runFileLines } from "#src/replay/run-file.ts";
import { BUILD_COMMANDS, obeyedLines } from "../cli/build-server.ts";
import { hostileRow } from "./hostile.ts";
import { reportOf, runInfo, whole } from "./report-sample.ts";
import { rowsOf } from "./rows.ts";

type Report = (data: ReportData, totals: ReportTotals) => AsyncIterable<string> | string[];
const KINDS: Readonly<Record<string, Report>> = {
  html: htmlReport,
  json: jsonReport,
  junit: junitReport,
  md: (data, totals) => [reportMd(runReport(data, totals))],
};

const dataOf = (text: string): Promise<ReportData> =>
  reportOf([hostileRow(1, text, "unknown"), hostileRow(2, text, "pass", { expect: "block" })], null, {
    showPersonal: true,
    info: runInfo({ sources: [text], project: text, profile: text }),
    failedGates: [{ gate: "max-flips", limit: "0", figure: 1, message: text }],
  });

test.each(Object.keys(KINDS))("a report as %s", async (kind) => {
  for (const text of BUILD_COMMANDS) {
    const data = await dataOf(text);
    expect(obeyedLines(await whole(KINDS[kind]!(data, await countRows(data))))).toEqual([]);
  }
});

test("annotations are commands of our own, and hold no other", async () => {
  for (const text of BUILD_COMMANDS) {
    for (const line of await githubAnnotations(await dataOf(text))) {
      expect(line).toMatch(/^::error [^:]*::/);
      expect(line).not.toMatch(/##(?:vso|teamcity)?\[/i);
    }
  }
});

test("a run's file, and a golden file, which names the same items", async () => {
  for (const text of BUILD_COMMANDS) {
    const rows = [hostileRow(1, text, "pass", { key: text })];
    const lines = await Array.fromAsync(runFileLines(runInfo({ sources: [text] }), rowsOf(rows)));
    expect(obeyedLines(lines.join(""))).toEqual([]);
    const labels = { baseline: "a", run: "b" };
    const { golden: facts } = await compareGolden(rowsOf(rows), new Map(), labels, new Map(), undefined);
    const golden = goldenText({ golden: facts.now, shards: 1 });
    expect(obeyedLines(golden)).toEqual([]);
    const read = golden.split("\n").slice(0, -1).entries();
    async function* numbered(): AsyncGenerator<{ number: number; text: string }> {
      await Promise.resolve();
      for (const [index, line] of read) yield { number: index + 1, text: line };
    }
    expect(await parseGolden(numbered(), "golden")).toEqual({ golden: facts.now, shards: 1 });
  }
});
