// A read-only profile: nothing is sent through it, whatever asks, and nothing is written down that means to.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { check } from "#src/actions/check/check.ts";
import { sweep } from "#src/actions/check/sweep.ts";
import { fetchCredential } from "#src/actions/register/fetch-credential.ts";
import { register } from "#src/actions/register/register.ts";
import { startReplay } from "#src/actions/replay/running-replay.ts";
import { createContext, type Context } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { Secret } from "#src/contract/secret.ts";
import { answer, PASS, startHostileService } from "../client/hostile-service.ts";
import { noDamage } from "../storage/no-damage.ts";

const SIGNAL = new AbortController().signal;
const REQUEST = { operation: "payment", order_id: "o-1", amount: 100, currency: 980 };
const REGISTRATION = { merchant_id: "m", name: "M", currency: 980, risk_level: "low" } as const;
const KEY = { keyId: "k", algorithm: "hmac-sha256", secret: new Secret("0123456789abcdef") };

interface World {
  readonly context: Context;
  /** Requests that reached the service. */
  asked(): number;
}

/** A profile of its own over a local service, with all the keys it could want. */
async function world(change: Partial<Profile>): Promise<World> {
  const service = await startHostileService([answer(200, PASS)]);
  const { url } = service;
  const folder = mkdtempSync(join(tmpdir(), "verdict-read-only-"));
  const open = (profile: string | undefined): Promise<Context> =>
    createContext({ onProblem: noDamage, home: findHome({}, folder), env: {}, profile, executable: [] });
  const first = await open(undefined);
  await (
    await first.profiles()
  ).put({
    name: "real",
    environment: "TEST",
    baseUrl: url,
    projectsUrl: url,
    recipe: "http-signatures",
    amountUnit: "minor",
    credentialWaitS: 0,
    ...change,
  });
  await first.close();
  const context = await open("real");
  const vault = await context.vault();
  const owner = { profile: "real", ...KEY };
  await vault.put({
    kind: "project_credential",
    projectKey: "m/low",
    projectId: "p",
    baseUrl: url,
    ...owner,
  });
  await vault.put({ kind: "integration_key", companyId: "c", projectsUrl: url, ...owner });
  onTestFinished(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
    await service[Symbol.asyncDispose]();
  });
  return { context, asked: () => service.requests.length };
}

const input = {
  request: REQUEST,
  project: undefined,
  canForce3ds: null,
  warnings: [],
  repeats: null,
  record: true,
};
async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}

const replayInput = {
  sources: ["-"],
  project: undefined,
  concurrency: 1,
  ratePerS: null,
  baseline: null,
  continues: null,
  freshOrderIds: false,
  strict: false,
  stopAfterFailures: 0,
  stdin: nothing(),
};

const SENDING: readonly (readonly [string, (context: Context) => Promise<unknown>])[] = [
  ["check", (context) => check(context, input, SIGNAL, () => undefined)],
  ["registration", (context) => register(context, { request: REGISTRATION }, SIGNAL, () => undefined)],
  [
    "credential request",
    (context) =>
      fetchCredential(
        context,
        { request: { merchant_id: "m", risk_level: "low" }, wait: false },
        SIGNAL,
        () => undefined,
      ),
  ],
  [
    "sweep",
    (context) =>
      sweep(
        context,
        {
          request: REQUEST,
          project: undefined,
          field: "amount",
          values: { kind: "list", values: [100, 200] },
          confirmed: "real",
        },
        SIGNAL,
        () => undefined,
      ),
  ],
  ["replay", (context) => startReplay(context, replayInput, SIGNAL, () => undefined).ended],
];

test.each(SENDING)("refuses a %s, and nothing of it is kept", async (_what, send) => {
  const { context, asked } = await world({ readOnly: true });
  await expect(send(context)).rejects.toMatchObject({
    code: "read_only",
    message: expect.stringMatching(/^The profile real is read-only.*\.$/),
  });
  expect(asked()).toBe(0);
  expect(await (await context.projects()).list("real")).toEqual([]);
  expect(await (await context.runs()).list()).toEqual([]);
  expect(await (await context.history()).count()).toBe(0);
});

test("has a client that refuses by itself, for whoever forgets to ask", async () => {
  const { context, asked } = await world({ readOnly: true });
  const { client } = await context.service();
  const credential = { projectId: "p", ...KEY };
  await expect(client.check(REQUEST, credential)).rejects.toMatchObject({ code: "read_only" });
  const key = { companyId: "c", ...KEY };
  await expect(client.register(REGISTRATION, key)).rejects.toMatchObject({ code: "read_only" });
  await expect(client.credential({ merchant_id: "m", risk_level: "low" }, key)).rejects.toMatchObject({
    code: "read_only",
  });
  expect(asked()).toBe(0);
});

test("sends again once it is not read-only any more", async () => {
  const { context, asked } = await world({});
  const { entry } = await check(context, input, SIGNAL, () => undefined);
  expect(entry.result?.recommendation).toBe("pass");
  expect(asked()).toBe(1);
});

test("registers with the key of the company that it names, and of no other", async () => {
  const { context, asked } = await world({ companyId: "other" });
  await expect(register(context, { request: REGISTRATION }, SIGNAL, () => undefined)).rejects.toMatchObject({
    code: "credential_missing",
    message: expect.stringContaining("other"),
  });
  expect(asked()).toBe(0);
});
