// A command whose standard output leads to something other than a reader: a device, a file, a pipe that is closed.

import { spawn } from "node:child_process";
import type { CommandCase } from "./every-command.ts";
import { PROGRAM, type Ran, type TestHome } from "./verdict-process.ts";

const UNWRITTEN =
  "Standard output could not be written because the disk is full, so what was printed is not complete; free some space or write it elsewhere.\n";

/**
 * Runs the case.
 * @param stdout a file descriptor; "closed" for a pipe that nobody reads: then a command that stays is ended by SIGTERM when it
 * first says something on standard error
 */
export function runInto(
  home: TestHome,
  { words, input, stays }: CommandCase,
  stdout: number | "closed",
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...words.split(" ")], {
      cwd: home.folder,
      env: home.env,
      stdio: ["pipe", stdout === "closed" ? "pipe" : stdout, "pipe"],
    });
    child.stdout?.destroy();
    let stderr = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stderr!.once("data", () => {
      if (stdout === "closed" && stays === true) child.kill();
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout: "", stderr }));
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(input ?? "");
  });
}

/** Cases that ended otherwise than they should, with what they said. */
export function wrong(
  ran: ReadonlyMap<string, Ran>,
  isRight: (ran: Ran, name: string) => boolean,
): { name: string; code: number | null; stderr: string }[] {
  return [...ran]
    .filter(([name, each]) => !isRight(each, name))
    .map(([name, { code, stderr }]) => ({ name, code, stderr }));
}

/** 74, and the sentence once. */
export function isUnwritten({ code, stderr }: Ran): boolean {
  return code === 74 && stderr.split(UNWRITTEN).length === 2;
}

/** As where somebody reads on, and not a word about it. */
export function isQuiet({ code, stderr }: Ran, each: CommandCase | undefined): boolean {
  return code === (each?.code ?? 0) && !/EPIPE|could not be written|^\s+at /m.test(stderr);
}

/** A few at a time; those that change something one after the other, behind the others. */
export async function inTurn<Result>(
  cases: readonly CommandCase[],
  doIt: (each: CommandCase) => Promise<Result>,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>();
  const lane = async (waiting: CommandCase[]): Promise<void> => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift())
      results.set(each.name, await doIt(each));
  };
  const reading = cases.filter(({ changes }) => changes !== true);
  await Promise.all([lane(reading), lane(reading), lane(reading)]);
  await lane(cases.filter(({ changes }) => changes === true));
  return results;
}
