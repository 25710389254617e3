// How fast a replay is, every intent on the disk, beside load generators that post the same signed bodies to the same service, and
// how much memory a million lines take. Rates are given as ms for 1,000 checks.

import { execFileSync, spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import autocannon from "autocannon";
import { chooseProject } from "#src/actions/check/choose-project.ts";
import { createContext } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import { ENDPOINTS } from "#src/contract/wire/wire.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { sign } from "#src/signing/sign.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { noDamage } from "../storage/no-damage.ts";
import { compared, peakOf, runProcess, type Row } from "./measure.ts";

const CONCURRENCY = 32;
const CHECKS = 16_000;
const ROUNDS = 3;
const WARM_UP = 4_000;
const LINES = Number(process.env["BENCH_LINES"] ?? 1_000_000);
const WRK = "/usr/bin/wrk";
const WRK_SECONDS = 3;

export async function* benchReplay(root: string): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const program = join(root, "dist/verdict.mjs");
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    VERDICT_HOME: join(folder, "verdict"),
    LANG: "C.UTF-8",
  };
  const cli = (words: string, input?: string): void =>
    void execFileSync(process.execPath, [program, ...words.split(" ")], {
      env,
      input,
      stdio: ["pipe", "ignore", "inherit"],
    });
  const service = spawn(process.execPath, [join(root, "test/bench/children/bare-route.ts")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(service.stdout, "data")) as [Buffer];
    cli(`profile add bench --base-url http://127.0.0.1:${port.toString().trim()}`);
    cli("profile use bench");
    cli(
      "vault add --merchant-id m --risk-level low --key-id k --project-id p --secret-stdin",
      "bench-secret\n",
    );
    yield* throughput(folder, program, env);
    if (process.platform === "linux") yield await memory(folder, program, env);
  } finally {
    service.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* throughput(folder: string, program: string, env: NodeJS.ProcessEnv): AsyncGenerator<Row> {
  const context = await createContext({
    onProblem: noDamage,
    home: findHome(env, undefined),
    env,
    profile: undefined,
    executable: [process.execPath, program],
  });
  try {
    const { credential } = await chooseProject(context, undefined);
    const url = new URL(ENDPOINTS.check.path, context.profile.baseUrl);
    const bodies = Array.from({ length: CHECKS }, (_, index) => Buffer.from(payment("b", index)));
    const signed: Request[] = bodies.map((body) => ({
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
    const source = join(folder, "source.ndjson");
    writeFileSync(source, `${bodies.join("\n")}\n`);
    const words = ["replay", source, "--concurrency", String(CONCURRENCY)];
    const ours: number[] = [];
    const cannon: number[] = [];
    const wrk: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      cannon.push(await fire(url, signed));
      await runProcess(process.execPath, [program, ...words], env, [0]);
      ours.push(await warmMs(await context.runs()));
      if (existsSync(WRK)) wrk.push(runWrk(folder, url, signed));
    }
    const what = `1,000 checks replayed, ${CONCURRENCY} at once`;
    yield compared({ what, yardstick: "autocannon, same signed bodies", budget: 1 }, ours, cannon);
    if (wrk.length > 0)
      yield compared({ what, yardstick: "wrk, same signed bodies", budget: 1 / 0.6 }, ours, wrk);
  } finally {
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

/** A name of letters alone, another one for each number. */
function letters(index: number): string {
  return index.toString(26).replace(/./g, (digit) => String.fromCharCode(65 + parseInt(digit, 26)));
}

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
      holder: `OLENA ${letters(index)}`,
      bin_card: 444_433,
      cin_card: index % 10_000,
      expiration_month: 9,
      expiration_year: 40,
    },
  });
}

/** Each connection posts a share of its own. */
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
      // It writes headers of its own into what it is given.
      const own = requests.slice(next * share, (next + 1) * share);
      client.setRequests(own.map((request) => ({ ...request, headers: { ...request.headers } })));
      next += 1;
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`autocannon got ${result.non2xx} refusals and ${result.errors} errors`);
  return (result.duration * 1_000_000) / result["2xx"];
}

/** wrk takes whole requests from a script, and always runs for as long as it is asked to. In ms for 1,000 checks. */
function runWrk(folder: string, url: URL, requests: readonly Request[]): number {
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
      `function request() n = n % #all + 1; return all[n] end`,
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
  if (refused !== "0") throw new Error(`wrk got ${refused} refusals`);
  return Number(microseconds) / Number(count);
}

/** Peak memory of a replay of `LINES` lines. */
async function memory(folder: string, program: string, env: NodeJS.ProcessEnv): Promise<Row> {
  const source = join(folder, "lines.ndjson");
  await writeLines(source);
  const args = [program, "replay", source, "--concurrency", String(CONCURRENCY)];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  let peakKiB = 0;
  const watch = setInterval(() => {
    peakKiB = Math.max(peakKiB, peakOf(child.pid!));
  }, 250);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`the replay of ${LINES} lines ended with ${code}`);
  const measured = (peakKiB * 1024) / 1e6;
  return { what: `replay of ${LINES} lines, peak memory`, unit: "MB", measured, budget: 250, rounds: 1 };
}

async function writeLines(path: string): Promise<void> {
  const file = createWriteStream(path);
  for (let index = 0; index < LINES; index += 1) {
    if (!file.write(`${payment("m", index)}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}
