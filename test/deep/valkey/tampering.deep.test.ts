// Somebody else writes to the server of states: what was changed, swapped or put back is a fault, and never an answer.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Fault } from "#src/contract/fault.ts";
import { seal } from "#src/storage/documents/sealing.ts";
import { bytesOf, textOf } from "#src/sandbox/valkey/replies.ts";
import { NOON, payment } from "../../rules/sample.ts";
import { check, projectOf } from "../../sandbox/state-contract.ts";
import { startSandbox, temporaryFolder } from "../../sandbox/sandbox-under-test.ts";
import { isWithoutServer, startServer, type TestServer } from "./server.ts";
import { openWorker, type TenantWorker } from "./tenant-worker.ts";

async function started(): Promise<TestServer> {
  const server = await startServer();
  onTestFinished(() => server.stop());
  return server;
}

/** The sentence of a fault of the state. */
async function refused(work: Promise<unknown>, what: string): Promise<string> {
  const failure: unknown = await work.then(
    () => "it was taken",
    (error: unknown) => error,
  );
  expect(failure, what).toBeInstanceOf(Fault);
  expect(failure, what).toMatchObject({ code: "storage" });
  return (failure as Fault).message;
}

/** Another verdict than that of the sample. */
const BLOCKED = payment({ payer: { payer_id: "blocked" } });
const PREFIX = "v:{default}:1:";

const decided = async (worker: TenantWorker, number: number): Promise<Buffer> =>
  bytesOf(await worker.valkey.send(["GET", `${PREFIX}d:${number}`]));
const put = (worker: TenantWorker, key: string, value: string | Buffer) =>
  worker.valkey.send(["SET", key, value]);

/** Sealed as before decisions were bound to their places. */
async function earlierForm(worker: TenantWorker, key: Buffer): Promise<void> {
  const sealed = seal(key, Buffer.from("verdict"), "v:sealed 3");
  await put(worker, "v:sealed", JSON.stringify(sealed));
}

describe.skipIf(isWithoutServer())("a server that somebody else writes to", () => {
  it("has no decision taken for another one", async () => {
    const server = await started();
    const worker = await openWorker(server);
    const pass = await check(worker.state, { order: "o-1" });
    const block = await check(worker.state, { order: "o-2", request: BLOCKED });
    expect([pass, block].map(({ recommendation }) => recommendation)).toEqual(["pass", "block"]);
    const [one, two] = [await decided(worker, 1), await decided(worker, 2)];
    await put(worker, `${PREFIX}d:2`, one);
    await refused(check(worker.state, { order: "o-2", request: BLOCKED }), "another order's pass");
    await refused(worker.state.decision(block.decisionId), "its explanation");
    await put(worker, `${PREFIX}d:2`, two);

    // The order points to another decision, or to an earlier one of the same check.
    const again = await check(worker.state, { order: "o-1", at: NOON + 120_000 });
    expect(again.repeat).toBe(false);
    const keys = (await worker.valkey.send(["KEYS", `${PREFIX}o:*`])) as readonly Buffer[];
    for (const key of keys.map(String)) {
      const order = bytesOf(await worker.valkey.send(["GET", key]));
      for (const number of [1, 2, 3].filter((each) => each !== order.readUIntLE(0, 6))) {
        const pointed = Buffer.from(order);
        pointed.writeUIntLE(number, 0, 6);
        await put(worker, key, pointed);
        const repeated =
          order.readUIntLE(0, 6) === 2
            ? check(worker.state, { order: "o-2", request: BLOCKED })
            : check(worker.state, { order: "o-1", at: NOON + 120_000 });
        await refused(repeated, `${key} to ${number}`);
      }
      await put(worker, key, order);
    }

    // One of before a reset, and one of another tenant.
    await worker.maintenance.reset(true);
    const next = await check(worker.state, { order: "o-9", request: BLOCKED });
    await put(worker, "v:{default}:2:d:1", one);
    await refused(worker.state.decision(next.decisionId), "of before the reset");
    const other = await openWorker(server, { name: "t-1" });
    await check(other.state, { order: "o-9", request: BLOCKED });
    await put(worker, "v:{t-1}:1:d:1", one);
    await refused(check(other.state, { order: "o-9", request: BLOCKED }), "of another tenant");
  });

  it("has every changed byte of a decision noticed", async () => {
    const worker = await openWorker(await started());
    const { decisionId } = await check(worker.state, { order: "o-1", request: BLOCKED });
    const stored = await decided(worker, 1);
    for (let at = 1; at < stored.length; at += 7) {
      for (const bit of [1, 32]) {
        const changed = Buffer.from(stored);
        changed[at]! ^= bit;
        await put(worker, `${PREFIX}d:1`, changed);
        await refused(check(worker.state, { order: "o-1", request: BLOCKED }), `bit ${bit} of byte ${at}`);
      }
    }
    for (const value of ["", "-", "null", "-null", stored.subarray(0, -1)]) {
      await put(worker, `${PREFIX}d:1`, value);
      await refused(worker.state.decision(decisionId), value.toString());
    }
  });

  it("keeps the decisions of a snapshot, also restored twice, and gives new numbers to what comes then", async () => {
    const worker = await openWorker(await started());
    const before = await check(worker.state, { order: "o-1" });
    await worker.maintenance.snapshot({ name: "s-1" });
    await check(worker.state, { order: "o-2" });
    for (const order of ["o-3", "o-4"]) {
      await worker.maintenance.restore({ name: "s-1" });
      expect(await worker.state.decision(before.decisionId)).toMatchObject({ orderId: "o-1" });
      const after = await check(worker.state, { order });
      expect(await worker.state.decision(after.decisionId)).toMatchObject({ orderId: order });
    }
  });

  it("has no world, account, project, tenant, fault or snapshot that a worker has not written", async () => {
    const server = await started();
    const first = await openWorker(server);
    const project = await projectOf(first.state, "shop");
    const other = await projectOf(first.state, "shop", { riskLevel: "high" });
    await first.state.accounts.register(project);
    await first.state.accounts.register(other);
    await first.maintenance.snapshot({ name: "s-1" });
    await first.faults.change((orders) =>
      orders.add({ on: "check", rate: 1, count: 1, effect: { do: "reset" } }),
    );
    const places: readonly (readonly [key: string, field: string | number | null])[] = [
      ["v:{default}:world", null],
      ["v:{default}:faults", null],
      ["v:{default}:snapshots", "s-1"],
      [`${PREFIX}accounts`, 0],
      [`${PREFIX}accounts`, 1],
    ];
    for (const [key, field] of places) {
      const isList = typeof field === "number";
      const place = field === null ? [key] : [key, String(field)];
      const get = [field === null ? "GET" : isList ? "LINDEX" : "HGET", ...place];
      const put = [field === null ? "SET" : isList ? "LSET" : "HSET", ...place];
      const set = (value: string) => first.valkey.send([...put, value]);
      const stored = textOf(await first.valkey.send(get));
      const middle = Math.floor(stored.length / 2);
      const wrong = [
        "null",
        "{}",
        "[]",
        "true",
        `${stored.slice(0, middle)}${stored[middle] === "A" ? "B" : "A"}${stored.slice(middle + 1)}`,
      ];
      // That of another one.
      if (isList) wrong.push(textOf(await first.valkey.send(["LINDEX", key, "2"])));
      for (const value of wrong) {
        await set(value);
        const all = async (): Promise<void> => {
          const worker = await openWorker(server);
          await worker.faults.list();
          await worker.maintenance.list();
          await worker.state.accounts.key(project.credential.keyId);
          await check(worker.state, { order: "o-1" });
        };
        const sentence = await refused(all(), `${key} ${value}`);
        expect(sentence).toContain(key.replace(PREFIX, "v:{default}:").split(":").at(-1));
        await set(stored);
      }
      const worker = await openWorker(server);
      expect(await worker.state.accounts.key(project.credential.keyId)).not.toBeNull();
    }
  });

  it("of an earlier form is refused, and stays as it is", async () => {
    const server = await started();
    const worker = await openWorker(server);
    const key = randomBytes(32);
    await earlierForm(worker, key);
    const before = await worker.valkey.send(["GET", "v:sealed"]);
    const keyFile = join(await temporaryFolder(), "state.key");
    writeFileSync(keyFile, key, { mode: 0o600 });
    const address = `unix:${server.socket}`;
    const starting = startSandbox({ server: { address, keyFile, leaveNothing: true } });
    await expect(starting).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("an earlier version"),
    });
    expect(await worker.valkey.send(["GET", "v:sealed"])).toEqual(before);
  });
});
