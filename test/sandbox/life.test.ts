// How a sandbox begins and ends: one a directory, its files, its leases, its last requests.

import { once } from "node:events";
import { access, readFile, rm, stat } from "node:fs/promises";
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ADMIN, ENDPOINT_FILE, type SandboxEndpoint } from "#src/contract/wire/sandbox-wire.ts";
import { createLeases } from "#src/sandbox/admin/leases.ts";
import { runSandbox, SandboxTakenFault } from "#src/sandbox/run-sandbox.ts";
import { testRules } from "./rules.ts";
import { sandboxOptions } from "./sandbox-options.ts";
import {
  contentOf,
  call,
  CHECK,
  makeProject,
  send,
  signedCall,
  startSandbox,
  temporaryFolder,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

/** Holds a lease open, as a console does. */
async function lease(sandbox: SandboxUnderTest): Promise<ClientRequest> {
  const request = httpRequest({
    host: "127.0.0.1",
    port: sandbox.adminPort,
    path: ADMIN.lease,
    headers: { authorization: `Bearer ${sandbox.adminToken}` },
  });
  request.on("error", () => undefined);
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  expect(response.statusCode).toBe(200);
  await once(response, "data");
  return request;
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

test("of two that want one directory, one serves it and the other says so", async () => {
  const dir = await temporaryFolder();
  const options = { ...sandboxOptions(dir), ruleSet: await testRules() };
  const results = await Promise.allSettled([1, 2, 3].map(() => runSandbox(options)));
  const running = results.filter((result) => result.status === "fulfilled");
  expect(running).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(SandboxTakenFault);
  }
  const endpoint = JSON.parse(
    await readFile(join(options.stateDir, ENDPOINT_FILE), "utf8"),
  ) as SandboxEndpoint;
  expect(endpoint.instance).toBe(running[0]!.value.instance);
  await running[0]!.value.stop();
  await (await runSandbox(options)).stop();
});

test("one whose directory was removed under it leaves the endpoint file of the next alone", async () => {
  const dir = await temporaryFolder();
  const options = { ...sandboxOptions(dir), ruleSet: await testRules() };
  const first = await runSandbox(options);
  await rm(options.stateDir, { recursive: true });
  const second = await runSandbox(options);
  // What the first one keeps there cannot be written any more, or may.
  await first.stop().catch(() => undefined);
  expect(await isThere(join(options.stateDir, ENDPOINT_FILE))).toBe(true);
  await second.stop();
  expect(await isThere(join(options.stateDir, ENDPOINT_FILE))).toBe(false);
});

test("the endpoint file is private, says where it is, and goes with it", async () => {
  const sandbox = await startSandbox();
  const path = join(sandbox.dir, "state", ENDPOINT_FILE);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    pid: process.pid,
    startedAt: expect.any(Number),
    version: "0.0.0-test",
    instance: sandbox.instance,
    host: "127.0.0.1",
    port: sandbox.port,
    adminPort: sandbox.adminPort,
    adminToken: sandbox.adminToken,
  });
  await Promise.all([sandbox.stop(), sandbox.stop()]);
  await sandbox.ended;
  expect(await isThere(path)).toBe(false);
  await expect(send(sandbox.port, { path: "/health" })).rejects.toThrow();
});

test("no secret stands in the state directory in the clear, but in the file for whoever runs it alone", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  expect(await contentOf(join(sandbox.dir, "state"))).not.toContain(project.secret.expose());
  expect((await stat(sandbox.keysFile!)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(sandbox.keysFile!, "utf8"))).toEqual({
    companies: [
      {
        company_id: company.companyId,
        integration_keys: [
          { key_id: company.keyId, secret: company.secret.expose(), algorithm: "hmac-sha256" },
        ],
      },
    ],
  });
  const embedded = await startSandbox({ embedded: true });
  const { secret } = await embedded.company();
  expect(embedded.keysFile).toBeNull();
  expect(await contentOf(join(embedded.dir, "state"))).not.toContain(secret.expose());
});

test("an ephemeral sandbox leaves nothing behind", async () => {
  const sandbox = await startSandbox({ ephemeral: true, seed: 1 });
  const project = await makeProject(sandbox, await sandbox.company());
  expect((await call(sandbox, "check", project, CHECK)).status).toBe(200);
  expect((await sandbox.status()).ephemeral).toBe(true);
  await sandbox.stop();
  expect(await isThere(join(sandbox.dir, "state"))).toBe(false);
});

test("the administrative plane needs its token and can be off", async () => {
  const sandbox = await startSandbox();
  for (const authorization of ["", "Bearer ", `Bearer ${sandbox.adminToken}x`, sandbox.adminToken]) {
    for (const path of [ADMIN.status, ADMIN.panel, ADMIN.lease, `${ADMIN.decisions}/x`]) {
      const answer = await send(sandbox.adminPort, { path, headers: { authorization } });
      expect([answer.status, answer.body["error"]]).toEqual([401, "unauthorized"]);
    }
    const answer = await send(sandbox.adminPort, {
      method: "POST",
      path: ADMIN.stop,
      headers: { authorization },
    });
    expect(answer.status).toBe(401);
  }
  const without = await startSandbox({ adminPort: null });
  expect([without.adminPort, without.adminToken]).toEqual([0, ""]);
  expect((await send(without.port, { path: "/health" })).status).toBe(200);
});

test("a port that is taken is a fault, and the directory is free again", async () => {
  const taken = await startSandbox();
  const dir = await temporaryFolder();
  await expect(startSandbox({ port: taken.port }, dir)).rejects.toMatchObject({ code: "usage" });
  await expect(startSandbox({ adminPort: taken.port }, dir)).rejects.toMatchObject({ code: "usage" });
  expect((await send((await startSandbox({}, dir)).port, { path: "/health" })).status).toBe(200);
});

test("an embedded sandbox lives as long as somebody holds a lease", async () => {
  const sandbox = await startSandbox({ embedded: true, leaseGraceMs: 600_000 });
  const first = await lease(sandbox);
  const second = await lease(sandbox);
  expect((await sandbox.status()).leases).toBe(2);
  for (const [left, each] of [
    [1, first],
    [0, second],
  ] as const) {
    each.destroy();
    await expect.poll(async () => (await sandbox.status()).leases).toBe(left);
  }
  await lease(sandbox);
  expect((await sandbox.status()).leases).toBe(1);
});

test("and a little longer, or for that long without any", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const GRACE_MS = 1_000;
  let ends = 0;
  const wait = (ms: number): number => {
    vi.advanceTimersByTime(ms);
    return ends;
  };
  const leases = createLeases(GRACE_MS, () => (ends += 1));
  expect(wait(GRACE_MS - 1)).toBe(0);
  const [first, second] = [leases.take(), leases.take()];
  first();
  first();
  expect(wait(GRACE_MS)).toBe(0);
  second();
  expect(wait(GRACE_MS - 1)).toBe(0);
  const third = leases.take();
  expect(wait(GRACE_MS)).toBe(0);
  third();
  expect(wait(GRACE_MS)).toBe(1);
  expect(createLeases(GRACE_MS, () => (ends += 1)).count).toBe(0);
  expect(wait(GRACE_MS)).toBe(2);
});

test("an embedded sandbox that nobody ever leases ends by itself; one on its own does not", async () => {
  const alone = await startSandbox({ embedded: false, leaseGraceMs: 1 });
  const embedded = await startSandbox({ embedded: true, leaseGraceMs: 50 });
  await embedded.ended;
  expect((await send(alone.port, { path: "/health" })).status).toBe(200);
});

test("the administrative plane can stop it, leases or not", async () => {
  const sandbox = await startSandbox({ embedded: true });
  await lease(sandbox);
  expect((await sandbox.admin("POST", ADMIN.stop)).status).toBe(200);
  await sandbox.ended;
});

/** Begins a check whose body has not been sent; resolves once the sandbox waits for it. */
async function begunCheck(sandbox: SandboxUnderTest): Promise<{ finish: () => Promise<IncomingMessage> }> {
  const project = await makeProject(sandbox, await sandbox.company());
  const { method, path, headers, body } = signedCall(sandbox.port, "check", project, CHECK);
  const request = httpRequest({
    host: "127.0.0.1",
    port: sandbox.port,
    method,
    path,
    headers: {
      ...(headers as Record<string, string>),
      expect: "100-continue",
      "content-length": String(body!.length),
    },
  });
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  request.flushHeaders();
  await once(request, "continue");
  return {
    finish: async () => {
      request.end(body);
      return (await answered)[0];
    },
  };
}

test("a stop lets requests under way finish and refuses new ones", async () => {
  const sandbox = await startSandbox();
  const { finish } = await begunCheck(sandbox);
  const stopped = sandbox.stop();
  // Refused by the sandbox, or by the system once nobody listens any more.
  const late = await send(sandbox.port, { path: "/health" }).catch(() => null);
  expect(late?.status ?? 503).toBe(503);
  const answer = await finish();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["connection"]).toBe("close");
  answer.resume();
  await stopped;

  const second = await startSandbox({}, sandbox.dir);
  expect((await second.status()).decisions).toBe(1);
});

test("a stop waits no longer than its time to drain", async () => {
  const sandbox = await startSandbox({ limits: { drainMs: 100 } });
  const { finish } = await begunCheck(sandbox);
  await sandbox.stop();
  await expect(finish()).rejects.toThrow();
});

test("an honest caller is answered while others hold more connections than there may be", async () => {
  const sandbox = await startSandbox({ limits: { connections: 16 } });
  const project = await makeProject(sandbox, await sandbox.company());
  const idle = Array.from({ length: 100 }, (_, number) => {
    const socket = connect(sandbox.port, "127.0.0.1");
    socket.on("error", () => undefined);
    if (number % 2 === 0) socket.write("GET /health HTTP/1.1\r\nhost: x\r\nx-slow: ");
    return socket;
  });
  await Promise.all(idle.map((socket) => once(socket, "connect")));
  const answers = await Promise.all(
    ["a", "b", "c"].map((order) => call(sandbox, "check", project, { ...CHECK, order_id: order })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const socket of idle) socket.destroy();
});

test("a failure of our own is a 500 that says nothing of its cause", async () => {
  const rules = await testRules();
  const broken = {
    ...rules,
    get thresholds(): typeof rules.thresholds {
      throw new Error("canary of a cause");
    },
  };
  const sandbox = await startSandbox({ ruleSet: broken });
  const project = await makeProject(sandbox, await sandbox.company());
  const answer = await call(sandbox, "check", project, CHECK);
  expect([answer.status, answer.body["error"]]).toEqual([500, "internal_error"]);
  expect(answer.text).not.toContain("canary");
  expect(JSON.stringify(sandbox.logged)).toContain("canary of a cause");
});
