import { sharedFlips } from "#src/contract/records/flip.ts";
import { expect, test } from "vitest";
import { githubAnnotations } from "#src/replay/reports/annotations.ts";
import { HOSTILE, hostileRow } from "./hostile.ts";
import { reportOf, sampleReport } from "./report-sample.ts";
import { runRow } from "./rows.ts";

test("the ten worst items, beside the lines of their payloads", async () => {
  const data = await sampleReport(3_000);
  const lines = await githubAnnotations(data);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe(
    "::error file=november/payments.ndjson,line=970,title=order-40970%3A ✖ BLOCK%2C was ✔ PASS::6 attempts with this card in 1 h (limit 3).",
  );
  const worst = sharedFlips(data.comparison!.flips, 10).map(({ key }) => key);
  expect(lines.map((line) => /title=([^%]+)%3A/.exec(line)![1])).toEqual(worst);
});

test("a verdict that was not expected, and one that is missing; a payload file of its own has no line", async () => {
  const data = await reportOf([
    runRow(1, "pass", { key: "good", expect: "pass" }),
    runRow(2, "pass", { key: "fraud", expect: "block", origin: "payments/fraud.json" }),
    runRow(3, null, { key: "lost", origin: "payments/lost.json" }),
  ]);
  expect(await githubAnnotations(data)).toEqual([
    expect.stringMatching(/^::error file=payments\/fraud\.json,title=fraud%3A ✔ PASS%2C expected ✖ BLOCK::/),
    expect.stringMatching(/^::error file=payments\/lost\.json,title=lost%3A \? UNKNOWN::/),
  ]);
});

test("a gate that failed comes first", async () => {
  const gate = { gate: "min-answered", limit: "99%", figure: 1, message: "1 of 2 (50 %) is too few." };
  const [first, ...others] = await githubAnnotations(
    await reportOf([runRow(1, null)], null, { failedGates: [gate] }),
  );
  expect(first).toBe("::error title=--min-answered 99%25::1 of 2 (50 %25) is too few.");
  expect(others).toHaveLength(1);
});

test.each([...HOSTILE, "a::warning::b", "x,file=/etc/passwd", "100%0A::error::y"])(
  "%j begins no other command and no other property",
  async (hostile) => {
    const data = await reportOf([hostileRow(1, hostile, "unknown")], null, { showPersonal: true });
    const [line, ...others] = await githubAnnotations(data);
    expect(others).toEqual([]);
    expect(line).toMatch(/^::error file=[^,:\n\r]*(?:,line=\d+)?,title=[^,:\n\r]*::[^\n\r]*$/);
  },
);
