// Recognizes documents that are no payment (HAR, Postman, OpenAPI, files of other clients, package.json), so that they are refused with a reason.

import { getPath, isJsonObject, ownValue } from "./body-path.ts";
import { CHECK_FIELDS } from "./check-fields.ts";

const IMPORT = 'take its payments with "verdict payload import"';
const OTHER = "give a check request instead";
const AS_COLLECTION = "export it as a Postman collection v2.1 and import that";
const BODIES = "write the bodies of its requests to a .ndjson file, one a line, and import that";
/** Recognized by the whole document alone. */
const NOTHING = /(?!)/;

/** Kinds of documents that programs write and that are no payment. */
export type ForeignKind = "har" | "postman" | "openapi" | "other";

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
    matches: (body) =>
      ["info.schema", "collection.info.schema"].some((path) =>
        /getpostman/.test(String(getPath(body, path))),
      ),
    begins: /^\s*\{\s*(?:"collection"\s*:\s*\{\s*)?"info"\s*:\s*\{[^}]*getpostman/,
  },
  {
    kind: "other",
    problem: `it looks like a Postman collection of version 1; ${AS_COLLECTION}`,
    matches: (body) => isList(body, "order") && firstOf(body, "requests", "url"),
    begins: NOTHING,
  },
  {
    kind: "other",
    problem: `it looks like an export of Insomnia; ${BODIES}`,
    matches: (body) =>
      typeof ownValue(body, "__export_format") === "number" ||
      String(ownValue(body, "type")).startsWith("collection.insomnia.rest"),
    begins: /^\s*\{\s*"_type"\s*:\s*"export"|^type: collection\.insomnia\.rest/,
  },
  {
    kind: "other",
    problem: `it looks like an export of Hoppscotch; ${BODIES}`,
    matches: (body) =>
      isList(body, "folders") && isList(body, "requests") && Object.hasOwn(body as object, "v"),
    begins: NOTHING,
  },
  {
    kind: "other",
    problem: `it looks like an export of Bruno; ${AS_COLLECTION}`,
    matches: (body) =>
      ["request.url", "request.body", "items"].some((path) => firstOf(body, "items", path)) &&
      firstOf(body, "items", "type"),
    begins: /^(?:\ufeff)?\s*meta \{[^}]*\btype: http\b/,
  },
  {
    kind: "other",
    problem: `it looks like the request journal of WireMock; ${BODIES}`,
    matches: (body) => firstOf(body, "requests", "request.method"),
    begins: NOTHING,
  },
  {
    kind: "other",
    problem: `it looks like requests in a text of HTTP, such as a .http or .hurl file; ${BODIES}`,
    matches: () => false,
    begins:
      /^(?:\ufeff)?(?:\s*(?:#|\/\/)[^\n]*\n)*\s*(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)[ \t]+(?:https?:|\/|\{\{)/,
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
    kind: "other",
    problem: `it looks like a package file of npm, and is no payment; ${OTHER}`,
    matches: (body) =>
      typeof ownValue(body, "name") === "string" && typeof ownValue(body, "version") === "string",
    begins: /^\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"version"\s*:\s*"/,
  },
];

const UNKNOWN = `it has no field of a check request such as order_id or amount, and is no payment; ${OTHER}`;

/** Whether the first object of a list in the document has a value at a path. */
function firstOf(body: unknown, key: string, path: string): boolean {
  const list = ownValue(body, key);
  return Array.isArray(list) && getPath(list[0], path) !== undefined;
}

function isList(body: unknown, key: string): boolean {
  return Array.isArray(ownValue(body, key));
}

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
  return foreignText(text)?.problem ?? null;
}

/** The kind of such a text; null for an unknown one. */
export function foreignText(text: Uint8Array | string): Foreign | null {
  const head = typeof text === "string" ? text : new TextDecoder().decode(text.subarray(0, HEAD));
  return FOREIGN.find(({ begins }) => begins.test(head.slice(0, HEAD))) ?? null;
}

/** A problem as a whole sentence. */
export function asSentence(problem: string): string {
  return `${problem[0]!.toUpperCase()}${problem.slice(1)}.`;
}
