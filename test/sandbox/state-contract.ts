// What every state of the sandbox promises, whatever it is stored in.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { AttemptView } from "#src/rules/counters/attempt-view.ts";
import { KIND } from "#src/rules/counters/counter-keys.ts";
import { createCounters } from "#src/rules/counters/counters.ts";
import { parseWindow } from "#src/rules/counters/window.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { preview } from "#src/rules/decision/flip-point.ts";
import { decideCounted } from "#src/rules/decision/decision-record.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { answerDigest } from "#src/sandbox/state/stored-answers.ts";
import type {
  CheckAttempt,
  ConsideredCheck,
  CountMode,
  SandboxState,
  SettledCheck,
} from "#src/sandbox/state/sandbox-state.ts";
import type { SandboxProject } from "#src/sandbox/state/stored-accounts.ts";
import { decide } from "../rules/decisions.ts";
import { anyPayment, DAY, HOUR, loadStarter, MINUTE, NOON, payment } from "../rules/sample.ts";
import { testRules } from "./rules.ts";

/** How every state of the contract is opened. */
export const CONTRACT = {
  companies: 2,
  repeatMs: MINUTE,
  replayCapacity: 4,
  /** How far a signed time may be from the clock, each way. */
  windowMs: 5 * MINUTE,
} as const;

export interface StateUnderTest {
  /** The one that is open now. */
  readonly state: SandboxState;
  /** Ends it and opens what it left; killed, it has no time to end. */
  restart(how: "stopped" | "killed"): Promise<void>;
  reset(keepProjects: boolean): Promise<void>;
}

const starter = await loadStarter();
const rules = await testRules();
const otherRules = await loadRules(
  `
name: other rules
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
sample: { at: "2026-03-01T12:00:00Z", project_currency: 980, request: { operation: payment } }
rules: [{ code: PAYMENT, text: a payment, when: operation == "payment", score: 1 }]
`,
  "other rules",
);

/** One check of a test; what is left out is the same in all of them. */
interface Given {
  readonly order?: string | null;
  readonly at?: number;
  readonly payer?: string;
  readonly projectId?: string;
  /** Other bytes for the same check. */
  readonly body?: string;
  readonly mode?: CountMode;
  readonly ruleSet?: RuleSet;
  readonly request?: CheckRequest;
}

function prepared(state: SandboxState, given: Given) {
  const { order = null, at = NOON, payer = "p-1", projectId = "prj-1", ruleSet = rules } = given;
  const request = given.request ?? payment({ payer: { payer_id: payer } });
  const input = { request, project: { projectId, riskLevel: "medium", currency: 980 }, now: at } as const;
  const body = Buffer.from(given.body ?? JSON.stringify(request));
  const attempt: CheckAttempt = { projectId, orderId: order, bodyDigest: answerDigest(body, ruleSet), at };
  return { ruleSet, input, attempt, keyed: attemptOf(ruleSet, input, state) };
}

/** Attempts of the payer within an hour. */
function seen(view: AttemptView): number {
  return view.sum("velocity", KIND.payer, parseWindow("1h")!);
}

/** Settles a check. `count` is what was counted with it, null for a repeat. */
export async function check(
  state: SandboxState,
  given: Given = {},
  before: () => void = () => undefined,
): Promise<SettledCheck & { readonly count: number | null }> {
  const { ruleSet, input, attempt, keyed } = prepared(state, given);
  let count: number | null = null;
  const settled = await state.settle(attempt, keyed.attempt, given.mode ?? "count", (view) => {
    before();
    count = seen(view);
    const { record, basis } = decideCounted(ruleSet, input, keyed, view);
    return { record, basis, ruleSet };
  });
  return { ...settled, count };
}

async function countOf(state: SandboxState, given: Given = {}): Promise<number | null> {
  return (await check(state, given)).count;
}

/** What the check would get. */
export function look(state: SandboxState, given: Given = {}): Promise<ConsideredCheck> {
  const { ruleSet, input, attempt, keyed } = prepared(state, given);
  return state.look(attempt, keyed.attempt, (counters) => preview(ruleSet, input, counters));
}

export function failing(): never {
  throw new Error("a failure between count and answer");
}

export async function projectOf(
  state: SandboxState,
  merchantId: string,
  more: Partial<SandboxProject> = {},
): Promise<SandboxProject> {
  const [company] = await state.accounts.companies();
  const projectId = `prj-${merchantId}-${more.riskLevel ?? "medium"}`;
  return {
    projectId,
    companyId: company!.companyId,
    merchantId,
    name: `Shop ${merchantId}`,
    description: null,
    currency: 980,
    riskLevel: "medium",
    registeredAt: NOON,
    ageFloorMs: 0,
    credential: { keyId: `key-${projectId}`, secret: new Secret("5ecret"), algorithm: "hmac-sha256" },
    ...more,
  };
}

/** With secrets that can be compared. */
function plain(project: SandboxProject | null): unknown {
  if (project === null) return null;
  const { keyId, secret, algorithm } = project.credential;
  return { ...project, credential: { keyId, secret: secret.expose(), algorithm } };
}

export async function floors(state: SandboxState): Promise<Record<string, number>> {
  const projects = await state.accounts.projects();
  return Object.fromEntries(projects.map(({ merchantId, ageFloorMs }) => [merchantId, ageFloorMs]));
}

export async function remember(
  state: SandboxState,
  identity: string,
  signedAt: number,
  now = signedAt,
): Promise<string> {
  const remembered = await state.rememberSignature(identity, signedAt, now);
  if (remembered.state === "new") await remembered.durable;
  return remembered.state;
}

const ENDS = ["stopped", "killed"] as const;

/** @param open opens a new state as CONTRACT says, and has it closed when the test is over */
export function stateContract(name: string, open: () => Promise<StateUnderTest>): void {
  describe(`${name}: accounts`, () => {
    it("begins with its companies, whose integration keys are found by their ids", async () => {
      const { state } = await open();
      const companies = await state.accounts.companies();
      expect(companies).toHaveLength(CONTRACT.companies);
      for (const { companyId, integrationKeys } of companies) {
        const [key] = integrationKeys;
        const holder = await state.accounts.key(key!.keyId);
        expect(holder).toMatchObject({ companyId, projectId: null, keyId: key!.keyId });
        expect(holder!.secret.expose()).toBe(key!.secret.expose());
      }
      expect(await state.accounts.projects()).toEqual([]);
    });

    it("knows no key and no project that it did not issue", async () => {
      const { state } = await open();
      const [company] = await state.accounts.companies();
      expect(await state.accounts.key("nobody")).toBeNull();
      expect(await state.accounts.projectById("prj-nobody")).toBeNull();
      expect(await state.accounts.project(company!.companyId, "shop", "low")).toBeNull();
    });

    it("finds a project by its id, by its merchant and by its key", async () => {
      const { state } = await open();
      const project = await projectOf(state, "shop", { name: "Крамниця", description: "nuts\n& bolts" });
      expect(await state.accounts.register(project)).toBe(true);
      expect(plain(await state.accounts.projectById(project.projectId))).toEqual(plain(project));
      expect(plain(await state.accounts.project(project.companyId, "shop", "medium"))).toEqual(
        plain(project),
      );
      expect((await state.accounts.projects()).map(plain)).toEqual([plain(project)]);
      const { projectId, companyId } = project;
      expect(await state.accounts.key(project.credential.keyId)).toMatchObject({ projectId, companyId });
    });

    it("registers a merchant once for each company and risk level", async () => {
      const { state } = await open();
      const [first, second] = await state.accounts.companies();
      const project = await projectOf(state, "shop");
      expect(await state.accounts.register(project)).toBe(true);
      const again = { ...project, projectId: "prj-again", name: "Another name" };
      expect(await state.accounts.register(again)).toBe(false);
      expect(plain(await state.accounts.project(first!.companyId, "shop", "medium"))).toEqual(plain(project));
      expect(await state.accounts.projectById("prj-again")).toBeNull();
      expect(await state.accounts.register(await projectOf(state, "shop", { riskLevel: "high" }))).toBe(true);
      const others = { companyId: second!.companyId, projectId: "prj-others" };
      expect(await state.accounts.register(await projectOf(state, "shop", others))).toBe(true);
      expect((await state.accounts.project(second!.companyId, "shop", "medium"))!.projectId).toBe(
        "prj-others",
      );
    });

    it.each(ENDS)(
      "issues more keys of a company, and more companies, and keeps them when it is %s",
      async (how) => {
        const under = await open();
        const before = await under.state.accounts.companies();
        const { companyId, integrationKeys } = before[0]!;
        const project = await projectOf(under.state, "shop");
        await under.state.accounts.register(project);
        await Promise.all([
          under.state.accounts.addKey(companyId),
          under.state.accounts.addKey(null),
          under.state.accounts.addKey(null),
        ]);
        await under.restart(how);
        const after = await under.state.accounts.companies();
        expect(after.map((company) => company.integrationKeys.length)).toEqual([2, 1, 1, 1]);
        expect(new Set(after.map((company) => company.companyId)).size).toBe(4);
        expect(after[0]!.integrationKeys[0]!.keyId).toBe(integrationKeys[0]!.keyId);
        for (const company of after) {
          for (const { keyId } of company.integrationKeys)
            expect(await under.state.accounts.key(keyId)).toMatchObject({ companyId: company.companyId });
        }
        expect((await under.state.accounts.projects()).map(plain)).toEqual([plain(project)]);
      },
    );

    it("lets one of many through that register the same at once, and all that register others", async () => {
      const { state } = await open();
      const same = Array.from({ length: 20 }, (_, i) => projectOf(state, "shop", { projectId: `prj-${i}` }));
      const others = Array.from({ length: 20 }, (_, i) => projectOf(state, `shop-${i}`));
      const projects = await Promise.all([...same, ...others]);
      const done = await Promise.all(projects.map((project) => state.accounts.register(project)));
      expect(done.slice(0, 20).filter(Boolean)).toHaveLength(1);
      expect(done.slice(20).every(Boolean)).toBe(true);
      expect(await state.accounts.projects()).toHaveLength(21);
    });

    it.each(ENDS)("keeps companies, projects and their secrets when it is %s", async (how) => {
      const under = await open();
      const project = await projectOf(under.state, "shop");
      await under.state.accounts.register(project);
      const keys = async () =>
        (await under.state.accounts.companies()).map(({ companyId, integrationKeys }) => [
          companyId,
          integrationKeys.map(({ keyId, secret }) => [keyId, secret.expose()]),
        ]);
      const before = await keys();
      await under.restart(how);
      expect(await keys()).toEqual(before);
      expect((await under.state.accounts.projects()).map(plain)).toEqual([plain(project)]);
      expect(await under.state.accounts.key(project.credential.keyId)).not.toBeNull();
      expect(await under.state.accounts.register(project)).toBe(false);
    });
  });

  describe(`${name}: clock`, () => {
    const running = { offsetMs: -5_000, frozenAt: null, highWater: NOON };

    it("has none before it is saved", async () => {
      const { state } = await open();
      expect(state.accounts.savedClock()).toBeNull();
    });

    it.each(ENDS)("keeps the last that was saved when it is %s", async (how) => {
      const under = await open();
      await under.state.accounts.saveClock(running);
      expect(under.state.accounts.savedClock()).toEqual(running);
      const frozen = { ...running, frozenAt: NOON + 1 };
      await under.state.accounts.saveClock(frozen);
      expect(under.state.accounts.savedClock()).toEqual(frozen);
      await under.restart(how);
      expect(under.state.accounts.savedClock()).toEqual(frozen);
    });

    it("raises every age to what it is before the clock goes back, and lowers none", async () => {
      const { state } = await open();
      await state.accounts.register(await projectOf(state, "old"));
      await state.accounts.register(await projectOf(state, "young", { registeredAt: NOON + HOUR }));
      await state.accounts.saveClock(running, { do: "keep", from: NOON + 3 * HOUR });
      expect(await floors(state)).toEqual({ old: 3 * HOUR, young: 2 * HOUR });
      await state.accounts.saveClock(running, { do: "keep", from: NOON + 2 * HOUR });
      expect(await floors(state)).toEqual({ old: 3 * HOUR, young: 2 * HOUR });
    });

    it("forgets the ages when it is told to", async () => {
      const { state } = await open();
      await state.accounts.register(await projectOf(state, "shop"));
      await state.accounts.saveClock(running, { do: "keep", from: NOON + DAY });
      await state.accounts.saveClock({ ...running, offsetMs: 0 }, { do: "forget" });
      expect(await floors(state)).toEqual({ shop: 0 });
    });

    it("leaves the ages alone when only the time is saved", async () => {
      const { state } = await open();
      const project = await projectOf(state, "shop");
      await state.accounts.register(project);
      await state.accounts.keepAge(project.projectId, 7);
      await state.accounts.saveClock(running);
      expect(await floors(state)).toEqual({ shop: 7 });
    });

    it("raises the age of one project alone, and lowers none", async () => {
      const { state } = await open();
      const [shop, other] = [await projectOf(state, "shop"), await projectOf(state, "other")];
      await state.accounts.register(shop);
      await state.accounts.register(other);
      await state.accounts.keepAge(shop.projectId, DAY);
      expect(await floors(state)).toEqual({ shop: DAY, other: 0 });
      await state.accounts.keepAge(shop.projectId, HOUR);
      await state.accounts.keepAge("prj-nobody", HOUR);
      expect(await floors(state)).toEqual({ shop: DAY, other: 0 });
    });

    it.each(ENDS)("keeps the ages when it is %s", async (how) => {
      const under = await open();
      const project = await projectOf(under.state, "shop");
      await under.state.accounts.register(project);
      await under.state.accounts.keepAge(project.projectId, DAY);
      await under.restart(how);
      expect(await floors(under.state)).toEqual({ shop: DAY });
      expect((await under.state.accounts.projectById(project.projectId))!.ageFloorMs).toBe(DAY);
    });
  });

  describe(`${name}: signatures`, () => {
    it("are new once", async () => {
      const { state } = await open();
      expect(await remember(state, "a", NOON)).toBe("new");
      expect(await remember(state, "a", NOON)).toBe("seen");
      expect(await remember(state, "a", NOON, NOON + 4 * MINUTE)).toBe("seen");
      expect(await remember(state, "b", NOON)).toBe("new");
      expect(await state.signatureCount()).toBe(2);
    });

    it("are new once, however many come at the same time", async () => {
      const { state } = await open();
      const states = await Promise.all(Array.from({ length: 20 }, () => remember(state, "a", NOON)));
      expect(states.filter((one) => one === "new")).toHaveLength(1);
      expect(await state.signatureCount()).toBe(1);
    });

    it("are refused when there is no room, and known all the same", async () => {
      const { state } = await open();
      for (const identity of ["a", "b", "c", "d"]) expect(await remember(state, identity, NOON)).toBe("new");
      expect(await remember(state, "e", NOON)).toBe("full");
      expect(await remember(state, "a", NOON)).toBe("seen");
      expect(await state.signatureCount()).toBe(CONTRACT.replayCapacity);
    });

    it("make room only when they are out of the window", async () => {
      const { state } = await open();
      for (const identity of ["a", "b", "c", "d"]) await remember(state, identity, NOON);
      expect(await remember(state, "e", NOON, NOON + CONTRACT.windowMs)).toBe("full");
      const later = NOON + CONTRACT.windowMs + 2 * MINUTE;
      expect(await remember(state, "e", later)).toBe("new");
      expect(await state.signatureCount()).toBe(1);
    });

    it.each(ENDS)("may have been used when the clock goes back behind them, and it was %s", async (how) => {
      const under = await open();
      const later = NOON + CONTRACT.windowMs + 2 * MINUTE;
      await remember(under.state, "a", NOON);
      await remember(under.state, "b", later);
      expect(await remember(under.state, "a", NOON)).toBe("forgotten");
      await under.restart(how);
      expect(await remember(under.state, "a", NOON)).toBe("forgotten");
      expect(await remember(under.state, "b", later)).toBe("seen");
      expect(await remember(under.state, "c", NOON + 2 * MINUTE)).toBe("new");
    });

    it.each(ENDS)("stay used when it is %s", async (how) => {
      const under = await open();
      for (const identity of ["a", "b"]) await remember(under.state, identity, NOON);
      await under.restart(how);
      expect(await under.state.signatureCount()).toBe(2);
      const states = [];
      for (const identity of ["a", "b", "c"]) states.push(await remember(under.state, identity, NOON));
      expect(states).toEqual(["seen", "seen", "new"]);
    });
  });

  describe(`${name}: counts`, () => {
    it("hold the check itself", async () => {
      const { state } = await open();
      const counts = [];
      for (const order of ["a", "b", "c"]) counts.push(await countOf(state, { order }));
      expect(counts).toEqual([1, 2, 3]);
    });

    it("are those of one payer in one project", async () => {
      const { state } = await open();
      await check(state);
      expect(await countOf(state, { payer: "p-2" })).toBe(1);
      expect(await countOf(state, { projectId: "prj-2" })).toBe(1);
      expect(await countOf(state)).toBe(2);
    });

    it("are of the time of the check, also of one that is late", async () => {
      const { state } = await open();
      expect(await countOf(state, { at: NOON })).toBe(1);
      expect(await countOf(state, { at: NOON - 2 * HOUR })).toBe(1);
      expect(await countOf(state, { at: NOON - 90 * MINUTE })).toBe(2);
      expect(await countOf(state, { at: NOON + HOUR })).toBe(1);
      expect(await countOf(state, { at: NOON + MINUTE })).toBe(2);
    });

    it("hold each of many checks at once, one after another", async () => {
      const { state } = await open();
      const counts = await Promise.all(
        Array.from({ length: 50 }, (_, i) => countOf(state, { order: `o-${i}` })),
      );
      expect(counts.toSorted((a, b) => a! - b!)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
      expect(await state.decisionCount()).toBe(50);
    });

    it.each(ENDS)("go on when it is %s", async (how) => {
      const under = await open();
      for (const order of ["a", "b"]) await check(under.state, { order });
      await under.restart(how);
      expect(await countOf(under.state, { order: "c" })).toBe(3);
    });

    it("go on after more decisions than a restart reads one by one", async () => {
      const under = await open();
      const many = Array.from({ length: 1_100 }, (_, i) => check(under.state, { order: `o-${i}` }));
      await Promise.all(many);
      await under.restart("stopped");
      const last = await check(under.state, { order: "o-1099" });
      expect(last.repeat).toBe(true);
      expect(await countOf(under.state, { order: "next" })).toBe(1_101);
      expect(await under.state.decisionCount()).toBe(1_101);
    });

    it("have keys that are the same for the same, and for nobody else", async () => {
      const under = await open();
      const keys = (projectId: string) => under.state.keysOf(payment(), projectId, null);
      const before = keys("prj-1");
      expect(keys("prj-1")).toEqual(before);
      expect(keys("prj-2").card).not.toBe(before.card);
      expect(JSON.stringify(before)).not.toContain("payer-1");
      await under.restart("stopped");
      expect(keys("prj-1")).toEqual(before);
      expect((await open()).state.keysOf(payment(), "prj-1", null).card).not.toBe(before.card);
    });

    it("and explanations are those of counters in memory, through restarts", async () => {
      const step = fc.record({
        request: anyPayment,
        at: fc.integer({ min: 0, max: 300 }).map((minutes) => NOON + minutes * MINUTE),
        restart: fc.constantFrom(null, null, null, ...ENDS),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const under = await open();
          const model = createCounters();
          for (const { request, at, restart } of steps) {
            if (restart !== null) await under.restart(restart);
            const { input } = prepared(under.state, { request, at });
            const { decisionId } = await check(under.state, { request, at, ruleSet: starter });
            const explained = await under.state.decision(decisionId);
            expect(explained).toMatchObject(decide(starter, input, model));
          }
        }),
        { numRuns: 10 },
      );
    });
  });

  describe(`${name}: repeats`, () => {
    it("get the stored answer and are neither decided nor counted", async () => {
      const { state } = await open();
      const first = await check(state, { order: "a" });
      const { count: _, ...answer } = first;
      const again = await check(state, { order: "a" }, failing);
      expect(again).toEqual({ ...answer, repeat: true, count: null });
      expect(await countOf(state, { order: "b" })).toBe(2);
      expect(await state.decisionCount()).toBe(2);
    });

    it("are repeats for a time of virtual time, and not beyond", async () => {
      const { state } = await open();
      const { decisionId } = await check(state, { order: "a" });
      const within = await check(state, { order: "a", at: NOON + CONTRACT.repeatMs - 1 });
      expect([within.repeat, within.decisionId]).toEqual([true, decisionId]);
      // The first counts, and not the last repeat.
      const beyond = await check(state, { order: "a", at: NOON + CONTRACT.repeatMs });
      expect(beyond).toMatchObject({ repeat: false, count: 2 });
    });

    it("are repeats also where another process was first with a later time, and not where the clock was set back", async () => {
      const { state } = await open();
      const { decisionId } = await check(state, { order: "a" });
      const before = await check(state, { order: "a", at: NOON - CONTRACT.repeatMs + 1 });
      expect([before.repeat, before.decisionId]).toEqual([true, decisionId]);
      expect(await look(state, { order: "a", at: NOON - 1 })).toMatchObject({ repeat: { decisionId } });
      const { repeat } = await check(state, { order: "a", at: NOON - CONTRACT.repeatMs });
      expect(repeat).toBe(false);
    });

    it("are none without an order", async () => {
      const { state } = await open();
      await check(state, { order: null });
      expect(await check(state, { order: null })).toMatchObject({ repeat: false, count: 2 });
    });

    it("are none with another body, of which only the latest is kept", async () => {
      const { state } = await open();
      await check(state, { order: "a" });
      expect(await check(state, { order: "a", body: "other" })).toMatchObject({ repeat: false, count: 2 });
      expect(await check(state, { order: "a", body: "other" })).toMatchObject({ repeat: true });
      expect(await check(state, { order: "a" })).toMatchObject({ repeat: false, count: 3 });
    });

    it("are none by other rules", async () => {
      const { state } = await open();
      await check(state, { order: "a" });
      expect(await check(state, { order: "a", ruleSet: otherRules })).toMatchObject({ repeat: false });
    });

    it("are none in another project", async () => {
      const { state } = await open();
      await check(state, { order: "a" });
      expect(await check(state, { order: "a", projectId: "prj-2" })).toMatchObject({ repeat: false });
    });

    it("are told apart by every character of the order", async () => {
      const { state } = await open();
      const orders = ["a", "A", " a", "a\n", "а", "__proto__", "a".repeat(1_000), ""];
      for (const order of orders) expect((await check(state, { order })).repeat).toBe(false);
      for (const order of orders) expect((await check(state, { order })).repeat).toBe(true);
    });

    it("that come at the same time are decided once", async () => {
      const { state } = await open();
      const all = await Promise.all(Array.from({ length: 8 }, () => check(state, { order: "a" })));
      expect(new Set(all.map(({ decisionId }) => decisionId)).size).toBe(1);
      expect(all.filter(({ repeat }) => !repeat)).toHaveLength(1);
      expect(await countOf(state, { order: "b" })).toBe(2);
    });

    it.each(ENDS)("are known when it is %s, though not by which rules", async (how) => {
      const under = await open();
      const first = await check(under.state, { order: "a" });
      expect(first.basis).not.toBeNull();
      await under.restart(how);
      const { count: _, basis: __, ...answer } = first;
      const again = await check(under.state, { order: "a" });
      expect(again).toEqual({ ...answer, repeat: true, basis: null, count: null });
    });
  });

  describe(`${name}: peeks`, () => {
    it("are stored as decisions and not counted", async () => {
      const { state } = await open();
      await check(state);
      const peeked = await check(state, { order: "a", mode: "peek" });
      expect(peeked).toMatchObject({ repeat: false, count: 2 });
      expect(await countOf(state)).toBe(2);
      expect(await state.decisionCount()).toBe(3);
      expect(await state.decision(peeked.decisionId)).toMatchObject({ orderId: "a" });
    });

    it.each(ENDS)("are repeated, also when it is %s, and then not counted either", async (how) => {
      const under = await open();
      const peeked = await check(under.state, { order: "a", mode: "peek" });
      await under.restart(how);
      const again = await check(under.state, { order: "a", mode: "peek" });
      expect([again.repeat, again.decisionId]).toEqual([true, peeked.decisionId]);
      expect(await countOf(under.state)).toBe(1);
    });
  });

  describe(`${name}: looks`, () => {
    it("say what the check would get, and leave no trace", async () => {
      const { state } = await open();
      await check(state, { order: "a" });
      const [first, second] = [await look(state, { order: "b" }), await look(state, { order: "b" })];
      expect(first.draft!.counters).toContainEqual(expect.objectContaining({ key: "payer", value: 2 }));
      expect(second).toEqual(first);
      const { decisionId, count } = await check(state, { order: "b" });
      expect(count).toBe(2);
      expect(await state.decision(decisionId)).toMatchObject(first.draft!);
      expect(await state.decisionCount()).toBe(2);
    });

    it("find a repeat, and make none", async () => {
      const { state } = await open();
      const { decisionId } = await check(state, { order: "a" });
      expect(await look(state, { order: "a" })).toMatchObject({
        repeat: { decisionId, repeat: true },
        draft: null,
      });
      expect((await state.decision(decisionId))!.repeat).toBe(false);
    });

    it("do not work at a repeat, and may fail", async () => {
      const { state } = await open();
      const { attempt, keyed } = prepared(state, { order: "a" });
      await expect(state.look(attempt, keyed.attempt, failing)).rejects.toThrow("between count and answer");
      await check(state, { order: "a" });
      expect((await state.look(attempt, keyed.attempt, failing)).draft).toBeNull();
      expect(await countOf(state, { order: "b" })).toBe(2);
    });
  });

  describe(`${name}: a count without its answer`, () => {
    it("is no decision, and the next ones are made as ever", async () => {
      const { state } = await open();
      await expect(check(state, { order: "a" }, failing)).rejects.toThrow("between count and answer");
      expect(await state.decisionCount()).toBe(0);
      expect(await check(state, { order: "b" })).toMatchObject({ repeat: false, count: 2 });
      const again = await check(state, { order: "a" });
      expect(again.repeat).toBe(false);
      expect(await check(state, { order: "a" })).toMatchObject({
        repeat: true,
        decisionId: again.decisionId,
      });
    });

    it.each(ENDS)("is counted once with the next decision, also when it is %s", async (how) => {
      const under = await open();
      await expect(check(under.state, { order: "a" }, failing)).rejects.toThrow("between count and answer");
      expect(await countOf(under.state, { order: "b" })).toBe(2);
      await under.restart(how);
      expect(await countOf(under.state, { order: "c" })).toBe(3);
    });
  });

  describe(`${name}: decisions`, () => {
    it("have ids of their own, with numbers that grow", async () => {
      const under = await open();
      const ids = [];
      for (let i = 0; i < 6; i += 1) {
        if (i === 3) await under.restart("stopped");
        ids.push((await check(under.state)).decisionId);
      }
      const numbers = ids.map((id) => Number(/^dec-(\d+)-[0-9a-f]{8}$/.exec(id)![1]));
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    });

    it.each(ENDS)("are explained as they were, also when it is %s", async (how) => {
      const under = await open();
      const settled = await check(under.state, { order: "a", ruleSet: starter });
      const explained = await under.state.decision(settled.decisionId);
      const { decisionId: id, recommendation, message } = settled;
      expect(explained).toMatchObject({ id, recommendation, message, orderId: "a", repeat: false, at: NOON });
      expect(explained!.flips).toBeInstanceOf(Array);
      for (let i = 0; i < 5; i += 1) await check(under.state, { ruleSet: otherRules });
      expect(await under.state.decision(id)).toEqual(explained);
      await under.restart(how);
      expect(await under.state.decision(id)).toEqual(explained);
      expect(await under.state.decisionCount()).toBe(6);
    });

    it("are explained after many others", async () => {
      const { state } = await open();
      const { decisionId } = await check(state, { order: "first" });
      const explained = await state.decision(decisionId);
      await Promise.all(Array.from({ length: 300 }, () => check(state)));
      expect(await state.decision(decisionId)).toEqual(explained);
    });

    it("tell whether they were repeated", async () => {
      const { state } = await open();
      const { decisionId } = await check(state, { order: "a" });
      expect((await state.decision(decisionId))!.repeat).toBe(false);
      await check(state, { order: "a" });
      expect((await state.decision(decisionId))!.repeat).toBe(true);
    });

    it("are found by their whole ids alone", async () => {
      const { state } = await open();
      const { decisionId } = await check(state);
      const others = [`${decisionId}0`, decisionId.slice(0, -1), "dec-1-00000000", "dec-9-0011aabb", "", "*"];
      for (const id of others) expect(await state.decision(id)).toBeNull();
    });
  });

  describe(`${name}: reset`, () => {
    async function used(): Promise<StateUnderTest & { readonly decisionId: string }> {
      const under = await open();
      const project = await projectOf(under.state, "shop");
      await under.state.accounts.register(project);
      await under.state.accounts.keepAge(project.projectId, DAY);
      await under.state.accounts.saveClock({ offsetMs: 1, frozenAt: null, highWater: NOON });
      await remember(under.state, "a", NOON);
      const { decisionId } = await check(under.state, { order: "a" });
      return Object.assign(under, { decisionId });
    }

    it("forgets what was counted and decided, and the clock", async () => {
      const under = await used();
      await under.reset(false);
      const { state, decisionId } = under;
      expect(await state.decisionCount()).toBe(0);
      expect(await state.decision(decisionId)).toBeNull();
      expect(state.accounts.savedClock()?.offsetMs ?? 0).toBe(0);
      expect(await check(state, { order: "a" })).toMatchObject({ repeat: false, count: 1 });
      await under.restart("killed");
      expect(await countOf(under.state, { order: "b" })).toBe(2);
    });

    it("keeps companies and used signatures", async () => {
      const under = await used();
      const keyIds = async () =>
        (await under.state.accounts.companies()).flatMap(({ integrationKeys }) =>
          integrationKeys.map(({ keyId }) => keyId),
        );
      const before = await keyIds();
      await under.reset(false);
      expect(await keyIds()).toEqual(before);
      expect(await remember(under.state, "a", NOON)).toBe("seen");
    });

    it("forgets projects, and their keys", async () => {
      const under = await used();
      const project = await projectOf(under.state, "shop");
      await under.reset(false);
      expect(await under.state.accounts.projects()).toEqual([]);
      expect(await under.state.accounts.key(project.credential.keyId)).toBeNull();
      expect(await under.state.accounts.register(project)).toBe(true);
    });

    it("keeps projects where that is asked, without their ages", async () => {
      const under = await used();
      const project = await projectOf(under.state, "shop");
      await under.reset(true);
      expect((await under.state.accounts.projects()).map(plain)).toEqual([plain(project)]);
      expect(await under.state.accounts.key(project.credential.keyId)).not.toBeNull();
      expect(await countOf(under.state)).toBe(1);
    });
  });

  it(`${name}: can be written, and closed`, async () => {
    const { state } = await open();
    expect(state.isWritable()).toBe(true);
    await check(state);
    await state.close();
  });
}
