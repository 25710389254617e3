// Every limit exactly: what is just within it is served, and what is one beyond it is refused.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ERROR_SLUGS } from "#src/contract/wire/wire.ts";
import { call, CHECK, makeProject, send, signedCall, startSandbox } from "./sandbox-under-test.ts";

interface RawAnswer {
  readonly status: number;
  readonly error: string | null;
  /** From the first byte sent to the end of the connection or the answer, in ms. */
  readonly afterMs: number;
}

/** Sends pieces of a request, each after a time, and reads the first answer or the end. */
async function raw(port: number, pieces: readonly (string | number)[]): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  let text = "";
  const answered = new Promise<void>((resolve) => {
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/^content-length: (\d+)/im.exec(text)?.[1]);
      if (head !== -1 && text.length >= head + 4 + length) resolve();
    });
    socket.on("close", () => resolve());
    socket.on("error", () => resolve());
  });
  const began = performance.now();
  for (const piece of pieces) {
    if (typeof piece === "number") {
      await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, piece))]);
    } else if (socket.writable) socket.write(piece);
  }
  await answered;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  const error = /"error":"(\w+)"/.exec(text)?.[1] ?? null;
  return { status, error, afterMs: performance.now() - began };
}

function refusal(slug: keyof typeof ERROR_SLUGS): { status: number; error: string } {
  return { status: ERROR_SLUGS[slug], error: slug };
}

const GET = "GET /health HTTP/1.1\r\nhost: x\r\n";
const END = "\r\n";

test("50 headers, and not 51", async () => {
  const { port } = await startSandbox();
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, number) => `x-${number}: 1\r\n`).join("");
  // The host is the first of them.
  expect(await raw(port, [GET + lines(49) + END])).toMatchObject({ status: 200 });
  expect(await raw(port, [GET + lines(50) + END])).toMatchObject(refusal("headers_too_large"));
  // Far beyond what is counted one by one, too.
  expect(await raw(port, [GET + lines(600) + END])).toMatchObject(refusal("headers_too_large"));
});

test("less than 8 KiB of headers, and not one byte more", async () => {
  const { port } = await startSandbox();
  /** What is not counted: method and version, colons, blanks and line ends. */
  const uncounted = "GET  HTTP/1.1\r\n: \r\n: \r\n\r\n".length;
  const sized = (bytes: number): string => {
    const start = `${GET}x-large: `;
    return `${start}${"a".repeat(uncounted + bytes - start.length - 4)}\r\n${END}`;
  };
  expect(await raw(port, [sized(8 * 1024 - 1)])).toMatchObject({ status: 200 });
  expect(await raw(port, [sized(8 * 1024)])).toMatchObject(refusal("headers_too_large"));
});

test("10 s for headers and 15 s for a request, here a tenth of both", async () => {
  const { port } = await startSandbox({ limits: { headersMs: 1_000, requestMs: 1_500 } });
  // What must not be refused gets the whole times: on a busy machine half a second may last longer.
  const patient = await startSandbox();
  const head =
    "POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n";
  const [quickHead, slowHead, quickBody, slowBody] = await Promise.all([
    raw(patient.port, [GET, 500, END]),
    raw(port, [GET, 4_000, END]),
    raw(patient.port, [head, 700, "{", 300, "}"]),
    raw(port, [head, 1_200, "{", 4_000, "}"]),
  ]);
  expect(quickHead.status).toBe(200);
  expect(slowHead).toMatchObject(refusal("request_timeout"));
  expect(slowHead.afterMs).toBeGreaterThan(900);
  // It arrived, and is no check that anybody signed.
  expect(quickBody).toMatchObject(refusal("unauthorized"));
  expect(slowBody).toMatchObject(refusal("request_timeout"));
  expect(slowBody.afterMs).toBeGreaterThan(1_400);
});

test("JSON as deep as 16, and not 17", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const deep = (depth: number): string =>
    JSON.stringify({ ...CHECK, more: 0 }).replace(
      '"more":0',
      `"more":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}`,
    );
  expect((await call(sandbox, "check", project, deep(16))).status).toBe(200);
  const refused = await call(sandbox, "check", project, deep(17));
  expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_json"]);
});

test("256 connections, and the next one costs exactly one", async () => {
  const sandbox = await startSandbox();
  const open = async (count: number): Promise<Socket[]> => {
    const sockets = Array.from({ length: count }, () => connect(sandbox.port, "127.0.0.1"));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    for (const socket of sockets) socket.on("error", () => undefined);
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    return sockets;
  };
  const sockets = await open(256);
  await expect.poll(async () => (await sandbox.status()).connections).toEqual({ open: 256, limit: 256 });
  expect(sockets.filter((socket) => socket.closed)).toHaveLength(0);
  sockets.push(...(await open(1)));
  await expect.poll(() => sockets.filter((socket) => socket.closed).length).toBe(1);
  expect((await sandbox.status()).connections).toEqual({ open: 256, limit: 256 });
  // Whoever is there now is served.
  const last = sockets.at(-1)!;
  last.write(GET + END);
  expect(String((await once(last, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
});

test("JSON is JSON however its media type is written, and nothing else is", async () => {
  const sandbox = await startSandbox();
  const project = await makeProject(sandbox, await sandbox.company());
  const sentAs = async (changes: Record<string, string>): Promise<number> =>
    (await call(sandbox, "check", project, CHECK, { headers: (signed) => ({ ...signed, ...changes }) }))
      .status;
  const resigned = async (type: string): Promise<number> => {
    // The media type is signed with the rest, so that only one that was signed so is looked at.
    const { body, ...request } = signedCall(sandbox.port, "check", project, CHECK);
    const headers = { ...(request.headers as Record<string, string>), "content-type": type };
    return (await send(sandbox.port, { ...request, headers, body: body! })).status;
  };
  for (const type of ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"']) {
    expect([type, await resigned(type)]).toEqual([type, 401]);
  }
  for (const type of [
    "application/json;",
    "application/json; charset=utf-16",
    "application/json; a=b",
    "json",
  ]) {
    expect([type, await resigned(type)]).toEqual([type, 415]);
  }
  expect(await sentAs({ "content-encoding": "Identity" })).toBe(200);
  for (const encoding of ["gzip", "deflate", "br", "zstd", "identity, identity", "gzip, identity", "x"]) {
    expect([encoding, await sentAs({ "content-encoding": encoding })]).toEqual([encoding, 415]);
  }
});

test("what tells requests apart must be there once: also the host, the media type and the length", async () => {
  const sandbox = await startSandbox();
  const company = await sandbox.company();
  const { body, headers } = signedCall(sandbox.port, "register", company, {
    merchant_id: "m",
    name: "M",
    currency: 980,
    risk_level: "low",
  });
  const lines = Object.entries({
    ...(headers as Record<string, string>),
    "content-length": String(body!.length),
  }).map(([name, value]) => [name.toLowerCase(), value] as const);
  const text = (all: readonly (readonly [string, string])[]): string =>
    `POST /projects HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${String(body)}`;
  for (const [name, value] of lines) {
    for (const again of [value, "other"]) {
      const answer = await raw(sandbox.port, [text([...lines, [name.toUpperCase(), again]])]);
      expect([name, answer.status]).toEqual([
        name,
        name === "accept" || name === "user-agent" ? answer.status : 400,
      ]);
    }
  }
  expect((await sandbox.status()).projects).toBe(0);
  expect((await raw(sandbox.port, [text(lines)])).status).toBe(200);
});
