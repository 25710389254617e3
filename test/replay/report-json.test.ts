import { expect, test } from "vitest";
import type { RunRow } from "#src/contract/records/run.ts";
import { countRows, type ReportData } from "#src/replay/reports/report-data.ts";
import { jsonReport } from "#src/replay/reports/report-json.ts";
import { HOSTILE, hostileRow } from "./hostile.ts";
import { reportOf, whole } from "./report-sample.ts";
import { runRow } from "./rows.ts";

interface Report {
  readonly comparison: { readonly matrix: readonly { readonly money: readonly unknown[] }[] } | null;
  readonly items: readonly Record<string, unknown>[];
  readonly [member: string]: unknown;
}

async function json(data: ReportData): Promise<{ readonly text: string; readonly report: Report }> {
  const text = await whole(jsonReport(data, await countRows(data)));
  return { text, report: JSON.parse(text) as Report };
}

test("the members that are promised, and no others", async () => {
  const earlier = [runRow(1, "pass"), runRow(2, "pass")];
  const later = [
    runRow(1, "block", { expect: "block", tags: ["card"] }),
    runRow(2, null, { expect: "pass" }),
  ];
  const { report } = await json(await reportOf(later, earlier));
  expect(Object.keys(report).join(" ")).toBe(
    "schema type generated_at personal_data run summary comparison items",
  );
  expect(report).toMatchObject({
    schema: 1,
    type: "replay_report",
    generated_at: "2026-11-21T09:31:00.000Z",
    personal_data: "masked",
    run: { id: "mi9x0b1c22f0a7", state: "complete", project: "demo-shop/medium", amount_unit: "minor" },
    summary: {
      total: 2,
      pass: 0,
      block: 1,
      unknown: 1,
      expectations: 2,
      expectations_failed: 1,
      p95_ms: 111,
    },
    comparison: { compared: 1, flips: 1, new_blocks: 1, without_verdict: 1, worst_flips: [{ key: "o-1" }] },
  });
  expect(report.items.map((item) => Object.keys(item).join(" "))).toEqual(
    Array(2).fill(
      "seq key origin tags at standing outcome recommendation expect was change message reason explanation http_status latency_ms attempts repeated decision_id request",
    ),
  );
  expect(report.items[0]).toMatchObject({
    seq: 1,
    standing: "flip",
    outcome: "answered",
    recommendation: "block",
    was: "pass",
    change: "flipped",
    latency_ms: 84.3,
  });
  expect(report.items[1]).toMatchObject({
    standing: "no_verdict",
    outcome: "unknown",
    recommendation: null,
    reason: "no_outcome",
    explanation: expect.stringContaining("send it again only if"),
    change: "failed",
  });
});

test("sums are exact beyond 2^53", async () => {
  const request = { amount: Number.MAX_SAFE_INTEGER, currency: 980 };
  const rows: RunRow[] = [1, 2, 3].map((seq) => runRow(seq, "pass", { request }));
  const { report } = await json(await reportOf(rows, rows));
  expect(report.comparison!.matrix[0]!.money).toEqual([{ currency: 980, amount: "27021597764222973" }]);
});

test.each(HOSTILE)("%j comes back as it was, and no terminal obeys it", async (text) => {
  const { report, text: written } = await json(
    await reportOf([hostileRow(1, text)], null, { showPersonal: true }),
  );
  expect(report.items[0]).toMatchObject({ origin: text, tags: [text], message: text });
  expect(report.items[0]!["request"]).toEqual(hostileRow(1, text).request);
  // oxlint-disable-next-line no-control-regex
  expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u2028\u2029]/);
});
