// Whether anything left this machine: "not sent" must mean that not one byte was written.

import { type AddressInfo, connect } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Agent } from "undici";
import { expect, test, vi } from "vitest";
import { readNetwork } from "#src/app/network.ts";
import { exchange } from "#src/client/exchange.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { CHECK, clientFor, CREDENTIAL, CREDENTIAL_REQUEST, KEY, REGISTRATION } from "./calling.ts";
import {
  answer,
  type Behaviour,
  cut,
  flood,
  PASS,
  raw,
  rawThenClose,
  stall,
  startHostileService,
} from "./hostile-service.ts";
import { proof, PROOF_KEY } from "./proving.ts";
import { UNTRUSTED_CERTIFICATE, UNTRUSTED_KEY } from "./self-signed.ts";

async function closedPort(): Promise<string> {
  const service = await startHostileService([]);
  await service[Symbol.asyncDispose]();
  return service.url;
}

test("a refused connection is tried three times, by every call", async () => {
  const url = await closedPort();
  await using called = clientFor(url, { random: () => 0.5 });
  const onFirstByte = vi.fn();
  const results = [
    await called.client.check(CHECK, CREDENTIAL, { onFirstByte }),
    await called.client.register(REGISTRATION, KEY, { onFirstByte }),
    await called.client.credential(CREDENTIAL_REQUEST, KEY, { onFirstByte }),
  ];
  for (const result of results) {
    expect(result).toMatchObject({
      outcome: "not_sent",
      reason: "connect_refused",
      attempts: 3,
      latencyMs: null,
      httpStatus: null,
    });
    expect(result.explanation).toMatch(
      /^The .* was not sent to 127\.0\.0\.1:\d+, because the connection was refused: /,
    );
  }
  expect(called.waits).toEqual(Array(6).fill(2250));
  expect(onFirstByte).not.toHaveBeenCalled();
});

test("no retry begins that could not end before the deadline", async () => {
  await using called = clientFor(await closedPort(), { deadlineMs: 3_900, random: () => 1 });
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({
    reason: "connect_refused",
    attempts: 1,
  });
  expect(called.waits).toEqual([]);
});

test("a service that comes up between attempts gets the request once", async () => {
  const port = Number(new URL(await closedPort()).port);
  let late: Awaited<ReturnType<typeof startHostileService>> | null = null;
  await using called = clientFor(`http://127.0.0.1:${port}`, {
    pause: async () => {
      late ??= await startHostileService([answer(200, PASS)], undefined, port);
    },
  });
  const result = await called.client.register(REGISTRATION, KEY);
  expect(result).toMatchObject({ outcome: "answered", registered: true, attempts: 2 });
  expect(late!.requests).toHaveLength(1);
  await late![Symbol.asyncDispose]();
});

test("what is reset as soon as it connects is called not sent only if nothing came", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 40; round++) {
    const early = round % 2 === 0;
    await using service = await startHostileService([cut], (socket) => {
      if (early) socket.resetAndDestroy();
    });
    await using called = clientFor(service.url);
    const result = await called.client.register(REGISTRATION, KEY);
    seen.add(result.outcome);
    if (service.bytes() > 0) expect(result.outcome).toBe("unknown");
    if (result.outcome === "unknown") expect(result.attempts).toBe(service.connections());
    expect(service.requests.length).toBeLessThanOrEqual(1);
  }
  expect(seen).toContain("unknown");
});

test("an idle connection that the service closed is replaced before anything is written", async () => {
  let closed = 0;
  await using service = await startHostileService([
    (socket, request) => {
      answer(200, PASS)(socket, request);
      socket.end();
      socket.once("close", () => (closed += 1));
    },
  ]);
  await using called = clientFor(service.url);
  for (let round = 1; round <= 5; round++) {
    expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ outcome: "answered", attempts: 1 });
    await vi.waitFor(() => expect(closed).toBe(round));
  }
  expect(service.connections()).toBe(5);
});

test("connections are kept from call to call", async () => {
  await using service = await startHostileService([answer(200, PASS)]);
  await using called = clientFor(service.url);
  for (let round = 0; round < 20; round++) await called.client.check(CHECK, CREDENTIAL);
  expect(service.requests).toHaveLength(20);
  expect(service.connections()).toBeLessThanOrEqual(2);
});

test("a stalled handshake is a connect timeout, and the deadline ends it at once", async () => {
  await using service = await startHostileService([stall]);
  const url = service.url.replace("http:", "https:");
  const pause = vi.fn(() => Promise.reject(new Error("one attempt is enough here")));
  await using patient = clientFor(url, { connectTimeoutMs: 100, pause });
  const result = await patient.client.check(CHECK, CREDENTIAL);
  expect(result).toMatchObject({ outcome: "not_sent", reason: "connect_timeout", attempts: 1 });
  expect(pause).toHaveBeenCalledOnce();
  // Only the deadline can end this one before the test is given up.
  await using hurried = clientFor(url, { deadlineMs: 100, connectTimeoutMs: 600_000 });
  expect(await hurried.client.check(CHECK, CREDENTIAL)).toMatchObject({
    outcome: "not_sent",
    reason: "deadline",
  });
  expect(service.requests).toEqual([]);
});

test("what was given up while connecting is never written later, when the connection is ready", async () => {
  await using service = await startHostileService([answer(200, PASS)]);
  const held: (() => void)[] = [];
  const agent = new Agent({
    connect: ({ hostname, port }, done) => {
      const socket = connect(Number(port), hostname, () => held.push(() => done(null, socket)));
    },
  });
  const controller = new AbortController();
  const outgoing = {
    url: new URL(service.url),
    method: "POST",
    headers: {},
    body: Buffer.from("{}"),
  } as const;
  const onFirstByte = vi.fn();
  const exchanged = exchange(agent, outgoing, controller.signal, onFirstByte);
  await vi.waitFor(() => expect(held).toHaveLength(1));
  controller.abort("given up");
  expect(await exchanged).toMatchObject({ kind: "failure", written: false, cause: "given up" });
  held[0]!();
  // A second request on the same agent shows that the first one had its chance.
  const second = exchange(agent, outgoing, new AbortController().signal, () => undefined);
  await vi.waitFor(() => {
    if (held.length > 1) held.pop()!();
    expect(service.requests).toHaveLength(1);
  });
  expect(await second).toMatchObject({ kind: "answer" });
  expect(service.requests).toHaveLength(1);
  expect(onFirstByte).not.toHaveBeenCalled();
  await agent.destroy();
});

test("TLS failures are explained and not tried again", async () => {
  const server = createTlsServer({ cert: UNTRUSTED_CERTIFICATE, key: UNTRUSTED_KEY });
  server.on("tlsClientError", () => undefined);
  const secured = vi.fn();
  server.on("secureConnection", (socket) => socket.on("data", secured));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await using called = clientFor(`https://127.0.0.1:${port}`);
  const untrusted = await called.client.check(CHECK, CREDENTIAL);
  expect(untrusted).toMatchObject({ outcome: "not_sent", reason: "tls_failed", attempts: 1 });
  expect(untrusted.explanation).toMatch(/certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\).*--ca/);
  expect(secured).not.toHaveBeenCalled();
  server.close();

  await using plain = await startHostileService(
    [stall],
    (socket) => void socket.write("HTTP/1.1 400 Bad\r\n\r\n"),
  );
  await using mistaken = clientFor(plain.url.replace("http:", "https:"));
  const wrong = await mistaken.client.check(CHECK, CREDENTIAL);
  expect(wrong).toMatchObject({ outcome: "not_sent", reason: "tls_failed", attempts: 1 });
  expect(wrong.explanation).toMatch(/speaks https/);

  await using slammed = await startHostileService([], (socket) => void socket.resetAndDestroy());
  await using reset = clientFor(slammed.url.replace("http:", "https:"));
  expect(await reset.client.check(CHECK, CREDENTIAL)).toMatchObject({ reason: "tls_failed", attempts: 1 });
});

test.each([
  ["http://risk.example.com", "plain_http"],
  ["http://127.0.0.1.example.com", "plain_http"],
  ["http://[::2]", "plain_http"],
  ["http://128.0.0.1", "plain_http"],
  ["ftp://127.0.0.1", "bad_address"],
  ["risk.example.com", "bad_address"],
  ["", "bad_address"],
  ["https://user:secret@risk.example.com", "bad_address"],
  ["http://user:secret@risk.example.com", "plain_http"],
  ["https://risk.example.com?x=1", "bad_address"],
  ["https://risk.example.com/#x", "bad_address"],
])("nothing is sent to %j", async (url, reason) => {
  await using called = clientFor(url);
  const result = await called.client.check(CHECK, CREDENTIAL);
  expect(result).toMatchObject({ outcome: "not_sent", reason, attempts: 0 });
  expect(result.explanation).toMatch(/^Nothing was sent, because .*: .*\.$/);
  expect(result.explanation).not.toContain("secret");
});

test("nothing is sent while the check of certificates is switched off", async () => {
  await using service = await startHostileService([answer(200, PASS)]);
  const network = readNetwork({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, {});
  await using called = clientFor(service.url, { network });
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({
    outcome: "not_sent",
    reason: "tls_check_disabled",
    attempts: 0,
  });
  expect(service.connections()).toBe(0);
});

test("a body over the limit is not sent", async () => {
  await using service = await startHostileService([answer(200, PASS)]);
  await using called = clientFor(service.url);
  const result = await called.client.check({ ...CHECK, description: "x".repeat(65_536) }, CREDENTIAL);
  expect(result).toMatchObject({ outcome: "not_sent", reason: "body_too_large", attempts: 0 });
  expect(service.connections()).toBe(0);
});

test("a credential with an unknown algorithm is a fault, before anything is sent", async () => {
  await using service = await startHostileService([answer(200, PASS)]);
  await using called = clientFor(service.url);
  const calling = called.client.check(CHECK, { ...CREDENTIAL, algorithm: "rot13" });
  await expect(calling).rejects.toMatchObject({ code: "credential_missing", message: /rot13/ });
  expect(service.connections()).toBe(0);
});

test("cancelling is not sent before the first byte and unknown after it", async () => {
  await using service = await startHostileService([stall]);
  await using called = clientFor(service.url);
  const before = await called.client.check(CHECK, CREDENTIAL, { signal: AbortSignal.abort() });
  expect(before).toMatchObject({ outcome: "not_sent", reason: "cancelled" });
  expect(service.connections()).toBe(0);

  const controller = new AbortController();
  const calling = called.client.check(CHECK, CREDENTIAL, { signal: controller.signal });
  await vi.waitFor(() => expect(service.requests).toHaveLength(1));
  controller.abort();
  expect(await calling).toMatchObject({ outcome: "unknown", reason: "cancelled", attempts: 1 });
});

test("a fault in the first-byte callback keeps the request from being written", async () => {
  await using service = await startHostileService([answer(200, PASS)]);
  await using called = clientFor(service.url);
  const onFirstByte = (): void => {
    throw new Error("cannot be recorded");
  };
  expect(await called.client.check(CHECK, CREDENTIAL, { onFirstByte })).toMatchObject({
    outcome: "not_sent",
    reason: "send_failed",
  });
  expect(service.bytes()).toBe(0);
});

test("a sandbox proves itself on each connection, before anything else is sent", async () => {
  const prove = proof();
  const pass = answer(200, PASS);
  await using service = await startHostileService([
    (socket, request) => (request.line.startsWith("GET") ? prove : pass)(socket, request),
  ]);
  await using called = clientFor(service.url, { sandbox: PROOF_KEY });
  const sent = (): string[] => service.requests.map(({ line }) => line.split(" ")[1]!);
  await called.client.check(CHECK, CREDENTIAL);
  expect(sent()).toEqual([ADMIN.proof, "/v1/check"]);
  for (let round = 0; round < 10; round++) {
    expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ outcome: "answered", attempts: 1 });
  }
  expect(sent().filter((path) => path === ADMIN.proof)).toHaveLength(service.connections());
  const challenges = service.requests.map(({ headers }) => headers.get(HEADER.challenge));
  await called.client.close();
  service.play(prove, pass);
  await called.client.check(CHECK, CREDENTIAL);
  expect(sent()).toEqual([ADMIN.proof, "/v1/check"]);
  expect(challenges).not.toContain(service.requests[0]!.headers.get(HEADER.challenge));
});

test("a reused port never gets a payment", async () => {
  const strangers: readonly Behaviour[] = [
    proof({ ...PROOF_KEY, adminToken: "another" }),
    proof({ ...PROOF_KEY, folderId: "1:3" }),
    // A sandbox that lives elsewhere was asked by the stranger: it has signed its own port.
    proof(PROOF_KEY, 1),
    proof(PROOF_KEY, undefined, "HTTP/1.1 200 OK\r\n\r\n"),
    raw(`HTTP/1.1 204 No Content\r\n${HEADER.proof}: \r\n\r\n`),
    raw(`HTTP/1.1 204 No Content\r\n${HEADER.proof}: ${"\u00e9".repeat(43)}\r\n\r\n`),
    raw("HTTP/1.1 204 No Content\r\n\r\n"),
    answer(200, "{}"),
    flood("SSH-2.0\r\n"),
    rawThenClose("HTTP/1.1 204"),
  ];
  for (const stranger of strangers) {
    await using service = await startHostileService([stranger]);
    await using called = clientFor(service.url, { sandbox: PROOF_KEY });
    const onFirstByte = vi.fn();
    expect(await called.client.check(CHECK, CREDENTIAL, { onFirstByte })).toMatchObject({
      outcome: "not_sent",
      reason: "wrong_instance",
      attempts: 1,
    });
    expect(service.requests.map(({ line }) => line)).toEqual([`GET ${ADMIN.proof} HTTP/1.1`]);
    expect(onFirstByte).not.toHaveBeenCalled();
  }
});

test("after a failure the next connection has to be proven, too", async () => {
  const another = proof({ ...PROOF_KEY, adminToken: "another" });
  await using service = await startHostileService([proof(), cut, another]);
  await using called = clientFor(service.url, { sandbox: PROOF_KEY });
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ outcome: "unknown" });
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({ reason: "wrong_instance" });
});

test("a silent stranger ends with the deadline, and no connection is a plain refusal", async () => {
  await using service = await startHostileService([stall]);
  await using called = clientFor(service.url, { sandbox: PROOF_KEY, deadlineMs: 150 });
  expect(await called.client.check(CHECK, CREDENTIAL)).toMatchObject({
    outcome: "not_sent",
    reason: "deadline",
  });
  await using slow = clientFor(service.url, { sandbox: PROOF_KEY, connectTimeoutMs: 20 });
  expect(await slow.client.check(CHECK, CREDENTIAL)).toMatchObject({
    outcome: "not_sent",
    reason: "connect_timeout",
  });
  await using alone = clientFor(await closedPort(), { sandbox: PROOF_KEY });
  expect(await alone.client.check(CHECK, CREDENTIAL)).toMatchObject({
    reason: "connect_refused",
    attempts: 3,
  });
  expect(service.requests.every(({ line }) => line === `GET ${ADMIN.proof} HTTP/1.1`)).toBe(true);
});
