// The list of tenants that several workers share, with tenants that are nothing but their keys on the server.

import { randomBytes } from "node:crypto";
import { expect, describe, it, onTestFinished } from "vitest";
import { TENANT_QUOTA, type TenantOrder } from "#src/contract/wire/sandbox-wire.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import { Tenants } from "#src/sandbox/state/tenants.ts";
import { openChanges } from "#src/sandbox/valkey/changes.ts";
import { connectValkey, type Valkey } from "#src/sandbox/valkey/connection.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { openValkeyTenants } from "#src/sandbox/valkey/valkey-tenants.ts";
import { tenantPrefix } from "#src/sandbox/valkey/world.ts";
import { PATIENT_MS, isWithoutServer, startServer, type TestServer } from "./server.ts";

interface WorkerUnderTest {
  readonly valkey: Valkey;
  readonly tenants: Tenants;
  readonly noted: string[];
  readonly closed: string[];
}

let ahead = 0;
const sealingKey = randomBytes(32);

async function started(): Promise<TestServer> {
  const server = await startServer();
  onTestFinished(() => server.stop());
  return server;
}

async function worker(server: TestServer): Promise<WorkerUnderTest> {
  const address = readStateAddress(`unix:${server.socket}`);
  const valkey = await connectValkey({ address, password: null, silentMs: PATIENT_MS });
  const noted: string[] = [];
  const closed: string[] = [];
  const open = async (name: string): Promise<Tenant> => {
    await valkey.send(["SET", `${tenantPrefix(name)}world`, "a world", "NX"]);
    await valkey.send(["SET", `${tenantPrefix(name)}1:counts`, "counts"]);
    await valkey.send(["HSET", "v:keys", `key-of-${name}`, name]);
    return {
      name,
      note: (event, more) => void noted.push(`${event} ${more?.tenant}`),
      close: async () => void closed.push(name),
    } as Tenant;
  };
  const onProblem = (sentence: string): never => expect.fail(sentence);
  const place = openValkeyTenants({
    valkey,
    changes: await openChanges(valkey),
    open: ({ name }) => open(name),
    members: () => [],
    sealingKey,
  });
  const standard = await open("default");
  const tenants = await Tenants.open({ standard, place, realNow: () => Date.now() + ahead, onProblem });
  onTestFinished(async () => {
    await tenants.close();
    valkey.close();
  });
  return { valkey, tenants, noted, closed };
}

const order = (name: string, more: Partial<TenantOrder> = {}): TenantOrder => ({
  name,
  ttlMs: null,
  seed: null,
  rules: null,
  companies: 1,
  startAt: null,
  magic: true,
  quota: TENANT_QUOTA,
  ...more,
});

const keysOf = async (valkey: Valkey, pattern: string): Promise<string[]> =>
  ((await valkey.send(["KEYS", pattern])) as readonly Buffer[]).map(String).sort();

const namesOf = async (tenants: Tenants): Promise<string[]> => (await tenants.list()).map(({ name }) => name);

describe.skipIf(isWithoutServer())("tenants of several workers", () => {
  it("one that is created at a worker is every other one's, by key, name and token", async () => {
    const server = await started();
    const [one, two] = [await worker(server), await worker(server)];
    expect(two.tenants.of("key-of-red")).toBe(two.tenants.default);
    const { tenant, token } = await one.tenants.create(order("red"));
    expect(tenant.name).toBe("red");
    const found = await two.tenants.of("key-of-red");
    expect(found.name).toBe("red");
    expect(two.tenants.of("key-of-red")).toBe(found);
    expect(await two.tenants.named("red")).toBe(found);
    expect(await two.tenants.ofToken(token)).toBe(found);
    expect([await namesOf(two.tenants), two.tenants.count]).toEqual([["default", "red"], 2]);
    expect(await two.tenants.of("key-of-nobody")).toBe(two.tenants.default);
    expect(await two.tenants.of("key-of-default")).toBe(two.tenants.default);
    expect((await one.tenants.of("key-of-red")).name).toBe("red");
    expect(await two.tenants.ofToken("another")).toBeNull();
    await expect(two.tenants.create(order("red"))).rejects.toMatchObject({ code: "usage" });

    const later = await worker(server);
    expect((await later.tenants.of("key-of-red")).name).toBe("red");
  });

  it("one that is removed at a worker is gone everywhere, and nothing else is", async () => {
    const server = await started();
    const [one, two] = [await worker(server), await worker(server)];
    const { token } = await one.tenants.create(order("red"));
    await one.tenants.create(order("red-2"));
    const [red, other] = [await two.tenants.of("key-of-red"), await two.tenants.of("key-of-red-2")];
    expect([red.name, other.name]).toEqual(["red", "red-2"]);
    expect(await two.tenants.remove("red")).toBe(true);
    for (const { tenants, closed } of [one, two]) {
      expect(await tenants.of("key-of-red")).toBe(tenants.default);
      expect(await tenants.ofToken(token)).toBeNull();
      expect(await namesOf(tenants)).toEqual(["default", "red-2"]);
      // A tenant is closed after it was made, too.
      expect(closed.at(-1)).toBe("red");
    }
    expect(await keysOf(two.valkey, "v:{red}*")).toEqual([]);
    expect(await keysOf(two.valkey, "v:{red-2}*")).toHaveLength(2);
    expect(await two.valkey.send(["HGET", "v:keys", "key-of-red"])).toBeNull();
    expect(await two.tenants.of("key-of-red-2")).toBe(other);
    expect(await one.tenants.remove("red")).toBe(false);
    expect(await one.tenants.remove("default")).toBe(false);
  });

  it("of one name is made once, by whichever worker is first", async () => {
    const server = await started();
    const workers = await Promise.all([worker(server), worker(server), worker(server)]);
    const made = await Promise.allSettled(workers.map(({ tenants }) => tenants.create(order("red"))));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of made)
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "usage" });
  });

  it("one whose time is over is unknown at once, and removed by one of them", async () => {
    const server = await started();
    const [one, two] = [await worker(server), await worker(server)];
    await one.tenants.create(order("red", { ttlMs: 3_600_000 }));
    expect((await two.tenants.of("key-of-red")).name).toBe("red");
    ahead = 3_600_000;
    onTestFinished(() => {
      ahead = 0;
    });
    for (const { tenants } of [one, two]) expect(await tenants.of("key-of-red")).toBe(tenants.default);
    await two.tenants.create(order("blue"));
    expect([one.noted, two.noted]).toEqual([[], ["tenant_expired red"]]);
    expect(await keysOf(one.valkey, "v:{red}*")).toEqual([]);
    expect(await namesOf(one.tenants)).toEqual(["default", "blue"]);
  });

  it("a timer ends it, too, once for all workers", async () => {
    const server = await started();
    const workers = [await worker(server), await worker(server)];
    await workers[0]!.tenants.create(order("red", { ttlMs: 300 }));
    await expect
      .poll(() => workers.flatMap(({ noted }) => noted), { timeout: 10_000 })
      .toEqual(["tenant_expired red"]);
    await expect.poll(() => keysOf(workers[0]!.valkey, "v:{red}*")).toEqual([]);
  });

  it("what a worker left that was killed while it removed one goes at the next start", async () => {
    const server = await started();
    const one = await worker(server);
    await one.tenants.create(order("red"));
    await one.valkey.send(["HDEL", "v:tenants", "red"]);
    await one.valkey.send(["SADD", "v:removed", "red"]);
    const two = await worker(server);
    await expect.poll(() => keysOf(two.valkey, "v:{red}*")).toEqual([]);
    expect(await two.valkey.send(["HGET", "v:keys", "key-of-red"])).toBeNull();
  });
});
