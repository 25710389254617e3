// verdict rules backtest with labels: text, JSON, gates, reports and rows, over a small day of labelled payments.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE, NOON, payment } from "../rules/sample.ts";
import { inProcessHome } from "./in-process.ts";

const home = inProcessHome();
afterAll(() => home.remove());
const path = (name: string): string => join(home.folder, name);

/** A rule that blocks on the amount alone, at different limits. */
function rulesAbove(limit: number): string {
  return [
    "name: above",
    "thresholds:",
    ...["low", "medium", "high"].map((level) => `  ${level}: { three_ds: 40, block: 80 }`),
    'rates: { as_of: "2026-01-01", per_eur: { EUR: 1, UAH: 50 } }',
    'sample: { at: "2026-03-16T12:00:00Z", project_currency: 980, request: { operation: payment, amount: 12000, currency: 980 } }',
    "rules:",
    "  - code: LARGE",
    '    text: "more than {limit}"',
    "    when: amount > limit",
    `    params: { limit: ${limit} }`,
    "    score: 80",
    "",
  ].join("\n");
}

// Ten payments of 100.00, 200.00, ... 1000.00 UAH; the three largest are fraud. Before, those above 400 are blocked; then above 850.
const amounts = Array.from({ length: 10 }, (_, n) => (n + 1) * 10_000);
const outcome = (n: number): string =>
  n < 7 ? (n === 0 ? "refund" : "good") : n === 9 ? "chargeback" : "fraud";
const line = (n: number, more: object = {}): string =>
  JSON.stringify({
    at: new Date(NOON + n * MINUTE).toISOString(),
    tags: n >= 7 ? ["stolen"] : [],
    ...more,
    request: payment({
      request: { order_id: n === 9 ? "=order-9" : `order-${n}`, amount: amounts[n]!, description: "Goods" },
      payer: { payer_id: `person-${n}` },
    }),
  });

beforeAll(() => {
  writeFileSync(path("before.yaml"), rulesAbove(40_000));
  writeFileSync(path("after.yaml"), rulesAbove(85_000));
  writeFileSync(path("day.ndjson"), amounts.map((_, n) => line(n)).join("\n"));
  const rows = amounts.map(
    (_, n) => `${n === 9 ? "=order-9" : `order-${n}`},${outcome(n)},2026-04-0${(n % 9) + 1}`,
  );
  writeFileSync(path("labels.csv"), ["order_id,outcome,at", ...rows, "elsewhere,fraud,"].join("\n"));
});

const BACKTEST = (over: string): string[] => [
  "rules",
  "backtest",
  path("after.yaml"),
  "--against",
  path("before.yaml"),
  "--over",
  over,
];
const args = (...more: string[]): string[] => [...BACKTEST(path("day.ndjson")), ...more];
const LABELS = () => ["--labels", path("labels.csv")];

describe("rules backtest with labels", () => {
  it("says before and after, in counts and in EUR, with the sentence", async () => {
    const { code, stdout } = await home.run(args(...LABELS()));
    expect(code).toBe(0);
    // Good ones above 400: 500, 600 and 700 UAH, 36 EUR; fraud of 800 UAH is let go.
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "Three good payments (36 EUR) are no longer blocked; one fraudulent payment (16 EUR) is no longer blocked, and passes.",
    );
    /** The cells of a row in its first line and the one below it. */
    const cells = (name: string): string[][] => {
      const lines = stdout.split("\n");
      const at = lines.findIndex((each) => each.startsWith(`  ${name}  `));
      return lines.slice(at, at + 2).map((each) =>
        each
          .trim()
          .split(/ {2,}/)
          .slice(name === "LARGE" ? 0 : 1),
      );
    };
    expect(cells("Fraud blocked")).toEqual([
      ["3", "2", "-1"],
      ["54 EUR", "38 EUR", "-16 EUR"],
    ]);
    expect(cells("Good blocked")).toEqual([
      ["3", "0", "-3"],
      ["36 EUR", "0 EUR", "-36 EUR"],
    ]);
    expect(cells("Fraud passed")).toEqual([
      ["0", "1", "+1"],
      ["0 EUR", "16 EUR", "+16 EUR"],
    ]);
    expect(cells("Good to 3-D Secure")).toEqual([
      ["0", "0", "0"],
      ["0 EUR", "0 EUR", "0 EUR"],
    ]);
    expect(cells("A block is right")[0]).toEqual(["3 of 6", "2 of 2", "-"]);
    expect(cells("LARGE")).toEqual([
      ["LARGE", "6", "2", "2", "2 of 2", "2", "2"],
      ["-4", "lift 3.3", "38 EUR"],
    ]);
    expect(stdout).toContain(`Labels: 10 from ${path("labels.csv")}`);
    expect(stdout).toContain("1 label of the list belongs to no payment here.");
  });

  it("has all of it in JSON", async () => {
    const lines = await home.json(args(...LABELS(), "--json"));
    expect(lines.slice(0, -1).map(({ key, label }) => [key, label])).toEqual([
      ["order-4", "good"],
      ["order-5", "good"],
      ["order-6", "good"],
      ["order-7", "fraud"],
    ]);
    expect(lines.at(-1)).toMatchObject({
      labels: { file: 10, none: 0, as_of: null },
      outcomes: {
        current: { shares: { caught: { part: 3, whole: 3, share: 1 }, good_blocked: { part: 3, whole: 7 } } },
        proposed: {
          labels: { chargeback: { block: { count: 1, eur: 20 } } },
          shares: { precision: { part: 2, whole: 2, share: 1 } },
          marks: { three_ds: 40, block: 80 },
        },
        causes: [{ before: "LARGE", after: null, bad: { count: 1, eur: 16 }, good: { count: 3, eur: 36 } }],
        rules: [{ code: "LARGE" }],
        unused_labels: 1,
      },
      failed_gates: [],
    });
  });

  it("says net money for 3-D Secure that stops no fraud and all, or by the share that it stops", async () => {
    // All above 400 UAH, three of them fraud of 54 EUR, are sent to 3-D Secure and no longer blocked.
    writeFileSync(path("asking.yaml"), rulesAbove(40_000).replace("score: 80", "score: 40"));
    const asking = ["rules", "backtest", path("asking.yaml"), "--against", path("before.yaml")];
    const words = [...asking, "--over", path("day.ndjson"), ...LABELS()];
    const { stdout } = await home.run(words);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "Net loss if 3-D Secure stops no fraud: 18 EUR; net gain if 3-D Secure stops all of the fraud sent to it: 36 EUR; fraud blocked: 54 EUR less; fraud sent to 3-D Secure: 54 EUR more; good payments blocked: 36 EUR less.",
    );
    const net = async (...more: string[]) =>
      (await home.json([...words, "--json", ...more])).at(-1)!["outcomes"];
    expect(await net()).toMatchObject({ three_ds_stops: [0, 1], net_eur: [-18, 36] });
    expect(await net("--3ds-stops", "70%")).toMatchObject({ three_ds_stops: [0.7], net_eur: [19.8] });
    for (const wrong of ["70", "101%", "most"]) {
      const { code, stderr } = await home.run([...words, "--3ds-stops", wrong]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--3ds-stops")]);
    }
  });

  it("fails its gates by what they say, and where there is nothing to judge", async () => {
    const judged = async (...gates: string[]) => {
      const { code, stderr, stdout } = await home.run(args(...gates, "--json"));
      const summary = JSON.parse(stdout.trim().split("\n").at(-1)!) as { failed_gates: { gate: string }[] };
      return [code, summary.failed_gates.map(({ gate }) => gate), stderr] as const;
    };
    expect(await judged(...LABELS(), "--min-caught", "66%", "--max-good-blocked", "0")).toEqual([0, [], ""]);
    expect(await judged(...LABELS(), "--min-caught", "2")).toEqual([0, [], ""]);
    const [code, failed, said] = await judged(...LABELS(), "--min-caught", "85%");
    expect([code, failed]).toEqual([8, ["min-caught"]]);
    expect(said).toContain(
      "2 of 3 payments labelled fraud or chargeback are blocked, and --min-caught asks for 85%.",
    );
    const nothing = await judged("--min-caught", "0%", "--max-good-blocked", "100%");
    expect(nothing.slice(0, 2)).toEqual([8, ["max-good-blocked", "min-caught"]]);
    expect(nothing[2]).toContain("proves nothing");
    const loose = [path("before.yaml"), "--over", path("day.ndjson"), "--against", path("before.yaml")];
    const blocked = await home.run([
      "rules",
      "backtest",
      ...loose,
      ...LABELS(),
      "--max-good-blocked",
      "42.8%",
    ]);
    expect([blocked.code, blocked.stderr]).toEqual([
      8,
      expect.stringContaining("3 of 7 payments labelled good"),
    ]);
  });

  it("takes labels from tags and for the rest, and leaves late ones out", async () => {
    const tagged = await home.json(args("--label-tag", "stolen=fraud", "--json"));
    expect(tagged.at(-1)).toMatchObject({ labels: { tag: 3, none: 7 } });
    const { stdout } = await home.run(args("--label-tag", "stolen=fraud"));
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "--unlabelled good counts payments without a label as good",
    );
    const rest = await home.json(args("--label-tag", "stolen=fraud", "--unlabelled", "good", "--json"));
    expect(rest.at(-1)).toMatchObject({ labels: { tag: 3, taken_for_good: 7, none: 0 } });
    const early = await home.json(args(...LABELS(), "--as-of", "2026-04-02T00:00:00Z", "--json"));
    expect(early.at(-1)).toMatchObject({ labels: { file: 3, none: 7, late: 7 } });
    const idle = await home.run(args("--label-tag", "stolen=fraud", "--label-tag", "stollen=fraud"));
    expect(idle.stdout).toContain('  No payment has the tag "stollen" (--label-tag).\n');
    const two = await home.run(args("--label-tag", "stolen=fraud", "--label-tag", "stolen=good"));
    expect([two.code, two.stdout, two.stderr]).toEqual([
      2,
      "",
      '--label-tag says that "stolen" stands for fraud and for good; leave one out.\n',
    ]);
    for (const wrong of [
      ["--label-tag", "stolen"],
      ["--label-tag", "stolen=maybe"],
      ["--as-of", "yesterday"],
      ["--min-caught", "much"],
    ])
      expect((await home.run(args(...wrong))).code).toBe(2);
  });

  it("writes every row, masked, with formulas made harmless, and never over a file", async () => {
    const table = path("rows.csv");
    expect((await home.run(args(...LABELS(), "--rows", table))).code).toBe(0);
    expect(statSync(table).mode & 0o777).toBe(0o600);
    const [head, ...rows] = readFileSync(table, "utf8").trimEnd().split("\r\n");
    expect(head).toBe(
      "key,order_id,at,risk_level,label,current,current_score,current_rule,current_hits,proposed,proposed_score,proposed_rule,proposed_hits,amount,currency",
    );
    expect(rows).toHaveLength(10);
    expect(rows[4]).toBe(
      "order-4,order-4,2026-03-16T12:04:00.000Z,medium,good,block,80,LARGE,LARGE,pass,0,,,50000,980",
    );
    expect(rows[9]).toMatch(/^'=order-9,'=order-9,/);
    const lines = path("rows.ndjson");
    expect((await home.run(args(...LABELS(), "--rows", lines))).code).toBe(0);
    const parsed = readFileSync(lines, "utf8")
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text) as object);
    expect(parsed[7]).toMatchObject({
      order_id: "order-7",
      label: "fraud",
      current_hits: ["LARGE"],
      proposed_hits: [],
    });
    for (const [file, words] of [
      [table, "exists already"],
      [path("rows.txt"), ".csv or .ndjson"],
      [path("no/rows.csv"), "no folder"],
    ] as const) {
      const refused = await home.run(args("--rows", file));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  it("reports on a pipe, which is read once: every payment, and the decision", async () => {
    const files = ["d.html", "d.md", "d.json", "d.xml"].map(path);
    const input = amounts.map((_, n) => line(n, { outcome: outcome(n) })).join("\n");
    const { code, stderr } = await home.run(
      [...BACKTEST("-"), ...files.flatMap((file) => ["--report", file])],
      input,
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("d.xml")]);
    const [html, md, json, xml] = files.map((file) => readFileSync(file, "utf8"));
    for (const text of [html, md])
      expect(text!.replaceAll(/&nbsp;|\u00A0/g, " ")).toContain("Three good payments (36 EUR) are no longer");
    const report = JSON.parse(json!) as { items: { label: string }[]; outcomes: object };
    expect(report.items.map(({ label }) => label)).toEqual(amounts.map((_, n) => outcome(n)));
    expect(report.outcomes).toMatchObject({ proposed: { shares: { caught: { part: 2, whole: 3 } } } });
    expect(xml!.match(/<testcase /g)).toHaveLength(10);
    for (const text of [html, md, json, xml]) expect(text).not.toContain("olena@example.com");
  });
});
