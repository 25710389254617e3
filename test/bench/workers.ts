// Full checks by workers that share a state on a server: beside a sandbox alone, beside fewer workers, and over a slow link.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Identity } from "#src/signing/sign.ts";
import { nothingMet, oneOfMany, signedCheck, untilAnswered } from "../deep/valkey/callers.ts";
import { SERVER, startServer } from "../deep/valkey/server.ts";
import { startWorker, type Worker } from "../deep/valkey/worker-processes.ts";
import { makeProject } from "../sandbox/sandbox-under-test.ts";
import { compared, quantile, type Row } from "./measure.ts";

const CONNECTIONS = 32;
const CHECKS = 3_200;
const ROUNDS = 5;
/** On the slow link waiting is shared and not the processors: few connections a worker. */
const SLOW_CONNECTIONS = 8;
const SLOW_CHECKS_A_WORKER = 400;
const SLOW_MS = 1;

interface Loaded {
  readonly perThousandMs: number;
  readonly p99Ms: number;
  /** Microseconds a check: of all workers, and of the server. */
  readonly workerUs: number;
  readonly serverUs: number;
}

export async function* benchWorkers(root: string): AsyncGenerator<Row> {
  if (SERVER === null) return;
  const folder = await mkdtemp(join(tmpdir(), "verdict-bench-"));
  const server = await startServer([], { port: true });
  // A process of its own: signing the checks here would hold it up.
  const link = join(root, "test/bench/children/slow-link.ts");
  const slow = spawn(process.execPath, [link, String(server.port), String(SLOW_MS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const running: Worker[] = [];
  const start = async (name: string, state: string, keyFile?: string): Promise<Worker> => {
    const shared = keyFile === undefined ? {} : { keyFile };
    const worker = await startWorker({ state, home: join(folder, name), ...shared });
    running.push(worker);
    return worker;
  };
  const keyFile = join(folder, "state.key");
  writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  const startAt = async (port: number, name: string): Promise<Worker[]> => {
    const workers: Worker[] = [];
    for (let place = 0; place < 4; place += 1) {
      workers.push(await start(`${name}-${place}`, `valkey://127.0.0.1:${port}`, keyFile));
    }
    return workers;
  };
  try {
    const [said] = (await once(slow.stdout, "data")) as [Buffer];
    const alone = await start("alone", join(folder, "state"));
    const workers = await startAt(server.port, "near");
    const far = await startAt(Number(said.toString()), "far");
    const ownProject = await makeProject(alone, await alone.company(), "bench", "low");
    const project = await makeProject(workers[0]!, await workers[0]!.company(), "bench", "low");
    const load = (by: readonly Worker[], connections: number, checks: number): Promise<Loaded> =>
      fire(by, by[0] === alone ? ownProject : project, connections, checks, server.pid);

    const sets = { alone: [alone], one: workers.slice(0, 1), two: workers.slice(0, 2), four: workers };
    const loaded = { alone: [], one: [], two: [], four: [] } as Record<keyof typeof sets, Loaded[]>;
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of Object.keys(sets) as (keyof typeof sets)[]) {
        const now = await load(sets[name], CONNECTIONS, CHECKS);
        if (round > 0) loaded[name].push(now);
      }
    }
    const beside = (
      [what, ours]: [string, keyof typeof sets],
      [yardstick, theirs]: [string, keyof typeof sets],
      figure: keyof Loaded,
      budget: number,
    ): Row =>
      compared(
        { what, yardstick, budget },
        loaded[ours].map((each) => each[figure]),
        loaded[theirs].map((each) => each[figure]),
      );
    yield beside(["1,000 checks, 1 worker", "one"], ["sandbox alone", "alone"], "perThousandMs", 1 / 0.75);
    yield beside(["1,000 checks, 2 workers", "two"], ["1 worker", "one"], "perThousandMs", 1 / 1.3);
    yield beside(["1,000 checks, 4 workers", "four"], ["2 workers", "two"], "perThousandMs", 1 / 0.95);
    yield beside(["p99, 1 worker", "one"], ["sandbox alone", "alone"], "p99Ms", 2);
    yield beside(["CPU of a worker", "one"], ["sandbox alone", "alone"], "workerUs", 1.25);
    const serverUs = quantile(
      [...loaded.one, ...loaded.two, ...loaded.four].map((each) => each.serverUs),
      0.5,
    );
    yield { what: "CPU of the server, a check", unit: "us", measured: serverUs, budget: 120, rounds: ROUNDS };

    const counts = [1, 2, 4] as const;
    const slowly = new Map<number, number[]>(counts.map((count) => [count, []]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const count of counts) {
        const by = far.slice(0, count);
        const { perThousandMs } = await load(by, count * SLOW_CONNECTIONS, count * SLOW_CHECKS_A_WORKER);
        if (round > 0) slowly.get(count)!.push(perThousandMs);
      }
    }
    for (const [count, growth] of [
      [2, 1.9],
      [4, 3.5],
    ] as const) {
      const names = { what: `1,000 checks, ${count} workers, slow link`, yardstick: "1 worker, slow link" };
      yield compared({ ...names, budget: 1 / growth }, slowly.get(count)!, slowly.get(1)!);
    }
  } finally {
    for (const worker of running) await worker.kill();
    slow.kill("SIGTERM");
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

let batch = 0;

/** Each connection sends a share of the checks, one after the other. Written by hand: a client's own CPU would be measured. */
async function fire(
  by: readonly Worker[],
  project: Identity,
  connections: number,
  checks: number,
  server: number,
): Promise<Loaded> {
  batch += 1;
  // One that had to wait for a processor may have taken its silent server for lost, and be connecting again.
  for (const { port } of by) {
    await untilAnswered(() => [port], project, oneOfMany(`ready-${batch}-${port}`, 0), nothingMet());
  }
  const share = Math.floor(checks / connections);
  const lists = Array.from({ length: connections }, (_, connection) => {
    const { port } = by[connection % by.length]!;
    return Array.from({ length: share }, (__, turn) => {
      const number = connection * share + turn;
      const { path, headers, body } = signedCheck(
        port,
        project,
        oneOfMany(`bench-${batch}-${number}`, number),
      );
      const length = Buffer.byteLength(body as string);
      const lines = Object.entries({ ...headers, "content-length": length });
      const head = lines.map(([name, value]) => `${name}: ${String(value)}\r\n`).join("");
      return { port, bytes: Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n${body as string}`) };
    });
  });
  const pids = by.map(({ child }) => child.pid!);
  const before = { workers: cpuUs(pids), server: cpuUs([server]) };
  const began = performance.now();
  const times = (await Promise.all(lists.map(sendAll))).flat();
  const ms = performance.now() - began;
  return {
    perThousandMs: (ms * 1000) / times.length,
    p99Ms: quantile(times, 0.99),
    workerUs: (cpuUs(pids) - before.workers) / times.length,
    serverUs: (cpuUs([server]) - before.server) / times.length,
  };
}

/** @returns how long each took, in ms */
function sendAll(list: readonly { readonly port: number; readonly bytes: Buffer }[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const times: number[] = [];
    const socket = connect({ host: "127.0.0.1", port: list[0]!.port, noDelay: true });
    let sentAt = 0;
    let text = "";
    const send = (): void => {
      text = "";
      sentAt = performance.now();
      socket.write(list[times.length]!.bytes);
    };
    socket.on("connect", send).on("error", reject);
    socket.on("close", () => reject(new Error("a worker has closed a connection")));
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)![1]);
      if (text.length < head + 4 + length) return;
      if (!text.startsWith("HTTP/1.1 200 ")) reject(new Error(text));
      times.push(performance.now() - sentAt);
      if (times.length < list.length) return send();
      resolve(times);
      socket.destroy();
    });
  });
}

/** proc(5): user and system time of processes; a tick is 10 ms. */
function cpuUs(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return [Number(fields[11]), Number(fields[12])];
  });
  return ticks.reduce((sum, each) => sum + each, 0) * 10_000;
}
