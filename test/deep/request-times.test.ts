// The sandbox's own times for headers and requests, at their full length: 10 s and 15 s.

import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../sandbox/sandbox-under-test.ts";

/** Node looks for connections that are late once a second. */
const LATENESS_MS = 2_500;

/** Sends a beginning, then a drop a second; the answer, and when it came. */
async function dripped(
  port: number,
  beginning: string,
  drop: string,
): Promise<{ text: string; afterMs: number }> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const began = performance.now();
  socket.write(beginning);
  const timer = setInterval(() => socket.writable && socket.write(drop), 1_000);
  const [answer] = (await once(socket, "data")) as [Buffer];
  clearInterval(timer);
  return { text: answer.toString("utf8"), afterMs: performance.now() - began };
}

test("headers are waited for 10 s, and a body until 15 s after the request began", async () => {
  const { port } = await startSandbox();
  const head =
    "POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n";
  const [headers, body] = await Promise.all([
    dripped(port, "GET /health HTTP/1.1\r\nhost: x\r\n", "x-drop: 1\r\n"),
    dripped(port, head, " "),
  ]);
  for (const [{ text, afterMs }, limitMs] of [
    [headers, 10_000],
    [body, 15_000],
  ] as const) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(afterMs).toBeGreaterThan(limitMs - 100);
    expect(afterMs).toBeLessThan(limitMs + LATENESS_MS);
  }
});
