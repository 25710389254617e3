// The answers in the OpenAPI document: schemas, headers, and a response for each status of a call.

import {
  CHECK_ANSWER_FIELDS,
  CREDENTIAL_ANSWER_FIELDS,
  ERROR_FIELD_FIELDS,
  ERROR_FIELDS,
  REGISTRATION_ANSWER_FIELDS,
  type AnswerField,
} from "#src/contract/fields/answer-fields.ts";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { ERROR_MEANINGS } from "#src/contract/wire/error-meanings.ts";
import { TENANT_NAME } from "#src/contract/wire/sandbox-wire.ts";
import { ERROR_SLUGS, HEADER, JSON_MEDIA_TYPE, type Call, type ErrorSlug } from "#src/contract/wire/wire.ts";
import { bodySchema, exampleBody } from "./openapi-schema.ts";

const ANSWERS: Readonly<
  Record<Call, { readonly name: string; readonly about: string; readonly fields: readonly AnswerField[] }>
> = {
  check: { name: "CheckAnswer", about: "The recommendation.", fields: CHECK_ANSWER_FIELDS },
  register: {
    name: "RegistrationAnswer",
    about: "The project is registered.",
    fields: REGISTRATION_ANSWER_FIELDS,
  },
  credential: {
    name: "CredentialAnswer",
    about: "The credential of the project: the same one each time until the window closes.",
    fields: CREDENTIAL_ANSWER_FIELDS,
  },
};

const CALLS = Object.keys(ANSWERS) as Call[];

const RETRY_AFTER = "retry-after";

/** Answer headers by name. */
const HEADERS: Readonly<Record<string, { readonly about: string; readonly schema: JsonObject }>> = {
  [HEADER.sandbox]: {
    about: "Marks the answers of the sandbox; a live service does not send it.",
    schema: { type: "string", const: "1" },
  },
  [HEADER.virtualTime]: {
    about:
      "Virtual time of the sandbox, by which it decides; not the time of signatures. A check that carries it is decided by that time.",
    schema: { type: "string", format: "date-time" },
  },
  [HEADER.decision]: {
    about: "Identifier of the decision, under which its explanation is found.",
    schema: { type: "string", minLength: 1 },
  },
  [HEADER.tenant]: {
    about: "Tenant of the key; absent for the default one.",
    schema: { type: "string", pattern: TENANT_NAME.source },
  },
  [HEADER.repeat]: {
    about: "The stored answer to an identical check, which was not decided again.",
    schema: { type: "string", const: "1" },
  },
  [HEADER.score]: {
    about: "Score of the decision; absent where the order id forced it, and for a repeat after a restart.",
    schema: { type: "integer", minimum: 0 },
  },
  [HEADER.rules]: {
    about: "Codes of the rules that hit, the decisive one first, then by weight; absent where none did.",
    schema: { type: "string", pattern: "^[A-Z][A-Z0-9_]*( [A-Z][A-Z0-9_]*)*$" },
  },
  [RETRY_AFTER]: {
    about: "When it is worth trying again, in seconds.",
    schema: { type: "integer", minimum: 0 },
  },
};

/** On each answer of any status. */
const ON_EVERY_ANSWER = [HEADER.sandbox, HEADER.virtualTime];

/** `components.schemas` of the answers. */
export function answerSchemas(): JsonObject {
  const successes = Object.values(ANSWERS).map(({ name, fields }) => [name, answerSchema(fields)]);
  const error = answerSchema(ERROR_FIELDS);
  const entries = { type: "array", items: answerSchema(ERROR_FIELD_FIELDS) };
  const fields = { ...entries, description: "Which fields were wrong, where the fault lies in the body." };
  return {
    ...(Object.fromEntries(successes) as JsonObject),
    Error: { ...error, properties: { ...(error["properties"] as JsonObject), fields } },
  };
}

/** `components.headers`: those of each answer. */
export function answerHeaders(): JsonObject {
  return Object.fromEntries(
    ON_EVERY_ANSWER.map((name): [string, JsonObject] => [name, { ...inlineHeader(name), required: true }]),
  );
}

/** `responses` of a call: its success, and every status it can be refused with. */
export function responsesOf(call: Call): JsonObject {
  const { name, about, fields } = ANSWERS[call];
  const success = {
    description: about,
    headers: {
      ...everyAnswer(),
      [HEADER.tenant]: inlineHeader(HEADER.tenant),
      ...(call === "check"
        ? {
            [HEADER.decision]: { ...inlineHeader(HEADER.decision), required: true },
            ...Object.fromEntries(
              [HEADER.repeat, HEADER.score, HEADER.rules].map((each) => [each, inlineHeader(each)]),
            ),
          }
        : {}),
    },
    content: {
      [JSON_MEDIA_TYPE]: { schema: { $ref: `#/components/schemas/${name}` }, example: exampleBody(fields) },
    },
  };
  const refusals = [...slugsByStatus(call).keys()].map((status) => [
    status,
    { $ref: `#/components/responses/${refusalName(call, status)}` },
  ]);
  return { 200: success, ...(Object.fromEntries(refusals) as JsonObject) };
}

/** `responses` of a probe, without content to HEAD. */
export function probeResponses(hasContent: boolean): JsonObject {
  const { content: refused, ...unavailable } = refusal(["unavailable"]);
  const success = { type: "object", required: ["status"], properties: { status: { const: "success" } } };
  const content = { [JSON_MEDIA_TYPE]: { schema: success, example: { status: "success" } } };
  return {
    200: { description: "It can.", headers: everyAnswer(), ...(hasContent ? { content } : {}) },
    503: { ...unavailable, ...(hasContent ? { content: refused } : {}) },
  };
}

/** `components.responses`: a refusal for each status, shared between calls with the same reasons. */
export function refusalResponses(): JsonObject {
  return Object.fromEntries(
    CALLS.flatMap((call) =>
      [...slugsByStatus(call)].map(([status, slugs]) => [refusalName(call, status), refusal(slugs)]),
    ),
  );
}

/** The name contains the call where calls have different reasons under one status. */
function refusalName(call: Call, status: number): string {
  const reasons = CALLS.map((each) => slugsByStatus(each).get(status)?.join()).filter(
    (slugs) => slugs !== undefined,
  );
  return new Set(reasons).size === 1 ? `Refused${status}` : `${ANSWERS[call].name}Refused${status}`;
}

function slugsByStatus(call: Call): ReadonlyMap<number, readonly ErrorSlug[]> {
  const slugs = (Object.keys(ERROR_SLUGS) as ErrorSlug[]).filter((slug) =>
    ERROR_MEANINGS[slug].calls.includes(call),
  );
  return Map.groupBy(slugs, (slug) => ERROR_SLUGS[slug]);
}

function answerSchema(fields: readonly AnswerField[]): JsonObject {
  return bodySchema(
    fields.map((field) => ({ ...field, required: true })),
    fields.map(({ path }) => path),
  );
}

function refusal(slugs: readonly ErrorSlug[]) {
  const retry = slugs.map((slug) => ERROR_MEANINGS[slug].retryAfter);
  const required = retry.every((when) => when === "always");
  const retries = retry.some((when) => when !== undefined);
  return {
    description: slugs.map((slug) => `\`${slug}\`: ${ERROR_MEANINGS[slug].help}`).join("\n\n"),
    headers: {
      ...everyAnswer(),
      ...(retries ? { [RETRY_AFTER]: { ...inlineHeader(RETRY_AFTER), required } } : {}),
    },
    content: {
      [JSON_MEDIA_TYPE]: {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Error" },
            { type: "object", properties: { error: { enum: slugs } } },
          ],
        },
        examples: Object.fromEntries(slugs.map((slug) => [slug, { value: exampleRefusal(slug) }])),
      },
    },
  };
}

function exampleRefusal(slug: ErrorSlug): JsonObject {
  return { ...exampleBody(ERROR_FIELDS), error: slug, message: ERROR_MEANINGS[slug].help };
}

function everyAnswer(): JsonObject {
  return Object.fromEntries(ON_EVERY_ANSWER.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function inlineHeader(name: string): JsonObject {
  const { about, schema } = HEADERS[name]!;
  return { description: about, schema };
}
