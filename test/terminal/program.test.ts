// A program that gets the terminal: started without a shell, and how its end is told.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runProgram } from "#src/terminal/program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "verdict-program-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NODE = process.execPath;
const run = (words: readonly string[], signal = new AbortController().signal) =>
  runProgram(words, { env: { OUT: join(folder, "out") }, signal });

it("gets its arguments as they are, and the environment that it is given alone", async () => {
  const args = ["a b", "$HOME;`id`", "*", "'\"", "", "ключ"];
  const script = `require("fs").writeFileSync(process.env.OUT, JSON.stringify([process.argv.slice(1), process.env.HOME]))`;
  expect(await run([NODE, "-e", script, "--", ...args])).toEqual({ problem: null, isStarted: true });
  expect(JSON.parse(readFileSync(join(folder, "out"), "utf8"))).toEqual([args, null]);
});

it.each<readonly [string, readonly string[], string, boolean]>([
  ["an exit code", [NODE, "-e", "process.exit(3)"], "ended with exit code 3", true],
  ["a signal", [NODE, "-e", "process.kill(process.pid, 'SIGKILL')"], "was ended by SIGKILL", true],
  ["no program", ["verdict-no-such-program"], "could not be started: there is no such program", false],
  ["a folder", [tmpdir()], "could not be started: EACCES", false],
  ["arguments that are too long", [NODE, "x".repeat(1 << 20)], "could not be started: E2BIG", false],
  ["an argument with NUL", [NODE, "a\0"], "could not be started: ERR_INVALID_ARG_VALUE", false],
])("tells %s in one sentence", async (_what, words, problem, isStarted) => {
  expect(await run(words)).toEqual({ problem, isStarted });
});

it("has neither terminal nor input where its output is asked for, which is read to its end", async () => {
  const script = `process.stdin.on("data", () => process.exit(9)).on("end", () => {
    process.stdout.write("ü".repeat(100_000));
    process.stderr.write(String(process.stdout.isTTY));
    process.exitCode = 4;
  })`;
  let output = "";
  const before = process.listenerCount("SIGINT");
  const end = runProgram([NODE, "-e", script], {
    env: {},
    signal: new AbortController().signal,
    onOutput: (text) => void (output += text),
  });
  // Ctrl-C belongs to the console.
  expect(process.listenerCount("SIGINT")).toBe(before);
  expect(await end).toEqual({ problem: "ended with exit code 4", isStarted: true });
  expect([output.replaceAll("ü", "").length, output.length]).toEqual([9, 100_009]);
});

it("is ended with the console, and leaves no listener behind", async () => {
  const before = ["exit", "SIGINT", "SIGQUIT"].map((name) => process.listenerCount(name));
  const script = "setInterval(() => undefined, 1000)";
  expect(await run([NODE, "-e", script], AbortSignal.abort())).toMatchObject({
    problem: "was ended by SIGTERM",
  });
  expect(["exit", "SIGINT", "SIGQUIT"].map((name) => process.listenerCount(name))).toEqual(before);
});
