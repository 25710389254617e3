// What verdict capture adds to a check at 500 a second, beside a bare relay of bytes in a process of its own, taking turns.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { compared, type Row } from "./measure.ts";

const PER_SECOND = 500;
const SECONDS = 5;
const ANSWER = '{"status":"success","code":"pass","message":"go on"}';
const RELAY = `
const net = require("node:net");
const server = net.createServer({ noDelay: true }, (client) => {
  const service = net.connect({ port: Number(process.argv[1]), host: "127.0.0.1", noDelay: true });
  client.pipe(service).pipe(client);
  for (const socket of [client, service]) socket.on("error", () => undefined);
}).listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;

export async function* benchCapture(root: string): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const env = { ...process.env, VERDICT_HOME: join(folder, "home") };
  const verdict = [join(root, "dist/verdict.mjs")];
  const service = createServer((asked, response) => {
    asked.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": ANSWER.length });
      response.end(ANSWER);
    });
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const { port } = service.address() as AddressInfo;
  const added = spawn(
    process.execPath,
    [...verdict, "profile", "add", "x", "--base-url", `http://127.0.0.1:${port}`],
    { env },
  );
  await once(added, "close");
  const out = join(folder, "day.ndjson");
  const words = ["capture", "--profile", "x", "--listen", "127.0.0.1:0", "--output", out];
  const capture = spawn(process.execPath, [...verdict, ...words], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const relay = spawn(process.execPath, ["-e", RELAY, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [ours, theirs]: [number[], number[]] = [[], []];
    const [captured, bare] = [await urlOf(capture), await urlOf(relay)];
    // Not counted: connections are opened, and code is compiled.
    for (const url of [captured, bare, captured, bare]) await oneSecond(url, []);
    for (let second = 0; second < SECONDS; second += 1) {
      await oneSecond(bare, theirs);
      await oneSecond(captured, ours);
    }
    capture.kill("SIGTERM");
    await once(capture, "close");
    const lines = readFileSync(out, "utf8").split("\n").length - 1;
    if (lines !== PER_SECOND * (SECONDS + 2)) throw new Error(`${lines} checks were recorded`);
    const names = { yardstick: "bare relay of bytes", budget: 5 };
    const median = compared({ what: "a check through verdict capture, p50", ...names }, ours, theirs);
    yield median;
    yield compared({ what: "a check through verdict capture, p99", ...names }, ours, theirs, 0.99);
    const measured = median.measuredMs - median.yardstickMs;
    yield { what: "added by verdict capture, p50", unit: "ms", measured, budget: 1, rounds: ours.length };
  } finally {
    for (const child of [capture, relay]) child.kill("SIGKILL");
    service.closeAllConnections();
    service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function urlOf(child: ChildProcess): Promise<string> {
  let said = "";
  for await (const data of child.stdout!.iterator({ destroyOnReturn: false })) {
    said += String(data);
    const [url] = /http:\/\/127\.0\.0\.1:\d+(?=[\s,])/.exec(said) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("it does not listen");
}

/** Starts checks at an even pace, whether or not the ones before are answered. */
async function oneSecond(url: string, times: number[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let n = 0; n < PER_SECOND; n += 1) {
    const late = startedAt + (n * 1_000) / PER_SECOND - performance.now();
    if (late > 0) await wait(late);
    running.push(check(url, n, agent, times));
  }
  await Promise.all(running);
  agent.destroy();
}

function check(url: string, n: number, agent: Agent, times: number[]): Promise<void> {
  const body = JSON.stringify({ operation: "payment", order_id: `o-${n}`, amount: 1_000 + n, currency: 980 });
  const headers = { "content-type": "application/json", "content-length": body.length };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/v1/check`, { method: "POST", agent, headers }, (answer) => {
      answer.resume().on("end", () => {
        times.push(performance.now() - startedAt);
        resolve();
      });
    });
    asking.on("error", reject).end(body);
  });
}
