// The built program as a process: absolute paths, a home of its own, nothing inherited that could change an outcome.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const PROGRAM: string = fileURLToPath(new URL("../../dist/verdict.mjs", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestHome {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** A string is split at its blanks. */
  run(args: string | readonly string[], options?: RunOptions): Promise<Ran>;
  /** One JSON object a line of stdout. */
  json(args: string | readonly string[], options?: RunOptions): Promise<Record<string, unknown>[]>;
  /** Ends the sandbox of this home, and removes the home. */
  remove(): Promise<void>;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** @param command instead of the built program in the Node of the tests */
export function testHome(command: readonly string[] = [process.execPath, PROGRAM]): TestHome {
  const folder = mkdtempSync(join(tmpdir(), "verdict-test-"));
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    VERDICT_HOME: join(folder, "verdict"),
    XDG_CACHE_HOME: join(tmpdir(), "verdict-test-cache"),
    LANG: "C.UTF-8",
    // No person is there to leave another one.
    PAGER: "cat",
  };
  const run = (args: string | readonly string[], options: RunOptions = {}): Promise<Ran> =>
    new Promise((resolve, reject) => {
      const child = spawn(
        command[0]!,
        [...command.slice(1), ...(typeof args === "string" ? args.split(" ") : args)],
        {
          cwd: options.cwd ?? folder,
          env: { ...env, ...options.env },
          stdio: "pipe",
        },
      );
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
      child.stdin.on("error", () => undefined);
      child.stdin.end(options.input ?? "");
    });
  return {
    folder,
    env,
    run,
    async json(args, options) {
      const { stdout } = await run(args, options);
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    async remove() {
      // A home that never had a sandbox has none to end.
      if (existsSync(join(env.VERDICT_HOME, "state", "sandbox"))) await run(["sandbox", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same for a group of tests, removed behind the last of them. */
export function testHomeOfTests(): TestHome {
  const home = testHome();
  afterAll(() => home.remove());
  return home;
}
