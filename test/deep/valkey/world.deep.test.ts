// What the workers of a tenant agree on, with a real server.

import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { openChanges, TENANT_LIST } from "#src/sandbox/valkey/changes.ts";
import { connectValkey } from "#src/sandbox/valkey/connection.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { script } from "#src/sandbox/valkey/scripts.ts";
import { sealValue } from "#src/sandbox/valkey/sealed-values.ts";
import { changeScript, holderKey, IN_WORLD, KnownWorld } from "#src/sandbox/valkey/world.ts";
import { PATIENT_MS, isWithoutServer, startServer, type TestServer } from "./server.ts";

const sealingKey = randomBytes(32);

async function started(): Promise<TestServer> {
  const server = await startServer();
  onTestFinished(() => server.stop());
  return server;
}

async function worker(server: TestServer, tenant = "default") {
  const valkey = await connectValkey({
    address: readStateAddress(`unix:${server.socket}`),
    password: null,
    silentMs: PATIENT_MS,
  });
  onTestFinished(() => valkey.close());
  let slow = 0;
  const changes = await openChanges(valkey);
  const known = await KnownWorld.open({
    valkey,
    changes,
    tenant,
    sealingKey,
    clock: null,
    onSlow: () => (slow += 1),
  });
  return { valkey, changes, known, slow: () => slow };
}

const STEP = script(`${IN_WORLD} return {'done', call('INCR', KEYS[2])}`);
const step = ({ known }: Awaited<ReturnType<typeof worker>>) =>
  known.step(STEP, (own) => [[`${own}steps`], []]);

describe.skipIf(isWithoutServer())("the world of a tenant", () => {
  it("is the same for all its workers when a change is over, and another tenant's is not changed", async () => {
    const server = await started();
    const [a, b, other] = [await worker(server), await worker(server), await worker(server, "t-1")];
    const before = other.known.text;
    let compiled = false;
    b.known.onChange(async ({ rules }) => {
      await new Promise(setImmediate);
      compiled = rules === "r-1";
    });
    expect(await a.known.change((world) => ({ ...world, rules: "r-1" }))).toBeNull();
    expect(compiled).toBe(true);
    expect([a, b].map(({ known }) => known.world.rules)).toEqual(["r-1", "r-1"]);
    expect(a.known.text).toBe(b.known.text);
    expect(other.known.text).toBe(before);
    expect(a.slow()).toBe(0);
  });

  it("takes every change of many workers at once", async () => {
    const server = await started();
    const workers = await Promise.all([1, 2, 3, 4].map(() => worker(server)));
    await Promise.all(
      workers.flatMap(({ known }) =>
        Array.from({ length: 10 }, () => known.change((world) => ({ ...world, faults: world.faults + 1 }))),
      ),
    );
    expect(workers.map(({ known }) => known.world.faults)).toEqual([40, 40, 40, 40]);
  });

  it("is taken over by a step of a worker that has not heard of it, which is done once", async () => {
    const server = await started();
    const [a, b] = [await worker(server), await worker(server)];
    const key = "v:{default}:world";
    const next = { ...a.known.world, epoch: 2, version: a.known.world.version + 1 };
    await a.valkey.send(["SET", key, sealValue(sealingKey, next, key)]);
    expect(String(await step(b))).toBe("done,1");
    expect(b.known.world.epoch).toBe(2);
    expect(await a.valkey.send(["GET", "v:{default}:2:steps"])).toEqual(Buffer.from("1"));
  });

  it("is reloaded by a worker whose connection was lost", async () => {
    const server = await started();
    const a = await worker(server);
    await server.kill();
    await server.start();
    await expect.poll(() => a.valkey.problem).toBeNull();
    const b = await worker(server);
    await b.known.change((world) => ({ ...world, faults: 7 }));
    await expect.poll(() => a.known.world.faults).toBe(7);
  });

  it("that is gone is a fault, and not made anew", async () => {
    const server = await started();
    const a = await worker(server);
    await a.valkey.send(["FLUSHALL"]);
    await expect(step(a)).rejects.toMatchObject({ code: "storage" });
    await expect(a.known.change((world) => ({ ...world, faults: 1 }))).rejects.toThrow("has nothing of");
    expect(await a.valkey.send(["DBSIZE"])).toBe(0);
  });

  it("holds steps up while somebody copies, and no longer when that worker has died", async () => {
    const server = await started();
    const [a, b] = [await worker(server), await worker(server)];
    await a.valkey.send(["SET", holderKey(a.known.prefix), "a"]);
    await a.known.change((world) => ({ ...world, held: true }), { evenHeld: true });
    let done = false;
    const waiting = step(b).then(() => (done = true));
    for (let i = 0; i < 5; i += 1) await b.known.reload();
    expect(done).toBe(false);
    await a.valkey.send(["DEL", holderKey(a.known.prefix)]);
    await waiting;
    expect(a.known.world.held).toBe(false);
  });

  it("is one subject of news, and the list of tenants another, which every other worker has taken at the end", async () => {
    const server = await started();
    const workers = [await worker(server), await worker(server)];
    const taken: number[] = [];
    const ends = workers.map(({ changes }, i) => changes.listen(TENANT_LIST, async () => void taken.push(i)));
    const [{ changes, valkey }] = workers as [(typeof workers)[0]];
    const publish = async (channel: string, message: string) =>
      (await valkey.send(["PUBLISH", channel, message])) as number;
    expect(await changes.announce(TENANT_LIST, publish)).toBe(true);
    expect(taken).toEqual([1]);
    ends[1]!();
    await changes.announce(TENANT_LIST, publish);
    expect(taken).toEqual([1]);
  });

  it("does not change where the script along with it says no", async () => {
    const server = await started();
    const a = await worker(server);
    const { text } = a.known;
    const said = await a.known.change((world) => ({ ...world, faults: 1 }), {
      script: changeScript("if ARGV[5] == 'no' then return {'no'} end"),
      rest: () => [[], ["no"]],
    });
    expect(said).toBe("no");
    expect(a.known.text).toBe(text);
  });
});
