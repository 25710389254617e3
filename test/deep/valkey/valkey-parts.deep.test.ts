// Faults, rules, journal and members that several workers share on one server.

import { hash, randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FaultOrder } from "#src/contract/wire/sandbox-fault.ts";
import { RequestTrace } from "#src/sandbox/http/request-trace.ts";
import { ActiveRules } from "#src/sandbox/state/active-rules.ts";
import { createFaultOrders, NO_FAULTS, type FaultOrders } from "#src/sandbox/state/fault-orders.ts";
import { createIssuer } from "#src/sandbox/state/issuer.ts";
import { openChanges } from "#src/sandbox/valkey/changes.ts";
import { connectValkey, type Valkey } from "#src/sandbox/valkey/connection.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { createValkeyFaults } from "#src/sandbox/valkey/valkey-faults.ts";
import { openValkeyJournal } from "#src/sandbox/valkey/valkey-journal.ts";
import { createMembers, type OwnFacts } from "#src/sandbox/valkey/valkey-members.ts";
import { valkeyRulesPlace } from "#src/sandbox/valkey/valkey-rules.ts";
import { KnownWorld } from "#src/sandbox/valkey/world.ts";
import { testRules } from "../../sandbox/rules.ts";
import { PATIENT_MS, isWithoutServer, startServer, type TestServer } from "./server.ts";

const rules = await testRules();
const sealingKey = randomBytes(32);

interface WorkerUnderTest {
  readonly valkey: Valkey;
  readonly known: KnownWorld;
}

async function started(): Promise<TestServer> {
  const server = await startServer();
  onTestFinished(() => server.stop());
  return server;
}

async function worker(server: TestServer): Promise<WorkerUnderTest> {
  const address = readStateAddress(`unix:${server.socket}`);
  const valkey = await connectValkey({ address, password: null, silentMs: PATIENT_MS });
  onTestFinished(() => valkey.close());
  const changes = await openChanges(valkey);
  const known = await KnownWorld.open({
    valkey,
    changes,
    tenant: "red",
    sealingKey,
    clock: null,
    onSlow: () => expect.fail("slow"),
  });
  return { valkey, known };
}

const REFUSE: FaultOrder = {
  on: "check",
  rate: 1,
  count: null,
  effect: { do: "status", status: 503, retryAfterS: null },
};

const faultsOf = ({ valkey, known }: WorkerUnderTest, seed: number | null = null): FaultOrders =>
  createValkeyFaults({ valkey, known, name: "red", sealingKey }, createIssuer(seed));

const rulesOf = (
  { valkey, known }: WorkerUnderTest,
  onReload: (problem: string | null) => void = () => undefined,
): Promise<ActiveRules> => {
  const place = valkeyRulesPlace(valkey, known, "the server");
  return ActiveRules.open({ place, ruleSet: rules, realNow: Date.now, onReload });
};

describe.skipIf(isWithoutServer())("what workers share", () => {
  it("a fault that is ordered three times is met three times by calls of two workers at once", async () => {
    const server = await started();
    const [one, two] = [await worker(server), await worker(server)];
    const [first, second] = [faultsOf(one), faultsOf(two)];
    expect(first.isEmpty).toBe(true);
    await first.change((orders) => orders.add({ ...REFUSE, count: 3 }));
    expect(second.isEmpty).toBe(false);
    const takes = Array.from({ length: 80 }, async (_, i) => (i % 2 === 0 ? first : second).take("check"));
    const met = (await Promise.all(takes)).filter((taken) => taken !== null);
    expect(met.map(({ ids }) => ids)).toEqual([["f-1"], ["f-1"], ["f-1"]]);
    expect(await second.list()).toMatchObject([{ id: "f-1", made: 3 }]);
    await second.change((orders) => orders.clear());
    expect([first.isEmpty, await first.list()]).toEqual([true, []]);
    expect(await first.change((orders) => orders.add(REFUSE))).toMatchObject({ id: "f-2" });
  });

  it("orders that two workers change at once are all kept, and the world knows whether there are any", async () => {
    const server = await started();
    const workers = await Promise.all([worker(server), worker(server), worker(server)]);
    const faults = workers.map((each) => faultsOf(each));
    await Promise.all(faults.flatMap((each) => [1, 2, 3].map(() => each.change((all) => all.add(REFUSE)))));
    expect((await faults[0]!.list()).map(({ id }) => id)).toEqual(
      Array.from({ length: 9 }, (_, i) => `f-${i + 1}`),
    );
    await Promise.all(faults.map((each) => each.change((all) => all.clear())));
    expect(faults.map(({ isEmpty }) => isEmpty)).toEqual([true, true, true]);
  });

  it("the draws of a seed are those of one process, whichever worker draws", async () => {
    const server = await started();
    const shared = [faultsOf(await worker(server), 7), faultsOf(await worker(server), 7)];
    const alone = createFaultOrders(createIssuer(7), NO_FAULTS);
    const order = { ...REFUSE, rate: 0.4 };
    alone.add(order);
    await shared[0]!.change((orders) => orders.add(order));
    for (let i = 0; i < 40; i += 1) {
      expect(await shared[(i * i) % 2]!.take("check")).toEqual(alone.take("check"));
    }
  });

  it("rules that are saved at one worker are the other's when the save is answered", async () => {
    const server = await started();
    const workers = [await worker(server), await worker(server)];
    const told: (string | null)[] = [];
    const open = (each: WorkerUnderTest) => rulesOf(each, (problem) => told.push(problem));
    const [one, two] = [await open(workers[0]!), await open(workers[1]!)];
    expect([one.fromFile, one.current.hash]).toEqual([null, rules.hash]);
    const text = `${rules.text}# own\n`;
    await one.save(text);
    expect(two.current.text).toBe(text);
    expect([two.fromFile, await two.text()]).toEqual(["the server", { text, fromFile: true }]);
    await expect(one.save("rules: 1")).rejects.toMatchObject({ code: expect.any(String) });
    expect(two.current.text).toBe(text);
    expect(told).toEqual([null, null]);

    // A worker that starts later has them, too.
    expect((await open(await worker(server))).current.text).toBe(text);

    await two.remove();
    expect([one.current.hash, one.fromFile]).toEqual([rules.hash, null]);
  });

  it("rules that a worker cannot use leave it the last good ones, and its error says why", async () => {
    const server = await started();
    const { valkey, known } = await worker(server);
    const told: (string | null)[] = [];
    const shared = await rulesOf({ valkey, known }, (problem) => told.push(problem));
    await shared.save(`${rules.text}# good\n`);
    const good = shared.current.hash;
    // As a newer version may save them.
    const newer = hash("sha256", "rules: unknown");
    await valkey.send(["SET", `${known.prefix}ruleset:${newer}`, "rules: unknown"]);
    await known.change((world) => ({ ...world, rules: newer }));
    expect(shared.current.hash).toBe(good);
    expect(shared.error?.message).toContain("rules.yaml");
    expect(told).toEqual([null, shared.error?.message]);
    await known.change((world) => ({ ...world, rules: "1".repeat(64) }));
    expect(shared.error?.message).toContain("has lost its rules");
    expect(shared.current.hash).toBe(good);
  });

  it("hits of all workers are one count", async () => {
    const server = await started();
    const open = async () => rulesOf(await worker(server));
    const [one, two] = [await open(), await open()];
    const outcomes = rules.rules.map(() => "hit" as const);
    one.note(one.current, outcomes);
    two.note(two.current, outcomes);
    two.note(
      two.current,
      rules.rules.map(() => "not_evaluated"),
    );
    await one.reading();
    const [first] = (await two.reading()).rules;
    expect(first).toMatchObject({ hits: 2, shadowHits: 0, notEvaluated: 1, lastHitAt: expect.any(Number) });
    expect((await one.reading()).countedSince).toBe((await two.reading()).countedSince);
  });

  it("the journal has the requests of all workers in one order, and is read on from a number", async () => {
    const server = await started();
    const lost: string[] = [];
    const open = async () => {
      const { valkey, known } = await worker(server);
      return { valkey, journal: openValkeyJournal(valkey, known.prefix, (sentence) => lost.push(sentence)) };
    };
    const [one, two] = [await open(), await open()];
    const trace = (id: string) =>
      new RequestTrace(id, { name: "red", clock: { now: () => 0, realNow: () => 0 } }, "GET", "/");
    const write = ({ journal }: typeof one, id: string): void => journal.write(trace(id).end(200));
    expect(await one.journal.page(10, 0)).toEqual({ entries: [], last: 0 });
    for (let i = 0; i < 6; i += 1) {
      write(i % 2 === 0 ? one : two, `r-${i}`);
      await expect.poll(async () => (await one.journal.page(10, 0)).entries.length).toBe(i + 1);
    }
    const ids = async (limit: number, after: number) =>
      (await two.journal.page(limit, after)).entries.map(({ request_id }) => request_id);
    expect(await ids(10, 0)).toEqual(["r-0", "r-1", "r-2", "r-3", "r-4", "r-5"]);
    const { entries, last } = await one.journal.page(2, 0);
    expect(entries.map(({ request_id }) => request_id)).toEqual(["r-4", "r-5"]);
    expect(last).toBe(entries[1]!.number);
    expect(Number.isSafeInteger(last)).toBe(true);
    expect(await ids(10, entries[0]!.number)).toEqual(["r-5"]);
    expect(await two.journal.page(10, last)).toEqual({ entries: [], last });
    expect([one.journal.counts.total, two.journal.counts.total]).toEqual([3, 3]);

    await server.kill();
    write(one, "lost");
    await server.start();
    await expect.poll(() => one.valkey.problem).toBeNull();
    write(one, "kept");
    await expect
      .poll(() => lost)
      .toEqual(["1 request is missing in the journal, as the server did not take it."]);
  });

  it("members are those that said so lately, with what they know", async () => {
    const server = await started();
    const [one, two] = [await worker(server), await worker(server)];
    const facts = (pid: number, world: string) => (): OwnFacts => ({
      host: "here",
      pid,
      version: "1",
      startedAt: pid,
      address: "http://127.0.0.1:1",
      serves: { red: { world, ruleSetHash: "hash" } },
    });
    const [first, second] = [
      createMembers(one.valkey, "first", sealingKey),
      createMembers(two.valkey, "second", sealingKey),
    ];
    await first.join(facts(1, "a"));
    await second.join(facts(2, "b"));
    expect(await first.list("red")).toEqual([
      expect.objectContaining({ instance: "first", pid: 1, world: "a", ruleSetHash: "hash" }),
      expect.objectContaining({ instance: "second", pid: 2, world: "b" }),
    ]);
    expect(await second.list("blue")).toMatchObject([{ world: null }, { world: null }]);
    // One that was killed.
    await one.valkey.send(["HSET", "v:members", "third", `${Date.now() - 11_000} {}`]);
    expect(await first.list("red")).toHaveLength(2);
    await second.leave();
    expect(await first.list("red")).toHaveLength(1);
    await first.leave();
  });
});
