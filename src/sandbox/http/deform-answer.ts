// Fault injection into answers: delayed, slow, truncated, with duplicate keys, or none at all.

import { STATUS_CODES } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { LONGEST_FAULT_MS, type FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import {
  ERROR_SLUGS,
  HEADER,
  JSON_MEDIA_TYPE,
  type ErrorBody,
  type ErrorSlug,
} from "#src/contract/wire/wire.ts";

const SLOW_PIECES = 20;

/** Sent instead of JSON. */
const GARBAGE = Buffer.from([0x00, 0xff, ...Buffer.from(`<html>{"status":"success","code":"pa`), 0xc3]);

/** Body of an answer with an injected status. */
export function faultBody(status: number, requestId: string): ErrorBody {
  const slugs = Object.keys(ERROR_SLUGS) as ErrorSlug[];
  const error =
    slugs.find((slug) => ERROR_SLUGS[slug] === status) ??
    (status < 500 ? "invalid_request" : "internal_error");
  return {
    status: "error",
    error,
    message: `${STATUS_CODES[status] ?? "A fault"}, as the sandbox was told to answer`,
    request_id: requestId,
  };
}

/**
 * Sends a deformed body on a reply that is hijacked from Fastify.
 * @param headers those of every answer
 */
export async function sendDeformed(
  effect: Exclude<FaultEffect, { do: "status" | "latency" }>,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const { socket } = request.raw;
  if (effect.do === "reset") return void socket.resetAndDestroy();
  if (effect.do === "timeout") {
    await closedOr(raw, LONGEST_FAULT_MS);
    return void socket.destroy();
  }
  const bytes =
    effect.do === "garbage"
      ? GARBAGE
      : Buffer.from(effect.do === "duplicate_keys" ? doubledKeys(body) : body);
  const length = { "content-length": String(bytes.length) };
  raw.writeHead(200, { ...headers, [HEADER.contentType]: JSON_MEDIA_TYPE, ...length });
  if (effect.do === "truncated") {
    return void raw.write(bytes.subarray(0, bytes.length >> 1), () => socket.end());
  }
  const size = effect.do === "slow_body" ? Math.max(1, Math.ceil(bytes.length / SLOW_PIECES)) : bytes.length;
  for (let at = 0; at < bytes.length && !raw.destroyed; at += size) {
    raw.write(bytes.subarray(at, at + size));
    if (effect.do === "slow_body") await closedOr(raw, (effect.overMs * size) / bytes.length);
  }
  raw.end();
}

/** Resolves after a time, or at once when the connection is gone. */
export function closedOr(raw: FastifyReply["raw"], ms: Milliseconds): Promise<void> {
  return new Promise((resolve) => {
    if (raw.destroyed) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      raw.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    raw.once("close", done);
  });
}

/** Duplicates the recommendation, or else the status; the first occurrence has another value. */
function doubledKeys(body: string): string {
  const value = JSON.parse(body) as Record<string, unknown>;
  const key = "code" in value ? "code" : "status";
  const other = value[key] === "pass" ? "block" : key === "code" ? "pass" : "error";
  return `{${JSON.stringify(key)}:${JSON.stringify(other)},${body.slice(1)}`;
}
