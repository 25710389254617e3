// Contract cases for programs in other languages, as examples/contract has them: requests, and what is answered to each.

import { setPath, type JsonObject } from "#src/contract/fields/body-path.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { CREDENTIAL_FIELDS, REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import { exampleBody } from "#src/contract/openapi/openapi-schema.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import { ADMIN, type ClockChange } from "#src/contract/wire/sandbox-wire.ts";
import {
  BODY_LIMIT_BYTES,
  ENDPOINTS,
  ERROR_SLUGS,
  HEADER,
  JSON_DEPTH_LIMIT,
  JSON_MEDIA_TYPE,
  PROBES,
  type Call,
  type ErrorSlug,
} from "#src/contract/wire/wire.ts";
import { MAGIC_VALUES } from "#src/contract/wire/magic-order.ts";
import { SANDBOX_LIMITS } from "#src/sandbox/state/sandbox-limits.ts";
import { openParts } from "#src/signing/recipes/recipe-words.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { ownerHeader } from "#src/signing/sign.ts";

/** A request, and what is answered to it once those before it have been answered. */
export interface ContractCase {
  readonly schema: 1;
  /** What it shows; unique. */
  readonly name: string;
  /** To be left out where the runner has no administrative plane to send to. */
  readonly needs?: "administration";
  readonly method: string;
  readonly path: string;
  /** Before signing, names in lower case; the runner adds `host`, those of the key and those of the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text that is sent in UTF-8. `{run}` in it stands for a text of the runner, another one in each run. */
  readonly body?: string;
  /** In place of `body`, for bytes that are no text. */
  readonly body_base64?: string;
  /** Blanks are added to the body until it has so many bytes. */
  readonly padded_to?: number;
  /**
   * Whose key signs: the company's integration key, or the credential that was kept. `administration`: not signed, but sent
   * to the administrative plane with its token. Absent: not signed.
   */
  readonly signer?: "company" | "project" | "administration";
  /** The header that names the owner of the key. */
  readonly owner_header?: string;
  /** What is wrong with the signature: id or secret of the key, its owner, or the time, by so many seconds. */
  readonly signed_with?: {
    readonly key_id?: string;
    readonly secret?: string;
    readonly owner?: string;
    readonly offset_s?: number;
  };
  /** What is changed behind the signature: a header is left out or sent twice, or another body is sent. */
  readonly changed?: { readonly without?: string; readonly twice?: string; readonly body?: string };
  /** In place of all that: the bytes of the case before are sent once more. */
  readonly again?: true;
  /** The `credential` of the answer is the key of `project` from now on. */
  readonly keep?: true;
  /** Members of an object must be there so; `true` stands for any value, null for none. */
  readonly expect: {
    readonly status: number;
    /** Names in lower case. */
    readonly headers?: JsonObject;
    readonly body?: JsonObject;
  };
}

type Request = Omit<ContractCase, "schema" | "name" | "expect">;
type Expected = ContractCase["expect"];

/** Of a sandbox whose options say nothing else. */
const CREDENTIAL_DELAY_MS = 5000;

const FIELDS: Readonly<Record<Call, readonly Field[]>> = {
  check: CHECK_FIELDS,
  register: REGISTRATION_FIELDS,
  credential: CREDENTIAL_FIELDS,
};
const JSON_TYPE = { [HEADER.contentType]: JSON_MEDIA_TYPE };
const PROJECT = { merchant_id: "shop-{run}", risk_level: "medium" };

/**
 * The cases in the order in which they are to be sent, whatever a sandbox was sent before.
 * @param recipe that signs; what it cannot reveal is left out
 */
export function contractCases(recipe: Recipe): ContractCase[] {
  const { replay } = openParts(recipe)!;
  const cases: ContractCase[] = [];
  const add = (name: string, request: Request, expect: Expected): void =>
    void cases.push({ schema: 1, name, ...request, expect });
  const turn = (name: string, change: ClockChange): void =>
    add(
      name,
      {
        needs: "administration",
        signer: "administration",
        method: "POST",
        path: ADMIN.clock,
        headers: JSON_TYPE,
        body: JSON.stringify(change),
      },
      { status: 200 },
    );
  const afterTurn = { needs: "administration" } as const;

  for (const path of PROBES) {
    const probe = { path, headers: {} };
    for (const method of ["GET", "HEAD"]) add(`${method} ${path}`, { method, ...probe }, { status: 200 });
  }
  const { check } = ENDPOINTS;
  add("an unknown address", { method: "POST", path: `${check.path}s`, headers: {} }, refused("not_found"));
  add(
    "another method",
    { method: "GET", path: check.path, headers: {} },
    { ...refused("method_not_allowed"), headers: { allow: check.method } },
  );

  turn("the clock stands still", { do: "freeze" });
  const registration = { ...exampleBody(FIELDS.register), ...PROJECT };
  const registered = accepted({ message: true });
  add("a project is registered", request("register", registration), registered);
  add("it is registered once", request("register", registration), refused("project_exists"));
  add(
    "another risk level of its merchant is another project",
    request("register", { ...registration, risk_level: "high" }),
    registered,
  );
  add(
    "no project has this name",
    request("credential", { ...PROJECT, merchant_id: "other-{run}" }),
    refused("project_not_found"),
  );
  add(
    "the credential is not ready",
    { ...request("credential", PROJECT), ...afterTurn },
    { ...refused("credential_not_ready"), headers: { "retry-after": String(CREDENTIAL_DELAY_MS / 1000) } },
  );
  turn("the credential becomes ready", { do: "advance", byMs: CREDENTIAL_DELAY_MS });
  const credential = { key_id: true, secret: true, algorithm: true, project_id: true };
  add(
    "the credential is given out",
    { ...request("credential", PROJECT), keep: true },
    accepted({ credential }),
  );

  const decided = { status: 200, headers: { [HEADER.decision]: true, [HEADER.repeat]: null }, body: DECIDED };
  const repeated = { ...decided, headers: { ...decided.headers, [HEADER.repeat]: "1" } };
  const paid = { ...exampleBody(FIELDS.check), order_id: "order-{run}" };
  const payment = request("check", paid);
  add("a payment is decided", payment, decided);
  const again = { ...payment, again: true } as const;
  if (replay !== null) add("its bytes are accepted once", again, refused("unauthorized"));
  add("the payment signed anew is a repeat", payment, repeated);
  add("another amount is another payment", request("check", { ...paid, amount: 12_001 }), decided);
  turn("a minute goes by", { do: "advance", byMs: SANDBOX_LIMITS.repeatMs });
  add("no repeat after a minute", { ...payment, ...afterTurn }, decided);
  for (const magic of MAGIC_VALUES) {
    if (!("recommendation" in magic)) continue;
    const { prefix, recommendation: code } = magic;
    const forced = request("check", { ...minimal("check"), order_id: `${prefix}-{run}` });
    add(`${code} is forced`, forced, { ...decided, body: { ...DECIDED, code } });
  }
  const failing = request("check", { ...minimal("check"), order_id: "force-500-{run}" });
  add("a failure is forced", failing, refused("internal_error"));
  const utf8 = { ...JSON_TYPE, [HEADER.contentType]: `${JSON_MEDIA_TYPE}; charset=utf-8` };
  const letters = { ...minimal("check"), order_id: "order-{run}-2", description: "Два квитки, 1 €" };
  add("other letters, and the character set named", { ...request("check", letters), headers: utf8 }, decided);
  const unknown = { ...minimal("check"), order_id: "order-{run}-3", more: [1, { a: null }] };
  add("fields beyond the known ones mean nothing", request("check", unknown), decided);
  const longest = request("check", { ...minimal("check"), order_id: "order-{run}-4" });
  add("the longest body", { ...longest, padded_to: BODY_LIMIT_BYTES }, decided);
  add("a body that is too long", { ...longest, padded_to: BODY_LIMIT_BYTES + 1 }, refused("body_too_large"));

  const spoil = (name: string, changes: Partial<Request>, slug: ErrorSlug): void =>
    add(name, { ...payment, ...changes }, refused(slug));
  spoil("an unknown key", { signed_with: { key_id: "hmac-sha256-unknown" } }, "unauthorized");
  spoil("no key id", { changed: { without: HEADER.keyId } }, "unauthorized");
  spoil("two key ids", { changed: { twice: HEADER.keyId } }, "invalid_request");
  spoil("no media type", { changed: { without: HEADER.contentType } }, "unsupported_media_type");
  spoil("another media type", { headers: { [HEADER.contentType]: "text/plain" } }, "unsupported_media_type");
  spoil(
    "an encoded body",
    { headers: { ...JSON_TYPE, "content-encoding": "gzip" } },
    "unsupported_media_type",
  );
  spoil("the key of another project", { signed_with: { owner: "prj-other" } }, "forbidden");
  spoil(
    "a check signed by the company",
    { signer: "company", signed_with: { owner: "prj-other" } },
    "forbidden",
  );
  add(
    "a registration signed by a project",
    { ...request("register", registration), signer: "project", signed_with: { owner: "cmp-other" } },
    refused("forbidden"),
  );
  if (recipe.canonical !== null) {
    spoil("another secret", { signed_with: { secret: "0".repeat(64) } }, "unauthorized");
    spoil(
      "another body than the signed one",
      { changed: { body: JSON.stringify(minimal("check")) } },
      "unauthorized",
    );
  }
  if (recipe.time !== null) {
    spoil("signed too long ago", { signed_with: { offset_s: -2000 } }, "unauthorized");
    spoil("signed in the future", { signed_with: { offset_s: 2000 } }, "unauthorized");
  }

  const deep = JSON_DEPTH_LIMIT + 1;
  const text = JSON.stringify(minimal("check"));
  const unreadable: readonly (readonly [string, string])[] = [
    ["an empty body", ""],
    ["half a body", text.slice(0, -1)],
    ["a key that is there twice", text.replace("{", '{"amount":1,')],
    ["too many levels", `${'{"payer":'.repeat(deep)}1${"}".repeat(deep)}`],
    ["a byte order mark", `\ufeff${text}`],
  ];
  for (const [name, body] of unreadable) add(name, { ...payment, body }, refused("invalid_json"));
  const latin1 = { ...request("check", {}), body: undefined, body_base64: btoa('{"description":"\xe9"}') };
  add("letters that are not UTF-8", latin1, refused("invalid_json"));
  add("a list", { ...payment, body: "[]" }, refused("invalid_request"));
  const exponent = { ...payment, body: text.replace('"amount":12000', '"amount":12e3') };
  add("an amount with an exponent", exponent, refused("invalid_request", "amount"));
  add(
    "a payer that is no object",
    request("check", { ...minimal("check"), payer: "payer-1" }),
    refused("invalid_request", "payer"),
  );
  const spoken = { ...minimal("check"), description: "Paid with 4111 1111 1111 1111" };
  add("a card number in a text", request("check", spoken), refused("card_data_refused", "description"));
  add(
    "a card verification value",
    request("check", { ...minimal("check"), card: { cvv: 123 } }),
    refused("card_data_refused", "card.cvv"),
  );

  for (const call of Object.keys(ENDPOINTS) as Call[]) {
    for (const field of FIELDS[call]) {
      for (const [what, value] of wrongValues(field)) {
        const body = setPath(minimal(call), field.path, value);
        add(`${call}: ${field.path} ${what}`, request(call, body), refused("invalid_request", field.path));
      }
    }
  }

  turn("a day goes by", { do: "advance", byMs: CREDENTIAL_WINDOW_MS });
  add(
    "the credential is not given out any more",
    { ...request("credential", PROJECT), ...afterTurn },
    refused("credential_window_closed"),
  );
  turn("the clock shows real time again", { do: "reset" });
  return cases;
}

const DECIDED = { status: "success", code: true, message: true };

function request(call: Call, body: JsonObject): Request & { readonly body: string } {
  const { method, path } = ENDPOINTS[call];
  const signer = call === "check" ? "project" : "company";
  return {
    method,
    path,
    headers: JSON_TYPE,
    body: JSON.stringify(body),
    signer,
    owner_header: ownerHeader(call),
  };
}

/** The fields that must be there. */
function minimal(call: Call): JsonObject {
  return exampleBody(FIELDS[call].filter(({ required }) => required));
}

function accepted(body: JsonObject): Expected {
  return { status: 200, body: { status: "success", ...body } };
}

/** An error has no code, which is reserved for recommendations. @param path of the only field that is wrong */
function refused(error: ErrorSlug, path?: string): Expected {
  const fields = path === undefined ? {} : { fields: [{ path, message: true }] };
  const body = { status: "error", error, message: true, request_id: true, code: null, ...fields };
  return { status: ERROR_SLUGS[error], body };
}

/** Values that the service refuses, in words; undefined leaves the field out. */
function wrongValues(field: Field): [string, unknown][] {
  const { type, required, min, max, maxLength, choices, gap, numbers, pattern, formats } = field;
  const all: [string, unknown, boolean][] = [
    ["is missing", undefined, required],
    ["is empty", "", required && type === "string"],
    ["is null", null, true],
    ["is no text", 1, type === "string"],
    ["is no number", "1", type === "integer"],
    ["is no whole number", 1.5, type === "integer"],
    ["is too small", (min ?? 0) - 1, min !== undefined],
    ["is too large", (max ?? 0) + 1, max !== undefined],
    ["has a number of digits between", gap?.from, gap !== undefined],
    ["is too long", "x".repeat((maxLength ?? 0) + 1), maxLength !== undefined],
    ["is none of the choices", "other", choices !== undefined],
    ["is none of the numbers", 1, numbers !== undefined],
    ["has another form", "other", pattern !== undefined || formats !== undefined],
  ];
  return all.flatMap(([what, value, applies]) => (applies ? [[what, value]] : []));
}
