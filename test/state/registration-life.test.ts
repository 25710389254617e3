// The life of registrations against laws, whatever happens to network, disk, clock and process, in any order.

import { inspect } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { formatCountdown } from "#src/display/time.ts";
import { projectWindow } from "#src/state/register/project-window.ts";
import { testContext, type TestContext } from "../console/test-context.ts";
import { createWorld, WAIT_MS, type Network, type VaultDisk, type World } from "./registration-life.ts";

const MERCHANTS = ["first", "second"] as const;
const HALF_AN_HOUR = 30 * 60_000;
const keyOf = (merchant: string): string => `${merchant}/medium`;

type Step =
  | { readonly do: "register" | "fetch" | "by_hand" | "save_again"; readonly merchant: string }
  | { readonly do: "pass" | "suspend" | "set_back"; readonly seconds: number }
  /** The machine sleeps until so many seconds before the end of a window, and may wake without a network. */
  | {
      readonly do: "to_the_edge";
      readonly merchant: string;
      readonly before: number;
      readonly offline: boolean;
    }
  | { readonly do: "network"; readonly network: Network }
  | { readonly do: "vault_disk"; readonly disk: VaultDisk }
  | { readonly do: "restart"; readonly powerCut: "none" | "loses" | "keeps" | "some" };

const merchant = fc.constantFrom(...MERCHANTS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("register" as const), merchant }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("fetch", "by_hand", "by_hand", "save_again"), merchant }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("pass" as const), seconds: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("suspend" as const, "set_back" as const),
      seconds: fc.constantFrom(60, 600, 7_200, 50_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("to_the_edge" as const),
      merchant,
      before: fc.constantFrom(0, 1, 30),
      offline: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("network" as const),
      network: fc.constantFrom<Network[]>("up", "up", "down", "answer_lost"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("vault_disk" as const),
      disk: fc.constantFrom<VaultDisk[]>("well", "full", "fails_late", "fails_late"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("restart" as const),
      powerCut: fc.constantFrom("none" as const, "loses" as const, "keeps" as const, "some" as const),
    }),
  },
);

/** What the laws need to remember from one look to the next. */
interface Seen {
  /** Credential requests by key when its credential was first found in the vault. */
  readonly askedWhenHeld: Map<string, number>;
  readonly held: Map<string, string>;
  /** Windows that this run of the console has shown as closed. */
  readonly closed: Set<string>;
  /** The clock was set back while no console ran, and no answer has told the time yet: it cannot know better. */
  misled: boolean;
  readonly tally: Record<"held" | "by hand" | "closed" | "not saved" | "asked", number>;
}

let test: TestContext;
beforeAll(async () => void (test = await testContext()));
afterAll(() => test.remove());

async function take(world: World, seen: Seen, what: Step): Promise<void> {
  const select = (name: string): boolean => {
    const { registrations } = world;
    registrations().select("first");
    for (let tries = 0; tries < MERCHANTS.length; tries += 1) {
      if (registrations().store.getState().selectedKey === keyOf(name)) return true;
      registrations().select(1);
    }
    return registrations().store.getState().selectedKey === keyOf(name);
  };
  switch (what.do) {
    case "register":
      return world.register(what.merchant);
    case "fetch":
      if (select(what.merchant)) world.registrations().fetchNow();
      return world.pass(1);
    case "by_hand":
      if (!select(what.merchant)) return;
      return world.enterByHand("of-the-panel");
    case "save_again": {
      const key = keyOf(what.merchant);
      const before = world.held(key);
      const saved = await world.unsaved
        .get(key)
        ?.save()
        .catch(() => null);
      if (saved === undefined || saved === null) return;
      world.unsaved.delete(key);
      // The user asked for it, although one was entered by hand since: that one can be put back.
      if (before !== null && world.held(key) !== before) {
        expect(world.keepsFormer(key), key).toBe(true);
        seen.held.delete(key);
      }
      world.registrations().saved(saved);
      return;
    }
    case "pass":
      return world.pass(what.seconds);
    case "suspend":
      return world.suspend(what.seconds);
    case "set_back":
      return world.setBack(what.seconds);
    case "to_the_edge": {
      const known = world.known.get(keyOf(what.merchant));
      if (known === undefined) return;
      const left = known.startedAt + CREDENTIAL_WINDOW_MS - world.time.now();
      if (what.offline) world.network = "down";
      const seconds = Math.floor(left / 1_000) - what.before - 1;
      return seconds > 0 ? world.suspend(seconds) : undefined;
    }
    case "network":
      world.network = what.network;
      return;
    case "vault_disk":
      world.vaultDisk = what.disk;
      return;
    case "restart": {
      let coin = false;
      const keeps = { none: null, loses: () => false, keeps: () => true, some: () => (coin = !coin) };
      await world.restart(keeps[what.powerCut]);
      seen.closed.clear();
      seen.misled = world.clockError !== 0;
      return;
    }
  }
}

function look(world: World, seen: Seen, after: string): void {
  const state = world.registrations().store.getState();
  const secrets = inspect(state, { depth: 12 });
  for (const name of MERCHANTS) {
    const key = keyOf(name);
    const about = `${key} after ${after}`;
    const held = world.held(key);

    if (world.unsaved.has(key)) seen.tally["not saved"] += 1;
    seen.tally.asked += world.asked.get(key) ?? 0;
    // Nothing that came is lost: it is in the vault, or the user is being asked about it.
    const received = world.received.get(key);
    if (received !== undefined && !world.unsaved.has(key)) expect(held, about).not.toBeNull();
    // What the vault held once it holds for good.
    if (seen.held.has(key)) expect(held, about).toBe(seen.held.get(key));
    if (held !== null) {
      expect([world.known.get(key)?.secret, "of-the-panel"], about).toContain(held);
      expect(secrets, about).not.toContain(held);
      if (!seen.held.has(key)) seen.tally[held === "of-the-panel" ? "by hand" : "held"] += 1;
      seen.held.set(key, held);
      // ... and nobody asks for it any more.
      const asked = world.asked.get(key) ?? 0;
      if (!seen.askedWhenHeld.has(key)) seen.askedWhenHeld.set(key, asked);
      expect(asked, about).toBe(seen.askedWhenHeld.get(key));
    }

    const project = state.projects.find((each) => each.key === key);
    if (project === undefined || state.now === null) continue;
    expect(project.state === "ready", about).toBe(held !== null);
    const window = projectWindow(project, WAIT_MS, state.now);
    if (window === null) continue;
    expect(formatCountdown(window.untilClosed), about).toMatch(/^\d\d(:\d\d){1,2}$/);
    if (seen.closed.has(key)) expect(window.phase, about).toBe("closed");
    if (window.phase === "closed" && !seen.closed.has(key)) seen.tally.closed += 1;
    if (window.phase === "closed") seen.closed.add(key);
    const known = world.known.get(key);
    if (known === undefined || seen.misled || project.state === "closed") continue;
    // To the second: closed at exactly 24 hours, and never more left than there is.
    const left = known.startedAt + CREDENTIAL_WINDOW_MS - world.time.now();
    if (left <= 0) {
      expect(window.phase, about).toBe("closed");
      continue;
    }
    expect(window.untilClosed, about).toBeLessThanOrEqual(left);
    if (project.provenStartAt !== null) expect(window.untilClosed, about).toBe(left);
  }
}

/** With the network and the disk well again, every open window ends with a credential, by itself. */
async function thrive(world: World, seen: Seen): Promise<void> {
  world.network = "up";
  world.vaultDisk = "well";
  const before = world.registrations().store.getState();
  const open = before.projects.filter((project) => {
    const window = before.now === null ? null : projectWindow(project, WAIT_MS, before.now);
    const known = world.known.get(project.key);
    const left = known === undefined ? 0 : known.startedAt + CREDENTIAL_WINDOW_MS - world.time.now();
    // What the user is being asked about waits for the answer.
    return (
      window !== null &&
      window.untilClosed > HALF_AN_HOUR &&
      left > HALF_AN_HOUR &&
      !world.unsaved.has(project.key)
    );
  });
  if (open.length === 0) return;
  await world.pass(HALF_AN_HOUR / 1000 / 5);
  look(world, seen, "all was well again");
  for (const { key } of open) expect(world.held(key), `${key} in the end`).not.toBeNull();
}

/** Lives that are always lived, so that each thing happens at least once, whatever the others are like. */
const EXAMPLES: readonly (readonly Step[])[] = [
  [
    { do: "vault_disk", disk: "fails_late" },
    { do: "pass", seconds: 40 },
  ],
  [
    { do: "to_the_edge", merchant: "first", before: 0, offline: true },
    { do: "pass", seconds: 40 },
    { do: "by_hand", merchant: "first" },
    { do: "pass", seconds: 1 },
  ],
  [{ do: "pass", seconds: 40 }],
  // A credential by hand while the one that came is not saved.
  [
    { do: "vault_disk", disk: "fails_late" },
    { do: "pass", seconds: 40 },
    { do: "vault_disk", disk: "well" },
    { do: "by_hand", merchant: "first" },
    { do: "save_again", merchant: "first" },
    { do: "pass", seconds: 1 },
  ],
  // A credential by hand while a request waits for its next try.
  [
    { do: "network", network: "down" },
    { do: "pass", seconds: 10 },
    { do: "register", merchant: "first" },
    { do: "to_the_edge", merchant: "first", before: 0, offline: false },
    { do: "by_hand", merchant: "first" },
    { do: "suspend", seconds: 60 },
  ],
];

it("keeps its laws, whatever happens in whatever order", { timeout: 300_000 }, async () => {
  const tally = { held: 0, "by hand": 0, closed: 0, "not saved": 0, asked: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
      const world = await createWorld(test);
      const seen: Seen = {
        askedWhenHeld: new Map(),
        held: new Map(),
        closed: new Set(),
        misled: false,
        tally,
      };
      try {
        await world.register("first");
        for (const what of steps) {
          await take(world, seen, what);
          look(world, seen, JSON.stringify(what));
        }
        await thrive(world, seen);
      } finally {
        await world.close();
      }
    }),
    { numRuns: Number(process.env["VERDICT_LIVES"] ?? 60), examples: EXAMPLES.map((steps) => [[...steps]]) },
  );
  // All of it has happened: laws about nothing would hold, too.
  for (const [what, times] of Object.entries(tally)) expect(times, what).toBeGreaterThan(0);
});

/** A world of one test. */
async function aWorld(): Promise<World> {
  const world = await createWorld(test);
  onTestFinished(() => world.close());
  return world;
}

it("goes on by itself when a full disk has room again", async () => {
  const world = await aWorld();
  await world.register("first");
  world.vaultDisk = "full";
  await world.pass(30);
  expect(world.registrations().store.getState().progress[keyOf("first")]).toMatchObject({ kind: "stopped" });
  expect(world.asked.get(keyOf("first"))).toBeUndefined();
  world.vaultDisk = "well";
  await world.pass(301);
  expect(world.held(keyOf("first"))).toBe(world.known.get(keyOf("first"))?.secret);
});

it("waits no longer for a clock that was set back before the console was started", async () => {
  const world = await aWorld();
  await world.register("first");
  await world.restart(null);
  await world.setBack(20 * 60 * 60);
  await world.restart(null);
  await world.pass(30);
  expect(world.held(keyOf("first"))).not.toBeNull();
});

it("believes an answer that told the time, and no reckoning from before it", async () => {
  const world = await aWorld();
  // No window is open, so that nobody looks at the clock.
  await world.setBack(50_000);
  await world.suspend(3_600);
  world.network = "up";
  await world.register("first");
  await world.pass(1);
  const { projects, now } = world.registrations().store.getState();
  expect(projectWindow(projects[0]!, WAIT_MS, now!)?.untilClosed).toBe(CREDENTIAL_WINDOW_MS - 1_000);
});
