// Recognizes documents that are no payment (HAR, Postman, OpenAPI, package.json), so that they are refused with a reason.

import { getPath, isJsonObject, ownValue } from "./body-path.ts";
import { CHECK_FIELDS } from "./check-fields.ts";

const IMPORT = 'take its payments with "verdict payload import"';
const OTHER = "give a check request instead";

/** Kinds of documents that programs write and that are no payment. */
export type ForeignKind = "har" | "postman" | "openapi" | "package";

interface Foreign {
  readonly kind: ForeignKind;
  /** Half a sentence that begins with "it" and has no full stop. */
  readonly problem: string;
  matches(body: unknown): boolean;
  /** Matches the beginning of a text that is too large or too deep to be parsed. */
  readonly begins: RegExp;
}

const FOREIGN: readonly Foreign[] = [
  {
    kind: "har",
    problem: `it looks like a HAR file, a recording of HTTP requests, and is no payment; ${IMPORT}`,
    matches: (body) => Array.isArray(getPath(body, "log.entries")),
    begins: /^\s*\{\s*"log"\s*:\s*\{/,
  },
  {
    kind: "postman",
    problem: `it looks like a Postman collection, and is no payment; ${IMPORT}`,
    matches: (body) => /getpostman/.test(String(getPath(body, "info.schema"))),
    begins: /^\s*\{\s*"info"\s*:\s*\{[^}]*getpostman/,
  },
  {
    kind: "openapi",
    problem: `it looks like an OpenAPI document, and is no payment; ${IMPORT}`,
    matches: (body) =>
      typeof (ownValue(body, "openapi") ?? ownValue(body, "swagger")) === "string" &&
      isJsonObject(ownValue(body, "info")),
    begins: /^\s*\{\s*"(?:openapi|swagger)"\s*:\s*"/,
  },
  {
    kind: "package",
    problem: `it looks like a package file of npm, and is no payment; ${OTHER}`,
    matches: (body) =>
      typeof ownValue(body, "name") === "string" && typeof ownValue(body, "version") === "string",
    begins: /^\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"version"\s*:\s*"/,
  },
];

const UNKNOWN = `it has no field of a check request such as order_id or amount, and is no payment; ${OTHER}`;

/** Paths that only a payment has; many other documents have a description, and registrations a currency, too. */
const PAYMENT_PATHS = CHECK_FIELDS.map(({ path }) => path).filter(
  (path) => path !== "description" && path !== "currency",
);

/** Characters at the start of a text that are examined. */
const HEAD = 2_048;

/**
 * The kind of a document that has no field of a check request other than `description` and `currency`.
 * @returns null for a payment, well-formed or not, and for an unknown kind
 */
export function foreignDocument(body: unknown): Foreign | null {
  return hasCheckField(body) ? null : (FOREIGN.find(({ matches }) => matches(body)) ?? null);
}

/** The problem of any object without such a field, also of an unknown kind; null for a payment, well-formed or not. */
export function notPaymentProblem(body: unknown): string | null {
  return hasCheckField(body) ? null : (foreignDocument(body)?.problem ?? UNKNOWN);
}

function hasCheckField(body: unknown): boolean {
  return PAYMENT_PATHS.some((path) => getPath(body, path) !== undefined);
}

/**
 * The same for a text that cannot be parsed within the limits of a payload.
 * @returns null where its beginning is of no known kind
 */
export function foreignTextProblem(text: Uint8Array | string): string | null {
  const head = typeof text === "string" ? text : new TextDecoder().decode(text.subarray(0, HEAD));
  return FOREIGN.find(({ begins }) => begins.test(head.slice(0, HEAD)))?.problem ?? null;
}

/** A problem as a whole sentence. */
export function asSentence(problem: string): string {
  return `${problem[0]!.toUpperCase()}${problem.slice(1)}.`;
}
