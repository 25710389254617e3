// How fast a replay is beside load generators that post the same signed bodies to the same sandbox, and how much memory a
// million lines take. Rates are given as ms for 1,000 checks.

import { execFileSync, spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import autocannon from "autocannon";
import { chooseProject } from "#src/actions/check/choose-project.ts";
import { createContext } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import { joinSandbox } from "#src/app/sandbox-launch.ts";
import { ENDPOINTS } from "#src/contract/wire/wire.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { sign } from "#src/signing/sign.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { noDamage } from "../storage/no-damage.ts";
import { compared, runProcess, type Row } from "./measure.ts";

const CONCURRENCY = 32;
const CHECKS = 16_000;
const ROUNDS = 3;
const WARM_UP = 4_000;
const LINES = Number(process.env["BENCH_LINES"] ?? 1_000_000);
const WRK = "/usr/bin/wrk";
const WRK_SECONDS = 3;
/** For a first try; where a sandbox answers more in that time, there are twice as many the next time. */
const WRK_CHECKS = WRK_SECONDS * 10_000;

export async function* benchReplay(root: string): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const program = join(root, "dist/verdict.mjs");
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    VERDICT_HOME: join(folder, "verdict"),
    LANG: "C.UTF-8",
  };
  try {
    yield* throughput(folder, program, env);
    if (process.platform === "linux") yield await memory(folder, program, env);
  } finally {
    execFileSync(process.execPath, [program, "sandbox", "stop"], { env, stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* throughput(folder: string, program: string, env: NodeJS.ProcessEnv): AsyncGenerator<Row> {
  const words = "register --merchant-id bench --name Bench --currency UAH --risk-level low --wait";
  await runProcess(process.execPath, [program, ...words.split(" ")], env, [0]);
  const home = findHome(env, undefined);
  const context = await createContext({
    onProblem: noDamage,
    home,
    env,
    profile: undefined,
    executable: [process.execPath, program],
  });
  // Joined, because only a program of its own version may start one.
  const sandbox = (await joinSandbox(home))!;
  try {
    const { credential } = await chooseProject(context, undefined);
    const { host, port } = sandbox.endpoint;
    const url = new URL(ENDPOINTS.check.path, `http://${host}:${port}`);
    let batch = 0;
    const bodies = (count: number): Buffer[] => {
      batch += 1;
      return Array.from({ length: count }, (_, index) => Buffer.from(payment(`b${batch}`, index)));
    };
    const signed = (count: number): Request[] =>
      bodies(count).map((body) => ({
        method: "POST",
        path: url.pathname,
        headers: sign(
          recipeById(context.profile.recipe),
          { method: "POST", url, headers: HEADERS, body },
          credential,
          { nowMs: Date.now() },
          "check",
        ).headers,
        body,
      }));
    const replay = async (count: number): Promise<number> => {
      const source = join(folder, "source.ndjson");
      writeFileSync(source, `${bodies(count).join("\n")}\n`);
      await runProcess(
        process.execPath,
        [program, "replay", source, "--concurrency", String(CONCURRENCY)],
        env,
        [0],
      );
      return await warmMs(await context.runs());
    };

    await replay(WARM_UP);
    const ours: number[] = [];
    const cannon: number[] = [];
    const wrk: number[] = [];
    let wrkChecks = WRK_CHECKS;
    /** A run that has used up its requests counts for nothing: none may be sent twice. */
    const wrkMs = (): number => {
      for (;;) {
        const ms = runWrk(folder, url, signed(wrkChecks));
        if (ms !== null) return ms;
        wrkChecks *= 2;
      }
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      cannon.push(await fire(url, signed(CHECKS)));
      ours.push(await replay(CHECKS));
      if (existsSync(WRK)) wrk.push(wrkMs());
    }
    const what = `1,000 checks replayed, ${CONCURRENCY} at once`;
    yield compared({ what, yardstick: "autocannon, same signed bodies", budget: 1 }, ours, cannon);
    if (wrk.length > 0)
      yield compared({ what, yardstick: "wrk, same signed bodies", budget: 1.25 }, ours, wrk);
  } finally {
    sandbox.lease.close();
    await context.close();
  }
}

/** ms for 1,000 checks of the newest run, from when it had sent its first few thousand. */
async function warmMs(runs: Runs): Promise<number> {
  const starts: number[] = [];
  for await (const { at } of runs.rows((await runs.find("last"))!.id)) starts.push(at);
  starts.sort((a, b) => a - b);
  const first = Math.min(WARM_UP, Math.floor(starts.length / 2));
  return ((starts.at(-1)! - starts[first]!) * 1_000) / (starts.length - 1 - first);
}

interface Request {
  readonly method: "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const HEADERS = { "content-type": "application/json", accept: "application/json" };

function payment(batch: string, index: number): string {
  return JSON.stringify({
    operation: "payment",
    order_id: `${batch}-${index}`,
    amount: 1_000 + (index % 500),
    currency: 980,
    description: "Two books and a pen",
    payer: {
      payer_ip: `198.51.${(index >> 8) & 255}.${index & 255}`,
      email: `payer-${batch}-${index}@shop-customer.example`,
      payer_id: `c-${batch}-${index}`,
    },
    card: {
      holder: "OLENA KOVALENKO",
      bin_card: 444_433,
      cin_card: index % 10_000,
      expiration_month: 9,
      expiration_year: 40,
    },
  });
}

/** Each connection posts a share of its own: the same signature twice would be refused. */
async function fire(url: URL, requests: readonly Request[]): Promise<number> {
  const share = Math.floor(requests.length / CONCURRENCY);
  let next = 0;
  const result = await autocannon({
    url: url.origin,
    connections: CONCURRENCY,
    amount: share * CONCURRENCY,
    // It ends with a sample: by its default that would round the time up to a whole second.
    sampleInt: 20,
    setupClient: (client) => {
      client.setRequests(requests.slice(next * share, (next + 1) * share));
      next += 1;
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`autocannon got ${result.non2xx} refusals and ${result.errors} errors`);
  return (result.duration * 1_000_000) / result["2xx"];
}

/**
 * wrk takes whole requests from a script, and always runs for as long as it is asked to.
 * @returns ms for 1,000 checks; null when the requests were used up before that
 */
function runWrk(folder: string, url: URL, requests: readonly Request[]): number | null {
  const file = join(folder, "wrk.requests");
  const script = join(folder, "wrk.lua");
  const raw = requests.map(({ path, headers, body }) => {
    const lines = Object.entries({ ...headers, "content-length": String(body.length) });
    return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body.toString("utf8")}`;
  });
  writeFileSync(file, raw.join("\0"));
  writeFileSync(
    script,
    [
      `local all, n = {}, 0`,
      `for text in io.open(${JSON.stringify(file)}, "rb"):read("*a"):gmatch("[^%z]+") do all[#all + 1] = text end`,
      `function request() n = n + 1; return all[math.min(n, #all)] end`,
      `function done(s) io.write("MEASURED ", s.requests, " ", s.duration, " ", s.errors.status, "\\n") end`,
    ].join("\n"),
  );
  const printed = execFileSync(WRK, [
    "-t1",
    `-c${CONCURRENCY}`,
    `-d${WRK_SECONDS}s`,
    "-s",
    script,
    url.origin,
  ]).toString("utf8");
  const [, count, microseconds, refused] = /MEASURED (\d+) (\d+) (\d+)/.exec(printed)!;
  // The last one was sent again, or was about to be.
  if (Number(count) + CONCURRENCY > requests.length) return null;
  if (refused !== "0") throw new Error(`wrk got ${refused} refusals`);
  return Number(microseconds) / Number(count);
}

/** Peak memory of a replay of `LINES` lines, against a server that answers the same at once. */
async function memory(folder: string, program: string, env: NodeJS.ProcessEnv): Promise<Row> {
  const body = JSON.stringify({ status: "success", code: "pass", message: "Recommended: pass" });
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const profile = ["--profile", "answers"];
    const cli = (words: string, input?: string): void =>
      void execFileSync(process.execPath, [program, ...words.split(" ")], {
        env,
        input,
        stdio: ["pipe", "ignore", "inherit"],
      });
    cli(`profile add answers --base-url http://127.0.0.1:${port}`);
    cli(
      "vault add credential --profile answers --merchant-id m --risk-level low --key-id k --project-id p --secret-stdin",
      "bench-secret\n",
    );
    const source = join(folder, "lines.ndjson");
    await writeLines(source);
    const args = [program, "replay", source, "--concurrency", String(CONCURRENCY), ...profile];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
    let peakKiB = 0;
    const watch = setInterval(() => {
      peakKiB = Math.max(peakKiB, peakOf(child.pid!));
    }, 250);
    const [code] = (await once(child, "close")) as [number | null];
    clearInterval(watch);
    if (code !== 0) throw new Error(`the replay of ${LINES} lines ended with ${code}`);
    return {
      what: `replay of ${LINES} lines, peak memory`,
      unit: "MB",
      measured: (peakKiB * 1024) / 1e6,
      budget: 250,
      rounds: 1,
    };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function writeLines(path: string): Promise<void> {
  const file = createWriteStream(path);
  for (let index = 0; index < LINES; index += 1) {
    if (!file.write(`${payment("m", index)}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

/** proc(5): the highest resident set size so far; 0 once the process is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
