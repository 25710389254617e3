// verdict rules as a process: checks with a finger on the fault, explanations, and back-tests that touch nothing.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { starterText } from "../rules/sample.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const RULES_COUNT = starterText.match(/^ {2}- code: /gm)!.length;

let home: TestHome;
beforeAll(() => {
  home = testHome();
});
afterAll(() => home.remove());

function file(name: string, text: string): string {
  const path = join(home.folder, name);
  writeFileSync(path, text);
  return path;
}

/** A limit of two attempts where the starter rules allow three, without the tests that would not hold. */
function stricterText(): string {
  return starterText
    .replace(/(code: CARD_VELOCITY_1H[^]*?limit: \{ low: \d+, medium: )3/, "$12")
    .replaceAll(/^ {4}tests:\n(?: {6}.*\n)+/gm, "");
}

const payload = (n: number): Record<string, unknown> => ({
  operation: "payment",
  order_id: `order-${n}`,
  amount: 12_000,
  currency: 980,
  payer: { payer_ip: "203.0.113.10", email: "ann@canary.example", payer_id: "p-1" },
  card: { holder: "ANN SAMPLE", bin_card: 411_111, cin_card: 42, expiration_month: 12, expiration_year: 40 },
});

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) => `${JSON.stringify(payload(n))}\n`).join("");
}

describe("check", () => {
  it("counts the rules of a sound file", async () => {
    const { code, stdout } = await home.run(["rules", "check", file("good.yaml", starterText)]);
    expect(code).toBe(0);
    expect(stdout).toContain(`good.yaml: ${RULES_COUNT} rules (`);
    expect(stdout).toContain(createHash("sha256").update(starterText).digest("hex"));
    const [printed] = await home.json(["rules", "check", "starter", "--json"]);
    expect(printed).toMatchObject({ schema: 1, sound: true, problems: [], rules: { total: RULES_COUNT } });
  });

  it("points into a condition", async () => {
    const wrong = starterText.replace(
      'when: velocity("card", "1h") > limit',
      'when: velocity("crad", "1h") > limit',
    );
    const path = file("wrong.yaml", wrong);
    const { code, stderr, stdout } = await home.run(["rules", "check", path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const [source, caret, sentence] = stderr.split("\n");
    expect(source).toContain('when: velocity("crad", "1h") > limit');
    expect(caret!.indexOf("^")).toBe(source!.indexOf("velocity("));
    const line = wrong.split("\n").findIndex((each) => each.includes('"crad"')) + 1;
    expect(sentence).toContain(`wrong.yaml:${line}:11: CARD_VELOCITY_1H: in when: `);
    const ran = await home.run(["rules", "check", path, "--json"]);
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      sound: false,
      hash: null,
      problems: [{ line, column: 11, code: "CARD_VELOCITY_1H" }],
    });
  });

  it("tells every test that fails", async () => {
    const turned = starterText
      .replaceAll(
        "name: over the limit, counts: { velocity/card/24h: 16, velocity/card/30d: 16 }, expect: hit",
        "name: over the limit, counts: { velocity/card/24h: 16, velocity/card/30d: 16 }, expect: no_hit",
      )
      .replaceAll(
        "name: at the limit, counts: { velocity/card/24h: 15, velocity/card/30d: 15 }, expect: no_hit",
        "name: at the limit, counts: { velocity/card/24h: 15, velocity/card/30d: 15 }, expect: hit",
      );
    const { code, stderr } = await home.run(["rules", "check", file("turned.yaml", turned)]);
    expect(code).toBe(2);
    expect(stderr).toContain('CARD_VELOCITY_24H: the test "at the limit" expects hit and got no_hit');
    expect(stderr).toContain('CARD_VELOCITY_24H: the test "over the limit" expects no_hit and got hit');
    expect(stderr).toMatch(/2 of \d+ embedded tests fail\.\n$/);
  });

  it("needs rules to read", async () => {
    const missing = await home.run(["rules", "check", "nowhere.yaml"]);
    expect(missing).toMatchObject({
      code: 2,
      stderr: "nowhere.yaml cannot be read: there is no such file.\n",
    });
    const hostile = await home.run(["rules", "check", "-"], { input: "rules: [\u001b[31m" });
    expect(hostile.code).toBe(2);
    expect(hostile.stderr).not.toContain("\u001b");
    const piped = await home.run(["rules", "check", "-"], { input: starterText });
    expect(piped.code).toBe(0);
  });
});

it("starter prints the shipped file byte for byte below its schema, and list what is in it", async () => {
  const [comment, ...lines] = (await home.run("rules print starter")).stdout.split("\n");
  expect(comment).toMatch(/^# yaml-language-server: \$schema=file:.*\/schemas\/rules\.json$/);
  expect(lines.join("\n")).toBe(starterText);
  const { code, stdout } = await home.run("rules list starter");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /CARD_VELOCITY_24H +live +block +block +block +\{n\} attempts with this card in 24 h/,
  );
  expect(stdout).toMatch(/CARD_VELOCITY_1H +live +\+35 +\+35 +\+35/);
  expect(stdout).toMatch(/block from +90 +75 +60/);
  const [printed] = await home.json("rules list --json");
  expect(printed).toMatchObject({
    schema: 1,
    name: "starter",
    thresholds: { medium: { three_ds: 35, block: 75 } },
  });
  expect(printed!["rules"]).toHaveLength(RULES_COUNT);
});

describe("over a history that the sandbox decided", () => {
  let entries: Record<string, unknown>[];
  const state = (): string => join(home.folder, "verdict", "state");

  beforeAll(async () => {
    const registered = await home.run(
      "register --merchant-id shop --name Shop --currency UAH --risk-level medium --wait",
    );
    expect(registered).toMatchObject({ code: 0 });
    for (let n = 0; n < 5; n += 1) {
      const { code } = await home.run("check -", { input: JSON.stringify(payload(n)) });
      expect(code).toBe(n < 3 ? 0 : 11);
    }
    entries = await home.json("history --json");
  }, 120_000);

  it("explains an entry, and a decision by its own id", async () => {
    const id = entries[0]!["id"] as string;
    const { code, stdout } = await home.run(["rules", "explain", id]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^◆ 3DS {2}Send the transaction to 3-D Secure/);
    expect(stdout).toContain("score       35; 3-D Secure from 35, block from 75");
    expect(stdout).toContain(
      '  CARD_VELOCITY_1H  +35  5 attempts with this card in 1 h (limit 3)\n      velocity("card", "1h") = 5, limit = 3\n',
    );
    expect(stdout).toMatch(/ {2}attempts with this card +1 h +5 +3 {2}over\n/);
    const [printed] = await home.json(["rules", "explain", id, "--json"]);
    expect(printed).toMatchObject({ schema: 1, entry: id, explanation: { score: 35, riskLevel: "medium" } });
    const decision = (printed!["explanation"] as { id: string }).id;
    const [again] = await home.json(["rules", "explain", decision, "--json"]);
    expect(again).toEqual({ ...printed, entry: null });
    expect(await home.run("rules explain dec-999-0a1b2c3d")).toMatchObject({ code: 2, stdout: "" });
    expect(await home.run("rules explain nothing")).toMatchObject({ code: 2, stdout: "" });
  });

  it("decides as the sandbox did, and leaves its state as it was, byte for byte", async () => {
    await home.run("sandbox stop");
    const before = digest(state());
    expect(before.size).toBeGreaterThan(3);
    const same = await home.json("rules backtest current --over history: --max-flips 0 --json");
    expect(same).toEqual([expect.objectContaining({ type: "backtest", total: 5, flips: 0, untimed: 0 })]);
    const matrix = (same[0]!["comparison"] as { matrix: { was: string; now: string; count: number }[] })
      .matrix;
    const counts = matrix.filter(({ count }) => count > 0).map(({ was, now, count }) => [was, now, count]);
    expect(counts).toEqual([
      ["pass", "pass", 3],
      ["3ds_or_block", "3ds_or_block", 2],
    ]);
    const stricter = file("stricter.yaml", stricterText());
    const { code, stdout } = await home.run(["rules", "backtest", stricter, "--over", "history:since:1d"]);
    expect(code).toBe(0);
    expect(stdout).toContain("5 compared: 1 changed (20.0 %), 4 unchanged");
    expect(stdout).toContain("    newly hit CARD_VELOCITY_1H; score 0 before, 35 now\n");
    expect(digest(state())).toEqual(before);
  });

  it("points at what is wrong with a filter", async () => {
    const { code, stderr } = await home.run("rules backtest starter --over history:amuont>3");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ {2}amuont>3\n {2}\^{6}\nFilter, column 1: /);
  });
});

describe("backtest over files", () => {
  it("exits 8 beyond a limit, 2 for wrong rules, bad lines and nothing at all", async () => {
    const stricter = file("stricter.yaml", stricterText());
    const day = file("day.ndjson", lines(4));
    const run = (...args: string[]) =>
      home.run(["rules", "backtest", stricter, "--against", "starter", "--over", ...args]);
    const beyond = await run(day, "--max-flips", "0");
    expect(beyond).toMatchObject({ code: 8, stderr: "1 verdict changed, and --max-flips allows 0.\n" });
    expect(beyond.stdout.replaceAll(/\s+/g, " ")).toContain(
      "No payment has a time of its own: each comes 1 min after the one before it",
    );
    expect((await run(day, "--max-flips", "1", "--max-new-blocks", "0%")).code).toBe(0);
    expect((await run(day, "--step", "2h", "--max-flips", "0")).code).toBe(0);

    const bad = file("bad.ndjson", `${lines(1)}{"amount":"x"}\n`);
    const rejected = await run(bad);
    expect(rejected.code).toBe(2);
    expect(rejected.stdout).toContain("Rejected lines: 1\n  bad.ndjson:2: ");
    const rejects = join(home.folder, "rejects.ndjson");
    expect((await run(bad, "--rejects", rejects)).code).toBe(0);
    expect(existsSync(rejects)).toBe(true);
    expect((await run(file("empty.ndjson", "\n"))).code).toBe(2);

    const wrong = file("wrong-rules.yaml", starterText.replace("velocity(", "velocty("));
    const { code, stderr, stdout } = await home.run(["rules", "backtest", wrong, "--over", day]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/\^\nwrong-rules\.yaml:\d+:\d+: /);
  });

  it("prints a line for each flip and the summary as JSON, whose order is the same each time", async () => {
    const stricter = file("stricter.yaml", stricterText());
    const args = ["rules", "backtest", stricter, "--against", "starter", "--over", "-", "--json"];
    const start = ["--start-at", "2026-03-01T12:00:00Z"];
    const printed = await home.json([...args, ...start], { input: lines(4) });
    expect(printed).toMatchObject([
      {
        type: "flip",
        key: "order-2",
        at: "2026-03-01T12:02:00.000Z",
        was: "pass",
        now: "3ds_or_block",
        newly_hit: ["CARD_VELOCITY_1H"],
        no_longer_hit: [],
        amount: 12_000,
      },
      {
        type: "backtest",
        total: 4,
        untimed: 4,
        flips: 1,
        new_blocks: 0,
        released: 0,
        current: { name: "starter" },
      },
    ]);
    expect(await home.json([...args, ...start], { input: lines(4) })).toEqual(printed);
    const twice = await home.run(["rules", "backtest", "-", "--over", "-"], { input: lines(4) });
    expect(twice).toMatchObject({ code: 2, stderr: "Standard input can be read once only; name - once.\n" });
  });

  it("writes a page about the decision and reports of every payment, with personal data masked", async () => {
    const stricter = file("stricter.yaml", stricterText());
    const day = file("day.ndjson", lines(4));
    const folder = join(home.folder, "reports");
    mkdirSync(folder);
    const reports = ["html=page.html", "junit=cases.xml", "json=all.json"].flatMap((word) => {
      const [kind, name] = word.split("=");
      return ["--report", `${kind}=${join(folder, name!)}`];
    });
    const args = ["rules", "backtest", stricter, "--against", "starter", "--over", day, ...reports];
    expect((await home.run(args)).code).toBe(0);
    const read = (name: string): string => readFileSync(join(folder, name), "utf8");
    expect(read("page.html")).toContain("instead of passed");
    expect(read("cases.xml")).toContain('tests="4" failures="1" errors="0"');
    expect(JSON.parse(read("all.json"))).toMatchObject({
      personal_data: "masked",
      summary: { total: 4, pass: 2, "3ds_or_block": 2 },
      comparison: { flips: 1 },
    });
    for (const name of readdirSync(folder)) expect(read(name)).not.toContain("ann@canary.example");
  });

  it("takes the sandbox's own rule file as the current one", async () => {
    const other = testHome();
    try {
      const stateDir = join(other.folder, "verdict", "state", "sandbox");
      mkdirSync(stateDir, { recursive: true });
      writeFileSync(join(stateDir, "rules.yaml"), stricterText());
      const day = file("day.ndjson", lines(4));
      const [flip, summary] = await other.json(["rules", "backtest", "starter", "--over", day, "--json"]);
      expect(flip).toMatchObject({ was: "3ds_or_block", now: "pass", no_longer_hit: ["CARD_VELOCITY_1H"] });
      expect(summary).toMatchObject({
        current: { label: expect.stringContaining("rules.yaml of the sandbox") as string },
      });
    } finally {
      await other.remove();
    }
  });
});

/** SHA-256 of every file below a folder. */
function digest(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}
