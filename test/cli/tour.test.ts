// The tour without a terminal: the main job in plain text, the same every time, leaving nothing behind.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROGRAM, type Ran, testHomeOfTests } from "./verdict-process.ts";

describe("verdict tour", () => {
  const home = testHomeOfTests();
  let temporary: string;
  let first: Ran;
  let second: Ran;
  let ascii: Ran;

  beforeAll(async () => {
    // Beside the others, in a temporary folder of its own.
    const plain = home.run("tour", { env: { LANG: "C", NO_COLOR: "1" } });
    temporary = join(home.folder, "tmp");
    mkdirSync(temporary);
    first = await home.run("tour", { env: { TMPDIR: temporary } });
    second = await home.run("tour", { env: { TMPDIR: temporary } });
    ascii = await plain;
  });

  it("exits 0 without a complaint", () => {
    expect(first).toMatchObject({ code: 0, stderr: "" });
  });

  it("says the same twice on one home", () => {
    expect(second.stdout).toBe(first.stdout);
  });

  it("shows registration, wait, masked credential, and verdicts with reaction and reason", () => {
    expect(first.stdout).toContain("its credential can be requested in 180 s.");
    expect(first.stdout).toMatch(
      /key id hmac-sha256-[0-9a-f]+, project id \S+,\n +algorithm hmac-sha256, secret \*{8}\n/,
    );
    expect(first.stdout).not.toMatch(/[0-9a-f]{64}/);
    const verdicts = first.stdout
      .split("\n")
      .filter((line) => /^ {3}(✔ PASS|✖ BLOCK|◆ 3DS) {2}\S/.test(line));
    expect(verdicts.length).toBeGreaterThanOrEqual(9);
    for (const reason of [/expired/, /disposable/, /attempts with this card in 1 h/, /over 250/]) {
      expect(first.stdout).toMatch(reason);
    }
  });

  it("turns one card from pass into 3-D Secure into block", () => {
    const burst = first.stdout.split("\n\n").filter((step) => step.includes("One card, attempt"));
    expect(burst.map((step) => /PASS|3DS|BLOCK/.exec(step)?.[0])).toEqual([
      "PASS",
      "PASS",
      "PASS",
      "3DS",
      "3DS",
      "BLOCK",
    ]);
  });

  it("touches nothing of the user's and leaves nothing behind", () => {
    expect(existsSync(join(home.folder, "verdict"))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("ends with 130 on Ctrl-C, and leaves nothing behind then either", async () => {
    const child = spawn(process.execPath, [PROGRAM, "tour"], {
      env: { ...home.env, TMPDIR: temporary },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const code = await new Promise<number | null>((resolve) => {
      // The first line is printed when the sandbox is up and nothing has been registered yet.
      child.stdout.once("data", () => child.kill("SIGINT"));
      child.on("close", resolve);
    });
    expect(code).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("writes no colour and no control character into a pipe, and neither with NO_COLOR", () => {
    // oxlint-disable-next-line no-control-regex
    expect(first.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
    expect(ascii.code).toBe(0);
    expect(ascii.stdout).toContain("+ PASS");
    expect(ascii.stdout).toContain("x BLOCK");
  });
});
