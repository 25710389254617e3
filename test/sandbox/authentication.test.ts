// Who may call: signatures, their time, their one use, and one answer for whatever is wrong with them.

import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import {
  call,
  CHECK,
  makeProject,
  registration,
  send,
  signedCall,
  startSandbox,
  temporaryFolder,
} from "./sandbox-under-test.ts";

function without(name: string): (signed: Record<string, string>) => Record<string, string> {
  return (signed) => Object.fromEntries(Object.entries(signed).filter(([other]) => other !== name));
}

/** The sandbox stands still at it, so that a limit is met to the second, in which signatures tell time. */
const NOW = Math.floor(Date.now() / 1000) * 1000;

test("every failure gets one and the same answer, and the log alone knows the reason", async () => {
  const sandbox = await startSandbox({ realNow: () => NOW });
  const project = await makeProject(sandbox, await sandbox.company());
  const failures = [
    await call(sandbox, "check", { ...project, secret: new Secret("0".repeat(64)) }, CHECK),
    await call(sandbox, "check", { ...project, keyId: "hmac-sha256-unknown" }, CHECK),
    await call(sandbox, "check", project, CHECK, { nowMs: NOW - 301_000 }),
    await call(sandbox, "check", project, CHECK, { nowMs: NOW + 301_000 }),
    await call(sandbox, "check", project, CHECK, { sentBody: JSON.stringify({ ...CHECK, amount: 1 }) }),
    await call(sandbox, "check", project, CHECK, { headers: without("authorization") }),
    await call(sandbox, "check", project, CHECK, { headers: without("x-key-id") }),
    await call(sandbox, "check", project, CHECK, { headers: (all) => ({ ...all, authorization: "" }) }),
    await call(sandbox, "check", project, CHECK, {
      headers: (all) => ({ ...all, "x-project-id": "prj-other" }),
    }),
  ];
  for (const { status, body } of failures) {
    expect(status).toBe(401);
    expect(body).toEqual({ ...failures[0]!.body, request_id: expect.any(String) });
    expect(body).not.toHaveProperty("code");
  }
  const reasons = sandbox.logged.filter(({ error }) => error === "unauthorized").map(({ reason }) => reason);
  expect(reasons).toHaveLength(failures.length);
  expect(new Set(reasons).size).toBeGreaterThan(4);
  expect((await sandbox.status()).decisions).toBe(0);
});

test("a signature is good within 300 s each way", async () => {
  const sandbox = await startSandbox({ realNow: () => NOW });
  const project = await makeProject(sandbox, await sandbox.company());
  for (const offset of [-300_000, 300_000]) {
    expect((await call(sandbox, "check", project, CHECK, { nowMs: NOW + offset })).status).toBe(200);
  }
});

test("a signature is good once, on every endpoint, and not again after a restart", async () => {
  const dir = await temporaryFolder();
  const first = await startSandbox({}, dir);
  const company = await first.company();
  const project = await makeProject(first, company);
  const requests = [
    signedCall(first.port, "check", project, CHECK),
    signedCall(first.port, "register", company, registration("other")),
    signedCall(first.port, "credential", company, { merchant_id: "shop", risk_level: "medium" }),
  ];
  for (const request of requests) {
    expect((await send(first.port, request)).status).toBe(200);
    expect((await send(first.port, request)).status).toBe(401);
  }
  // Two at once: one of them is the replay.
  const twice = signedCall(first.port, "check", project, CHECK);
  const pair = await Promise.all([send(first.port, twice), send(first.port, twice)]);
  expect(pair.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);

  const { port } = first;
  await first.stop();
  const second = await startSandbox({ port }, dir);
  for (const request of requests) expect((await send(port, request)).status).toBe(401);
  expect(second.logged.filter(({ reason }) => reason === "the signature was used before")).toHaveLength(3);
});

test("a full replay cache refuses with 429 and forgets nothing", async () => {
  const sandbox = await startSandbox({ limits: { replayCapacity: 3 } });
  const company = await sandbox.company();
  const requests = ["a", "b", "c"].map((merchant) =>
    signedCall(sandbox.port, "register", company, registration(merchant)),
  );
  for (const request of requests) expect((await send(sandbox.port, request)).status).toBe(200);
  const refused = await call(sandbox, "register", company, registration("d"));
  expect(refused.status).toBe(429);
  expect(refused.body["error"]).toBe("too_many_requests");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  for (const request of requests) expect((await send(sandbox.port, request)).status).toBe(401);
});

test("an authentication header that is there twice is refused with 400", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  for (const name of ["authorization", "x-key-id", "x-project-id", "date", "digest", "x-request-id"]) {
    const answer = await call(sandbox, "check", project, CHECK, {
      headers: (signed) => ({ ...signed, [name]: [signed[name]!, signed[name]!] }),
    });
    expect([name, answer.status, answer.body["error"]]).toEqual([name, 400, "invalid_request"]);
  }
});

test("an unsigned credential request passes only where that is switched on", async () => {
  const wanted = { merchant_id: "shop", risk_level: "medium" };
  const unsigned = { headers: (all: Record<string, string>) => ({ ...all, authorization: "" }) };
  const strict = await startSandbox();
  await makeProject(strict, await strict.company());
  expect((await call(strict, "credential", await strict.company(), wanted, unsigned)).status).toBe(401);

  const lenient = await startSandbox({ credentialUnsigned: true, companies: 2 });
  const company = await lenient.company();
  await makeProject(lenient, company);
  expect((await call(lenient, "credential", company, wanted, unsigned)).status).toBe(200);
  expect((await call(lenient, "credential", company, wanted)).status).toBe(200);
  const stranger = { ...company, keyId: "hmac-sha256-unknown" };
  expect((await call(lenient, "credential", stranger, wanted, unsigned)).status).toBe(401);
  const foreign = { ...company, companyId: (await lenient.company(1)).companyId! };
  expect((await call(lenient, "credential", foreign, wanted, unsigned)).status).toBe(403);
  expect((await call(lenient, "register", company, registration("x"), unsigned)).status).toBe(401);
});

test("nothing secret and nothing of a body gets into the log", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  await call(sandbox, "check", project, { ...CHECK, description: "canary-body" });
  await call(sandbox, "check", project, CHECK, {
    headers: (all) => ({ ...all, authorization: "canary-header\u00ff" }),
  });
  await call(sandbox, "check", { ...project, keyId: "canary-key" }, CHECK);
  const text = JSON.stringify(sandbox.logged);
  expect(sandbox.logged.filter(({ event }) => event === "request").length).toBeGreaterThan(5);
  for (const secret of ["canary", project.secret.expose(), company.secret.expose(), sandbox.adminToken]) {
    expect(text).not.toContain(secret);
  }
});
