// A primary, a replica and three Sentinels, each a process of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { endOfValue } from "./cutting-proxy.ts";
import { freePort, SERVER, startServer, type TestServer } from "./server.ts";

export interface Watched {
  /** Address of the state by its Sentinels. */
  readonly state: string;
  /** The server that the Sentinels name now. */
  primary(): Promise<TestServer>;
  /** Kills the primary, and resolves when another is named. @returns the killed one */
  fail(): Promise<TestServer>;
  /** Starts a killed server again as a replica, and resolves when it has everything. */
  bringBack(killed: TestServer): Promise<void>;
}

const NAME = "verdict";
/** After this long without an answer a Sentinel takes the primary for dead. */
const DOWN_AFTER_MS = 1_000;
const SENTINELS = 3;
const QUORUM = 2;

/** @param options of both servers */
export async function startWatched(options: readonly string[]): Promise<Watched> {
  const ports = [await freePort(), await freePort()];
  const folders = ports.map(() => mkdtempSync(join(tmpdir(), "verdict-watched-")));
  const servers: TestServer[] = [];
  async function start(place: number, of: number | null): Promise<void> {
    const replica = of === null ? [] : ["--replicaof", `127.0.0.1 ${of}`];
    const port = ["--port", String(ports[place]), "--repl-diskless-sync-delay", "0"];
    servers[place] = await startServer([...port, ...options, ...replica], { folder: folders[place]! });
  }
  await start(0, null);
  await start(1, ports[0]!);
  onTestFinished(async () => {
    for (const server of servers) await server.stop();
  });
  const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startSentinel(ports[0]!)));

  async function primaryPort(): Promise<number> {
    const reply = await ask(sentinels[0]!, `SENTINEL get-master-addr-by-name ${NAME}`);
    return Number(/\r\n(\d+)\r\n$/.exec(reply)?.[1]);
  }
  /** Also the Sentinels know of each other and of the replica, or they could not fail over. */
  async function isWhole(): Promise<boolean> {
    const primary = await primaryPort();
    const info = await ask(primary, "INFO replication").catch(() => "");
    const seen = await ask(sentinels[0]!, "INFO sentinel");
    const offset = /master_repl_offset:(\d+)/.exec(info)?.[1];
    const isSynced = new RegExp(`state=online,offset=${offset},`).test(info);
    return isSynced && seen.includes("status=ok") && seen.includes(`slaves=1,sentinels=${SENTINELS}`);
  }
  await expect.poll(isWhole, { timeout: 60_000 }).toBe(true);

  return {
    state: `valkey+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(",")}/${NAME}`,
    primary: async () => servers[ports.indexOf(await primaryPort())]!,
    async fail() {
      const port = await primaryPort();
      const killed = servers[ports.indexOf(port)]!;
      await killed.kill();
      await expect.poll(primaryPort, { timeout: 60_000 }).not.toBe(port);
      return killed;
    },
    async bringBack(killed) {
      const place = servers.indexOf(killed);
      await start(place, ports[1 - place]!);
      await expect.poll(isWhole, { timeout: 60_000 }).toBe(true);
    },
  };
}

/** @returns its port */
async function startSentinel(primary: number): Promise<number> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "verdict-sentinel-"));
  const file = join(folder, "sentinel.conf");
  writeFileSync(
    file,
    [
      `port ${port}`,
      "bind 127.0.0.1",
      `dir ${folder}`,
      `sentinel monitor ${NAME} 127.0.0.1 ${primary} ${QUORUM}`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
      // A failed attempt is repeated after twice as long.
      `sentinel failover-timeout ${NAME} 3000`,
      "",
    ].join("\n"),
  );
  const child = spawn(SERVER!.program, [file, "--sentinel"], { stdio: "ignore" });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => ask(port, "PING").catch(() => "")).toContain("PONG");
  return port;
}

/** One command on a connection of its own; its reply as it is on the wire. */
export function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = Buffer.alloc(0);
    const socket = connect({ host: "127.0.0.1", port }, () => socket.write(`${command}\r\n`));
    socket.on("data", (bytes: Buffer) => {
      reply = Buffer.concat([reply, bytes]);
      if (endOfValue(reply, 0) === -1) return;
      socket.destroy();
      resolve(reply.toString("latin1"));
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`${port} has closed the connection`)));
  });
}
