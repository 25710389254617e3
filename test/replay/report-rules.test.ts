import { expect, test } from "vitest";
import { comparisonLines } from "#src/cli/replay/comparison-text.ts";
import { placeText } from "#src/display/run-lines.ts";
import { runReport } from "#src/replay/reports/run-report.ts";
import { countRows } from "#src/replay/reports/report-data.ts";
import { htmlReport } from "#src/replay/reports/report-html.ts";
import { jsonReport } from "#src/replay/reports/report-json.ts";
import { junitReport } from "#src/replay/reports/report-junit.ts";
import { reportMd } from "#src/replay/reports/md.ts";
import { reportOf, runInfo, whole } from "./report-sample.ts";
import { runRow } from "./rows.ts";

const before = runInfo({ id: "before", isolated: "loose.yaml", rulesHash: `0123abcd${"0".repeat(56)}` });
const after = runInfo({ isolated: "strict.yaml", rulesHash: `fedc9876${"f".repeat(56)}` });

test("every report of a run, its list and a comparison name the rules of both sides by name and hash", async () => {
  const data = await reportOf([runRow(1, "block")], [runRow(1, "pass")], { info: after, earlier: before });
  const totals = await countRows(data);
  const style = { paint: (_: string, text: string) => text, symbol: () => "", ascii: true };
  const texts = {
    html: await whole(htmlReport(data, totals)),
    markdown: reportMd(runReport(data, totals)),
    junit: await whole(junitReport(data, totals)),
    list: [before, after].map(placeText).join("\n"),
    compare: comparisonLines(data.comparison!, before, after, { style, columns: 100 } as never).join("\n"),
  };
  for (const [kind, text] of Object.entries(texts)) {
    for (const rules of ["loose.yaml (0123abcd)", "strict.yaml (fedc9876)"])
      expect(text, kind).toContain(rules);
  }
  const json = JSON.parse(await whole(jsonReport(data, totals))) as Record<string, Record<string, unknown>>;
  expect(json["run"]!["decided_by"]).toEqual({ name: "strict.yaml", hash: after.rulesHash });
  expect(json["comparison"]!["baseline_decided_by"]).toEqual({ name: "loose.yaml", hash: before.rulesHash });
});
