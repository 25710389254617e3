// Takes bodies of requests as the bytes that were sent, up to a limit, those that arrive together one after another, and reads
// what is in them: strict JSON, no full card numbers, the fields of the call.

import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { validateBody } from "#src/contract/fields/validate.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { Refusal } from "./refusal.ts";

/** A body beyond the limit is still read up to here, so that the sender receives the refusal. */
const PATIENCE_BYTES = 1024 * 1024;

/** `application/json`, optionally with `charset=utf-8`. */
const JSON_TYPE = new RegExp(`^${JSON_MEDIA_TYPE}(?:[ \\t]*;[ \\t]*charset=(?:utf-8|"utf-8"))?$`, "i");

/**
 * Takes a body that has arrived completely, as most have by the end of the turn of their headers, without listeners.
 * @returns null when it is incomplete or longer than `limit` bytes: use `readBody` then
 */
function arrivedBody(stream: IncomingMessage, limit: number): Buffer | null {
  if (!stream.complete || stream.readableLength > limit) return null;
  // Without a length, read() would return the first chunk only.
  return (stream.read(stream.readableLength) as Buffer | null) ?? Buffer.alloc(0);
}

/**
 * Uses listeners, because an async iterator takes as long as reading the body does.
 * @throws Refusal `body_too_large`
 */
function readBody(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      if (size <= Math.max(limit, PATIENCE_BYTES)) return;
      reject(tooLarge(limit));
      stream.destroy();
    });
    stream.on("end", () => {
      if (size > limit) reject(tooLarge(limit));
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    stream.on("error", reject);
    // Every stream emits close; creating an Error takes as long as checking a signature, so only incomplete bodies get one.
    stream.on("close", () => {
      if (!stream.readableEnded) reject(new Error("the request ended before its body"));
    });
  });
}

/**
 * Checks the headers that describe the body, before it is read.
 * @throws Refusal `unsupported_media_type` or `body_too_large`
 */
export function requireJsonBody(request: IncomingMessage, limit: number): void {
  const type = request.headers[HEADER.contentType] ?? "";
  if (type !== JSON_MEDIA_TYPE && !JSON_TYPE.test(type.trim())) {
    throw new Refusal("unsupported_media_type", `The header content-type must be ${JSON_MEDIA_TYPE}.`);
  }
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new Refusal("unsupported_media_type", "The body must be sent without content-encoding.");
  }
  if (Number(request.headers["content-length"] ?? 0) > Math.max(limit, PATIENCE_BYTES)) throw tooLarge(limit);
}

function tooLarge(limit: number): Refusal {
  return new Refusal("body_too_large", `The body is larger than ${limit} bytes; send less.`, { close: true });
}

/** Reads bodies as they are, of every media type. */
export function acceptBodies(app: FastifyInstance, bodyBytes: number): void {
  app.removeAllContentTypeParsers();
  const inBatch = createBatchQueue();
  // Also by name: Fastify searches for a parser that is found by "*" at every request.
  app.addContentTypeParser([JSON_MEDIA_TYPE, "*"], (_request, payload: IncomingMessage, done) => {
    const late = (body: Buffer): void => inBatch(() => done(null, body));
    inBatch(() => {
      const body = arrivedBody(payload, bodyBytes);
      if (body === null) readBody(payload, bodyBytes).then(late, done);
      else done(null, body);
    });
  });
}

/** Requests in one batch; a larger one gains nothing more and delays all other work. */
const MAX_BATCH = 32;

/**
 * Requests that arrive in one turn of the event loop take each step together, while its code and data are in the processor's
 * caches (cohort scheduling: Larus and Parkes, USENIX 2002). 32 at once, a check takes 7 % less processor time.
 * @returns queues a callback for the next batch; those of a batch run one after another, in the order of the calls
 */
export function createBatchQueue(maxBatch = MAX_BATCH): (run: () => void) => void {
  let batch: (() => void)[] = [];
  return (run) => {
    if (batch.length === 0 || batch.length >= maxBatch) {
      const started: typeof batch = [];
      batch = started;
      setImmediate(() => {
        if (batch === started) batch = [];
        for (const next of started) next();
      });
    }
    batch.push(run);
  };
}

/** @throws Refusal `invalid_json` */
export function parseBody(...given: Parameters<typeof parseStrictJson>): ReturnType<typeof parseStrictJson> {
  try {
    return parseStrictJson(...given);
  } catch (error) {
    if (error instanceof StrictJsonError) throw new Refusal("invalid_json", error.message);
    throw error;
  }
}

/**
 * @param required dotted paths of the fields that must be there
 * @param now virtual time, for the expiry of cards
 * @throws Refusal `invalid_json`, `card_data_refused` or `invalid_request`; the messages repeat no value of the body
 */
export function readDocument(
  body: Uint8Array,
  fields: readonly Field[],
  required: readonly string[],
  now: Milliseconds,
  maxBytes: number,
): unknown {
  const { value, irregularNumbers } = parseBody(body, { maxBytes, bom: "refuse" });
  const card = findCardData(value);
  if (card !== null) {
    const path = escapeText(card.path, 80);
    throw new Refusal("card_data_refused", `Full card data does not belong here: remove it from ${path}.`, {
      fields: [{ path, message: "Only the BIN and the last four digits of a card may be sent." }],
    });
  }
  const findings = validateBody(fields, value, { required, irregularNumbers, now, strict: true });
  const wrong = findings
    .filter((finding) => finding.severity === "error")
    .map(({ path, message }) => ({ path: escapeText(path, 80), message }));
  if (wrong.length > 0) {
    const message = `The request has ${wrong.length === 1 ? "a wrong field" : "wrong fields"}.`;
    throw new Refusal("invalid_request", message, { fields: wrong });
  }
  return value;
}
