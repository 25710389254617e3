// The checks of a run are decided in the order of their numbers, however they arrive, and never wait for long.

import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { runTurnText } from "#src/contract/wire/run-turn.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { RunOrders } from "#src/sandbox/service/run-order.ts";
import { SANDBOX_LIMITS } from "#src/sandbox/state/sandbox-limits.ts";
import type { Identity } from "#src/signing/sign.ts";
import { create, inhabit } from "./isolation.ts";
import {
  call,
  CHECK,
  makeProject,
  startSandbox,
  type Answer,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

const RUN = "a-run";

const check = (
  sandbox: SandboxUnderTest,
  project: Identity,
  number: number,
  { run = RUN, lowest = 1, body = {} } = {},
): Promise<Answer> =>
  call(
    sandbox,
    "check",
    project,
    { ...CHECK, order_id: `${run}-${number}`, ...body },
    { headers: (signed) => ({ ...signed, [HEADER.turn]: runTurnText({ run, number, lowest }) }) },
  );

/** Place of a decision among all. */
const placeOf = ({ headers }: Answer): number =>
  Number(/^dec-(\d+)-/.exec(String(headers[HEADER.decision]))?.[1]);

async function shop(): Promise<readonly [SandboxUnderTest, Identity, Identity]> {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  return [sandbox, await makeProject(sandbox, company), await makeProject(sandbox, company, "other")];
}

async function fault(sandbox: SandboxUnderTest, order: object): Promise<void> {
  const answer = await sandbox.admin("POST", ADMIN.faults, order);
  expect(answer.status, answer.text).toBe(200);
}

const inOrder = (answers: readonly Answer[]): void => {
  const places = answers.map(placeOf);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
};

test("checks that arrive in any order are decided in that of their numbers, without a signature over those", async () => {
  const [sandbox, project] = await shop();
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  const shuffled = fc.sample(fc.shuffledSubarray(numbers, { minLength: 40 }), { numRuns: 1, seed: 7 })[0]!;
  const answers = await Promise.all(
    shuffled.map(async (number) => [number, await check(sandbox, project, number)] as const),
  );
  inOrder(answers.toSorted(([a], [b]) => a - b).map(([, answer]) => answer));
});

test("what is refused for good is not waited for: a fault, a wrong body", async () => {
  const [sandbox, project] = await shop();
  await fault(sandbox, { on: "check", effect: { do: "status", status: 503, retryAfterS: null }, count: 1 });
  const second = check(sandbox, project, 2);
  expect((await Promise.race([second, check(sandbox, project, 1)])).status).toBe(503);
  const rest = [3, 4, 5, 6].map((number) =>
    check(sandbox, project, number, { body: number === 4 ? { amount: "x" } : {} }),
  );
  const decided = [await second, ...(await Promise.all(rest))].filter(({ status }) => status === 200);
  expect(decided.length).toBeGreaterThan(2);
  inOrder(decided);
});

test("one that is to come again is waited for until it does", async () => {
  const [sandbox, project] = await shop();
  await fault(sandbox, { on: "check", effect: { do: "status", status: 503, retryAfterS: 1 }, count: 1 });
  expect((await check(sandbox, project, 1)).status).toBe(503);
  const later = [2, 3].map((number) => check(sandbox, project, number));
  inOrder([await check(sandbox, project, 1), ...(await Promise.all(later))]);
});

test("one that ended elsewhere is not waited for once a later one says so", async () => {
  const [sandbox, project] = await shop();
  const held = check(sandbox, project, 3);
  const last = check(sandbox, project, 4, { lowest: 3 });
  inOrder([await held, await last]);
});

test("another run, another key and a check of no run do not wait", async () => {
  const [sandbox, project, other] = await shop();
  const held = check(sandbox, project, 2);
  for (const number of [1, 2, 3]) {
    expect((await check(sandbox, project, number, { run: "b-run" })).status).toBe(200);
  }
  expect((await check(sandbox, other, 1)).status).toBe(200);
  expect((await call(sandbox, "check", project, CHECK)).status).toBe(200);
  inOrder([await check(sandbox, project, 1), await held]);
});

test.each(["", "r", "r 1", "r 0 1", "r 1 2 3", "r -1 1", `${"r".repeat(65)} 1 1`, "r 1 1.5"])(
  "a header %j is no turn",
  async (text) => {
    const sandbox = await startSandbox();
    const project = await makeProject(sandbox, await sandbox.company());
    const headers = (signed: Record<string, string>) => ({ ...signed, [HEADER.turn]: text });
    const answer = await call(sandbox, "check", project, CHECK, { headers });
    expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_request"]);
  },
);

test("checks that wait give up the places of their tenant when another one finds none", async () => {
  const sandbox = await startSandbox({ limits: { ...SANDBOX_LIMITS, connections: 16 } });
  const red = await inhabit(sandbox, "red", (await create(sandbox, "red")).admin);
  const early = [2, 3, 4, 5].map((number) => check(sandbox, red.project, number));
  const plain = async (): Promise<number> => (await call(sandbox, "check", red.project, CHECK)).status;
  await expect.poll(plain).toBe(429);
  await expect.poll(plain).toBe(200);
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

describe("a wait", () => {
  const response = (destroyed = false) =>
    Object.assign(new EventEmitter(), { destroyed }) as unknown as ServerResponse;
  const orders = new RunOrders();
  let runs = 0;

  /** Starts the wait of numbers of a new run, and notes which have come to their turn. */
  function begin() {
    const run = `run-${(runs += 1)}`;
    const told: (number | string)[] = [];
    const turn = (number: number, lowest = 1) => orders.turn("key", { run, number, lowest });
    const wait = (number: number, by = response()): Promise<void> =>
      turn(number)
        .come(by)
        .then(
          () => void told.push(number),
          () => void told.push(`${number} left`),
        );
    return { told, turn, wait };
  }

  it("ends after three seconds, for all that are before", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { told, wait } = begin();
    const all = [5, 3, 7].map((number) => wait(number));
    await vi.advanceTimersByTimeAsync(2_999);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(all);
    expect(told).toEqual([3, 5, 7]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is over when the caller leaves, who is not waited for then", async () => {
    const { told, turn, wait } = begin();
    const [left, third] = [response(), wait(3)];
    const second = wait(2, left);
    left.emit("close");
    await second;
    turn(2).end();
    await wait(4, response(true));
    turn(4).end();
    turn(1).end();
    await third;
    expect(told).toEqual(["2 left", "4 left", 3]);
    expect(left.listenerCount("close")).toBe(0);
  });

  it("is none for a number that has ended, comes twice, or is far ahead", async () => {
    const { told, turn, wait } = begin();
    turn(1).end();
    void wait(9);
    for (const number of [1, 2, 9, 1_027]) await wait(number);
    expect(told).toEqual([1, 2, 9, 1_027]);
    turn(1_500, 1_400).end();
    await wait(1_401 + 1_024);
    expect(told.slice(4)).toEqual([2_425, 9]);
  });

  it("of the first of two with one number is over in its turn, though the second has ended", async () => {
    const { told, turn, wait } = begin();
    const first = wait(2);
    await wait(2);
    turn(2).end();
    expect(told).toEqual([2]);
    turn(1).end();
    await first;
    expect(told).toEqual([2, 2]);
  });

  it("is over, in order, when its place is wanted", async () => {
    const { told, wait } = begin();
    const all = [5, 3].map((number) => wait(number));
    orders.letGo();
    await Promise.all(all);
    expect(told).toEqual([3, 5]);
  });
});
