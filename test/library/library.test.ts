// verdict/sandbox and verdict/client, from their sources: what programs are given, and what is refused before it is sent.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { type Client, createClient, isPass, type ProjectCredential } from "#src/library/client.ts";
import { type Sandbox, startSandbox } from "#src/library/sandbox.ts";
import { CHECK } from "../sandbox/sandbox-under-test.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";

/** A folder of temporary files that nothing else uses. */
function ownTemporaryFolder(): string {
  const folder = temporaryFolder();
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

describe("a sandbox", () => {
  let sandbox: Sandbox;
  let credential: ProjectCredential;
  let client: Client;

  beforeAll(async () => {
    sandbox = await startSandbox({ seed: 7, startAt: new Date("2026-03-16T12:00:00Z") });
    credential = await sandbox.register();
    client = createClient({ baseUrl: sandbox.url, credential, key: sandbox.keys[0]! });
  });

  afterAll(async () => {
    await client.close();
    await sandbox.stop();
  });

  it("decides checks of a registered project, and explains them", async () => {
    const result = await client.check({ ...CHECK, order_id: "library-1" });
    expect(result).toMatchObject({ outcome: "answered", recommendation: "pass" });
    expect(isPass(result)).toBe(true);
    expect(await sandbox.explain(result.decisionId!)).toMatchObject({ orderId: "library-1" });
    expect(await sandbox.explain("dec-unknown")).toBeNull();
    expect((await sandbox.journal(1))[0]).toMatchObject({ call: "check", status: 200 });
  });

  it("moves its clock", async () => {
    const before = await sandbox.clock.freeze();
    expect(await sandbox.clock.advance("1d2h")).toEqual(new Date(before.getTime() + 26 * 3_600_000));
    await expect(sandbox.clock.advance("soon")).rejects.toMatchObject({ code: "usage" });
    expect(await sandbox.clock.set(new Date("2026-04-01T00:00:00Z"))).toEqual(new Date("2026-04-01"));
    expect(await sandbox.clock.now()).toEqual(new Date("2026-04-01"));
    await sandbox.clock.resume();
  });

  it("injects faults, until they are cleared", async () => {
    const fault = await sandbox.faults.add({ on: "check", effect: { do: "garbage" } });
    expect(await sandbox.faults.list()).toMatchObject([{ id: fault.id, rate: 1, count: null }]);
    const result = await client.check({ ...CHECK, order_id: "library-2" });
    expect([result.outcome, isPass(result)]).toEqual(["indeterminate", false]);
    await sandbox.faults.clear(fault.id);
    expect(await sandbox.faults.list()).toEqual([]);
  });

  it("decides by other rules, and keeps its own where they are wrong", async () => {
    const starter = await sandbox.rules.text();
    await expect(sandbox.rules.use("rules: 1")).rejects.toMatchObject({ code: "bad_input" });
    expect((await sandbox.rules.use(`${starter}# mine\n`)).fromFile).toBe(true);
    expect(await sandbox.rules.text()).toBe(`${starter}# mine\n`);
    expect((await sandbox.rules.remove()).fromFile).toBe(false);
  });

  it("refuses a project that it has", async () => {
    await expect(sandbox.register()).rejects.toMatchObject({ code: "sandbox" });
    await sandbox.reset();
    await expect(sandbox.register()).rejects.toMatchObject({ code: "sandbox" });
    expect(await sandbox.register({ risk_level: "high" })).toMatchObject({ algorithm: "hmac-sha256" });
  });

  it("prints no secret", () => {
    for (const key of [credential, sandbox.keys[0]!]) {
      expect(inspect(key) + JSON.stringify(key) + String(key.secret)).not.toContain(key.secret.expose());
    }
  });
});

it("gives the same ids and secrets for the same seed", async () => {
  await using one = await startSandbox({ seed: 3 });
  await using other = await startSandbox({ seed: 3 });
  expect(one.companyId).toBe(other.companyId);
  expect((await one.register()).secret.expose()).toBe((await other.register()).secret.expose());
});

it("leaves nothing behind, and keeps a state that has a folder", async () => {
  const state = join(temporaryFolder(), "state");
  const temporary = ownTemporaryFolder();
  {
    await using gone = await startSandbox();
    await using kept = await startSandbox({ state, credentialDelay: 90 });
    await gone.register();
    await kept.register();
    expect(readdirSync(temporary)).toHaveLength(1);
  }
  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(state)).toBe(true);
  await using again = await startSandbox({ state });
  await expect(again.register()).rejects.toMatchObject({ code: "sandbox" });
});

it("leaves nothing behind where it cannot start", async () => {
  const temporary = ownTemporaryFolder();
  await expect(startSandbox({ recipe: "no-such" })).rejects.toMatchObject({ code: "usage" });
  await expect(startSandbox({ rules: join(tmpdir(), "no-such.yaml") })).rejects.toThrow("no-such.yaml");
  expect(readdirSync(temporary)).toEqual([]);
});

describe("a client", () => {
  const credential = { keyId: "key-1", projectId: "prj-1", secret: "not-a-secret" };
  const nowhere = { baseUrl: "http://127.0.0.1:9" };
  const bad = { code: "bad_input" };

  it("sends nothing that must not be sent", async () => {
    const key = { keyId: "key-1", companyId: "com-1", secret: "not-a-secret" };
    await using client = createClient({ ...nowhere, credential, key });
    const number = "4111 1111 1111 1111";
    await expect(client.check({ ...CHECK, description: number })).rejects.toMatchObject(bad);
    await expect(client.check({ ...CHECK, amount: Number.NaN })).rejects.toMatchObject(bad);
    const project = { merchant_id: "shop", name: "Shop", currency: 980, risk_level: "low" } as const;
    await expect(client.register({ ...project, name: number })).rejects.toMatchObject(bad);
    await expect(client.register({ ...project, currency: 1 })).rejects.toMatchObject(bad);
    await expect(client.credential({ merchant_id: number, risk_level: "low" })).rejects.toMatchObject(bad);
  });

  it("reports an unreachable service in its result, and throws without a key", async () => {
    await using client = createClient({ ...nowhere, credential, deadlineMs: 500 });
    const result = await client.check(CHECK);
    expect(result).toMatchObject({ outcome: "not_sent", recommendation: null });
    const missing = { code: "credential_missing" };
    await expect(client.credential({ merchant_id: "shop", risk_level: "low" })).rejects.toMatchObject(
      missing,
    );
    await expect(createClient(nowhere).check(CHECK)).rejects.toMatchObject(missing);
  });

  it("refuses keys that cannot go into a header, and repeats none", () => {
    const create = (changes: Partial<typeof credential>) => () =>
      createClient({ ...nowhere, credential: { ...credential, ...changes } });
    expect(create({ keyId: "a b" })).toThrow("The keyId of the key holds a blank.");
    expect(create({ secret: "geheim\n" })).toThrow(/^The secret of the key holds a line feed/);
    expect(create({ projectId: 5 as never })).toThrow("The projectId of the key is no text.");
  });

  it("signs by its recipe, and refuses a document that is none", async () => {
    const path = join(temporaryFolder(), "mine.yaml");
    writeFileSync(path, "recipe: 5\n");
    expect(() => createClient({ ...nowhere, recipe: path })).toThrow("mine.yaml");
    expect(() => createClient({ ...nowhere, recipe: `${path}/gone.yaml` })).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringContaining("cannot be read") }),
    );
    await using sandbox = await startSandbox({ recipe: "aws-sigv4" });
    const signed = await sandbox.register();
    await using client = createClient({ baseUrl: sandbox.url, credential: signed, recipe: "aws-sigv4" });
    await using other = createClient({ baseUrl: sandbox.url, credential: signed });
    expect(isPass(await client.check(CHECK))).toBe(true);
    expect(await other.check(CHECK)).toMatchObject({ outcome: "refused", recommendation: null });
  });

  it("takes for a pass what was answered as one, and nothing else", () => {
    const recommendation = fc.option(fc.constantFrom(...RECOMMENDATIONS));
    fc.assert(
      fc.property(fc.constantFrom(...OUTCOMES), recommendation, (outcome, recommended) => {
        const result = { outcome, recommendation: recommended };
        expect(isPass(result)).toBe(outcome === "answered" && recommended === "pass");
      }),
    );
  });
});
