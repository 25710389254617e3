// What survives: a stop, and a kill without warning.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import {
  administration,
  alter,
  call,
  CHECK,
  credentialOf,
  makeProject,
  registration,
  send,
  signedCall,
  startSandbox,
  temporaryFolder,
  type Administered,
  type Administration,
  type Answer,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

async function startChild(
  dir: string,
): Promise<{ process: ChildProcess; sandbox: Administered & Administration }> {
  const program = fileURLToPath(new URL("./sandbox-child.ts", import.meta.url));
  const child = spawn(process.execPath, [program, dir], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const endpoint = JSON.parse(line.toString("utf8")) as Administered;
  return { process: child, sandbox: { ...endpoint, ...administration(endpoint) } };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** Uses a sandbox, and returns a proof that another one remembers all of it. */
async function use(
  sandbox: Administered & Administration,
): Promise<(next: SandboxUnderTest) => Promise<void>> {
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  await sandbox.clock({ do: "freeze" });
  const once = signedCall(sandbox.port, "check", project, CHECK);
  const first = await send(sandbox.port, once);
  const second = await call(sandbox, "check", project, { ...CHECK, order_id: "order-2" });
  expect([first.status, second.status]).toEqual([200, 200]);
  const { virtualTime } = await sandbox.status();

  return async (next) => {
    expect(await next.status()).toMatchObject({ virtualTime, clockFrozen: true, projects: 1, decisions: 2 });
    expect((await next.company()).secret.expose()).toBe(company.secret.expose());
    const wanted = { merchant_id: "shop", risk_level: "medium" };
    const credential = credentialOf(await call(next, "credential", company, wanted));
    expect({ ...credential, secret: credential.secret.expose() }).toEqual({
      ...project,
      secret: project.secret.expose(),
    });
    expect((await call(next, "register", company, registration("shop"))).status).toBe(409);

    expect(
      (await send(next.port, { ...once, headers: { ...once.headers, host: hostOf(once.headers) } })).status,
    ).toBe(401);
    const repeat = await call(next, "check", project, CHECK);
    expect(repeat.headers["x-verdict-decision"]).toBe(first.headers["x-verdict-decision"]);
    expect(repeat.text).toBe(first.text);
    expect((await next.explanation(second)).orderId).toBe("order-2");

    const third = await call(next, "check", project, { ...CHECK, order_id: "order-3" });
    expect(third.body["code"]).toBe("3ds_or_block");
    expect((await next.explanation(third)).counters).toContainEqual(expect.objectContaining({ value: 3 }));
    expect(third.headers["x-verdict-decision"]).not.toBe(second.headers["x-verdict-decision"]);
  };
}

function hostOf(headers: Readonly<Record<string, unknown>> | undefined): string {
  return String(headers?.["host"]);
}

test("a restart keeps projects, secrets, the clock, counters, stored answers, decisions and used signatures", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  const remembers = await use(first);
  await first.stop();
  await remembers(await startSandbox({}, dir));
});

test("kill -9 keeps them too", async () => {
  const dir = await temporaryFolder();
  const { process: child, sandbox } = await startChild(dir);
  const remembers = await use(sandbox);
  await kill(child);
  await remembers(await startSandbox({}, dir));
});

test("kill -9 in the middle of many checks loses none that was answered", async () => {
  const dir = await temporaryFolder();
  const { process: child, sandbox } = await startChild(dir);
  const project = await makeProject(sandbox, await sandbox.company());
  const answered: Answer[] = [];
  const orders = Array.from({ length: 400 }, (_, number) => `order-${number}`);
  const worker = async (): Promise<void> => {
    for (let order = orders.pop(); order !== undefined; order = orders.pop()) {
      answered.push(await call(sandbox, "check", project, { ...CHECK, order_id: order }));
      if (answered.length === 60) child.kill("SIGKILL");
    }
  };
  const gone = once(child, "exit");
  await Promise.allSettled(Array.from({ length: 16 }, worker));
  await gone;
  expect(answered.length).toBeGreaterThanOrEqual(60);
  expect(answered.length).toBeLessThan(400);

  const next = await startSandbox({}, dir);
  for (const answer of answered) {
    expect((await next.explanation(answer)).message).toBe(answer.body["message"]);
  }
  const { decisions } = await next.status();
  expect(decisions).toBeGreaterThanOrEqual(answered.length);
  const last = await call(next, "check", project, { ...CHECK, order_id: "after" });
  expect((await next.explanation(last)).counters).toContainEqual(
    expect.objectContaining({ value: decisions + 1 }),
  );
});

test("when nothing can be written, nothing is decided and the sandbox says so, and what to do", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  expect((await send(sandbox.port, { path: "/ready" })).status).toBe(200);
  await rm(join(sandbox.dir, "state", "state.db"));
  const refused = await call(sandbox, "check", project, CHECK);
  expect([refused.status, refused.body["error"]]).toEqual([503, "unavailable"]);
  for (const path of ["/ready", "/health"]) {
    const { status, body } = await send(sandbox.port, { path });
    expect([path, status, body["error"]]).toEqual([path, 503, "unavailable"]);
  }
  const faults = sandbox.logged.filter(({ event }) => event === "fault");
  expect(faults.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/\. Then start verdict serve again: until then it answers 503/),
  ]);
  await sandbox.stop().catch(() => undefined);
});

test("a state without its key, are no new start", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  await first.stop();
  await rm(join(dir, "state", "state.key"));
  await expect(startSandbox({}, dir)).rejects.toMatchObject({ code: "corrupt" });
});

test.each(["companies", "clock", "faults"])("a damaged value %s is no new start", async (name) => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  await makeProject(first, await first.company());
  await first.admin("POST", ADMIN.faults, { on: "check", effect: { do: "reset" }, rate: 1, count: 1 });
  await first.stop();
  alter(join(dir, "state"), `UPDATE value SET bytes = substr(bytes, 2) WHERE name = '${name}'`);
  await expect(startSandbox({}, dir)).rejects.toMatchObject({
    code: "corrupt",
    message: expect.stringContaining(`has a damaged value "${name}"`),
  });
});
