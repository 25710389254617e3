// A full check - signature, validation, rules, counters, journal, disk - beside a bare Fastify route that parses the same
// bodies and answers the same JSON. Both are processes of their own, loaded by turns. Rates are ms for 1,000 checks.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { Secret } from "#src/contract/secret.ts";
import { ENDPOINT_FILE, type SandboxEndpoint } from "#src/contract/wire/sandbox-wire.ts";
import { ENDPOINTS, type Call } from "#src/contract/wire/wire.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { sign, type Identity } from "#src/signing/sign.ts";
import { compared, quantile, type Row } from "./measure.ts";

const CONCURRENCY = 32;
const CHECKS = 4_000;
/** Short ones by turns: a machine that is shared is slow for a minute and fast for another. */
const ROUNDS = 9;
const WARM_ROUNDS = 3;
const HEADERS = { "content-type": "application/json", accept: "application/json" };

export async function* benchSandbox(root: string): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const state = join(folder, "state");
  const env = { PATH: process.env["PATH"], HOME: folder, VERDICT_HOME: join(folder, "verdict") };
  const serve = ["serve", "--port", "0", "--admin-port", "0", "--state", state, "--credential-delay", "0"];
  const sandbox = spawn(process.execPath, [join(root, "dist/verdict.mjs"), ...serve], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const bare = spawn(process.execPath, [join(root, "test/bench/children/bare-route.ts")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await said(sandbox, "Ctrl-C ends it.");
    const barePort = Number(await said(bare, "\n"));
    const { port } = JSON.parse(readFileSync(join(state, ENDPOINT_FILE), "utf8")) as SandboxEndpoint;
    const identity = await makeProject(state, port);
    const load = (to: number, batch: string): Promise<Loaded> => fire(to, requests(to, identity, batch));

    for (let round = 0; round < WARM_ROUNDS; round += 1) {
      await load(barePort, `w${round}`);
      await load(port, `w${round}`);
    }
    const ours: Loaded[] = [];
    const theirs: Loaded[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push(await load(barePort, `b${round}`));
      ours.push(await load(port, `s${round}`));
    }
    const beside = (what: string, figure: keyof Loaded): Row =>
      compared(
        { what, yardstick: "bare Fastify route", budget: 1 / 0.28 },
        ours.map((loaded) => loaded[figure]),
        theirs.map((loaded) => loaded[figure]),
      );
    yield beside(`1,000 full checks, ${CONCURRENCY} at once`, "perThousandMs");
    yield beside(`full check, ${CONCURRENCY} at once, p50`, "p50Ms");
    yield beside(`full check, ${CONCURRENCY} at once, p99`, "p99Ms");
    yield {
      what: `full check, ${CONCURRENCY} at once, p99`,
      unit: "ms",
      measured: quantile(
        ours.map(({ p99Ms }) => p99Ms),
        0.5,
      ),
      budget: 25,
      rounds: ROUNDS,
    };
  } finally {
    for (const child of [sandbox, bare]) child.kill("SIGTERM");
    for (const child of [sandbox, bare]) if (child.exitCode === null) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function said(child: ChildProcess, end: string): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout!.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    if (text.includes(end)) break;
  }
  return text;
}

async function makeProject(state: string, port: number): Promise<Identity> {
  const { companies } = JSON.parse(readFileSync(join(state, "integration-keys.json"), "utf8")) as {
    companies: {
      company_id: string;
      integration_keys: { key_id: string; secret: string; algorithm: string }[];
    }[];
  };
  const [{ company_id: companyId, integration_keys: keys }] = companies as [(typeof companies)[number]];
  const [{ key_id: keyId, secret, algorithm }] = keys as [(typeof keys)[number]];
  const company = { keyId, secret: new Secret(secret), algorithm, companyId };
  const merchant = { merchant_id: "bench", risk_level: "low" };
  await post(port, "register", company, { ...merchant, name: "Bench", currency: 980 });
  const { credential } = (await post(port, "credential", company, merchant)) as {
    credential: { key_id: string; secret: string; algorithm: string; project_id: string };
  };
  return {
    keyId: credential.key_id,
    secret: new Secret(credential.secret),
    algorithm: credential.algorithm,
    projectId: credential.project_id,
  };
}

async function post(port: number, call: Call, identity: Identity, document: object): Promise<unknown> {
  const { path, headers, body } = signed(port, call, identity, JSON.stringify(document));
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return await answer.json();
}

type Prepared = Parameters<
  Parameters<Parameters<typeof autocannon>[0]["setupClient"]>[0]["setRequests"]
>[0][number];

function signed(port: number, call: Call, identity: Identity, text: string): Prepared {
  const body = Buffer.from(text);
  const { path } = ENDPOINTS[call];
  const url = new URL(path, `http://127.0.0.1:${port}`);
  const request = { method: "POST", url, headers: HEADERS, body };
  const { headers } = sign(recipeById("http-signatures"), request, identity, { nowMs: Date.now() }, call);
  return { method: "POST", path, headers: { ...headers }, body };
}

function requests(port: number, identity: Identity, batch: string): Prepared[] {
  return Array.from({ length: CHECKS }, (_, index) => signed(port, "check", identity, payment(batch, index)));
}

interface Loaded {
  readonly perThousandMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Each connection posts a share of its own: the same signature twice would be refused. */
async function fire(port: number, all: readonly Prepared[]): Promise<Loaded> {
  const share = Math.floor(all.length / CONCURRENCY);
  const times: number[] = [];
  let next = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONCURRENCY,
    amount: share * CONCURRENCY,
    // It ends with a sample: by its default that would round the time up to a whole second.
    sampleInt: 20,
    setupClient: (client) => {
      client.setRequests(all.slice(next * share, (next + 1) * share));
      next += 1;
      // Its own summary is in whole milliseconds.
      client.on("response", (_status, _bytes, ms) => times.push(ms));
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`autocannon got ${result.non2xx} refusals and ${result.errors} errors`);
  return {
    perThousandMs: (result.duration * 1_000_000) / result["2xx"],
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

function payment(batch: string, index: number): string {
  return JSON.stringify({
    operation: "payment",
    order_id: `${batch}-${index}`,
    amount: 1_000 + (index % 500),
    currency: 980,
    description: "Two books and a pen",
    terminal_id: `t-${index % 50}`,
    payer: {
      payer_ip: `198.51.${(index >> 8) & 255}.${index & 255}`,
      email: `payer-${batch}-${index}@shop-customer.example`,
      number_phone: `+38050${String(index).padStart(7, "0")}`,
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
