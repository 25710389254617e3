import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSandboxAdmin } from "#src/client/sandbox-admin.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { sandboxProof } from "#src/signing/sandbox-proof.ts";
import { PROOF_KEY } from "./proving.ts";

let handle: (request: IncomingMessage, response: ServerResponse) => void;
/** What the server proves itself by. */
let key = PROOF_KEY;
const server = createServer((request, response) => {
  if (request.url !== ADMIN.proof) return handle(request, response);
  const challenge = String(request.headers[HEADER.challenge]);
  response.writeHead(204, { [HEADER.proof]: sandboxProof(key, port, challenge) }).end();
});
const seen: { method: string; url: string; authorization: string; body: string }[] = [];
let port = 0;

beforeEach(async () => {
  seen.length = 0;
  key = PROOF_KEY;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function answering(status: number, body: string): typeof handle {
  return (request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, authorization: headers.authorization ?? "", body: text });
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
  };
}

function admin() {
  return createSandboxAdmin({ adminPort: port, ...PROOF_KEY });
}

test("every call goes to its path with the token", async () => {
  handle = answering(200, '{"virtualTime":1}');
  expect(await admin().status()).toEqual({ virtualTime: 1 });
  await admin().panel();
  await admin().clock();
  await admin().changeClock({ do: "advance", byMs: 5 });
  await admin().decision("a/b");
  await admin().stop();
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", ADMIN.status, ""],
    ["GET", ADMIN.panel, ""],
    ["GET", ADMIN.clock, ""],
    ["POST", ADMIN.clock, '{"do":"advance","byMs":5}'],
    ["GET", `${ADMIN.decisions}/a%2Fb`, ""],
    ["POST", ADMIN.stop, ""],
  ]);
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(
    new Set([`Bearer ${PROOF_KEY.adminToken}`]),
  );
});

test("stopping needs no body in the answer", async () => {
  handle = answering(202, "");
  await expect(admin().stop()).resolves.toBeUndefined();
});

test("a decision that nobody knows is null", async () => {
  handle = answering(404, "{}");
  expect(await admin().decision("d")).toBeNull();
});

test.each([
  [401, "{}"],
  [500, "{}"],
  [200, "{"],
  [200, '{"a":1,"a":2}'],
])("the answer %i %s is a fault of the sandbox, without the token", async (status, body) => {
  handle = answering(status, body);
  const calling = admin().status();
  await expect(calling).rejects.toMatchObject({ name: "Fault", code: "sandbox" });
  await expect(calling).rejects.not.toThrow(/t0ken/);
});

test("nobody there, or a connection that is cut, is a fault of the sandbox", async () => {
  handle = (request) => request.socket.destroy();
  for (const call of [() => admin().clock(), () => admin().lease(), () => admin().stop()]) {
    await expect(call()).rejects.toMatchObject({ name: "Fault", code: "sandbox" });
  }
  const closed = createSandboxAdmin({ adminPort: 1, ...PROOF_KEY });
  await expect(closed.status()).rejects.toMatchObject({ code: "sandbox" });
});

test("who cannot prove that it is the sandbox gets neither the token nor a body", async () => {
  key = { ...PROOF_KEY, adminToken: "another" };
  handle = vi.fn();
  const calls = [() => admin().lease(), () => admin().saveRules("rules: []"), () => admin().stop()];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "sandbox" });
  expect(handle).not.toHaveBeenCalled();
});

test("a lease is held open until it is closed", async () => {
  const ended = vi.fn();
  handle = (request, response) => {
    seen.push({ method: "GET", url: request.url ?? "", authorization: "", body: "" });
    response.on("close", ended);
    response.writeHead(200).flushHeaders();
  };
  const lease = await admin().lease();
  expect(seen[0]!.url).toBe(ADMIN.lease);
  expect(ended).not.toHaveBeenCalled();
  lease.close();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  lease.close();
});

test("a refused lease is a fault", async () => {
  handle = answering(503, "{}");
  await expect(admin().lease()).rejects.toMatchObject({ code: "sandbox" });
});

test("the sandbox's end under a held lease disturbs nobody", async () => {
  handle = (_, response) => response.writeHead(200).flushHeaders();
  const lease = await admin().lease();
  server.closeAllConnections();
  await new Promise((resolve) => setImmediate(resolve));
  lease.close();
});

test("a held lease does not keep a process alive, and ends with it", async () => {
  const ended = vi.fn();
  handle = (_, response) => {
    response.on("close", ended);
    response.writeHead(200).flushHeaders();
  };
  const module = new URL("../../src/client/sandbox-admin.ts", import.meta.url).href;
  const script = `
    const { createSandboxAdmin } = await import(${JSON.stringify(module)});
    await createSandboxAdmin({ adminPort: ${port}, ...${JSON.stringify(PROOF_KEY)} }).lease();
    process.stdout.write("held");`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    timeout: 60_000,
  });
  expect(stdout).toBe("held");
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
});
