// verdict demo without a terminal: decks in plain text and JSON, the same every time, leaving nothing behind.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUILT_IN_DECKS } from "#src/replay/decks/built-in-decks.ts";
import { PROGRAM, testHome, type Ran, type TestHome } from "./verdict-process.ts";

const STORY = `title: About ANN EXAMPLE
summary: ANN EXAMPLE (ann@example.com) pays.
start: "2026-01-15T10:00:00Z"
seed: 3
project: { merchant: shop, currency: UAH, risk_level: medium }
steps:
  - say: ANN EXAMPLE pays from 10.1.2.3
    note: Her number is +380501234567
    payload:
      operation: payment
      order_id: "o-{n}"
      amount: 12000
      currency: 980
      description: For ANN EXAMPLE
      payer: { payer_ip: 10.1.2.3, email: ann@example.com, number_phone: "+380501234567", payer_id: payer-ann }
      card: { holder: ANN EXAMPLE, bin_card: 444433, cin_card: 9123, expiration_month: 9, expiration_year: 29 }
    repeat: 2
    expect: [pass, EXPECTED]
`;

describe("verdict demo", () => {
  let home: TestHome;
  let temporary: string;
  let first: Ran;
  let second: Ran;
  const write = (name: string, expected: string): string => {
    const path = join(home.folder, name);
    writeFileSync(path, STORY.replace("EXPECTED", expected));
    return path;
  };

  beforeAll(async () => {
    home = testHome();
    temporary = join(home.folder, "tmp");
    mkdirSync(temporary);
    first = await home.run("demo", { env: { TMPDIR: temporary } });
    second = await home.run("demo one-card", { env: { TMPDIR: temporary } });
  });
  afterAll(() => home.remove());

  it("takes the first deck without a name, and says the same twice", () => {
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toBe(first.stdout);
  });

  it.each(["--plain", "--record answer.cast --size 80x24"])(
    "ends with 6 without a verdict: %s",
    async (how) => {
      const story = STORY.replace('"o-{n}"', '"force-garbage-{n}"').replace(/ {4}expect:.*\n/, "");
      writeFileSync(join(home.folder, "garbage.yaml"), story);
      const ran = await home.run(
        `demo ${join(home.folder, "garbage.yaml")} ${how.replace("answer", join(home.folder, "answer"))}`,
      );
      expect(ran, ran.stderr).toMatchObject({ code: 6 });
    },
  );

  it("says what happens, the masked payment, the verdict with its reaction, the score and the reasons", () => {
    expect(first.stdout).toContain("1. A customer pays in the shop.");
    expect(first.stdout).toContain("187.50 UAH · card 444411 ******** · demo-shop/medium");
    expect(first.stdout).toContain("✖ BLOCK  Block further processing of the transaction.");
    expect(first.stdout).toContain("Score 80; 3-D Secure from 35, block from 75.");
    expect(first.stdout).toContain("+35  6 attempts with this card in 1 h (limit 3)");
    expect(first.stdout).toContain("3-D Secure can be forced here. Final action: Send to 3-D Secure.");
    expect(first.stdout).not.toContain("Note:");
    // oxlint-disable-next-line no-control-regex
    expect(first.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
  });

  it("touches nothing of the user's and leaves nothing behind", () => {
    expect(existsSync(join(home.folder, "verdict"))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("shows the notes where they are asked for", async () => {
    const { stdout } = await home.run("demo three-levels --notes");
    expect(stdout).toContain("Note: The doubt is the same in all three.");
  });

  it("tells the tour with a blank behind every number, and no question left open", async () => {
    const { code, stdout } = await home.run("demo tour");
    expect(code).toBe(0);
    expect(stdout).toContain("\n10. One card, attempt 6 of 6");
    expect(stdout).toContain("the card expired at the end of (month hidden)");
    expect(stdout).not.toContain("not known yet");
  });

  it("speaks the words of a deck, names a rule file as it names itself, and expects a fault", async () => {
    const starter = (await home.run("rules print starter")).stdout;
    writeFileSync(
      join(home.folder, "shop.yaml"),
      starter.replace("name: starter", "name: rules of the shop"),
    );
    const story = join(home.folder, "words.yaml");
    writeFileSync(
      story,
      `${STORY.replace("[pass, EXPECTED]", "pass").replace("steps:", 'words: { pass: GEHT, rules: "Regeln: {name}", score: Punkte }\nsteps:')}
  - { say: Own rules, rules: shop.yaml }
  - { say: Silence, fault: timeout, expect: unknown }
`,
    );
    const { code, stdout, stderr } = await home.run(["demo", story, "--plain"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("✔ GEHT");
    expect(stdout).toContain("Regeln: rules of the shop\n");
    expect(stdout).toContain("Punkte 30;");
    expect(stdout).not.toContain("shop.yaml");
    const checked = await home.run(["demo", story, "--check"]);
    expect(checked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\d+ of \d+ words stay English:/),
    });
    expect(checked.stdout).toMatch(/\nblock +BLOCK\n/);
    expect(checked.stdout).not.toMatch(/\npass +/);
    const { stdout: told } = await home.run("demo one-card --check");
    expect(told).toContain("its audience reads English");
    expect(told).toContain("no verdict is unexpected");
  });

  it("ends with 8 and names the check whose verdict was not expected", async () => {
    const { code, stderr, stdout } = await home.run(["demo", write("wrong.yaml", "block")]);
    expect(code).toBe(8);
    expect(stderr).toBe("Step 1, attempt 2: expected block, and the verdict is pass.\n");
    const checked = await home.run(["demo", join(home.folder, "wrong.yaml"), "--check"]);
    expect(checked).toMatchObject({ code: 8, stderr });
    expect(checked.stdout).not.toContain("unexpected");
    expect(stdout).toContain("Step 1, attempt 2: expected block");
  });

  it("names it also where the deck is recorded without a terminal", async () => {
    const cast = join(home.folder, "wrong.cast");
    const { code, stderr } = await home.run(["demo", write("wrong.yaml", "block"), "--record", cast]);
    expect(code).toBe(8);
    expect(stderr).toContain("Step 1, attempt 2: expected block, and the verdict is pass.\n");
  });

  it("masks everything personal, in what is said, too", async () => {
    const story = write("ann.yaml", "pass");
    for (const flags of [["--notes"], ["--json", "--notes"]]) {
      const { code, stdout, stderr } = await home.run(["demo", story, ...flags]);
      expect(code, stderr).toBe(0);
      for (const secret of ["ANN", "ann@example.com", "380501234567", "10.1.2.3", "payer-ann", "9123"]) {
        expect(stdout, secret).not.toContain(secret);
      }
      expect(stdout).toContain("********");
    }
  });

  it("prints one object a check, and a summary", async () => {
    const lines = await home.json("demo three-levels --json");
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatchObject({
      schema: 1,
      type: "frame",
      step: 2,
      steps: 3,
      as_expected: true,
      sides: [
        { title: "low", recommendation: "pass" },
        { title: "medium", recommendation: "3ds_or_block" },
        { title: "high", outcome: "answered", recommendation: "block", expected: "block" },
      ],
      request: { amount: 18990, payer: { email: "********" } },
    });
    expect(lines[3]).toEqual({
      schema: 1,
      type: "summary",
      deck: "three-levels",
      steps: 3,
      checks: 3,
      expectations_failed: 0,
    });
  });

  it("tells sides, faults and a day in text and JSON, and a fault on purpose is no failure", async () => {
    const day = [100, 200].map((amount, i) => ({
      at: `2026-01-15T1${i}:00:00Z`,
      outcome: "good",
      request: {
        operation: "payment",
        order_id: `d-${i}`,
        amount,
        currency: 980,
        payer: { email: "ann@example.com" },
      },
    }));
    writeFileSync(join(home.folder, "day.ndjson"), day.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const story = join(home.folder, "sides.yaml");
    writeFileSync(
      story,
      `${STORY.replace("[pass, EXPECTED]", "pass")}
  - { say: Levels, side_by_side: [low, high], expect: [pass, EXPECTED] }
  - { say: Lost, fault: 503 }
  - { say: A day, stream: day.ndjson, rules: [starter, starter] }
`.replace("EXPECTED", "block"),
    );
    const { stdout, code, stderr } = await home.run(["demo", story]);
    expect([code, stderr]).toEqual([8, "Step 2, high: expected block, and the verdict is 3ds_or_block.\n"]);
    expect(stdout).toContain("(4 steps, 4 checks, a day of payments, on a sandbox");
    expect(stdout).toMatch(/\n {3}low\n {3}✔ PASS .*\n(?: {5}.*\n)+ {3}high\n {3}◆ 3DS /);
    expect(stdout).toMatch(/3\. Lost\n {3}On purpose: status 503\n.*\n {3}⊘ REFUSED /);
    expect(stdout).toMatch(/4\. A day\n {3}2 payments, 2026-01-15 10:00 to 2026-01-15 11:00 UTC\n/);
    expect(stdout).toMatch(/✔ PASS +2 +2\n[^]*Good customers blocked +0 of 2 +0 of 2\n/);

    writeFileSync(story, readFileSync(story, "utf8").replace("[pass, block]", "[pass, 3ds_or_block]"));
    const lines = await home.json(["demo", story, "--json"]);
    expect(lines[2]).toMatchObject({
      type: "frame",
      as_expected: true,
      sides: [{ title: "low", recommendation: "pass", expected: "pass" }, { project: "shop/high" }],
    });
    expect(lines[3]).toMatchObject({
      fault: "status 503",
      outcome: "refused",
      recommendation: null,
      sides: [],
    });
    expect(lines[4]).toMatchObject({
      type: "day",
      payments: 2,
      changed: 0,
      from: "2026-01-15T10:00:00.000Z",
      today: { rules: "starter", verdicts: { pass: 2, block: 0 }, good_blocked: { part: 0, whole: 2 } },
      proposed: { rules: "starter" },
      rule_changes: [],
    });
    expect(JSON.stringify(lines)).not.toContain("ann@example.com");
  });

  it("writes a page, private and whole, which shows what was not expected", async () => {
    const [story, path] = [write("page.yaml", "block"), join(home.folder, "story.html")];
    const { code, stdout, stderr } = await home.run(["demo", story, "--export", `html=${path}`]);
    expect(code).toBe(8);
    expect(stdout).toBe("");
    expect(stderr).toContain(`Wrote ${path}.`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const page = readFileSync(path, "utf8");
    expect(page).toContain("expected block, and the verdict is pass");
    for (const secret of [
      "ANN",
      "ann@example.com",
      "380501234567",
      "10.1.2.3",
      "payer-ann",
      "9123",
      "Her number",
    ])
      expect(page, secret).not.toContain(secret);

    const again = await home.run(["demo", story, "--export", path]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("exists already")]);
    expect(readFileSync(path, "utf8")).toBe(page);
    const noted = await home.run(["demo", story, "--export", path, "--yes", "--notes", "--plain"]);
    expect(noted.stdout).toContain("attempt 2 of 2");
    expect(readFileSync(path, "utf8")).toContain("Her number is (telephone hidden)");
    for (const [word, sentence] of [
      ["md=story.md", "exported as a page only"],
      ["pdf=story.pdf", "exported as a page only"],
      ["html=-", "needs the name of a file"],
      [join(home.folder, "none", "x.html"), "there is no folder"],
    ] as const)
      expect((await home.run(["demo", story, "--export", word])).stderr).toContain(sentence);
  });

  it("lists the built-in decks", async () => {
    const listed = await home.json("demo --list --json");
    expect(listed.map(({ deck }) => deck)).toEqual(BUILT_IN_DECKS);
    expect((await home.run("demo --list")).stdout).toContain("The same payment, three risk levels");
  });

  it("reads a deck from standard input", async () => {
    const { code, stdout } = await home.run("demo -", { input: STORY.replace("EXPECTED", "pass") });
    expect(code).toBe(0);
    expect(stdout).toContain("attempt 2 of 2");
  });

  it.each<readonly [string, readonly string[], RegExp]>([
    [
      "a deck that is none",
      ["one-cart"],
      /^There is no deck "one-cart": it is neither a file nor one of one-card, /,
    ],
    ["a folder", ["."], /is a folder; give a YAML file\.\n$/],
    ["seconds that are none", ["one-card", "--auto", "0"], /--auto takes whole seconds/],
  ])("ends with 2 for %s", async (_what, args, message) => {
    const { code, stderr } = await home.run(["demo", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("names the place of a fault in a file", async () => {
    const path = write("broken.yaml", "PASS");
    const { code, stderr } = await home.run(["demo", path]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `${path}:18:20: step 1: an item of expect must be pass, block, 3ds_or_block, indeterminate, unknown, refused, not_sent\n`,
    );
  });

  it("ends with 130 on Ctrl-C, and leaves nothing behind then either", async () => {
    const code = await new Promise((resolve) => {
      const child = spawn(process.execPath, [PROGRAM, "demo", "one-card"], {
        env: { ...home.env, TMPDIR: temporary },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.once("data", () => child.kill("SIGINT"));
      child.on("close", resolve);
    });
    expect(code).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
