// What the sandbox refuses, and with which error.

import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ERROR_SLUGS, type Call } from "#src/contract/wire/wire.ts";
import {
  call,
  CHECK,
  makeProject,
  registration,
  send,
  signedCall,
  startSandbox,
  type Answer,
} from "./sandbox-under-test.ts";

function expectError(answer: Answer, slug: keyof typeof ERROR_SLUGS): void {
  expect([answer.status, answer.body["error"]]).toEqual([ERROR_SLUGS[slug], slug]);
  expect(answer.body).toMatchObject({
    status: "error",
    message: expect.any(String),
    request_id: expect.any(String),
  });
  expect(answer.body).not.toHaveProperty("code");
}

/** Writes raw text, then what is later, each in a turn of its own, and reads until the other side ends. */
async function raw(port: number, text: string, later: readonly string[] = []): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.write(text);
    socket.setNoDelay(true);
    void (async () => {
      for (const part of later) {
        for (let turn = 0; turn < 3; turn += 1) await setImmediate();
        socket.write(part);
      }
    })();
  });
}

test("bodies that are not strict JSON, or not the fields of the call", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  const refused: [Call, string, keyof typeof ERROR_SLUGS][] = [
    ["check", "", "invalid_json"],
    ["check", "{", "invalid_json"],
    ["check", `{"amount":1,"amount":2}`, "invalid_json"],
    ["check", `{"payer":{"email":"a","email":"b"}}`, "invalid_json"],
    ["check", `{"__proto__":{}}`, "invalid_json"],
    ["check", `${'{"payer":'.repeat(17)}1${"}".repeat(17)}`, "invalid_json"],
    ["check", "[]", "invalid_request"],
    ["check", "null", "invalid_request"],
    ["check", JSON.stringify({ ...CHECK, amount: "12000" }), "invalid_request"],
    ["check", JSON.stringify({ ...CHECK, amount: -1 }), "invalid_request"],
    ["check", JSON.stringify(CHECK).replace("12000", "12e3"), "invalid_request"],
    ["check", JSON.stringify({ ...CHECK, order_id: undefined }), "invalid_request"],
    ["check", JSON.stringify({ ...CHECK, payer: "payer-1" }), "invalid_request"],
    ["register", JSON.stringify({ ...registration("m"), currency: undefined }), "invalid_request"],
    ["register", JSON.stringify({ ...registration("m"), risk_level: "HIGH" }), "invalid_request"],
    ["credential", JSON.stringify({ merchant_id: "m" }), "invalid_request"],
    ["credential", JSON.stringify({ merchant_id: "m", risk_level: "low" }), "project_not_found"],
  ];
  for (const [name, body, slug] of refused) {
    expectError(await call(sandbox, name, name === "check" ? project : company, body), slug);
  }
  const missing = await call(sandbox, "check", project, {});
  expect((missing.body["fields"] as { path: string }[]).map(({ path }) => path).toSorted()).toEqual([
    "amount",
    "currency",
    "operation",
    "order_id",
  ]);
  expect((await sandbox.status()).decisions).toBe(0);
});

test("card data is refused on every call and repeated nowhere", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  const number = "4111 1111 1111 1111";
  // Four digits alone stand in a random request id now and then.
  const IN_PART = /1111.?1111/;
  const answers = [
    await call(sandbox, "check", project, { ...CHECK, description: `paid with ${number}` }),
    await call(sandbox, "check", project, { ...CHECK, card: { cvv: 123 } }),
    await call(sandbox, "register", company, { ...registration("m"), name: number }),
    await call(sandbox, "credential", company, { merchant_id: number, risk_level: "low" }),
  ];
  for (const answer of answers) {
    expectError(answer, "card_data_refused");
    expect(answer.text).not.toMatch(IN_PART);
  }
  expect(answers[0]!.body["fields"]).toMatchObject([{ path: "description" }]);
  expect(JSON.stringify(sandbox.logged)).not.toMatch(IN_PART);
});

test("a body of 64 KiB is read, one byte more is refused", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const text = JSON.stringify(CHECK);
  const padded = (bytes: number): string => text + " ".repeat(bytes - text.length);
  expect((await call(sandbox, "check", project, padded(65_536))).status).toBe(200);
  expectError(await call(sandbox, "check", project, padded(65_537)), "body_too_large");
  expectError(await call(sandbox, "check", project, padded(900_000)), "body_too_large");
  const { headers } = signedCall(sandbox.port, "check", project, CHECK);
  const announced = await raw(
    sandbox.port,
    `POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n`,
  );
  expect(announced).toMatch(/^HTTP\/1\.1 413 /);
  const chunked = await send(sandbox.port, {
    method: "POST",
    path: "/v1/check",
    headers: { ...(headers as Record<string, string>), "transfer-encoding": "chunked" },
    body: padded(65_537),
  });
  expectError(chunked, "body_too_large");
});

test("a body is what was sent, in however many pieces it arrives, at once or later", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  let sent = 0;
  async function arriving(
    split: (body: string) => string[],
    length: (body: string) => string,
  ): Promise<string> {
    const text = JSON.stringify({ ...CHECK, description: `${(sent += 1)}` }).padEnd(40_000, " ");
    const { path, headers, body } = signedCall(sandbox.port, "check", project, text);
    const lines = Object.entries({ ...headers, host: `127.0.0.1:${sandbox.port}`, connection: "close" });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const [first, ...later] = split(String(body));
    const start = `POST ${path} HTTP/1.1\r\n${head}${length(String(body))}\r\n\r\n`;
    return await raw(sandbox.port, start + first!, later);
  }
  const announced = (body: string): string => `content-length: ${body.length}`;
  const chunked = (): string => "transfer-encoding: chunked";
  const chunks = (body: string): string[] =>
    (body.match(/.{1,999}/gs) ?? []).map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
  const answers = await Promise.all([
    arriving((body) => [body], announced),
    arriving((body) => ["", body], announced),
    arriving((body) => [body.slice(0, 9), body.slice(9, 20_000), body.slice(20_000)], announced),
    arriving((body) => [`${chunks(body).join("")}0\r\n\r\n`], chunked),
    arriving((body) => [...chunks(body), "0\r\n\r\n"], chunked),
  ]);
  // A byte that is missing would break the signature.
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test("media types but JSON and encoded bodies are refused", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const sentAs = (changes: Record<string, string | undefined>) =>
    call(sandbox, "check", project, CHECK, {
      headers: (signed) =>
        Object.fromEntries(
          Object.entries({ ...signed, ...changes }).filter(([, value]) => value !== undefined),
        ) as Record<string, string>,
    });
  for (const type of [
    undefined,
    "",
    "text/json",
    "application/jsonx",
    "application/json; charset=latin1",
    "application/json, a/b",
  ]) {
    expectError(await sentAs({ "content-type": type }), "unsupported_media_type");
  }
  for (const encoding of ["gzip", "br", "identity, gzip"]) {
    expectError(await sentAs({ "content-encoding": encoding }), "unsupported_media_type");
  }
  expect((await sentAs({ "content-encoding": "identity" })).status).toBe(200);
});

test("unknown addresses, wrong methods, too many and too large headers", async () => {
  const sandbox = await startSandbox();
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    send(sandbox.port, { method, path, headers });
  for (const path of ["/", "/v1/check/", "/V1/check", "/v1/checks", "/%zz", "/_sandbox/status"]) {
    expectError(await ask("POST", path), "not_found");
  }
  const wrong = await ask("GET", "/v1/check");
  expectError(wrong, "method_not_allowed");
  expect(wrong.headers["allow"]).toBe("POST");
  expectError(await ask("PUT", "/projects"), "method_not_allowed");
  expectError(await ask("DELETE", "/projects/credential"), "method_not_allowed");
  const posted = await ask("POST", "/health");
  expectError(posted, "method_not_allowed");
  expect(posted.headers["allow"]).toBe("GET, HEAD");

  const many = Object.fromEntries(Array.from({ length: 51 }, (_, number) => [`x-${number}`, "1"]));
  expectError(await ask("GET", "/health", many), "headers_too_large");
  expectError(await ask("GET", "/health", { "x-large": "a".repeat(8_300) }), "headers_too_large");
  expect((await ask("GET", "/health", { "x-large": "a".repeat(7_000) })).status).toBe(200);
});

test("what is not HTTP gets an answer of the same shape", async () => {
  const sandbox = await startSandbox();
  const answer = await raw(sandbox.port, "HELLO\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain("x-verdict-sandbox: 1\r\n");
  expect(answer).toContain(`"error":"invalid_request"`);
});

test("headers and bodies that drip in are cut off in time", async () => {
  const sandbox = await startSandbox({ limits: { headersMs: 200, requestMs: 400 } });
  const [headers, body] = await Promise.all([
    raw(sandbox.port, "GET /health HTTP/1.1\r\nhost: x\r\n"),
    raw(
      sandbox.port,
      "POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{",
    ),
  ]);
  for (const answer of [headers, body]) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain(`"error":"request_timeout"`);
  }
});

const JSON_HEAD = "host: x\r\ncontent-type: application/json\r\n";

test.each<[string, string, keyof typeof ERROR_SLUGS]>([
  ["no Host", "POST /v1/check HTTP/1.1\r\ncontent-length: 0\r\n\r\n", "invalid_request"],
  ["no Host on a way of its own", "GET /health HTTP/1.1\r\n\r\n", "invalid_request"],
  ["no version", "GET /health\r\n\r\n", "invalid_request"],
  ["HTTP/0.9", "GET /health HTTP/0.9\r\nhost: x\r\n\r\n", "invalid_request"],
  ["HTTP/2.0", "GET /health HTTP/2.0\r\nhost: x\r\n\r\n", "invalid_request"],
  ["HTTP/1.2", "GET /health HTTP/1.2\r\nhost: x\r\n\r\n", "invalid_request"],
  ["CONNECT", "CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: x\r\n\r\n", "method_not_allowed"],
  ["TRACE", "TRACE /v1/check HTTP/1.1\r\nhost: x\r\n\r\n", "method_not_allowed"],
  ["TRACE of a question", "TRACE /health HTTP/1.1\r\nhost: x\r\n\r\n", "method_not_allowed"],
  ["OPTIONS", "OPTIONS /v1/check HTTP/1.1\r\nhost: x\r\n\r\n", "method_not_allowed"],
  ["HEAD", "HEAD /v1/check HTTP/1.1\r\nhost: x\r\n\r\n", "method_not_allowed"],
  ["BREW", "BREW /v1/check HTTP/1.1\r\nhost: x\r\n\r\n", "invalid_request"],
  [
    "two transfer codings in two lines",
    `POST /v1/check HTTP/1.1\r\n${JSON_HEAD}transfer-encoding: identity\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    "invalid_request",
  ],
  [
    "two transfer codings in one line",
    `POST /v1/check HTTP/1.1\r\n${JSON_HEAD}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    "invalid_request",
  ],
  [
    "a transfer coding in HTTP/1.0",
    `POST /v1/check HTTP/1.0\r\n${JSON_HEAD}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    "invalid_request",
  ],
])("every refusal is the service's own answer, with the sandbox's marks: %s", async (_name, text, slug) => {
  const { port } = await startSandbox();
  const closing = text.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
  const answer = await raw(port, text.includes("\r\nhost") || text.includes("length") ? closing : text);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${ERROR_SLUGS[slug]} `));
  expect(head).toMatch(/^x-verdict-sandbox: 1\r$/m);
  expect(head).toMatch(/^x-verdict-time: \d{4}-/m);
  expect(head).toMatch(/^content-type: application\/json/m);
  if (!text.startsWith("HEAD")) expect(JSON.parse(body)).toMatchObject({ status: "error", error: slug });
  expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
});

test("a broken request after a served one on the same connection is answered, too", async () => {
  const { port } = await startSandbox();
  const answers = await raw(port, "GET /health HTTP/1.1\r\nhost: x\r\n\r\n", ["broken\r\n\r\n"]);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
});

test("HTTP/1.0 is served without a Host, and ends its connection", async () => {
  const { port } = await startSandbox();
  expect(await raw(port, "GET /health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
});

test("a byte order mark before the body is refused, as the client refuses it in answers", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  expectError(await call(sandbox, "check", project, `\ufeff${JSON.stringify(CHECK)}`), "invalid_json");
});
