// What people mistake for a payment: named, so that nothing of it is sent, whatever the service would make of it.

import { getPath, isJsonObject, ownValue } from "./body-path.ts";
import { CHECK_FIELDS } from "./check-fields.ts";

const COPY = "copy the body of the check out of it into a file of its own";
const OTHER = "give a check request instead";

interface Foreign {
  /** What it is, and what to do. */
  readonly problem: string;
  matches(body: unknown): boolean;
  /** Begins a text that is too large or too deep to be read. */
  readonly begins: RegExp;
}

const FOREIGN: readonly Foreign[] = [
  {
    problem: `it looks like a HAR file, a recording of HTTP requests, and is no payment; ${COPY}`,
    matches: (body) => Array.isArray(getPath(body, "log.entries")),
    begins: /^\s*\{\s*"log"\s*:\s*\{/,
  },
  {
    problem: `it looks like a Postman collection, and is no payment; ${COPY}`,
    matches: (body) => /getpostman/.test(String(getPath(body, "info.schema"))),
    begins: /^\s*\{\s*"info"\s*:\s*\{[^}]*getpostman/,
  },
  {
    problem: `it looks like an OpenAPI document, and is no payment; ${OTHER}`,
    matches: (body) =>
      typeof (ownValue(body, "openapi") ?? ownValue(body, "swagger")) === "string" &&
      isJsonObject(ownValue(body, "info")),
    begins: /^\s*\{\s*"(?:openapi|swagger)"\s*:\s*"/,
  },
  {
    problem: `it looks like a package file of npm, and is no payment; ${OTHER}`,
    matches: (body) =>
      typeof ownValue(body, "name") === "string" && typeof ownValue(body, "version") === "string",
    begins: /^\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"version"\s*:\s*"/,
  },
];

const UNKNOWN = `it has no field of a check request such as order_id or amount, and is no payment; ${OTHER}`;

/** Many a document has a description. */
const TELLING = CHECK_FIELDS.map(({ path }) => path).filter((path) => path !== "description");

/** Characters at the start of a text in which a document shows what it is. */
const HEAD = 2_048;

/**
 * What an object without one field of a check request besides `description` is instead.
 * @returns half a sentence that begins with "it" and has no full stop; null for a payment, well-formed or not, and where
 *   nothing is known about it
 */
export function foreignProblem(body: unknown): string | null {
  return hasCheckField(body) ? null : (FOREIGN.find(({ matches }) => matches(body))?.problem ?? null);
}

/** Half a sentence, as above, for any object that has none of those fields; null for a payment, well-formed or not. */
export function notPaymentProblem(body: unknown): string | null {
  return hasCheckField(body) ? null : (foreignProblem(body) ?? UNKNOWN);
}

function hasCheckField(body: unknown): boolean {
  return TELLING.some((path) => getPath(body, path) !== undefined);
}

/**
 * What a text is, instead of a payment, that cannot be read as JSON within the limits of a payload.
 * @returns null where its beginning does not show what it is
 */
export function foreignTextProblem(text: Uint8Array | string): string | null {
  const head = typeof text === "string" ? text : new TextDecoder().decode(text.subarray(0, HEAD));
  return FOREIGN.find(({ begins }) => begins.test(head.slice(0, HEAD)))?.problem ?? null;
}

/** A problem as a sentence of its own. */
export function asSentence(problem: string): string {
  return `${problem[0]!.toUpperCase()}${problem.slice(1)}.`;
}
