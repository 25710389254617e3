// Faults that the sandbox makes when it is asked to: by endpoint, rate and count, the same ones from the same seed.

import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { readFault, type FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import { ADMIN, type JournalPage } from "#src/contract/wire/sandbox-wire.ts";
import { createFaultOrders, NO_FAULTS, openSavedFaults } from "#src/sandbox/state/fault-orders.ts";
import { createIssuer } from "#src/sandbox/state/issuer.ts";
import {
  call,
  CHECK,
  makeProject,
  openTestStore,
  registration,
  send,
  startSandbox,
  temporaryFolder,
  type Answer,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

async function add(sandbox: SandboxUnderTest, text: string, options: object = {}): Promise<FaultReading> {
  const [on, what, value] = text.split(" ");
  const order = readFault({
    on,
    what,
    value,
    rate: undefined,
    count: undefined,
    retryAfter: undefined,
    ...options,
  });
  const answer = await sandbox.admin("POST", ADMIN.faults, order);
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text) as FaultReading;
}

async function clear(sandbox: SandboxUnderTest): Promise<void> {
  expect((await sandbox.admin("DELETE", ADMIN.faults)).status).toBe(200);
}

test("a status comes before anything is decided, as often as it was ordered, on its endpoint alone", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  const fault = await add(sandbox, "check 503", { count: "2", retryAfter: "7" });
  for (let time = 0; time < 2; time += 1) {
    const answer = await call(sandbox, "check", project, CHECK);
    expect([answer.status, answer.body["error"], answer.headers["retry-after"]]).toEqual([
      503,
      "unavailable",
      "7",
    ]);
    expect(answer.body["message"]).toContain("the sandbox was told to answer");
    expect((await call(sandbox, "register", company, registration(`m-${time}`))).status).toBe(200);
  }
  expect((await sandbox.status()).decisions).toBe(0);
  expect((await call(sandbox, "check", project, CHECK)).status).toBe(200);
  const { faults } = await sandbox.status();
  expect(faults).toEqual([{ ...fault, made: 2 }]);
  await add(sandbox, "check 429", { retryAfter: "2" });
  const busy = await call(sandbox, "check", project, CHECK);
  expect([busy.status, busy.body["error"], busy.headers["retry-after"]]).toEqual([
    429,
    "too_many_requests",
    "2",
  ]);
  // A status without a slug of its own.
  await clear(sandbox);
  await add(sandbox, "check 418");
  expect((await call(sandbox, "check", project, CHECK)).body["error"]).toBe("invalid_request");
});

test("what comes without a key of this sandbox is met by no fault, and uses none up", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const fault = await add(sandbox, "all 503", { count: "1" });
  const unsigned = { method: "POST", path: "/v1/check", headers: { "content-type": "application/json" } };
  expect((await send(sandbox.port, { ...unsigned, body: "{}" })).status).toBe(401);
  const stranger = { ...project, keyId: "hmac-sha256-stranger" };
  expect((await call(sandbox, "check", stranger, CHECK)).status).toBe(401);
  expect((await sandbox.status()).faults).toEqual([{ ...fault, made: 0 }]);
  expect((await call(sandbox, "check", project, CHECK)).status).toBe(503);
  expect((await call(sandbox, "check", project, CHECK)).status).toBe(200);
});

test("broken answers: reset, truncated, doubled, garbage, slow", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const check = (order: string): Promise<Answer> =>
    call(sandbox, "check", project, { ...CHECK, order_id: order, payer: { payer_id: order } });

  await add(sandbox, "all reset", { count: "1" });
  await expect(check("a")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect((await sandbox.status()).decisions).toBe(0);

  await add(sandbox, "check truncated", { count: "1" });
  await expect(check("b")).rejects.toThrow(/aborted|hang up|reset/i);

  await add(sandbox, "check duplicate-keys", { count: "1" });
  const doubled = await check("c");
  expect(doubled.text).toMatch(/^\{"code":"block",.*"code":"pass"/);
  expect(doubled.headers["x-verdict-decision"]).toMatch(/^dec-/);

  await add(sandbox, "check garbage", { count: "1" });
  const garbage = await check("d");
  expect([garbage.status, garbage.body]).toEqual([200, {}]);

  await add(sandbox, "check slow-body 200ms", { count: "1" });
  const slow = await check("e");
  expect(slow.body["code"]).toBe("pass");
  expect((await sandbox.status()).decisions).toBe(4);
  expect(await check("f").then(({ status }) => status)).toBe(200);
  const { entries } = JSON.parse((await sandbox.admin("GET", ADMIN.journal)).text) as JournalPage;
  const checks = entries.filter((entry) => entry.call === "check");
  expect(checks.map(({ faults }) => faults.join())).toEqual(["f-1", "f-2", "f-3", "f-4", "f-5", ""]);
  expect(checks[0]!.status).toBeNull();
  expect(checks[4]!.latency_ms).toBeGreaterThan(150);
});

test("latencies add up and hold every answer back, also a refusal", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  await add(sandbox, "check latency 120ms");
  await add(sandbox, "check latency 30ms");
  for (const caller of [project, { ...project, secret: new Secret("00".repeat(32)) }]) {
    const answer = await call(sandbox, "check", caller, CHECK);
    const newest = await sandbox.admin("GET", `${ADMIN.journal}?limit=1`);
    const { entries } = JSON.parse(newest.text) as JournalPage;
    expect(entries[0]).toMatchObject({ status: answer.status, faults: ["f-1", "f-2"] });
    expect(entries[0]!.latency_ms).toBeGreaterThanOrEqual(145);
  }
});

test("orders are listed, ended one by one or all, and outlive a restart", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  await add(first, "check 500", { rate: "0.5" });
  const second = await add(first, "all latency 1ms..2ms");
  expect((await first.admin("DELETE", `${ADMIN.faults}/f-1`)).status).toBe(200);
  expect((await first.admin("DELETE", `${ADMIN.faults}/f-1`)).status).toBe(404);
  const project = await makeProject(first, await first.company());
  await call(first, "check", project, CHECK);
  await first.stop();

  const next = await startSandbox({}, dir);
  const [held] = (await next.status()).faults;
  expect(held).toEqual({ ...second, made: 3 });
  expect((await add(next, "check 500")).id).toBe("f-3");
  await clear(next);
  expect((await next.status()).faults).toEqual([]);
  for (const wrong of [
    {},
    [],
    { on: "check", effect: { do: "status", status: 200 }, rate: 1 },
    { on: "x" },
  ]) {
    expect((await next.admin("POST", ADMIN.faults, wrong)).status).toBe(400);
  }
});

test("rate, and the spread of latencies: drawn from the seed", () => {
  const draws = (seed: number, text: string, rate = "1"): number[] => {
    const [on, what, value] = text.split(" ");
    const orders = createFaultOrders(createIssuer(seed), NO_FAULTS);
    orders.add(readFault({ on, what, value, rate, count: undefined, retryAfter: undefined }));
    return Array.from({ length: 2_000 }, () => {
      const taken = orders.take("check");
      return taken === null ? -1 : taken.delayMs;
    });
  };
  const met = draws(1, "check 503", "0.25").filter((delay) => delay === 0).length;
  expect(met).toBeGreaterThan(400);
  expect(met).toBeLessThan(600);
  expect(draws(7, "all latency 100ms..400ms")).toEqual(draws(7, "all latency 100ms..400ms"));
  expect(draws(7, "all latency 100ms..400ms")).not.toEqual(draws(8, "all latency 100ms..400ms"));

  const even = draws(7, "all latency 100ms..400ms");
  expect(Math.min(...even)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...even)).toBeLessThanOrEqual(400);
  const share = even.filter((delay) => delay < 175).length / even.length;
  expect(Math.abs(share - 0.25)).toBeLessThan(0.05);

  const normal = draws(7, "all latency 200ms~50ms");
  const mean = normal.reduce((sum, delay) => sum + delay, 0) / normal.length;
  expect(Math.abs(mean - 200)).toBeLessThan(10);
  const near = normal.filter((delay) => Math.abs(delay - 200) <= 50).length / normal.length;
  expect(Math.abs(near - 0.683)).toBeLessThan(0.05);
  expect(Math.min(...draws(7, "all latency 10ms~50ms"))).toBe(0);
});

test("with a seed a reset sandbox meets the same requests again, with the same ids and the same secrets", async () => {
  const sandbox = await startSandbox({ seed: 11 });
  const company = await sandbox.company();
  const story = async (): Promise<unknown[]> => {
    const project = await makeProject(sandbox, company);
    const told: unknown[] = [project.keyId, project.projectId, project.secret.expose()];
    await add(sandbox, "check 503", { rate: "0.5" });
    for (let number = 0; number < 16; number += 1) {
      const check = { ...CHECK, order_id: `o-${number}`, payer: { payer_id: `p-${number}` } };
      const { status, headers } = await call(sandbox, "check", project, check);
      told.push([status, headers["x-verdict-decision"]]);
    }
    told.push((await sandbox.status()).faults);
    return told;
  };
  const first = await story();
  expect(new Set(first.slice(3, -1).map((each) => (each as unknown[])[0]))).toEqual(new Set([200, 503]));
  expect((await sandbox.admin("POST", ADMIN.reset, { keepProjects: false })).status).toBe(200);
  expect(await story()).toEqual(first);
});

test("a latency under way does not hold up a stop", async () => {
  const sandbox = await startSandbox({ limits: { drainMs: 100 } });
  const project = await makeProject(sandbox, await sandbox.company());
  await add(sandbox, "check latency 100s");
  const waiting = call(sandbox, "check", project, CHECK);
  waiting.catch(() => undefined);
  await expect.poll(async () => (await sandbox.status()).faults[0]!.made).toBe(1);
  await sandbox.stop();
  await expect(waiting).rejects.toThrow();
});

test("orders are those that were changed last, with their counts, and none after a reset", async () => {
  const store = await openTestStore();
  const opened = async () => openSavedFaults(store, createIssuer(1));
  const first = await opened();
  const reset = { on: "check", effect: { do: "reset" }, rate: 1, count: 2 } as const;
  await first.change((orders) => [orders.add(reset), orders.add({ ...reset, on: "all", count: null })]);
  await first.change((orders) => orders.remove("f-2"));
  await first.take("check");
  const second = await opened();
  expect(await second.list()).toEqual([{ ...reset, id: "f-1", made: 1 }]);
  await second.change((orders) => orders.reset());
  expect((await opened()).isEmpty).toBe(true);
});
