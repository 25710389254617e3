// What the three calls send, what they read, and when they are made again.

import { expect, test, vi } from "vitest";
import { ENDPOINTS, HEADER, type Call } from "#src/contract/wire/wire.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import { verify } from "#src/signing/verify.ts";
import { clientFor, CHECK, CREDENTIAL, CREDENTIAL_REQUEST, KEY, REGISTRATION } from "./calling.ts";
import { answer, cut, PASS, type SeenRequest, stall, startHostileService } from "./hostile-service.ts";
import { proof, PROOF_KEY } from "./proving.ts";

function judge(request: SeenRequest, call: Call) {
  const key = call === "check" ? CREDENTIAL : KEY;
  const received = {
    method: "POST",
    path: request.line.split(" ")[1]!,
    headers: new HeaderTable([...request.headers].flat()),
    body: Buffer.from(request.body, "latin1"),
  };
  return verify(recipeById("http-signatures"), received, key, Date.now(), call);
}

const CREDENTIAL_ANSWER = {
  status: "success",
  message: "ready",
  credential: {
    key_id: "hmac-sha256-1",
    secret: "ab".repeat(32),
    algorithm: "hmac-sha256",
    project_id: "prj-9",
  },
};

test("the bytes that are sent are the bytes that were signed, for every call", async () => {
  await using service = await startHostileService([answer(200, JSON.stringify(CREDENTIAL_ANSWER))]);
  await using called = clientFor(`${service.url}/`);
  const body = { ...CHECK, description: "Zażółć \u2028 \u{1f600}", payer: { email: "a@b.example" } };
  await called.client.check(body, CREDENTIAL);
  await called.client.register(REGISTRATION, KEY);
  await called.client.credential(CREDENTIAL_REQUEST, KEY);
  const calls = ["check", "register", "credential"] as const;
  expect(service.requests.map(({ line }) => line)).toEqual(
    calls.map((call) => `POST ${ENDPOINTS[call].path} HTTP/1.1`),
  );
  for (const [index, call] of calls.entries()) {
    expect(judge(service.requests[index]!, call)).toMatchObject({ ok: true });
  }
  expect(JSON.parse(Buffer.from(service.requests[0]!.body, "latin1").toString())).toEqual(body);
  expect(service.requests[0]!.headers.get("content-type")).toBe("application/json");
  expect(service.requests[0]!.headers.get("accept-encoding")).toBe("identity");
  expect(service.requests[1]!.headers.get("x-company-id")).toBe("cmp-1");
  expect(service.requests[1]!.headers.has("x-project-id")).toBe(false);
});

test("a base address may have a path", async () => {
  await using service = await startHostileService([answer(200, PASS)]);
  await using called = clientFor(`${service.url}/risk/`);
  await called.client.check(CHECK, CREDENTIAL);
  expect(service.requests[0]!.line).toBe("POST /risk/v1/check HTTP/1.1");
  expect(judge(service.requests[0]!, "check").ok).toBe(true);
});

test("registration goes to its own host", async () => {
  await using service = await startHostileService([answer(200, PASS)]);
  await using called = clientFor("https://check.example.com", { projectsUrl: service.url });
  expect(await called.client.register(REGISTRATION, KEY)).toMatchObject({
    registered: true,
    outcome: "answered",
  });
});

test("a credential that can be sent empty is sent empty when the recipe says so", async () => {
  await using service = await startHostileService([answer(200, JSON.stringify(CREDENTIAL_ANSWER))]);
  const recipe = { ...recipeById("http-signatures"), endpoints: { credential: { authorization: "" } } };
  await using called = clientFor(service.url, { recipe });
  expect(await called.client.credential(CREDENTIAL_REQUEST, KEY)).toMatchObject({ state: "ready" });
  expect(service.requests[0]!.headers.get("authorization")).toBe("");
});

test("the facts of an answer are reported", async () => {
  const date = "Sun, 06 Nov 1994 08:49:37 GMT";
  const headers = {
    date,
    [HEADER.decision]: "dec-1",
    [HEADER.virtualTime]: "2031-01-02T03:04:05.678Z",
    "retry-after": "Sun, 06 Nov 1994 08:49:40 GMT",
  };
  await using service = await startHostileService([proof(), answer(200, PASS, headers)]);
  const now = (): number => Date.parse(date) - 45_000;
  await using called = clientFor(service.url, { now, sandbox: PROOF_KEY });
  const result = await called.client.check(CHECK, CREDENTIAL);
  expect(result).toEqual({
    outcome: "answered",
    reason: null,
    explanation: "The service recommends pass: continue processing the transaction.",
    recommendation: "pass",
    message: "Continue.",
    rawCode: null,
    httpStatus: 200,
    latencyMs: expect.any(Number),
    attempts: 1,
    retryAfterS: 3,
    serverDateMs: Date.parse(date),
    clockSkewS: -45,
    virtualTimeMs: Date.UTC(2031, 0, 2, 3, 4, 5, 678),
    decisionId: "dec-1",
  });

  // Anybody can write the marks of a sandbox: without a proof there is no virtual time, and no repeat.
  service.play(answer(200, PASS, { ...headers, [HEADER.sandbox]: "1", [HEADER.repeat]: "1" }));
  await using remote = clientFor(service.url, { now });
  const facts = { virtualTimeMs: null, serverDateMs: Date.parse(date) };
  const unproven = await remote.client.check(CHECK, CREDENTIAL);
  expect(unproven).toMatchObject(facts);
  expect(unproven.repeated).toBeUndefined();
});

test.each([
  ["ci-42", "ci-42"],
  ["\u001b[31mred", undefined],
  ["Red", undefined],
  ["", undefined],
])("the tenant %j that an answer names is kept as %s", async (name, kept) => {
  await using service = await startHostileService([answer(200, PASS, { [HEADER.tenant]: name })]);
  await using remote = clientFor(service.url);
  expect((await remote.client.check(CHECK, CREDENTIAL)).tenant).toBe(kept);
});

test("the time of a payment and its turn in a run go to a proven sandbox alone, and its stored answers are known", async () => {
  const at = Date.UTC(2026, 2, 16, 12);
  await using service = await startHostileService([proof(), answer(200, PASS, { [HEADER.repeat]: "1" })]);
  await using sandbox = clientFor(service.url, { sandbox: PROOF_KEY });
  const turn = () => ({ run: "r", number: 3, lowest: 2 });
  expect(await sandbox.client.check(CHECK, CREDENTIAL, { at, turn })).toMatchObject({ repeated: true });
  expect(service.requests.at(-1)!.headers.get(HEADER.virtualTime)).toBe("2026-03-16T12:00:00.000Z");
  expect(service.requests.at(-1)!.headers.get(HEADER.turn)).toBe("r 3 2");

  service.play(answer(200, PASS));
  await using remote = clientFor(service.url);
  await remote.client.check(CHECK, CREDENTIAL, { at, turn });
  for (const name of [HEADER.virtualTime, HEADER.turn]) {
    expect(service.requests.at(-1)!.headers.get(name)).toBeUndefined();
  }
});

test.each([408, 425, 429, 503])(
  "a check refused with %i comes back after Retry-After, signed anew",
  async (status) => {
    const busy = answer(status, "{}", { "retry-after": "2" });
    await using service = await startHostileService([busy, busy, answer(200, PASS)]);
    await using called = clientFor(service.url);
    const result = await called.client.check(CHECK, CREDENTIAL);
    expect(result).toMatchObject({ outcome: "answered", recommendation: "pass", attempts: 3 });
    expect(called.waits).toEqual([2000, 2000]);
    const [first, second, third] = service.requests;
    expect(new Set(service.requests.map(({ headers }) => headers.get("x-request-id"))).size).toBe(3);
    expect(new Set(service.requests.map(({ headers }) => headers.get("authorization"))).size).toBe(3);
    for (const request of [first!, second!, third!]) expect(judge(request, "check").ok).toBe(true);
  },
);

test("two retries are the end", async () => {
  await using service = await startHostileService([answer(503, "{}", { "retry-after": "0" })]);
  await using called = clientFor(service.url);
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({
    outcome: "refused",
    attempts: 3,
    retryAfterS: 0,
  });
  expect(service.requests).toHaveLength(3);
});

test("other calls are never made again by themselves after an answer", async () => {
  const busy = answer(503, '{"error":"unavailable"}', { "retry-after": "1" });
  await using service = await startHostileService([busy]);
  await using called = clientFor(service.url);
  expect(await called.client.register(REGISTRATION, KEY)).toMatchObject({
    outcome: "refused",
    reason: "unavailable",
    attempts: 1,
  });
  expect(await called.client.credential(CREDENTIAL_REQUEST, KEY)).toMatchObject({
    state: "not_ready",
    retryAfterS: 1,
    attempts: 1,
  });
  expect(service.requests).toHaveLength(2);
});

test("a retry whose request is lost is unknown", async () => {
  await using service = await startHostileService([answer(429, "{}", { "retry-after": "1" }), cut]);
  await using called = clientFor(service.url);
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({
    outcome: "unknown",
    reason: "cut",
    attempts: 2,
  });
});

test("a refusal that came stays the result when later attempts cannot connect", async () => {
  const service = await startHostileService([answer(503, "{}", { "retry-after": "1", connection: "close" })]);
  await using called = clientFor(service.url, { pause: async () => service[Symbol.asyncDispose]() });
  const result = await called.client.check(CHECK, CREDENTIAL);
  expect(result).toMatchObject({ outcome: "refused", httpStatus: 503 });
  expect(result.attempts).toBeGreaterThan(1);
});

test("cancelling during a wait gives the refusal that came", async () => {
  await using service = await startHostileService([answer(429, "{}", { "retry-after": "4" })]);
  const controller = new AbortController();
  await using called = clientFor(service.url, {
    pause: async (_, signal) => {
      controller.abort();
      signal.throwIfAborted();
    },
  });
  const result = await called.client.check(CHECK, CREDENTIAL, { signal: controller.signal });
  expect(result).toMatchObject({ outcome: "refused", reason: "http_429", attempts: 1 });
});

test.each<[number, object, string]>([
  [404, { error: "credential_not_ready" }, "not_ready"],
  [404, { anything: 1 }, "not_ready"],
  [409, { message: "Not ready yet" }, "not_ready"],
  [404, { error: "project_not_found" }, "failed"],
  [404, { error: "not_found" }, "failed"],
  [410, { error: "credential_window_closed" }, "closed"],
  [410, {}, "closed"],
  [429, {}, "not_ready"],
  [401, { error: "unauthorized" }, "failed"],
  [400, {}, "failed"],
  [500, {}, "failed"],
  [200, { status: "success" }, "not_ready"],
])("a credential request answered with %i %j is %s", async (status, body, state) => {
  await using service = await startHostileService([answer(status, JSON.stringify(body))]);
  await using called = clientFor(service.url);
  expect(await called.client.credential(CREDENTIAL_REQUEST, KEY)).toMatchObject({ state, credential: null });
});

test("many calls at once each get their own answer", async () => {
  await using service = await startHostileService([
    (socket, request) =>
      answer(200, PASS.replace("Continue.", JSON.parse(request.body).order_id))(socket, request),
  ]);
  await using called = clientFor(service.url);
  const ids = Array.from({ length: 50 }, (_, index) => `order-${index}`);
  const results = await Promise.all(
    ids.map((order_id) => called.client.check({ ...CHECK, order_id }, CREDENTIAL)),
  );
  expect(results.map(({ message }) => message)).toEqual(ids);
});

test("closing ends what is under way, and the client can be used again", async () => {
  await using service = await startHostileService([stall, answer(200, PASS)]);
  await using called = clientFor(service.url);
  const calling = called.client.check(CHECK, CREDENTIAL);
  await vi.waitFor(() => expect(service.requests).toHaveLength(1));
  await called.client.close();
  expect(await calling).toMatchObject({ outcome: "unknown", attempts: 1 });
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ outcome: "answered" });
});
