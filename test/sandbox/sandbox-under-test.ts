// A sandbox over real sockets, and callers that sign like clients do.

import { request as httpRequest } from "node:http";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import {
  ADMIN,
  type ClockChange,
  type SandboxPanel,
  type SandboxStatus,
} from "#src/contract/wire/sandbox-wire.ts";
import { ENDPOINTS, type Call, type CheckRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { SandboxLogEntry } from "#src/sandbox/state/sandbox-log.ts";
import { runSandbox } from "#src/sandbox/run-sandbox.ts";
import type { RunningSandbox, SandboxOptions } from "#src/sandbox/sandbox-options.ts";
import { openStoreIn } from "#src/sandbox/state/file-state.ts";
import type { Store } from "#src/sandbox/state/store.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { sign, type Identity } from "#src/signing/sign.ts";
import { testRules } from "./rules.ts";
import { sandboxOptions } from "./sandbox-options.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parsed; null when the body is not JSON. */
  readonly body: Record<string, unknown>;
}

export interface Sending {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** Sends exactly these headers and bytes on a connection of its own. */
export async function send(
  port: number,
  { method = "GET", path, headers = {}, body }: Sending,
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: headers as Record<string, string | string[]>,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("error", reject);
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export interface SandboxUnderTest extends RunningSandbox, Administration {
  readonly dir: string;
  readonly logged: SandboxLogEntry[];
}

export async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "verdict-sandbox-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A store in a folder of its own, closed when the test is over; the same again in the same folder. */
export async function openTestStore(dir?: string): Promise<Store> {
  const folder = dir ?? (await temporaryFolder());
  const fail = (failure: unknown): never => {
    throw new Error(String(failure));
  };
  const store = await openStoreIn(folder, false, fail);
  onTestFinished(() => store.close());
  return store;
}

/** Runs SQL on the database of a folder, behind the back of its sandbox. */
export function alter(dir: string, sql: string): void {
  const database = new DatabaseSync(join(dir, "state.db"));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** All files of a folder, one after the other. */
export async function contentOf(dir: string): Promise<string> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}

/** Starts a sandbox; it is stopped when the test is over. */
export async function startSandbox(
  options: Partial<SandboxOptions> = {},
  dir?: string,
): Promise<SandboxUnderTest> {
  const folder = dir ?? (await temporaryFolder());
  const logged: SandboxLogEntry[] = [];
  const running = await runSandbox({
    ...sandboxOptions(folder),
    log: (entry) => logged.push(entry),
    ruleSet: await testRules(),
    ...options,
  });
  let isEnded = false;
  const stop = (): Promise<void> => {
    isEnded = true;
    return running.stop();
  };
  // How one ends that a test has stopped is that test's business.
  onTestFinished(() => (isEnded ? undefined : running.stop()));
  return { ...running, stop, dir: folder, logged, ...administration(running) };
}

export type Administered = Pick<RunningSandbox, "port" | "adminPort" | "adminToken">;

export interface Administration {
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  status(): Promise<SandboxStatus>;
  panel(): Promise<SandboxPanel>;
  clock(change: ClockChange): Promise<void>;
  explanation(answer: Pick<Answer, "headers">): Promise<Explanation>;
  /** Integration key of a company, by its place. */
  company(place?: number): Promise<Identity>;
}

export function administration({ adminPort, adminToken }: Administered): Administration {
  const admin: Administration["admin"] = (method, path, body) =>
    send(adminPort, {
      method,
      path,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const read = async <T>(path: string): Promise<T> => JSON.parse((await admin("GET", path)).text) as T;

  return {
    admin,
    status: () => read(ADMIN.status),
    panel: () => read(ADMIN.panel),
    async clock(change) {
      const answer = await admin("POST", ADMIN.clock, change);
      if (answer.status !== 200) throw new Error(answer.text);
    },
    explanation: (answer) => read(`${ADMIN.decisions}/${String(answer.headers["x-verdict-decision"])}`),
    async company(place = 0) {
      const { companyId, integrationKeys } = (await read<SandboxPanel>(ADMIN.panel)).companies[place]!;
      const key = integrationKeys[0]!;
      return { keyId: key.keyId, algorithm: key.algorithm, companyId, secret: new Secret(key.secret) };
    },
  };
}

export interface CallChanges {
  /** `http-signatures` when absent. */
  readonly recipe?: Recipe;
  readonly nowMs?: number;
  readonly nonce?: string;
  /** Changes the signed headers before they are sent. */
  readonly headers?: (signed: Record<string, string>) => Record<string, string | readonly string[]>;
  /** Sent instead of the body that was signed. */
  readonly sentBody?: string;
  readonly path?: string;
}

/** One signed call, ready to be sent (more than once, for a replay). */
export function signedCall(
  port: number,
  call: Call,
  identity: Identity,
  body: unknown,
  changes: CallChanges = {},
): Sending {
  const path = changes.path ?? ENDPOINTS[call].path;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const { headers } = sign(
    changes.recipe ?? recipeById("http-signatures"),
    {
      method: "POST",
      url: new URL(path, `http://127.0.0.1:${port}`),
      headers: { "content-type": "application/json" },
      body: Buffer.from(text),
    },
    identity,
    { nowMs: changes.nowMs ?? Date.now(), ...(changes.nonce === undefined ? {} : { nonce: changes.nonce }) },
    call,
  );
  return {
    method: "POST",
    path,
    headers: changes.headers ? changes.headers({ ...headers }) : headers,
    body: changes.sentBody ?? text,
  };
}

export async function call(
  { port }: { readonly port: number },
  name: Call,
  identity: Identity,
  body: unknown,
  changes: CallChanges = {},
): Promise<Answer> {
  return await send(port, signedCall(port, name, identity, body, changes));
}

export const CHECK: CheckRequest = {
  operation: "payment",
  order_id: "order-1",
  amount: 12_000,
  currency: 980,
  payer: { payer_id: "payer-1" },
};

export function registration(merchantId: string, riskLevel: RiskLevel = "medium"): Record<string, unknown> {
  return { merchant_id: merchantId, name: `Shop ${merchantId}`, currency: 980, risk_level: riskLevel };
}

/** Registers a project and fetches its credential, past the wait. */
export async function makeProject(
  sandbox: Administered & Administration,
  company: Identity,
  merchantId = "shop",
  riskLevel: RiskLevel = "medium",
): Promise<Identity> {
  const registered = await call(sandbox, "register", company, registration(merchantId, riskLevel));
  if (registered.status !== 200) throw new Error(registered.text);
  await sandbox.clock({ do: "advance", byMs: 5_000 });
  return credentialOf(
    await call(sandbox, "credential", company, { merchant_id: merchantId, risk_level: riskLevel }),
  );
}

export function credentialOf(answer: Answer): Identity {
  if (answer.status !== 200) throw new Error(answer.text);
  const credential = answer.body["credential"] as Record<
    "key_id" | "secret" | "algorithm" | "project_id",
    string
  >;
  return {
    keyId: credential.key_id,
    secret: new Secret(credential.secret),
    algorithm: credential.algorithm,
    projectId: credential.project_id,
  };
}
