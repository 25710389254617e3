// verdict replay --isolated: a sandbox without earlier counts, gone afterwards, and never of another opinion than a back-test.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { backtested, dayFile, expectSame, replayed } from "./isolated-law.ts";
import { testHomeOfTests } from "./verdict-process.ts";

describe("an isolated replay", () => {
  const home = testHomeOfTests();
  /** Its own: elsewhere other tests make and remove such sandboxes meanwhile. */
  let temporary: string;
  beforeAll(() => {
    temporary = join(home.folder, "tmp");
    mkdirSync(temporary);
    home.env["TMPDIR"] = temporary;
  });

  it("gives each payment the verdict of a back-test where all share one terminal, 64 at once", async () => {
    const day = dayFile(home, 7, 300, "one");
    expectSame(await replayed(home, day, 64), await backtested(home, day));
  });

  it("gives each payment the verdict of a back-test, side by side and again, and leaves nothing behind", async () => {
    const day = dayFile(home, 7, 120);
    const backtest = await backtested(home, day);
    expectSame(await replayed(home, day, 32), backtest);
    const again = await home.run(["replay", day, "--isolated", "--baseline", "last", "--max-flips", "0"]);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stderr).toContain("A sandbox of its own");
    expect(again.stdout).toContain("no verdict changed");
    expect(readdirSync(temporary)).toEqual([]);
    // Its project is no project of this home.
    expect((await home.run("history --json")).stdout).toBe("");
  });

  it("sets two of its projects side by side, which do not count for each other", async () => {
    const day = dayFile(home, 7, 60);
    const args = ["replay", day, "--isolated", "--against", "other/medium", "--max-flips", "0"];
    expect(await home.run(args)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /Sent to: sandbox:other\/medium\n[^]*Compared with: \S+ on sandbox:isolated\/medium, with starter rules \([0-9a-f]{8}\)\n/,
      ),
    });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("reads its rules before anything else, in a dry run, too", async () => {
    const rules = join(home.folder, "wrong.yaml");
    writeFileSync(rules, "rules: 3\n");
    const dry = ["--dry-run", "--rules", rules];
    const { code, stderr } = await home.run(["replay", dayFile(home, 9, 2), ...dry]);
    expect(code).toBe(2);
    expect(stderr).toContain("wrong.yaml:1:1: ");
  });

  it("does so for a day that is written newest first, with one payment of another year", async () => {
    const day = dayFile(home, 11, 120);
    const lines = readFileSync(day, "utf8").trimEnd().split("\n").reverse();
    lines[100] = lines[100]!.replace('"2026-', '"2027-');
    writeFileSync(day, lines.join("\n"));
    expectSame(await replayed(home, day, 32), await backtested(home, day));
  });

  it.each([
    [["replay", "--isolated", "--continue", "last"], /--continue and --isolated exclude each other/],
    [
      ["replay", "x.json", "--isolated", "--project", "shop"],
      /merchant and risk level, such as shop\/medium/,
    ],
  ])("%j is refused with a reason", async (args, reason) => {
    const { code, stderr } = await home.run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(reason);
  });
});
