// Processes of `verdict serve` that share one state on a server, and what a test does to them.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { administration, type Administered, type Administration } from "../../sandbox/sandbox-under-test.ts";

export const BUILT = fileURLToPath(new URL("../../../dist/verdict.mjs", import.meta.url));

export interface Worker extends Administered, Administration {
  readonly child: ChildProcess;
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Ends it as an orchestrator does, and waits until it is gone. @returns its exit code */
  stop(): Promise<number | null>;
}

export interface WorkerOptions {
  /** Address of the shared state, `valkey://...`, or the folder of one that is not shared. */
  readonly state: string;
  /** The key of the shared state, the same for all its workers. */
  readonly keyFile?: string;
  /** Folder of the worker's own files. */
  readonly home: string;
  readonly program?: string;
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Words before the command, such as `taskset -c 0`. */
  readonly within?: readonly string[];
}

/** What `verdict serve --json` prints, as far as it is needed here. */
interface Started {
  readonly url: string;
  readonly admin_url: string;
  readonly admin_token_file: string;
}

/** Starts a worker. The caller ends it. */
export async function startWorker(worker: WorkerOptions): Promise<Worker> {
  const { state, keyFile, home, program = BUILT, options = [], within = [] } = worker;
  const serve = ["serve", "--json", "--port", "0", "--admin-port", "0", "--credential-delay", "0"];
  const shared = ["--state", state, ...(keyFile === undefined ? [] : ["--state-key-file", keyFile])];
  const [command, ...args] = [...within, process.execPath, program, ...serve, ...shared, ...options];
  const child = spawn(command!, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: home, VERDICT_HOME: home, ...worker.env },
  });
  let complaints = "";
  // Its log: read, or the worker would stop when the pipe is full.
  child.stderr.on("data", (text: Buffer) => {
    complaints = (complaints + text.toString("utf8")).slice(-2_000);
  });
  const line = await Promise.race([
    once(child.stdout, "data").then(([text]) => String(text)),
    once(child, "exit").then(() => {
      throw new Error(`The worker of ${home} did not start: ${complaints}`);
    }),
  ]);
  const { url, admin_url: adminUrl, admin_token_file: tokenFile } = JSON.parse(line) as Started;
  const { adminToken } = JSON.parse(await readFile(tokenFile, "utf8")) as { adminToken: string };
  const administered = { port: portOf(url), adminPort: portOf(adminUrl), adminToken };
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
    }
    return child.exitCode;
  }
  return {
    ...administered,
    ...administration(administered),
    child,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
