// Opens connections to a sandbox that proves its identity before any request is written.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { type ProofKey, sandboxProof } from "#src/signing/sandbox-proof.ts";

/** Another program listens on the sandbox's port; it received a random challenge only. */
export class UnexpectedServerError extends Error {
  constructor() {
    super("another program listens on this address");
    this.name = "UnexpectedServerError";
  }
}

/** The sandbox's proof is shorter. */
const ANSWER_LIMIT_BYTES = 4096;

/**
 * Opens a connection and verifies the other side's proof, see `sandboxProof`.
 * @param done called once: with the connection, with UnexpectedServerError, or with the system's error where there is no
 *   connection; its code is ETIMEDOUT after `timeoutMs`
 */
export function connectProven(
  key: ProofKey,
  {
    host,
    port,
    timeoutMs,
  }: { readonly host: string; readonly port: number; readonly timeoutMs: Milliseconds },
  done: (...result: [null, Socket] | [Error, null]) => void,
): void {
  const challenge = randomBytes(32).toString("base64url");
  const socket = connect({ host, port, noDelay: true });
  let answer = "";
  const settle = (error: Error | null): void => {
    clearTimeout(timer);
    socket.off("readable", read).off("error", settle).off("end", refuse);
    if (error === null) return done(null, socket);
    socket.on("error", () => undefined).destroy();
    done(error, null);
  };
  const refuse = (): void => settle(new UnexpectedServerError());
  const read = (): void => {
    answer += (socket.read() as Buffer | null)?.toString("latin1") ?? "";
    if (answer.includes("\r\n\r\n"))
      settle(isProof(answer, key, port, challenge) ? null : new UnexpectedServerError());
    else if (answer.length > ANSWER_LIMIT_BYTES) refuse();
  };
  const timer = setTimeout(() => {
    settle(Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" }));
  }, timeoutMs);
  socket.on("error", settle).on("end", refuse).on("readable", read);
  socket.write(
    `GET ${ADMIN.proof} HTTP/1.1\r\nhost: ${host}:${port}\r\n${HEADER.challenge}: ${challenge}\r\n\r\n`,
  );
}

/** True for the sandbox's whole answer with nothing behind it: 204 has no body (RFC 9110 section 15.3.5). */
function isProof(answer: string, key: ProofKey, port: number, challenge: string): boolean {
  const given = new RegExp(`\r\n${HEADER.proof}: ([^\r\n]*)\r\n`, "i").exec(answer)?.[1] ?? "";
  const expected = Buffer.from(sandboxProof(key, port, challenge));
  const whole = answer.startsWith("HTTP/1.1 204 ") && answer.indexOf("\r\n\r\n") === answer.length - 4;
  return whole && given.length === expected.length && timingSafeEqual(Buffer.from(given, "latin1"), expected);
}
