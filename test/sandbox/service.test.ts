// The three calls of the spec, over real sockets with real signatures.

import { expect, test } from "vitest";
import { hitsOf } from "#src/contract/wire/explanation.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import {
  call,
  CHECK,
  credentialOf,
  makeProject,
  registration,
  send,
  startSandbox,
  type Answer,
} from "./sandbox-under-test.ts";

test("registers a project, gives its credential after the wait, and decides its checks", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();

  const registered = await call(sandbox, "register", company, registration("shop"));
  expect(registered.status).toBe(200);
  expect(registered.body).toEqual({ status: "success", message: expect.any(String) });

  const wanted = { merchant_id: "shop", risk_level: "medium" };
  const early = await call(sandbox, "credential", company, wanted);
  expect(early.status).toBe(404);
  expect(early.body["error"]).toBe("credential_not_ready");
  expect(Number(early.headers["retry-after"])).toBeGreaterThan(0);
  expect(Number(early.headers["retry-after"])).toBeLessThanOrEqual(5);

  await sandbox.clock({ do: "advance", byMs: 5_000 });
  const ready = await call(sandbox, "credential", company, wanted);
  expect(ready.body).toEqual({
    status: "success",
    message: expect.any(String),
    credential: {
      key_id: expect.stringMatching(/^hmac-sha256-[0-9a-f]+$/),
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      algorithm: "hmac-sha256",
      project_id: expect.stringMatching(/^[\x21-\x7e]+$/),
    },
  });
  const again = await call(sandbox, "credential", company, wanted);
  expect(again.text).toBe(ready.text);

  const project = credentialOf(ready);
  const checked = await call(sandbox, "check", project, CHECK);
  expect(checked.status).toBe(200);
  expect(checked.headers["content-type"]).toMatch(/^application\/json(;|$)/);
  expect(checked.body).toEqual({ status: "success", code: "pass", message: expect.any(String) });
});

test("explains a decision by the id that its answer names, with the counts it was made by", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const answers = [];
  for (const order of ["a", "b", "c"]) {
    answers.push(await call(sandbox, "check", project, { ...CHECK, order_id: order }));
  }
  expect(answers.map(({ body }) => body["code"])).toEqual(["pass", "pass", "3ds_or_block"]);

  const explanation = await sandbox.explanation(answers[2]!);
  expect(explanation).toMatchObject({
    id: answers[2]!.headers["x-verdict-decision"],
    recommendation: "3ds_or_block",
    message: answers[2]!.body["message"],
    projectId: project.projectId,
    orderId: "c",
    repeat: false,
  });
  expect(explanation.counters).toContainEqual(expect.objectContaining({ key: "payer", value: 3, limit: 2 }));

  const blocked = await call(sandbox, "check", project, {
    ...CHECK,
    order_id: "d",
    payer: { payer_id: "blocked" },
  });
  expect(blocked.body["code"]).toBe("block");
  expect((await sandbox.status()).decisions).toBe(4);
  expect((await sandbox.admin("GET", "/_sandbox/decisions/dec-1-00000000")).status).toBe(404);
});

test("an answer tells the score and the rules behind it, as its explanation does", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const payers = [{}, ...Array.from({ length: 4 }, () => ({ payer_id: "blocked" }))];
  const told: (readonly string[])[] = [];
  for (const [at, payer] of payers.entries()) {
    const answer = await call(sandbox, "check", project, { ...CHECK, order_id: `b-${at}`, payer });
    const explanation = await sandbox.explanation(answer);
    expect(answer.headers["x-verdict-score"]).toBe(String(explanation.score));
    const codes = hitsOf(explanation).map(({ code }) => code);
    expect(answer.headers["x-verdict-rules"]).toBe(codes.length === 0 ? undefined : codes.join(" "));
    told.push(codes);
  }
  expect(new Set(told.map((codes) => codes.length))).toEqual(new Set([0, 1, 2]));
  const forced = await call(sandbox, "check", project, { ...CHECK, order_id: "force-block" });
  expect(forced.headers["x-verdict-score"]).toBeUndefined();
});

test("answers an identical repeat within 60 s as before and does not count it", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  await sandbox.clock({ do: "freeze" });
  const first = await call(sandbox, "check", project, CHECK);
  await sandbox.clock({ do: "advance", byMs: 59_999 });
  const repeats = await Promise.all([1, 2, 3].map(() => call(sandbox, "check", project, CHECK)));
  for (const repeat of repeats) {
    expect(repeat.text).toBe(first.text);
    expect(repeat.headers["x-verdict-decision"]).toBe(first.headers["x-verdict-decision"]);
    expect(repeat.headers["x-verdict-repeat"]).toBe("1");
    expect(repeat.headers["x-verdict-score"]).toBe(first.headers["x-verdict-score"]);
  }
  expect(first.headers["x-verdict-repeat"]).toBeUndefined();
  expect((await sandbox.explanation(first)).repeat).toBe(true);
  expect((await sandbox.status()).decisions).toBe(1);

  await sandbox.clock({ do: "advance", byMs: 1 });
  const later = await call(sandbox, "check", project, CHECK);
  expect(later.headers["x-verdict-decision"]).not.toBe(first.headers["x-verdict-decision"]);
  const other = await call(sandbox, "check", project, { ...CHECK, amount: 1 });
  expect(other.headers["x-verdict-decision"]).not.toBe(later.headers["x-verdict-decision"]);
  expect((await sandbox.explanation(other)).counters).toContainEqual(expect.objectContaining({ value: 3 }));
});

test("decides a check by the time that it asks for, whatever the clock says and in whatever order they come", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const NOON = Date.UTC(2026, 2, 16, 12);
  const at = (ms: number, order: string): Promise<Awaited<ReturnType<typeof call>>> =>
    call(
      sandbox,
      "check",
      project,
      { ...CHECK, order_id: order },
      {
        headers: (signed) => ({ ...signed, "x-verdict-time": new Date(ms).toISOString() }),
      },
    );
  // Two within an hour, a third days before, a fourth within the hour of the first two.
  const codes = [];
  for (const [ms, order] of [
    [NOON, "a"],
    [NOON + 60_000, "b"],
    [NOON - 7 * 24 * 3_600_000, "c"],
    [NOON + 120_000, "d"],
  ] as const) {
    const answer = await at(ms, order);
    expect(answer.headers["x-verdict-time"]).toBe(new Date(ms).toISOString());
    expect((await sandbox.explanation(answer)).at).toBe(ms);
    codes.push(answer.body["code"]);
  }
  expect(codes).toEqual(["pass", "pass", "pass", "3ds_or_block"]);
  expect((await sandbox.status()).virtualTime).toBeGreaterThan(NOON + 3_600_000);

  const wrong = await call(sandbox, "check", project, CHECK, {
    headers: (signed) => ({ ...signed, "x-verdict-time": "yesterday" }),
  });
  expect(wrong.status).toBe(400);
  expect(wrong.body["message"]).toContain("x-verdict-time");
});

test("two equal checks at the same time are decided once", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const answers = await Promise.all(Array.from({ length: 8 }, () => call(sandbox, "check", project, CHECK)));
  expect(new Set(answers.map(({ headers }) => headers["x-verdict-decision"])).size).toBe(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});

test("every answer says that it is a sandbox's, and tells both times", async () => {
  const startAt = Date.UTC(2031, 4, 6);
  const sandbox = await startSandbox({ startAt });
  await sandbox.clock({ do: "freeze" });
  const answers = [
    await send(sandbox.port, { path: "/health" }),
    await send(sandbox.port, { path: "/ready" }),
    await send(sandbox.port, { path: "/nothing" }),
    await send(sandbox.port, { path: "/%zz" }),
    await send(sandbox.port, { path: "/health", headers: { expect: "something" } }),
    await send(sandbox.adminPort, { path: `/_sandbox/decisions/${"x".repeat(500)}` }),
    await call(sandbox, "register", await sandbox.company(), registration("shop")),
    await call(sandbox, "register", await sandbox.company(), "{"),
    await sandbox.admin("GET", "/_sandbox/clock"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 400, 404, 200, 400, 200]);
  for (const { headers } of answers) {
    expect(headers["x-verdict-sandbox"]).toBe("1");
    expect(Date.parse(String(headers["x-verdict-time"]))).toBeGreaterThanOrEqual(startAt);
    expect(Date.parse(String(headers["x-verdict-time"]))).toBeLessThan(startAt + 60_000);
    expect(Math.abs(Date.parse(String(headers["date"])) - Date.now())).toBeLessThan(5_000);
  }
});

test("the same seed gives the same ids and secrets, another seed and no seed give others", async () => {
  const issuedBy = async (seed: number | null): Promise<string[]> => {
    const sandbox = await startSandbox({ seed });
    const company = await sandbox.company();
    const project = await makeProject(sandbox, company);
    const checked = await call(sandbox, "check", project, CHECK);
    const identities = [company, project].flatMap((key) => [key.keyId, key.secret.expose()]);
    return [
      ...identities,
      company.companyId!,
      project.projectId!,
      String(checked.headers["x-verdict-decision"]),
    ];
  };
  const seven = await issuedBy(7);
  expect(await issuedBy(7)).toEqual(seven);
  const all = [...seven, ...(await issuedBy(8)), ...(await issuedBy(null)), ...(await issuedBy(null))];
  expect(new Set(all).size).toBe(all.length);
});

test("the fields that a check must have can be named", async () => {
  const sandbox = await startSandbox({ require: ["payer.email"] });
  const project = await makeProject(sandbox, await sandbox.company());
  const refused = await call(sandbox, "check", project, CHECK);
  expect(refused.body).toMatchObject({ error: "invalid_request", fields: [{ path: "payer.email" }] });
  const taken = await call(sandbox, "check", project, { payer: { email: "a@example.com" } });
  expect(taken.body["code"]).toBe("pass");
  const twice = await call(sandbox, "check", project, { payer: { email: "a@example.com" } });
  expect(twice.headers["x-verdict-decision"]).not.toBe(taken.headers["x-verdict-decision"]);
});

test("without a rule file of its own it decides by the starter rules", async () => {
  const sandbox = await startSandbox({ ruleSet: undefined });
  const project = await makeProject(sandbox, await sandbox.company());
  const expired = { ...CHECK, card: { expiration_month: 1, expiration_year: 20 } };
  const answer = await call(sandbox, "check", project, expired);
  expect(answer.body["code"]).toBe("block");
  const { rules, ruleSetHash } = await sandbox.status();
  expect(rules).toBeGreaterThan(10);
  expect((await sandbox.explanation(answer)).ruleSetHash).toBe(ruleSetHash);
});

test("counts go on after a clock that was set back behind what was counted, and the sandbox says so", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const recommended = async (order: string): Promise<unknown> => {
    const check = { ...CHECK, order_id: order, payer: { payer_id: "p-1" } };
    return (await call(sandbox, "check", project, check)).body["code"];
  };
  expect(await recommended("today")).toBe("pass");
  const back = { do: "set", at: Date.UTC(2026, 0, 6) };
  const answer = await sandbox.admin("POST", ADMIN.clock, back);
  expect(answer.body["note"]).toMatch(/counted after this time/);
  expect(sandbox.logged.findLast(({ event }) => event === "clock_changed")).toMatchObject({
    reason: answer.body["note"],
  });
  const seen = [];
  for (const order of ["a", "b", "c", "d"]) seen.push(await recommended(order));
  expect(seen).toEqual(["pass", "pass", "3ds_or_block", "3ds_or_block"]);
  const forward = await sandbox.admin("POST", ADMIN.clock, { do: "advance", byMs: 60_000 });
  expect(forward.body).not.toHaveProperty("note");
});

test("a probe may ask by HEAD, which has no body", async () => {
  const { port } = await startSandbox();
  const [got, headed] = await Promise.all(
    ["GET", "HEAD"].map((method) => send(port, { path: "/health", method })),
  );
  expect([got!.status, headed!.status]).toEqual([200, 200]);
  expect(headed!.headers["content-length"]).toBe(got!.headers["content-length"]);
  expect(headed!.text).toBe("");
});

test("before a service leaves, /ready is refused and everything else is answered", async () => {
  const sandbox = await startSandbox({ leaveMs: 2_000 });
  const project = await makeProject(sandbox, await sandbox.company());
  const ready = (): Promise<Answer> => send(sandbox.port, { path: "/ready" });
  expect((await ready()).status).toBe(200);
  const leaving = sandbox.leave();
  const refused = await ready();
  expect(refused).toMatchObject({
    status: 503,
    body: { error: "unavailable" },
    headers: { "retry-after": "1" },
  });
  expect(refused.body["message"]).toMatch(/^The sandbox is about to stop; /);
  expect((await send(sandbox.port, { path: "/health" })).status).toBe(200);
  expect((await call(sandbox, "check", project, CHECK)).status).toBe(200);
  // Whoever stops it waits for nothing.
  await sandbox.stop();
  await leaving;
  await expect(ready()).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
