// The OpenAPI 3.1 document of the service, generated from the field tables.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import { CREDENTIAL_FIELDS, registrationFields } from "#src/contract/fields/registration-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { requiredPaths } from "#src/contract/fields/validate.ts";
import {
  type AmountUnit,
  type CurrencyNumbering,
  registrationNumbering,
} from "#src/contract/records/profile.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import type { MagicValue } from "#src/contract/wire/sandbox-wire.ts";
import {
  BODY_LIMIT_BYTES,
  ENDPOINTS,
  HEADER,
  JSON_DEPTH_LIMIT,
  JSON_MEDIA_TYPE,
  PROBES,
  type Call,
} from "#src/contract/wire/wire.ts";
import {
  answerHeaders,
  answerSchemas,
  probeResponses,
  refusalResponses,
  responsesOf,
} from "./openapi-answers.ts";
import { bodySchema, exampleBody } from "./openapi-schema.ts";

/** A header of a request, as the signing recipe defines it. */
export interface RequestHeader {
  /** in lower case */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  /** Its value on the example request. */
  readonly example: string;
}

export interface OpenApiOptions {
  readonly version: string;
  /** Address of the service; `/` in a document that the service itself serves. */
  readonly server: string;
  /** Dotted paths of the fields a check must have; those of the table when empty. */
  readonly require: readonly string[];
  /** Numbering of `currency`; ISO 4217 by default. */
  readonly currencyNumbering?: CurrencyNumbering;
  /** The same of registrations, where they differ. */
  readonly registrationCurrencyNumbering?: CurrencyNumbering;
  /** Unit of amounts; minor by default. */
  readonly amountUnit?: AmountUnit;
  /** A credential request may have an empty `Authorization`, as in the sample (spec 4.3). */
  readonly credentialUnsigned: boolean;
  /** From a registration until its credential is ready, in seconds. */
  readonly credentialDelayS: number;
  /** Prefixes of order ids that force the answer of a check. */
  readonly magic: readonly MagicValue[];
  /** One sentence on how requests are signed. */
  readonly signing: string;
  /** Identity and signature headers of each request, in addition to those of HTTP and the body. */
  readonly headers: Readonly<Record<Call, readonly RequestHeader[]>>;
}

interface CallWords {
  readonly schema: string;
  readonly summary: string;
  readonly fields: (numbering?: CurrencyNumbering, unit?: AmountUnit) => readonly Field[];
}

/** Names and texts of the three calls that are not in a field table. */
const CALLS: Readonly<Record<Call, CallWords>> = {
  check: { schema: "CheckRequest", summary: "Check a transaction", fields: checkFields },
  register: {
    schema: "RegistrationRequest",
    summary: "Register a project of a merchant",
    fields: registrationFields,
  },
  credential: {
    schema: "CredentialRequest",
    summary: "Fetch the credential of a registered project",
    fields: () => CREDENTIAL_FIELDS,
  },
};

/** Headers that identify and authenticate the caller: security schemes of OpenAPI. */
const SCHEMES: ReadonlyMap<string, string> = new Map([
  [HEADER.keyId, "keyId"],
  [HEADER.projectId, "projectId"],
  [HEADER.companyId, "companyId"],
  [HEADER.authorization, "signature"],
]);

const HOUR_MS = 3_600_000;

const BODY_RULES = `Strict JSON in UTF-8: no byte order mark, no duplicate keys, integers in plain digits, at most ${BODY_LIMIT_BYTES} bytes and ${JSON_DEPTH_LIMIT} levels. Keys beyond these fields are accepted and mean nothing. Full card numbers and card verification data are refused anywhere.`;

/** The document, ready for `JSON.stringify`; the same for the same options. */
export function openApiDocument(options: OpenApiOptions): JsonObject {
  const calls = Object.keys(ENDPOINTS) as Call[];
  return {
    openapi: "3.1.1",
    info: {
      title: "Transaction check and project registration",
      version: options.version,
      description: `Recommends how to proceed with a payment transaction, and registers the projects whose credentials sign those checks. ${options.signing} Faults that were ordered on the administrative plane of the sandbox are answered as ordered, and not as described here.`,
    },
    servers: [{ url: options.server }],
    paths: Object.fromEntries([
      ...calls.map((call) => {
        const { method, path } = ENDPOINTS[call];
        return [path, { [method.toLowerCase()]: operation(call, options) }] as const;
      }),
      ...PROBES.map((path) => [path, { get: probe(path, "get"), head: probe(path, "head") }] as const),
    ]),
    components: {
      schemas: {
        ...Object.fromEntries(
          calls.map((call) => [
            CALLS[call].schema,
            bodySchema(fieldsOf(call, options), requiredFields(call, options)),
          ]),
        ),
        ...answerSchemas(),
      },
      responses: refusalResponses(),
      headers: answerHeaders(),
      securitySchemes: securitySchemes(calls, options),
    },
  };
}

/** An example body of a call, as the document shows it. */
export function exampleRequest(call: Call, options: NumberOptions = {}): JsonObject {
  return exampleBody(fieldsOf(call, options));
}

type NumberOptions = Pick<
  OpenApiOptions,
  "currencyNumbering" | "registrationCurrencyNumbering" | "amountUnit"
>;

function fieldsOf(call: Call, options: NumberOptions): readonly Field[] {
  const numbering = call === "register" ? registrationNumbering(options) : options.currencyNumbering;
  return CALLS[call].fields(numbering, options.amountUnit);
}

function requiredFields(call: Call, { require }: OpenApiOptions): readonly string[] {
  return call === "check" && require.length > 0 ? require : requiredPaths(CALLS[call].fields());
}

function operation(call: Call, options: OpenApiOptions): JsonObject {
  const headers = options.headers[call];
  const mayBeUnsigned = call === "credential" && options.credentialUnsigned;
  const parameters = headers
    .filter(({ name }) => !SCHEMES.has(name))
    .map(({ name, help, example }) => ({
      name,
      in: "header",
      required: !mayBeUnsigned,
      description: help,
      schema: { type: "string" },
      example,
    }));
  return {
    operationId: call,
    summary: CALLS[call].summary,
    description: describe(call, options),
    ...(parameters.length === 0 ? {} : { parameters }),
    requestBody: {
      required: true,
      description: BODY_RULES,
      content: {
        [JSON_MEDIA_TYPE]: {
          schema: { $ref: `#/components/schemas/${CALLS[call].schema}` },
          example: exampleRequest(call),
        },
      },
    },
    responses: responsesOf(call),
    security: [Object.fromEntries(schemesOf(headers).map(([, scheme]) => [scheme, []]))],
  };
}

function probe(path: string, method: "get" | "head"): JsonObject {
  return {
    operationId: `${method}${path.replace("/", "-")}`,
    summary: `Whether the service can decide, for health checks${path === "/ready" ? "; refused also when it is about to stop" : ""}`,
    responses: probeResponses(method === "get"),
    security: [],
  };
}

function describe(call: Call, { credentialDelayS, credentialUnsigned, magic }: OpenApiOptions): string {
  switch (call) {
    case "check":
      return [
        "Answers with a recommendation. An identical repeat soon after gets the same answer and is not counted.",
        ...(magic.length === 0 ? [] : ["An order id that begins like one of these forces the answer:"]),
        magic.map(({ prefix, what }) => `- \`${prefix}\` ${what}`).join("\n"),
      ]
        .filter((paragraph) => paragraph !== "")
        .join("\n\n");
    case "register":
      return "The first of the two registration requests, signed with an integration key of the company. The second one fetches the credential.";
    case "credential":
      return [
        `The second registration request: from ${credentialDelayS} s until exactly ${CREDENTIAL_WINDOW_MS / HOUR_MS} hours after the registration, the same answer each time.`,
        ...(credentialUnsigned
          ? [
              "It may be sent unsigned, with an empty Authorization header, and is then known by its key alone.",
            ]
          : []),
      ].join(" ");
  }
}

function securitySchemes(calls: readonly Call[], options: OpenApiOptions): JsonObject {
  const used = calls.flatMap((call) => schemesOf(options.headers[call]));
  // Reversed so that the help of the first call wins: a recipe may leave later calls unsigned.
  return Object.fromEntries(
    used
      .toReversed()
      .map(([{ name, help, example }, scheme]) => [
        scheme,
        { type: "apiKey", in: "header", name, description: `${help} Example: \`${example}\`` },
      ]),
  );
}

/** The headers that are security schemes, with the scheme's name. */
function schemesOf(headers: readonly RequestHeader[]): (readonly [RequestHeader, string])[] {
  return headers.flatMap((header) => {
    const scheme = SCHEMES.get(header.name);
    return scheme === undefined ? [] : [[header, scheme] as const];
  });
}
