// verdict rules tune: it finds the limit that was planted, says what each value does, and writes nothing but the value.

import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeOfTests } from "./in-process.ts";

const RULES = `# ours
name: ours
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
rates: { as_of: "2026-03-01", per_eur: { EUR: 1 } }
sample: { at: "2026-03-16T12:00:00Z", project_currency: 978, request: { operation: payment, amount: 1, currency: 978, terminal_id: t, card: { bin_card: 411111, cin_card: 1 } } }
rules:
  - code: BURST   # many cards of one bank
    text: "{n} last fours"
    when: distinct("last_four", "bin_terminal", "6h") > limit
    params: { limit: { low: 9,   medium: 2, high: 4 } } # medium was guessed
    score: 80
    tests: [{ counts: { distinct/last_four/bin_terminal/6h: 40 }, expect: hit }, { name: two, counts: { distinct/last_four/bin_terminal/6h: 2 }, expect: no_hit }]
`;

type SharesJson = Record<"caught" | "good_blocked" | "good_disturbed", { readonly part: number }>;
interface TriedJson {
  readonly value: number;
  readonly shares: SharesJson;
  readonly eur_shares: SharesJson;
  readonly kept_eur: number;
}

const home = homeOfTests();

/** Bursts of payments of 10 EUR, each with a BIN of its own: their sizes, and what became of them. */
function dayOf(name: string, bursts: readonly (readonly [size: number, outcome: string])[]): string {
  const lines = bursts.flatMap(([size, outcome], burst) =>
    Array.from({ length: size }, (_, i) =>
      JSON.stringify({
        at: new Date(Date.UTC(2026, 2, 1, 0, burst, i)).toISOString(),
        outcome,
        request: {
          operation: "payment",
          order_id: `o-${burst}-${i}`,
          amount: 1_000,
          currency: 978,
          terminal_id: "web",
          card: { bin_card: 400_000 + burst, cin_card: i },
        },
      }),
    ),
  );
  const path = join(home.folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

function rulesOf(name: string): string {
  const path = join(home.folder, name);
  writeFileSync(path, RULES);
  return path;
}

/** Good bursts of at most so many cards, most of them of exactly so many, and attacks of more. */
function planted(best: number): readonly (readonly [number, string])[] {
  return [
    ...Array.from({ length: 6 }, () => [best, "good"] as const),
    [1, "refund"],
    [Math.max(1, best - 1), "good"],
    [best + 9, "fraud"],
    [best + 4, "chargeback"],
    [best + 2, "fraud"],
  ];
}

describe("rules tune", () => {
  it.each([1, 4, 9, 17])("finds that %i is the best limit, where it was made to be", async (best) => {
    const rules = rulesOf(`planted-${best}.yaml`);
    const bursts = planted(best);
    const day = dayOf(`planted-${best}.ndjson`, bursts);
    for (const limits of [
      "",
      "--max-good-blocked 0",
      "--max-good-blocked 0%",
      "--max-good-blocked 0 --min-caught 1",
    ]) {
      const args = `rules tune ${rules} --over ${day} --param BURST.limit 0..30 ${limits} --json`.split(/ +/);
      const [told] = await home.json(args);
      expect(told).toMatchObject({ proposed: best, levels: ["medium"], written: null });
      for (const value of told!["values"] as TriedJson[]) {
        // Each burst has the cards beyond the limit blocked: what a pencil gives.
        const limit = value.value;
        const beyond = (bad: boolean): number =>
          bursts
            .filter(([, outcome]) => ["fraud", "chargeback"].includes(outcome) === bad)
            .reduce((sum, [size]) => sum + Math.max(0, size - limit), 0);
        expect(value.shares.caught.part, `${limit}`).toBe(beyond(true));
        expect(value.eur_shares.caught.part).toBeCloseTo(beyond(true) * 10, 6);
        expect(value.shares.good_blocked.part).toBe(beyond(false));
        expect(value.shares.good_disturbed.part).toBe(beyond(false));
        expect(value.kept_eur).toBeCloseTo((beyond(true) - beyond(false)) * 10, 6);
      }
    }
  });

  it("takes the value that blocks the fewest good payments where fraud alone has a limit", async () => {
    const [told] = await home.json(
      `rules tune ${rulesOf("caught.yaml")} --over ${dayOf("caught.ndjson", planted(9))} --param BURST.limit 0..30 --min-caught 90% --json`,
    );
    // 42 bad payments: 38 of them are caught by a limit of 1 at the highest.
    expect(told).toMatchObject({ proposed: 1, min_caught: "90%" });
  });

  it("exits 8 with the nearest values where none meets the limits", async () => {
    const { code, stdout } = await home.run(
      `rules tune ${rulesOf("none.yaml")} --over ${dayOf("none.ndjson", planted(9))} --param BURST.limit 4..6 --max-good-blocked 1% --min-caught 90%`,
    );
    expect(code).toBe(8);
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
      /No value blocks at most 1% of good payments and catches at least 90% of fraud: most .* by 2, /,
    );
  });

  it("takes labels from where a back-test takes them", async () => {
    const day = dayOf("listed.ndjson", planted(9));
    const list = join(home.folder, "labels.csv");
    // What the list says comes first: nothing was fraud but one payment.
    const orders = planted(9).flatMap(([size], burst) =>
      Array.from({ length: size }, (_, i) => `o-${burst}-${i}`),
    );
    writeFileSync(
      list,
      ["order_id,outcome", ...orders.map((id) => `${id},${id === "o-0-8" ? "fraud" : "good"}`)].join("\n"),
    );
    const words = `rules tune ${rulesOf("listed.yaml")} --over ${day} --param BURST.limit 7..9 --labels ${list}`;
    const [told] = await home.json(`${words} --json`);
    const caught = (told!["values"] as TriedJson[]).map(({ shares }) => shares.caught);
    expect(caught).toMatchObject([2, 7, 8, 9].map((limit) => ({ part: limit < 9 ? 1 : 0, whole: 1 })));
    expect((await home.run(words)).stdout).toMatch(/Labels: 105 from .*labels\.csv/);
  });

  it("draws a table within 80 columns, today's and the proposed value marked", async () => {
    const { code, stdout } = await home.run(
      `rules tune ${rulesOf("table.yaml")} --over ${dayOf("table.ndjson", planted(9))} --param BURST.limit 4..40`,
    );
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    const table = lines.slice(
      lines.indexOf(""),
      lines.findIndex((line) => line.startsWith("* on")),
    );
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^ +2 .* today$/m);
    expect(stdout).toMatch(/^ +9 .*\* proposed$/m);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "It keeps most money (fraud stopped less good payments blocked) if 3-D Secure stops no fraud: about 150 EUR",
    );
  });

  it("says that times are made up where payments have none", async () => {
    const day = dayOf("untimed.ndjson", [
      [12, "fraud"],
      [3, "good"],
    ]);
    writeFileSync(day, readFileSync(day, "utf8").replaceAll(/"at":"[^"]*",/g, ""));
    const file = rulesOf("untimed.yaml");
    const { stdout } = await home.run(`rules tune ${file} --over ${day} --param BURST.limit 2..4 --step 1s`);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "No payment has a time of its own: each comes 1 s after the one before it (--step, --start-at)",
    );
  });

  it("chooses by the first payments, judges by those that are held out, and says both", async () => {
    const before = [
      [5, "good"],
      [20, "fraud"],
      [5, "good"],
      [5, "refund"],
    ] as const;
    const after = [
      [12, "good"],
      [20, "chargeback"],
    ] as const;
    const file = rulesOf("held.yaml");
    const words = `rules tune ${file} --over ${dayOf("held.ndjson", [...before, ...after])} --param BURST.limit 4..20 --max-good-blocked 0`;
    const [told] = await home.json(`${words} --json`);
    // Bursts begin a minute after one another: the last third begins in the fourth minute.
    expect(told).toMatchObject({
      proposed: 5,
      held_out: { today: { shares: { caught: { part: 18, whole: 20 } } } },
    });
    const held = (told!["values"] as { value: number; held_out: TriedJson }[]).find(
      ({ value }) => value === 5,
    )!;
    expect(held).toMatchObject({
      shares: { caught: { part: 15, whole: 20 }, good_blocked: { part: 0, whole: 15 } },
      held_out: { shares: { caught: { part: 15, whole: 20 }, good_blocked: { part: 7, whole: 12 } } },
    });
    const { code, stdout, stderr } = await home.run(`${words} --write --yes`);
    expect([code, readFileSync(file, "utf8")]).toEqual([8, RULES]);
    const text = stdout.replaceAll(/\s+/g, " ");
    expect(text).toMatch(
      /35 with a label before 2026-03-01 00:0\d UTC: 20 bad, 15 good; base rate 57\.1 %\./,
    );
    expect(text).toMatch(
      /Held out, from 2026-03-01 00:0\d UTC: 5 blocks 15 of 20, 75\.0 % of fraud .* blocks 7 of 12/,
    );
    expect(text).toContain("Of fraud like this it blocks between 53 and 89 %, 95 % sure from 20 cases.");
    expect(text).toContain("It does not keep the limits there");
    expect(stderr).toContain("on the payments that are held out");
    // From another time on, and from a time without fraud before it.
    const from = async (time: string) => (await home.json(`${words} --json --judge-from ${time}`))[0];
    expect(await from("2026-03-01T00:02:00Z")).toMatchObject({
      proposed: 5,
      held_out: { from: "2026-03-01T00:02:00.000Z" },
      values: expect.arrayContaining([
        expect.objectContaining({
          held_out: expect.objectContaining({ shares: expect.anything() as object }) as object,
        }),
      ]) as object,
    });
    expect(await from("2026-03-01T00:01:00Z")).toMatchObject({ held_out: null, proposed: 12 });
    const whole = await home.run(`${words} --judge-from 2026-03-02T00:00:00Z`);
    expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining("No payments are held out")]);
  });

  it("writes the value and leaves every other byte and the mode, also behind a link", async () => {
    const path = rulesOf("written.yaml");
    writeFileSync(path, `\uFEFF${RULES.replaceAll("\n", "\r\n")}`);
    chmodSync(path, 0o640);
    const link = join(home.folder, "link.yaml");
    symlinkSync(path, link);
    const words = `rules tune ${link} --over ${dayOf("written.ndjson", planted(9))} --param BURST.limit 4..20`;
    const before = readFileSync(path);
    expect((await home.run(words)).code).toBe(0);
    const unasked = await home.run(`${words} --write`);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("add --yes")]);
    expect(readFileSync(path)).toEqual(before);
    const [told] = await home.json(`${words} --write --yes --json`);
    expect(told).toMatchObject({ proposed: 9, written: link });
    const wanted = RULES.replace("medium: 2,", "medium: 9,").replaceAll("\n", "\r\n");
    expect(readFileSync(path, "utf8")).toBe(`\uFEFF${wanted}`);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const again = await home.run(`${words} --write --yes`);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("today's value is proposed")]);
  });

  it.each([
    ["fraud alone", "fraud", 978, /^No payment is labelled good, .*--unlabelled good/m],
    ["good payments alone", "good", 978, /^No payment is labelled fraud or chargeback, /m],
    ["money without a rate", null, 826, /^No labelled payment is of a currency with a rate, .* by money: /m],
  ])(
    "proposes and writes nothing for %s, by which the worst value would look best",
    async (what, only, currency, sentence) => {
      const path = rulesOf(`${currency}-${only}.yaml`);
      const before = readFileSync(path, "utf8");
      const day = dayOf(`${currency}-${only}.ndjson`, planted(4));
      const lines = readFileSync(day, "utf8").replaceAll('"currency":978', `"currency":${currency}`);
      writeFileSync(day, only === null ? lines : lines.replaceAll(/"outcome":"\w+"/g, `"outcome":"${only}"`));
      const { code, stderr } = await home.run(
        `rules tune ${path} --over ${day} --param BURST.limit 1..8 --write --yes`,
      );
      expect([code, readFileSync(path, "utf8")], what).toEqual([2, before]);
      expect(stderr).toMatch(sentence);
      expect(stderr).toContain("Nothing was written: no value is proposed.");
    },
  );

  it("names the tests of the file that another value breaks", async () => {
    const path = rulesOf("tests.yaml");
    writeFileSync(
      path,
      RULES.replace("medium: 2", "medium: 9").replace(
        "name: two, counts: { distinct/last_four/bin_terminal/6h: 2 }",
        "name: nine, counts: { distinct/last_four/bin_terminal/6h: 9 }",
      ),
    );
    const { code, stdout, stderr } = await home.run(
      `rules tune ${path} --over ${dayOf("tests.ndjson", planted(4))} --param BURST.limit 1..8 --write --yes`,
    );
    // Written as it was told, and no file to be used as it is.
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^1 test of the file fails now .*"nine" of BURST, line 15\.$/m),
    ]);
    expect(stdout).toMatch(/Wrote BURST\.limit 4 into .*tests\.yaml\./);
  });

  it.each([
    [
      "--param BURST.limit 4..40 --write",
      "starter",
      /--write changes a rule file of your own, and starter is not one/,
    ],
    ["--param BURST.limit 4..40 --write", "current", /and current is not one/],
    ["--param BURST.limit", "FILE", /--param takes the name of one number and its values/],
    ["--param BURST.limit 4..4000", "FILE", /it has 3997 values, and 200 are tried at most; name a step/],
    ["--param BURST.limits 4..40", "FILE", /BURST has no number limits to tune; it has limit, score\./],
    ["--param BURST.score 900..1100/50", "FILE", /BURST\.score cannot be 1050: .*from 1 to 1000/],
    [
      "--param BURST.limit 4..40 --max-good-blocked much",
      "FILE",
      /--max-good-blocked takes a whole number such as 3/,
    ],
    ["--param BURST.limit 1,2", "FILE", /No payment has a label/],
  ])("%s of %s is one sentence", async (words, file, sentence) => {
    const rules = file === "FILE" ? rulesOf("wrong.yaml") : file;
    const day = join(home.folder, "unlabelled.ndjson");
    writeFileSync(day, `${JSON.stringify({ operation: "payment", amount: 1_000, currency: 978 })}\n`);
    const { code, stderr } = await home.run(`rules tune ${rules} --over ${day} ${words}`);
    expect([code, stderr.trim().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toMatch(sentence);
  });
});
