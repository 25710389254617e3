// A real server for one test: `valkey-server` where there is one, else `redis-server`, on a Unix socket in a folder of its own.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Program and version; null where neither is installed. */
export const SERVER = serverProgram();

function serverProgram(): { readonly program: string; readonly version: string } | null {
  for (const program of ["valkey-server", "redis-server"]) {
    try {
      const version = execFileSync(program, ["--version"], { encoding: "utf8" });
      return { program, version: /v=(\S+)/.exec(version)?.[1] ?? version.trim() };
    } catch {
      // The next one.
    }
  }
  return null;
}

/** For `describe.skipIf`: says so where there is no server. */
export function isWithoutServer(): boolean {
  if (SERVER === null) {
    process.stderr.write(
      "The tests with a server are skipped: install the Debian package valkey-server or redis-server.\n",
    );
  }
  return SERVER === null;
}

/** For tests that are not about silence: a machine with other work may be silent itself. */
export const PATIENT_MS = 20_000;

export interface TestServer {
  /** Its folder, with the socket and the append-only file. */
  readonly folder: string;
  readonly socket: string;
  /** 0 without `port: true`. */
  readonly port: number;
  /** Of its process, which changes with `start`. */
  readonly pid: number;
  /** Sends one command beside all others, and gives the first line of the answer. */
  ask(...words: readonly string[]): Promise<string>;
  /** Ends the process, by default without warning; what it has written to its files stays, as no power cut would promise. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on its files. */
  start(): Promise<void>;
  /** Ends the process, and removes the folder. */
  stop(): Promise<void>;
}

/** @param options of the server, such as `["--appendfsync", "always"]`. By default the append-only file is synced every second. */
export async function startServer(
  options: readonly string[] = [],
  {
    port: wanted = false,
    folder = mkdtempSync(join(tmpdir(), "verdict-valkey-")),
    /** Words before its command. */
    within = [] as readonly string[],
    /** As whom `ask` asks, where not everybody may. */
    login = undefined as { readonly user: string; readonly password: string } | undefined,
  } = {},
): Promise<TestServer> {
  const socket = join(folder, "s");
  const port = wanted ? await freePort() : 0;
  const askHere = (...words: readonly string[]): Promise<string> => ask(socket, words, login);
  let child: ChildProcess;

  async function start(): Promise<void> {
    rmSync(socket, { force: true });
    const standard = ["--dir", folder, "--unixsocket", socket, "--save", "", "--appendonly", "yes"];
    const listening = ["--port", String(port), "--bind", "127.0.0.1", "--daemonize", "no"];
    const [command, ...words] = [...within, SERVER!.program, ...standard, ...listening];
    child = spawn(command!, [...words, "--logfile", join(folder, "log"), ...options], { stdio: "ignore" });
    const { pid } = child;
    // Refused while it loads, unlike PING for somebody who may not send that.
    while (/^(?:$|-LOADING)/.test(await askHere("EXISTS", "v:probe"))) {
      if (child.exitCode !== null) throw new Error(`${SERVER!.program} (${pid}) ended: see ${folder}/log`);
      await wait(5);
    }
  }

  async function kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  await start();
  return {
    folder,
    socket,
    port,
    get pid() {
      return child.pid!;
    },
    ask: askHere,
    kill,
    start,
    async stop() {
      await kill();
      // A child of a server that was killed while it saved may still write there.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, "close");
  return port;
}

/** @returns the first line of the answer, empty where there is no connection */
function ask(
  socket: string,
  words: readonly string[],
  login?: { readonly user: string; readonly password: string },
): Promise<string> {
  const commands = login === undefined ? [words] : [["AUTH", login.user, login.password], words];
  return new Promise((resolve) => {
    const asking = connect(socket, () => asking.write(commands.map(wire).join("")));
    let answer = "";
    asking.on("data", (data) => {
      answer += data.toString();
      const lines = answer.split("\r\n");
      if (lines.length <= commands.length) return;
      asking.destroy();
      resolve(lines[commands.length - 1]!);
    });
    asking.once("error", () => resolve(""));
    asking.once("close", () => resolve(""));
  });
}

function wire(words: readonly string[]): string {
  const bulk = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${bulk.join("")}`;
}
