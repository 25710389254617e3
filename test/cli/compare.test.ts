// verdict compare on two stored runs, once as a process.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeRun } from "../actions/stored-runs.ts";
import { runRow } from "../replay/rows.ts";
import { runsIn } from "../storage/open-runs.ts";
import { type InProcessHome, inProcessHome } from "./in-process.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

describe("verdict compare", () => {
  let home: TestHome;
  let inside: InProcessHome;

  beforeAll(async () => {
    home = testHome();
    inside = inProcessHome({ VERDICT_HOME: join(home.folder, "verdict") });
    const runs = runsIn(join(home.folder, "verdict", "data"));
    const email = "ann@canary.example";
    const person = { request: { amount: 12_000, currency: 980, payer: { email } } };
    const keyed = { ...person, key: "order-of-ann", origin: `${email}.ndjson:1` };
    await storeRun(runs, "aaa1", [runRow(1, "pass", keyed), runRow(2, "pass"), runRow(3, "block")]);
    await storeRun(runs, "bbb2", [runRow(1, "block", keyed), runRow(2, "pass"), runRow(3, "block")]);
    await storeRun(runs, "ccc3", [runRow(1, "block", keyed), runRow(2, null), runRow(3, "block")]);
  });
  afterAll(async () => {
    inside.remove();
    await home.remove();
  });

  it("shows what changed, and exits 0 without limits", async () => {
    const { code, stdout, stderr } = await home.run("compare aaa bbb");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("Run bbb2 compared with aaa1");
    expect(stdout).toContain(
      "3 compared: 1 changed (33.3 %), 2 unchanged\n  New blocks: 1 (33.3 %), about 2 EUR\n",
    );
    expect(stdout).toMatch(/order-of-ann +✔ PASS +✖ BLOCK +120\.00 UAH/);
  });

  it("exits 8 beyond a limit, and says which", async () => {
    const flips = await inside.run("compare aaa1 bbb2 --max-flips 0");
    expect(flips).toMatchObject({ code: 8, stderr: "1 verdict changed, and --max-flips allows 0.\n" });
    expect((await inside.run("compare aaa1 bbb2 --max-flips 1 --max-new-blocks 33.4%")).code).toBe(0);
    expect((await inside.run("compare aaa1 bbb2 --max-new-blocks 33.3%")).code).toBe(8);
    expect((await inside.run("compare bbb2 bbb2 --max-flips 0")).code).toBe(0);
  });

  it("exits 6 while a verdict is missing, and names the items beside a limit, too", async () => {
    const { code, stderr, stdout } = await inside.run("compare bbb2 last");
    expect(code).toBe(6);
    expect(stderr).toContain("1 item has no trustworthy verdict");
    expect(stdout).toContain("Not compared: 1 without a trustworthy verdict");
    const limited = await inside.run("compare aaa1 last --max-flips 0");
    expect(limited.code).toBe(8);
    expect(limited.stderr).toContain("1 item has no trustworthy verdict");
  });

  it("prints one JSON object, and writes reports that mask personal data", async () => {
    const page = join(home.folder, "page.html");
    const results = join(home.folder, "results.xml");
    const args = [
      "compare",
      "aaa1",
      "bbb2",
      "--json",
      "--report",
      `html=${page}`,
      "--report",
      `junit=${results}`,
    ];
    const [printed, ...rest] = await inside.json(args);
    expect(rest).toEqual([]);
    expect(printed).toMatchObject({
      schema: 1,
      type: "comparison",
      baseline: "aaa1",
      run: "bbb2",
      compared: 3,
      flips: 1,
      new_blocks: 1,
      worst_flips: [{ key: "order-of-ann", was: "pass", now: "block", amount: 12_000, currency: 980 }],
    });
    expect(readFileSync(results, "utf8")).toContain('failures="1"');
    for (const path of [page, results]) expect(readFileSync(path, "utf8")).not.toContain("canary.example");
    const again = await inside.run(args);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("exists already");
    const shown = join(home.folder, "shown.html");
    await inside.run(["compare", "aaa1", "bbb2", "--show-personal", "--report", `html=${shown}`]);
    expect(readFileSync(shown, "utf8")).toContain("ann@canary.example");
  });

  it("refuses what it does not know with one sentence and 2", async () => {
    for (const args of ["compare aaa1 zzz", "compare aaa1 bbb2 --max-new-blocks many", "compare aaa1"]) {
      const { code, stderr, stdout } = await inside.run(args);
      expect({ args, code, stdout, lines: stderr.trim().split("\n").length }).toEqual({
        args,
        code: 2,
        stdout: "",
        lines: 1,
      });
    }
    expect(existsSync(join(home.folder, "x.html"))).toBe(false);
  });
});
