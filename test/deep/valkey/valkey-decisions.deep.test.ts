// Counts and decisions on a server: every number is that of the counters in memory, whoever counts.

import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Attempt, AttemptView, DistinctPair } from "#src/rules/counters/attempt-view.ts";
import { COUNTED_KEYS, KIND, type CounterKey, type CounterKeys } from "#src/rules/counters/counter-keys.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { parseWindow } from "#src/rules/counters/window.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { decideCounted } from "#src/rules/decision/decision-record.ts";
import type { DecisionInput } from "#src/rules/decision/situation.ts";
import { createIssuer } from "#src/sandbox/state/issuer.ts";
import { ClockMoved, type CheckAttempt } from "#src/sandbox/state/sandbox-state.ts";
import { connectValkey, type Valkey } from "#src/sandbox/valkey/connection.ts";
import { listOf } from "#src/sandbox/valkey/replies.ts";
import { readStateAddress } from "#src/sandbox/valkey/state-address.ts";
import { ValkeyDecisions } from "#src/sandbox/valkey/valkey-decisions.ts";
import { decide } from "../../rules/decisions.ts";
import { anyPayment, DAY, HOUR, loadStarter, MINUTE, NOON, payment } from "../../rules/sample.ts";
import { PATIENT_MS, isWithoutServer, startServer, type TestServer } from "./server.ts";

const SECRET = "a secret of the tests";
const starter = await loadStarter();
const project = { projectId: "prj-1", riskLevel: "medium", currency: 980 } as const;

let server: TestServer;
let tenants = 0;

/** Four workers of a tenant of its own. */
async function workers() {
  tenants += 1;
  const prefix = `v:{t${tenants}}:`;
  return [await worker(prefix), await worker(prefix), await worker(prefix), await worker(prefix)] as const;
}

const COMMON = { secret: SECRET, issuer: createIssuer(null), repeatMs: MINUTE, realNow: Date.now };

async function connectedTo(): Promise<Valkey> {
  const address = readStateAddress(`unix:${server.socket}`);
  const valkey = await connectValkey({ address, password: null, silentMs: PATIENT_MS });
  onTestFinished(() => valkey.close());
  return valkey;
}

async function worker(prefix: string): Promise<ValkeyDecisions> {
  const valkey = await connectedTo();
  await valkey.send(["SET", `${prefix}world`, "w"]);
  return new ValkeyDecisions({ ...COMMON, valkey, known: stillWorld(valkey, prefix) });
}

/** A world that never changes. */
function stillWorld(
  valkey: Valkey,
  prefix: string,
): ConstructorParameters<typeof ValkeyDecisions>[0]["known"] {
  const epochPrefix = `${prefix}1:`;
  return {
    prefix,
    epochPrefix,
    world: { version: 1, epoch: 1, births: [[1, 1]], clock: null, rules: null, faults: 0, held: false },
    async step(script, rest) {
      const [keys, args] = rest(epochPrefix);
      return listOf(await valkey.run(script, [`${prefix}world`, ...keys], ["w", ...args]));
    },
  };
}

const attemptAt = (at: number, orderId: string | null = null, bodyDigest = "d", projectId = "prj-1") => ({
  projectId,
  orderId,
  bodyDigest,
  at,
});

/** Counts a check that is not answered, as by a worker that dies; the counts that it would be decided by. */
async function counted(
  decisions: ValkeyDecisions,
  attempt: CheckAttempt,
  own: Attempt,
): Promise<AttemptView> {
  const seen = Promise.withResolvers<AttemptView>();
  const settling = decisions.settle(attempt, own, "count", (view) => {
    seen.resolve(view);
    throw new Error("no answer");
  });
  return await Promise.race([
    seen.promise,
    settling.then(() => {
      throw new Error("a repeat of what was not decided");
    }),
  ]);
}

const PAIRS: readonly DistinctPair[] = [
  ["card", "payer"],
  ["card", "email"],
  ["card", "ip"],
  ["payer", "card"],
  ["holder", "card"],
  ["last_four", "bin_terminal"],
  ["charge", "order"],
  ["card", "terminal"],
  ["charge", "card"],
];
const WINDOWS = ["1m", "15m", "1h", "2h", "3h", "24h", "72h", "7d", "30d", "60d"].map((text) =>
  parseWindow(text)!,
);

/** Every number that rules could read. */
function numbersOf(view: AttemptView, pairs: readonly DistinctPair[]): unknown {
  return [
    WINDOWS.map((window) => [
      COUNTED_KEYS.map((_, kind) => [
        view.sum("velocity", kind, window),
        view.sum("spent", kind, window),
        view.sum("valued", kind, window),
        view.sum("micro", kind, window),
      ]),
      pairs.map(([of, key]) => view.distinct(KIND[of], KIND[key], window)),
      view.run(window),
    ]),
    view.trail(),
    pairs.filter(([of]) => of === "charge").map(([, key]) => view.earlierCharges(KIND[key])),
  ];
}

/** One of so many values of a key, or none. */
function valueOf(key: CounterKey, many: number): fc.Arbitrary<string | undefined> {
  const name = (n: number): string => hash("sha256", `${key} ${n}`, "base64url").slice(0, 22);
  return fc.option(fc.nat(many).map(name), { nil: undefined, freq: 12 });
}

const anyKeys: fc.Arbitrary<CounterKeys> = fc.record({
  // More than are remembered with a key.
  card: valueOf("card", 140),
  email: valueOf("email", 4),
  ip: valueOf("ip", 6),
  ip_net: valueOf("ip_net", 2),
  payer: valueOf("payer", 3),
  phone: valueOf("phone", 30),
  terminal: valueOf("terminal", 1),
  holder: valueOf("holder", 130),
  bin_terminal: valueOf("bin_terminal", 2),
  last_four: valueOf("last_four", 120),
  order: valueOf("order", 2_000),
  charge: valueOf("charge", 140),
});

const anyStep = fc.record({
  move: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 * MINUTE }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 * HOUR }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 * DAY }) },
    { weight: 1, arbitrary: fc.integer({ min: -5 * MINUTE, max: 0 }) },
    { weight: 1, arbitrary: fc.integer({ min: -70 * DAY, max: 0 }) },
  ),
  late: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 70 * DAY }) },
  ),
  keys: anyKeys,
  pairs: fc.constantFrom(PAIRS, PAIRS, PAIRS, PAIRS.slice(0, 3)),
  eurCents: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
  micro: fc.boolean(),
  money: fc.option(fc.record({ amount: fc.maxSafeNat(), currency: fc.constantFrom(980, 978) })),
});

describe.skipIf(isWithoutServer())("counts on a server", () => {
  beforeAll(async () => {
    server = await startServer(["--appendfsync", "no"]);
  });
  afterAll(() => server.stop());

  it.each([1, 2, 3, 4])("are those in memory at every step, seed %i", async (seed) => {
    const all = await workers();
    const memory = createCounters({ maxBytes: Infinity });
    let now = NOON;
    const steps = fc.sample(anyStep, { numRuns: 2_500, seed });
    for (const [i, { move, late, keys, pairs, eurCents, micro, money }] of steps.entries()) {
      now += move;
      const at = now - late;
      const attempt: Attempt = { keys, pairs, eurCents, micro, ...money };
      const [one, other] = [all[i % 4]!, all[(i + 1) % 4]!];
      let peeked: unknown;
      await other.look(attemptAt(at), attempt, (counters) => {
        peeked = numbersOf(counters.peek(at, attempt), pairs);
        return null as never;
      });
      expect(peeked, `peek ${i}`).toEqual(numbersOf(memory.peek(at, attempt), pairs));
      const view = await counted(one, attemptAt(at), attempt);
      expect(numbersOf(view, pairs), `step ${i}`).toEqual(numbersOf(memory.record(at, attempt), pairs));
    }
  });

  it("are those of the first when a check is decided that was counted by a worker that died", async () => {
    const [dead, ...others] = await workers();
    const steps = fc.sample(anyStep, { numRuns: 300, seed: 5 });
    const memory = createCounters();
    for (const [i, { keys, pairs, eurCents, micro, money }] of steps.entries()) {
      const at = NOON + i * 100;
      const attempt: Attempt = { keys, pairs, eurCents, micro, ...money };
      const check = attemptAt(at, `order ${i}`);
      const found = await counted(dead, check, attempt);
      const expected = numbersOf(memory.record(at, attempt), pairs);
      expect(numbersOf(found, pairs)).toEqual(expected);
      // Others are counted in between.
      for (let n = 0; n < i % 4; n += 1) {
        await counted(others[0], attemptAt(at + 1 + n), attempt);
        memory.record(at + 1 + n, attempt);
      }
      const again = await counted(others[1], { ...check, at: at + 50 }, attempt);
      expect(numbersOf(again, pairs), `step ${i}`).toEqual(expected);
    }
  });

  it("give each view its own numbers, in whatever order they are read", async () => {
    const [one] = await workers();
    const attempts = fc
      .sample(anyStep, { numRuns: 40, seed: 6 })
      .map(({ keys, eurCents }) => ({ keys, pairs: PAIRS, eurCents }));
    const memory = createCounters();
    const expected = attempts.map((attempt, i) => numbersOf(memory.record(NOON + i, attempt), PAIRS));
    const views = await Promise.all(attempts.map((attempt, i) => counted(one, attemptAt(NOON + i), attempt)));
    for (const i of [...views.keys()].toReversed())
      expect(numbersOf(views[i]!, PAIRS), `view ${i}`).toEqual(expected[i]);
  });

  it("are not made by a clock that was changed meanwhile", async () => {
    const prefix = "v:{moved}:";
    const valkey = await connectedTo();
    const still = stillWorld(valkey, prefix);
    let clock = { offsetMs: 0, frozenAt: null, highWater: NOON };
    const moving = new ValkeyDecisions({
      ...COMMON,
      valkey,
      known: {
        ...still,
        get world() {
          return { ...still.world, clock };
        },
        step(...step) {
          clock = { ...clock, offsetMs: clock.offsetMs + 1 };
          return still.step(...step);
        },
      },
    });
    const counting = counted(moving, attemptAt(NOON), { keys: {}, pairs: [], eurCents: null });
    await expect(counting).rejects.toThrow(ClockMoved);
    expect(await valkey.send(["KEYS", `${prefix}*`])).toEqual([]);
  });

  it("are kept in a bounded value, whoever counts at the same time", async () => {
    const all = await workers();
    const attempt: Attempt = { keys: { terminal: "t".repeat(22) }, pairs: [], eurCents: 100 };
    const seen = await Promise.all(
      Array.from({ length: 2_000 }, async (_, i) => {
        const view = await counted(all[i % 4]!, attemptAt(NOON), attempt);
        return view.sum("velocity", KIND.terminal, WINDOWS[0]!);
      }),
    );
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2_000 }, (_, i) => i + 1));
    // Those that come one after another find what a crowd has left.
    for (let n = 0; n < 100; n += 1) await counted(all[n % 4]!, attemptAt(NOON), attempt);
    const length = await server.ask("STRLEN", `v:{t${tenants}}:1:k:${"t".repeat(22)}`);
    expect(Number(length.slice(1))).toBeLessThan(4_000);
  });
});

describe.skipIf(isWithoutServer())("decisions on a server", () => {
  beforeAll(async () => {
    server = await startServer(["--appendfsync", "no"]);
  });
  afterAll(() => server.stop());

  async function check(decisions: ValkeyDecisions, input: DecisionInput, order: string | null, digest = "d") {
    const keyed = attemptOf(starter, input, decisions);
    return decisions.settle(attemptAt(input.now, order, digest), keyed.attempt, "count", (view) => {
      const { record, basis } = decideCounted(starter, input, keyed, view);
      return { record, basis, ruleSet: starter };
    });
  }

  it("and their explanations are those in memory, by any worker", async () => {
    const all = await workers();
    const memory = createCounters({ secret: SECRET });
    for (const [i, request] of fc.sample(anyPayment, { numRuns: 150, seed: 7 }).entries()) {
      const input = { request, project, now: NOON + i * 20_000 };
      const expected = decide(starter, input, memory);
      const { decisionId, recommendation } = await check(all[i % 4]!, input, null);
      expect(recommendation).toBe(expected.recommendation);
      expect(await all[(i + 1) % 4]!.decision(decisionId)).toMatchObject(expected);
    }
    expect(await all[0].decisionCount()).toBe(150);
  });

  it("are made once, when all workers are asked at the same time and again", async () => {
    const all = await workers();
    const ask = (order: string) =>
      Promise.all(
        all.flatMap((each) => [
          check(each, { request: payment(), project, now: NOON }, order),
          check(each, { request: payment(), project, now: NOON + 1 }, order),
        ]),
      );
    const [first, second] = [await ask("a"), await ask("a")];
    expect(new Set([...first, ...second].map(({ decisionId }) => decisionId)).size).toBe(1);
    expect([...first, ...second].filter(({ repeat }) => !repeat)).toHaveLength(1);
    expect(await all[1].decisionCount()).toBe(1);
    await ask("b");
    expect(await all[1].decisionCount()).toBe(2);
  });

  it("say by whichever worker that they were repeated", async () => {
    const [one, other] = await workers();
    const input = { request: payment(), project, now: NOON };
    const { decisionId } = await check(one, input, "a");
    expect((await other.decision(decisionId))!.repeat).toBe(false);
    expect(await check(other, input, "a")).toMatchObject({ decisionId, repeat: true, basis: null });
    expect((await one.decision(decisionId))!.repeat).toBe(true);
  });

  it("show nothing of payer and card on the server, nor does anything else", async () => {
    const [one] = await workers();
    const request = payment({
      request: { order_id: "order-of-c4n4ry", amount: 987_654, description: "c4n4ry things" },
      payer: {
        email: "c4n4ry@example.com",
        number_phone: "+380501230987",
        payer_ip: "198.51.100.77",
        payer_id: "payer-c4n4ry",
      },
      card: { holder: "C4N4RY", bin_card: 400_551, cin_card: 9_317 },
    });
    await check(one, { request, project, now: NOON }, "order-of-c4n4ry");
    const files = readdirSync(server.folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const text = readFileSync(`${file.parentPath}/${file.name}`, "latin1");
      for (const piece of ["c4n4ry", "C4N4RY", "400551", "198.51.100.77", "380501230987", "987654"]) {
        expect(text.includes(piece), `${piece} in ${file.name}`).toBe(false);
      }
    }
  });
});
