// Callers that waste connections: the honest one is answered while they go on, though nothing of theirs times out.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { SANDBOX_LIMITS } from "#src/sandbox/state/sandbox-limits.ts";
import {
  call,
  CHECK,
  makeProject,
  send,
  signedCall,
  startSandbox,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

/** Beyond the end of a test: no time limit takes a connection from who wastes it. */
const NEVER_MS = 300_000;

interface Attack {
  readonly open: () => Socket;
  /** Sends its next drop, as often as it can. */
  readonly drip: (socket: Socket) => void;
}

const HEAD =
  "POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n";

function attacks(sandbox: SandboxUnderTest): Readonly<Record<string, Attack>> {
  const open =
    (first: string): (() => Socket) =>
    () => {
      const socket = connect(sandbox.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.on("connect", () => first !== "" && socket.write(first));
      return socket;
    };
  const pipelined = "GET /health HTTP/1.1\r\nhost: x\r\n\r\n".repeat(20);
  return {
    idle: { open: open(""), drip: () => undefined },
    slowloris: {
      open: open("GET /health HTTP/1.1\r\nhost: x\r\n"),
      drip: (socket) => socket.write("x-drop: 1\r\n"),
    },
    "slow body": { open: open(HEAD), drip: (socket) => socket.write(" ") },
    "slow read": {
      open: () => {
        const socket = open(pipelined)();
        socket.pause();
        return socket;
      },
      drip: () => undefined,
    },
  };
}

/**
 * Keeps `count` connections of an attack open: what is cut comes again.
 * @param atOnce new ones in one turn of the loop; two turns may pass between an honest connection and its first byte, and
 *   as many new ones as the limit push out every connection that has sent nothing
 */
function wage(attack: Attack, count: number, atOnce: number = 50): { readonly made: () => number } {
  let made = 0;
  const sockets = new Set<Socket>();
  const reopen = (): void => {
    made += 1;
    const socket = attack.open();
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  for (let number = 0; number < count; number += 1) reopen();
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) attack.drip(socket);
    for (let missing = Math.min(atOnce, count - sockets.size); missing > 0; missing -= 1) reopen();
  }, 50);
  onTestFinished(() => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  });
  return { made: () => made };
}

test.each([
  ["idle", 1_000],
  ["slowloris", 400],
  ["slow body", 400],
  ["slow read", 300],
] as const)("an honest caller is served during an attack: %s, %i connections", async (name, count) => {
  const sandbox = await startSandbox({ limits: { headersMs: NEVER_MS, requestMs: NEVER_MS } });
  const project = await makeProject(sandbox, await sandbox.company());
  const war = wage(attacks(sandbox)[name]!, count);
  await expect
    .poll(async () => war.made() >= count && (await sandbox.status()).connections.open, { timeout: 60_000 })
    .toBe(256);
  for (let number = 0; number < 10; number += 1) {
    const body = { ...CHECK, order_id: `honest-${number}`, payer: { payer_id: `p-${number}` } };
    const request = signedCall(sandbox.port, "check", project, body);
    expect((await send(sandbox.port, request)).status).toBe(200);
  }
  expect((await sandbox.status()).connections.open).toBeLessThanOrEqual(256);
});

test("all at once, and a connection that is kept alive in between is not lost to them", async () => {
  const sandbox = await startSandbox({ limits: { connections: 64 } });
  const project = await makeProject(sandbox, await sandbox.company());
  for (const attack of Object.values(attacks(sandbox))) wage(attack, 60, 7);
  await expect.poll(async () => (await sandbox.status()).connections.open, { timeout: 60_000 }).toBe(64);
  for (let number = 0; number < 5; number += 1) {
    const body = { ...CHECK, order_id: `o-${number}`, payer: { payer_id: `p-${number}` } };
    expect((await call(sandbox, "check", project, body)).status).toBe(200);
  }
});

test("there are never more connections than the limit, and the limits are those of the design", async () => {
  expect(SANDBOX_LIMITS).toMatchObject({
    headersMs: 10_000,
    requestMs: 15_000,
    bodyBytes: 65_536,
    headerBytes: 8_192,
    headerCount: 50,
    connections: 256,
    drainMs: 5_000,
  });
  const sandbox = await startSandbox({ limits: { connections: 5 } });
  const sockets = Array.from({ length: 20 }, () => connect(sandbox.port, "127.0.0.1"));
  for (const socket of sockets) socket.on("error", () => undefined);
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await expect.poll(() => sockets.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(5);
  expect((await sandbox.status()).connections).toEqual({ open: 5, limit: 5 });
});
