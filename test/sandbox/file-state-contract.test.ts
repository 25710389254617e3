// The state of one process keeps the contract of every state, and what its store has agrees with itself.

import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFaultOrders, NO_FAULTS, type FaultOrders } from "#src/sandbox/state/fault-orders.ts";
import { FileMaintenance } from "#src/sandbox/state/maintenance.ts";
import { SANDBOX_LIMITS } from "#src/sandbox/state/sandbox-limits.ts";
import { openFileState, openStoreIn, type FileState } from "#src/sandbox/state/file-state.ts";
import { createIssuer } from "#src/sandbox/state/issuer.ts";
import { createSandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import { createSharedLock } from "#src/sandbox/state/turns.ts";
import { UsedSignatures } from "#src/sandbox/state/used-signatures.ts";
import { ensureStateFolder } from "#src/sandbox/run-sandbox.ts";
import { alter, temporaryFolder } from "./sandbox-under-test.ts";
import { check, CONTRACT, failing, stateContract, type StateUnderTest } from "./state-contract.ts";

const issuer = createIssuer(null);
const fail = (problem: unknown): never => {
  throw new Error(String(problem));
};

async function openIn(dir: string, onProblem: (sentence: string) => void = fail) {
  await ensureStateFolder(dir);
  const { companies, repeatMs, replayCapacity, windowMs } = CONTRACT;
  const store = await openStoreIn(dir, false, fail);
  const signatures = await UsedSignatures.open(store, windowMs, replayCapacity, () =>
    onProblem("signatures"),
  );
  const limits = { ...SANDBOX_LIMITS, repeatMs };
  const state = await openFileState({ store, issuer, companies, signatures, limits, onProblem });
  const end = async (): Promise<void> => {
    await state.close();
    await store.close();
  };
  const clock = createSandboxClock(null, undefined, Date.now);
  const orders = createFaultOrders(issuer, NO_FAULTS);
  const faults = { change: async (work: (all: typeof orders) => unknown) => work(orders) } as FaultOrders;
  const maintenance = new FileMaintenance({ dir, store, state, lock: createSharedLock(), clock, faults });
  return { dir, store, state, maintenance, end };
}

interface FilesUnderTest extends StateUnderTest {
  readonly state: FileState;
  /** A value of the store. */
  value(name: string): unknown;
}

async function open(): Promise<FilesUnderTest> {
  const folder = await temporaryFolder();
  let current = await openIn(join(folder, "state"));
  onTestFinished(() => current.end());
  let killed = 0;
  return {
    get state() {
      return current.state;
    },
    value: (name) => current.store.value(name),
    async restart(how) {
      let { dir, end } = current;
      if (how === "killed") {
        // What the system has of it now is what a killed process leaves.
        killed += 1;
        await cp(current.dir, (dir = join(folder, `killed-${killed}`)), { recursive: true });
      }
      await end();
      current = await openIn(dir);
    },
    async reset(keepProjects) {
      await current.maintenance.reset(keepProjects);
    },
  };
}

stateContract("files", open);

test("counters are saved at an end with all that was counted, also what has no answer, and nothing is counted twice", async () => {
  const under = await open();
  const ENOUGH_TO_SAVE = 1_000;
  await Promise.all(Array.from({ length: ENOUGH_TO_SAVE }, () => check(under.state)));
  await expect(check(under.state, {}, failing)).rejects.toThrow();
  await under.restart("stopped");
  expect(under.value("counters")).toMatchObject({ sequence: ENOUGH_TO_SAVE + 1, total: ENOUGH_TO_SAVE });
  expect((await check(under.state)).count).toBe(ENOUGH_TO_SAVE + 2);
  await under.restart("killed");
  expect((await check(under.state)).count).toBe(ENOUGH_TO_SAVE + 3);
});

test("decisions that are damaged are reported once, and the others are counted and explained", async () => {
  const dir = join(await temporaryFolder(), "state");
  const first = await openIn(dir);
  const ids = [];
  for (const order of ["a", "b", "c"]) ids.push((await check(first.state, { order })).decisionId);
  await first.end();
  alter(dir, "UPDATE decision SET bytes = substr(bytes, 2) WHERE number = 2");

  const told: string[] = [];
  const next = await openIn(dir, (sentence) => told.push(sentence));
  onTestFinished(() => next.end());
  expect(told).toEqual([expect.stringContaining("Some decisions in")]);
  const found = await Promise.all(ids.map((id) => next.state.decision(id)));
  expect(found.map((each) => each?.orderId)).toEqual(["a", undefined, "c"]);
  const { decisionId, count } = await check(next.state, { order: "d" });
  expect([count, decisionId.split("-")[1]]).toEqual([3, "4"]);
});
