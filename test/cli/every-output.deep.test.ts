// Every command of the table, with its output into a device that takes nothing, a disk with no room, a terminal that hostile
// texts must not reach, and a build server that reads along.

import { execFileSync } from "node:child_process";
import { closeSync, cpSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { fakeService } from "../console/stories/stage.ts";
import { BUILD_COMMANDS, obeyedLines } from "./build-server.ts";
import { everyCommand, IN_AN_EMPTY_HOME, type CommandCase } from "./every-command.ts";
import { MORE } from "./naughty-strings.ts";
import { inTurn, isUnwritten, runInto, wrong } from "./output-end.ts";
import { obeyedOf } from "./terminal-run.ts";
import { testHome, type Ran, type TestHome } from "./verdict-process.ts";

const BLOCK = 4096;

/** Mounting a small file system needs root. */
const canMount = process.getuid?.() === 0 && process.platform === "linux";
if (!canMount)
  process.stderr.write(
    "The test of output on a full disk is skipped: it mounts a file system, which needs root.\n",
  );

describe("every command", () => {
  let home: TestHome;
  let cases: CommandCase[];

  beforeAll(async () => {
    home = testHome();
    cases = await everyCommand(home);
    await home.run("sandbox stop");
    cpSync(home.folder, filled(), { recursive: true });
    return () => rmSync(filled(), { recursive: true });
  });
  const filled = (): string => `${home.folder}.filled`;

  // Each test changes the home.
  beforeEach(() => {
    cpSync(filled(), home.folder, { recursive: true });
    return () => home.remove();
  });

  it.runIf(process.platform === "linux")(
    "ends with 74 and one sentence at a device that takes nothing",
    async () => {
      const full = openSync("/dev/full", "w");
      onTestFinished(() => closeSync(full));
      expect(wrong(await inTurn(cases, (each) => runInto(home, each, full)), isUnwritten)).toEqual([]);
    },
  );

  it.runIf(canMount)("of each way to print ends so on a disk that has room for two letters", async () => {
    const disk = join(home.folder, "disk");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${BLOCK},mode=700`, "tmpfs", disk]);
    // At the end of the test, before its home goes.
    using _ = { [Symbol.dispose]: () => void execFileSync("umount", ["--lazy", disk]) };
    // The room is in the last block of a file, so that a write is cut short before one fails.
    const file = join(disk, "output");
    const ran = new Map<string, Ran>();
    for (const each of cases.filter(({ name }) => IN_AN_EMPTY_HOME.has(name))) {
      writeFileSync(file, "-".repeat(BLOCK - 2));
      const opened = openSync(file, "a");
      ran.set(each.name, await runInto(home, each, opened));
      closeSync(opened);
    }
    expect(wrong(ran, isUnwritten)).toEqual([]);
  });

  it("makes a terminal do nothing that a service says", async () => {
    const service = await fakeService(home);
    onTestFinished(() => service.close());
    for (const text of MORE) {
      service.answer(200, { status: "success", code: "block", message: text });
      const payload = {
        operation: "payment",
        order_id: "o",
        amount: 1,
        currency: 980,
      };
      const { code, stderr } = await home.run("check - --json", { input: JSON.stringify(payload) });
      expect([7, 10], text + stderr).toContain(code);
    }
    expect((await home.run("profile use sandbox")).code).toBe(0);
    // On a terminal the tour is the console, and a secret is typed.
    const shown = cases.filter(
      ({ name, changes, stays, input }) => name !== "tour" && !changes && !stays && input === undefined,
    );
    const obeyed = await inTurn(shown, ({ words }) => obeyedOf(home, words));
    expect([...obeyed].filter(([, { controls, hidden }]) => controls.length > 0 || hidden !== null)).toEqual(
      [],
    );
  });

  it("prints nothing that a build server obeys", async () => {
    const service = await fakeService(home);
    onTestFinished(() => service.close());
    for (const text of BUILD_COMMANDS) {
      service.answer(200, { status: "success", code: "block", message: text });
      const payload = { operation: "payment", order_id: text, amount: 1, currency: 980 };
      const { code, stderr } = await home.run("check - --json", { input: JSON.stringify(payload) });
      expect([7, 10], text + stderr).toContain(code);
    }
    expect((await home.run("profile use sandbox")).code).toBe(0);
    const shown = cases.filter(({ changes, stays }) => !changes && !stays);
    const ran = await inTurn(shown, ({ words, input = "" }) => home.run(words, { input }));
    const listed = ran.get("history")!.stdout;
    expect(listed).toContain("\\x23#vso[");
    expect(wrong(ran, ({ stdout, stderr }) => obeyedLines(stdout + stderr).length === 0)).toEqual([]);
  });
});
