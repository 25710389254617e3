import { describe, expect, test } from "vitest";
import type { RunRow } from "#src/contract/records/run.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { githubAnnotations } from "#src/replay/reports/annotations.ts";
import { countRows, type ReportData } from "#src/replay/reports/report-data.ts";
import { htmlReport } from "#src/replay/reports/report-html.ts";
import { jsonReport } from "#src/replay/reports/report-json.ts";
import { junitReport } from "#src/replay/reports/report-junit.ts";
import { reportMd } from "#src/replay/reports/md.ts";
import { runReport } from "#src/replay/reports/run-report.ts";
import { createPrivacy } from "#src/replay/reports/report-privacy.ts";
import { reportOf, runInfo, whole } from "./report-sample.ts";
import { runResult, runRow, type Verdict } from "./rows.ts";

const CANARIES = {
  name: "ZORAIDA QUETZALCOATL",
  email: "Zoraida.Quetzal@canary-mail.example",
  phone: "+380997770111",
  ip: "198.51.100.213",
  payer: "payer-canary-77",
  description: "Gift for aunt Philomena Canary",
  secret: "c4n4ry5ecretc4n4ry5ecret",
  lastFour: "4071",
};

/** A request that is about a person, with a secret in a field that no contract knows. */
const REQUEST = {
  operation: "payment",
  order_id: "o-77",
  amount: 12_000,
  currency: 980,
  description: CANARIES.description,
  payer: {
    payer_ip: CANARIES.ip,
    email: CANARIES.email,
    number_phone: CANARIES.phone,
    payer_id: CANARIES.payer,
  },
  card: {
    holder: CANARIES.name,
    bin_card: 444_433,
    cin_card: 4_071,
    expiration_month: 9,
    expiration_year: 31,
  },
  api_key: CANARIES.secret,
  customer: { note: CANARIES.name },
} as CheckRequest;

function personalRow(seq: number, verdict: Verdict): RunRow {
  const said = `${CANARIES.name} (${CANARIES.email.toLowerCase()}, ${CANARIES.phone}) paid from ${CANARIES.ip} as ${CANARIES.payer} with ****${CANARIES.lastFour}: ${CANARIES.description}`;
  return runRow(seq, verdict, {
    key: `o-77#${seq}`,
    origin: `${CANARIES.email}.json`,
    tags: [CANARIES.name],
    request: REQUEST,
    expect: "pass",
    result: verdict === null ? null : runResult(verdict, { message: said, explanation: said }),
  });
}

async function reports(changes: Partial<ReportData>): Promise<Record<string, string>> {
  const earlier = [personalRow(1, "pass"), personalRow(2, "pass"), personalRow(3, "pass")];
  const later = [personalRow(1, "block"), personalRow(2, "unknown"), personalRow(3, "pass")];
  const info = runInfo({
    sources: [`history:email:${CANARIES.email} "${CANARIES.name}" since:2d verdict:block`],
  });
  return reportsOf(await reportOf(later, earlier, { info, ...changes }));
}

async function reportsOf(data: ReportData): Promise<Record<string, string>> {
  const totals = await countRows(data);
  return {
    junit: await whole(junitReport(data, totals)),
    json: await whole(jsonReport(data, totals)),
    html: await whole(htmlReport(data, totals)),
    md: reportMd(runReport(data, totals)).replaceAll("`@`", "@"),
    annotations: (await githubAnnotations(data)).join("\n"),
  };
}

describe("by default", () => {
  test.each(["junit", "json", "html", "md", "annotations"])(
    "nothing personal and no secret is in the %s report",
    async (kind) => {
      const text = (await reports({}))[kind]!.toLowerCase();
      expect(text).toMatch(/\*{8}|\(address hidden\)/);
      for (const [what, canary] of Object.entries(CANARIES)) {
        expect(text.includes(canary.toLowerCase()), what).toBe(false);
      }
      expect(text).not.toContain("zoraida");
    },
  );

  test("what is not personal stays", async () => {
    const { json } = await reports({});
    const [item] = (JSON.parse(json!) as { items: { request: unknown }[] }).items;
    expect(item!.request).toMatchObject({
      operation: "payment",
      amount: 12_000,
      card: { bin_card: 444_433 },
    });
    expect(json).toContain("history:email:******** ******** since:2d verdict:block");
  });
});

/** Values of the payer that stand inside an order id, or are it. */
const WITHIN = ["6372319", "SLEEVE-12", "A-1001"].map((id): CheckRequest => ({
  operation: "payment",
  order_id: id,
  amount: 1,
  currency: 980,
  description: "A-1001",
  payer: { payer_id: "2319" },
  card: { holder: "LEE" },
}));

test.each(["junit", "json", "html", "md", "annotations"])("keys are whole in the %s report", async (kind) => {
  const rows = WITHIN.map((request, index) =>
    runRow(index + 1, "unknown", { key: request.order_id!, request, origin: "day.ndjson" }),
  );
  const text = (await reportsOf(await reportOf(rows)))[kind]!;
  for (const { order_id: id } of WITHIN) expect(text).toContain(id);
  expect(text).not.toMatch(/\((?:payer id|holder|description) hidden\)/);
});

test("with showPersonal the data is there, and the page says so", async () => {
  const shown = await reports({ showPersonal: true });
  for (const text of Object.values(shown)) expect(text).toContain(CANARIES.email);
  expect(shown["html"]).toContain("holds the payers&#39; data in clear".replace("&#39;", "'"));
  expect(shown["json"]).toContain('"personal_data":"shown"');
});

test("a filter keeps what says nothing about a person", () => {
  const { source } = createPrivacy(false);
  expect(source("payments.ndjson")).toBe("payments.ndjson");
  expect(source("history:")).toBe("history:");
  expect(source('history:-verdict:pass amount>100 ip:203.0.113.7 order:"a b"')).toBe(
    'history:-verdict:pass amount>100 ip:******** order:"a b"',
  );
});
