// A tenant that two workers serve: its clock, its snapshots and resets, and what a server does that fails or forgets.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { noSuch } from "#src/contract/fault.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { ClockMoved } from "#src/sandbox/state/sandbox-state.ts";
import { holderKey } from "#src/sandbox/valkey/world.ts";
import { check, floors, look, projectOf, remember } from "../../sandbox/state-contract.ts";
import { DAY, HOUR, MINUTE, NOON } from "../../rules/sample.ts";
import { call, CHECK, makeProject, temporaryFolder } from "../../sandbox/sandbox-under-test.ts";
import { DOCUMENTED } from "./documented.ts";
import { isWithoutServer, startServer, type TestServer } from "./server.ts";
import { openWorker, type TenantWorker } from "./tenant-worker.ts";
import { startWorkers } from "./workers.ts";

/** The user that the documentation gives the workers. */
const COMMANDS = /-@all (.*)/.exec(DOCUMENTED.join("\n"))![1]!.split(" ");

async function started(...options: string[]): Promise<TestServer> {
  const server = await startServer(options);
  onTestFinished(() => server.stop());
  return server;
}

async function two(server: TestServer): Promise<[TenantWorker, TenantWorker]> {
  return [await openWorker(server), await openWorker(server)];
}

/** Changes the clock as the administrative plane does. */
async function setClock({ clock, state }: TenantWorker, at: number): Promise<void> {
  const before = clock.now();
  await state.accounts.saveClock(
    clock.plan({ do: "set", at }),
    at < before ? { do: "keep", from: before } : undefined,
  );
}

async function keysLike(worker: TenantWorker, pattern: string): Promise<number> {
  return ((await worker.valkey.send(["KEYS", pattern])) as readonly unknown[]).length;
}

/** Every part of a tenant once, so that every command is sent. */
async function useAll(worker: TenantWorker): Promise<void> {
  const { state, maintenance, rules, faults, journal, clock } = worker;
  const project = await projectOf(state, "shop");
  await state.accounts.register(project);
  await state.accounts.addKey(null);
  await state.accounts.keepAge(project.projectId, HOUR);
  await state.accounts.key(project.credential.keyId);
  await remember(state, "a", clock.realNow());
  await setClock(worker, NOON);
  for (let i = 0; i < 60; i += 1) await check(state, { order: `o-${i % 50}` });
  await look(state, { order: "o-1" });
  await rules.reading();
  await faults.change((orders) => orders.clear());
  await journal.page(10, 0);
  await maintenance.snapshot({ name: "s" });
  await maintenance.list();
  await maintenance.reset(true);
  await maintenance.restore({ name: "s" });
}

describe.skipIf(isWithoutServer())("a tenant on a server", () => {
  it("has one clock, wherever it is moved, and the age floors are raised with it", async () => {
    const [a, b] = await two(await started());
    const project = await projectOf(a.state, "shop", { registeredAt: a.clock.now() });
    await a.state.accounts.register(project);
    await setClock(b, NOON - DAY);
    expect(Math.abs(a.clock.now() - b.clock.now())).toBeLessThan(MINUTE);
    expect(a.clock.now()).toBeLessThan(NOON);
    await b.state.accounts.saveClock(b.clock.plan({ do: "freeze" }));
    expect(a.clock.now()).toBe(b.clock.now());
    expect(a.clock.reading().frozen).toBe(true);
    await a.state.accounts.saveClock(a.clock.plan({ do: "set", at: NOON + DAY }));
    expect([a.clock.now(), b.clock.now()]).toEqual([NOON + DAY, NOON + DAY]);
    await setClock(a, NOON);
    expect((await floors(b.state))["shop"]).toBeGreaterThanOrEqual(0);
    expect(b.clock.now()).toBe(NOON);
  });

  it("counts what any worker counts, knows keys that any registers, and repeats what any has decided", async () => {
    const [a, b] = await two(await started());
    const project = await projectOf(a.state, "shop");
    await a.state.accounts.register(project);
    expect(await b.state.accounts.key(project.credential.keyId)).toMatchObject({
      projectId: project.projectId,
    });
    expect(await b.state.accounts.register(project)).toBe(false);
    const { decisionId } = await check(a.state, { order: "a" });
    expect(await check(b.state, { order: "a" })).toMatchObject({ repeat: true, decisionId });
    expect((await check(b.state, { order: "b" })).count).toBe(2);
    expect(await remember(a.state, "n", a.clock.realNow())).toBe("new");
    expect(await remember(b.state, "n", b.clock.realNow())).toBe("seen");
  });

  it("has accounts that a worker reads in several pieces", async () => {
    const [a, b] = await two(await started());
    const projects = await Promise.all(
      Array.from({ length: 2_100 }, (_, i) => projectOf(a.state, `shop-${i}`)),
    );
    await Promise.all(projects.map((project) => a.state.accounts.register(project)));
    expect(await b.state.accounts.key(projects.at(-1)!.credential.keyId)).not.toBeNull();
    expect(await b.state.accounts.projects()).toHaveLength(projects.length);
    expect(await b.state.accounts.register(projects[0]!)).toBe(false);
  });

  it("takes a signature whose set the server has lost for one that may have been used", async () => {
    const [a] = await two(await started());
    const now = a.clock.realNow();
    expect(await remember(a.state, "a", now)).toBe("new");
    await a.valkey.send(["DEL", `${a.known.prefix}seen:${Math.floor(now / MINUTE)}`]);
    expect(await remember(a.state, "b", now)).toBe("forgotten");
    expect(await remember(a.state, "a", now)).toBe("forgotten");
  });

  it("is snapshot by one worker and restored by another, with its projects, counts, clock and keys", async () => {
    const [a, b] = await two(await started());
    const [kept, later] = [await projectOf(a.state, "kept"), await projectOf(a.state, "later")];
    await a.state.accounts.register(kept);
    await setClock(a, NOON);
    await a.state.accounts.keepAge(kept.projectId, 400 * DAY);
    const { decisionId } = await check(a.state, { order: "a" });
    const facts = await a.maintenance.snapshot({ name: "before" });
    expect(facts).toMatchObject({ name: "before", projects: 1, decisions: 1 });
    expect(facts.bytes).toBeGreaterThan(0);

    await b.state.accounts.register(later);
    await b.state.accounts.key(later.credential.keyId);
    await check(b.state, { order: "b" });
    await setClock(b, NOON + 60 * DAY);
    await a.maintenance.snapshot({ name: "after" });
    expect((await b.maintenance.list()).map(({ name }) => name)).toEqual(["after", "before"]);

    expect(await b.maintenance.restore({ name: "before" })).toEqual(facts);
    for (const { state, clock } of [a, b]) {
      expect((await state.accounts.projects()).map(({ merchantId }) => merchantId)).toEqual(["kept"]);
      expect(await state.accounts.key(later.credential.keyId)).toBeNull();
      expect(await state.decisionCount()).toBe(1);
      expect(await state.decision(decisionId)).not.toBeNull();
      expect(clock.now() - facts.virtualTime).toBeLessThan(MINUTE);
    }
    expect(await floors(a.state)).toEqual({ kept: 400 * DAY });
    expect(await check(a.state, { order: "a" })).toMatchObject({ repeat: true, decisionId });
    expect((await check(a.state, { order: "c" })).count).toBe(2);
    await a.maintenance.restore({ name: "after" });
    expect(await b.state.accounts.key(later.credential.keyId)).not.toBeNull();
    expect(await b.state.decisionCount()).toBe(2);
  });

  it("has no snapshot in a file, none twice, and restores none that is not there", async () => {
    const [a] = await two(await started());
    await expect(a.maintenance.snapshot({ path: "/tmp/s" })).rejects.toThrow("not in files");
    await expect(a.maintenance.restore({ name: "s" })).rejects.toThrow(
      noSuch("snapshot", "s", "verdict sandbox snapshot").message,
    );
    await a.maintenance.snapshot({ name: "s" });
    await expect(a.maintenance.snapshot({ name: "s" })).rejects.toThrow("already");
    expect(a.known.world.held).toBe(false);
    expect((await check(a.state)).count).toBe(1);
  });

  it("is at its start after a reset, on every worker, and nothing of before is left on the server", async () => {
    const [a, b] = await two(await started());
    const project = await projectOf(a.state, "shop");
    await a.state.accounts.register(project);
    await b.state.accounts.key(project.credential.keyId);
    await a.faults.change((orders) =>
      orders.add({ on: "all", effect: { do: "reset" }, rate: 1, count: null }),
    );
    await check(a.state);
    const old = a.known.epochPrefix;
    await a.maintenance.reset(false);
    expect(await b.state.accounts.key(project.credential.keyId)).toBeNull();
    expect(await b.state.decisionCount()).toBe(0);
    expect([b.faults.isEmpty, await b.faults.list()]).toEqual([true, []]);
    expect((await check(b.state)).count).toBe(1);
    await a.close();
    expect(await keysLike(b, `${old}*`)).toBe(0);
    expect(await b.valkey.send(["HEXISTS", "v:keys", project.credential.keyId])).toBe(0);
  });

  it("tells every worker's requests to wait while it is copied, and no longer", async () => {
    const [a, b] = await two(await started());
    const held = () => [a, b].map(({ isHeld }) => isHeld());
    await a.valkey.send(["SET", holderKey(a.known.prefix), "a"]);
    await a.known.change((world) => ({ ...world, held: true }), { evenHeld: true });
    expect(held()).toEqual([true, true]);
    await a.valkey.send(["DEL", holderKey(a.known.prefix)]);
    expect((await check(b.state)).count).toBe(1);
    expect(held()).toEqual([false, false]);
  });

  it("decides nothing twice and loses nothing while it is reset, snapshot and restored under load", async () => {
    const [a, b] = await two(await started());
    await a.maintenance.snapshot({ name: "empty" });
    const end = new AbortController();
    const failures: unknown[] = [];
    const load = [a, b, a, b].map(async ({ state }, client) => {
      for (let i = 0; !end.signal.aborted; i += 1) {
        await check(state, { order: `${client}-${i}` }).catch((error: unknown) => {
          // The service reads the time once more then, and sends the same again.
          if (!(error instanceof ClockMoved)) failures.push(error);
        });
      }
    });
    for (let i = 0; i < 5; i += 1) {
      await b.maintenance.snapshot({ name: `s-${i}` });
      await a.maintenance.reset(true);
      await b.maintenance.restore({ name: "empty" });
    }
    end.abort();
    await Promise.all(load);
    expect(failures).toEqual([]);
    const decisions = await a.state.decisionCount();
    expect((await check(a.state, { order: "last" })).count).toBe(decisions + 1);
  });

  it("goes on when the server forgets its scripts under load", async () => {
    const [a, b] = await two(await started());
    const end = new AbortController();
    const flushing = (async () => {
      while (!end.signal.aborted) await a.valkey.send(["SCRIPT", "FLUSH"]);
    })();
    const counts = await Promise.all(
      Array.from({ length: 200 }, (_, i) => check((i % 2 === 0 ? a : b).state, { order: `o-${i}` })),
    );
    end.abort();
    await flushing;
    const numbers = counts.map(({ count }) => count!).toSorted((x, y) => x - y);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  });

  it("refuses when the server is full, decides nothing then, and goes on when there is room", async () => {
    const server = await started("--maxmemory", "20mb", "--maxmemory-policy", "noeviction");
    const [a] = await two(server);
    const { decisionId } = await check(a.state, { order: "first" });
    await a.valkey.send(["SET", "v:filling", Buffer.alloc(19 * 1024 * 1024)]).catch(() => undefined);
    const project = await projectOf(a.state, "shop");
    const refused = { code: "storage", message: expect.stringContaining("no memory left") };
    await expect(check(a.state, { order: "second" })).rejects.toMatchObject(refused);
    await expect(a.state.accounts.register(project)).rejects.toMatchObject(refused);
    await expect(remember(a.state, "n", a.clock.realNow())).rejects.toMatchObject(refused);
    expect(a.state.isWritable()).toBe(false);
    expect(await a.state.decision(decisionId)).not.toBeNull();
    await a.valkey.send(["DEL", "v:filling"]);
    await expect.poll(() => a.state.isWritable()).toBe(true);
    expect(await a.state.accounts.register(project)).toBe(true);
    expect(await a.state.decisionCount()).toBe(1);
    expect((await check(a.state, { order: "second" })).count).toBe(2);
  });

  it("refuses on a replica, and never says that a key is unknown when nobody can be asked", async () => {
    const server = await started();
    const [a, b] = await two(server);
    const project = await projectOf(a.state, "shop");
    await a.state.accounts.register(project);
    await server.ask("REPLICAOF", "127.0.0.1", "1");
    await expect(check(a.state)).rejects.toMatchObject({ code: "storage" });
    await server.ask("REPLICAOF", "NO", "ONE");
    await expect.poll(() => a.state.isWritable()).toBe(true);

    await server.kill();
    await expect(b.state.accounts.key(project.credential.keyId)).rejects.toMatchObject({ code: "storage" });
    await expect(b.state.accounts.key("nobody")).rejects.toMatchObject({ code: "storage" });
    await server.start();
    await expect.poll(() => b.state.isWritable()).toBe(true);
    expect(await b.state.accounts.key(project.credential.keyId)).not.toBeNull();
  });

  it("needs no more than the commands that the documentation lists", async () => {
    const { server, start } = await startWorkers();
    const user = ["on", ">pass", "~v:*", "&v:*", "-@all", ...COMMANDS];
    expect(await server.ask("ACL", "SETUSER", "verdict", ...user)).toBe("+OK");
    const a = await openWorker(server, { user: "verdict", password: "pass", name: "t-1" });
    await useAll(a);
    expect(a.problems).toEqual([]);

    const passwordFile = join(await temporaryFolder(), "password");
    writeFileSync(passwordFile, "pass", { mode: 0o600 });
    const address = `unix://verdict@${server.socket}`;
    const sandbox = await start({}, { address, passwordFile });
    const project = await makeProject(sandbox, await sandbox.company());
    expect((await call(sandbox, "check", project, CHECK)).status).toBe(200);
    expect((await sandbox.admin("POST", ADMIN.tenants, { name: "t-2" })).status).toBe(200);
    expect((await sandbox.admin("DELETE", `${ADMIN.tenants}/t-2`)).status).toBe(200);
    await sandbox.stop();
    expect(await server.ask("ACL", "LOG")).toBe("*0");
  });

  it("does not open without the password, or with another key", async () => {
    const server = await started("--requirepass", "pass");
    await expect(openWorker(server)).rejects.toThrow("wants a password");
    await openWorker(server, { password: "pass" });
    const sealingKey = Buffer.alloc(32);
    await expect(openWorker(server, { password: "pass", sealingKey })).rejects.toMatchObject({
      code: "storage",
    });
  });
});
