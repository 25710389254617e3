// `verdict serve` as a process that is up: what happens to it meanwhile is the test's.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { PROGRAM, type TestHome } from "./verdict-process.ts";

export interface Serving {
  readonly child: ChildProcess;
  /** What it printed at its start. */
  readonly said: string;
  /** Where it listens. */
  readonly url: string;
  /** What it has logged. */
  log(): string;
  /** Sends a signal and waits for the end. @returns the exit code */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** @param words besides its port; by default nothing of it outlives its end */
export async function startServing(
  home: TestHome,
  words: string = "--ephemeral --state serving",
  env: NodeJS.ProcessEnv = {},
): Promise<Serving> {
  const child = spawn(process.execPath, [PROGRAM, ...`serve --port 0 ${words}`.split(" ")], {
    cwd: home.folder,
    env: { ...home.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`serve ended with ${code}: ${log}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("Ctrl-C ends it.")) resolve();
    });
  });
  return {
    child,
    said,
    url: /listens on (\S+)/.exec(said)![1]!,
    log: () => log,
    async end(signal) {
      const closed = once(child, "close");
      child.kill(signal);
      const [code] = (await closed) as [number | null];
      return code;
    },
  };
}
