// Reading and answering JSON on the administrative plane.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "#src/contract/fault.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import { HEADER, JSON_DEPTH_LIMIT, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";

/**
 * The body as an object; anything else counts as an empty one.
 * @throws Refusal `invalid_json`
 */
export function readObject(request: FastifyRequest, maxBytes: number): Record<string, unknown> {
  const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  try {
    const { value } = parseStrictJson(body, { maxBytes, maxDepth: JSON_DEPTH_LIMIT });
    return (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof StrictJsonError) throw new Refusal("invalid_json", error.message);
    throw error;
  }
}

export function wrongRequest(message: string): Refusal {
  return new Refusal("invalid_request", message);
}

/** Runs work and answers its faults as refusals with their sentence. */
export async function withWords<R>(work: () => Promise<R> | R): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault && error.code !== "storage") throw wrongRequest(error.message);
    if (error instanceof Fault) throw new Refusal("unavailable", error.message);
    throw error;
  }
}

export function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.header(HEADER.contentType, JSON_MEDIA_TYPE).send(JSON.stringify(body));
}
