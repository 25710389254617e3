// The field tables of the service's answers (spec 2.4, 2.6, 2.8) and of its errors (section 7), for the OpenAPI document.

import { CREDENTIAL_VALUE } from "#src/contract/secret.ts";
import { RECOMMENDATIONS, REQUIRED_REACTION } from "#src/contract/wire/recommendation.ts";
import { ERROR_SLUGS } from "#src/contract/wire/wire.ts";
import type { Field } from "./field.ts";

/** A field of an answer; none of them is optional. */
export type AnswerField = Pick<Field, "path" | "type" | "help" | "choices" | "pattern" | "example">;

const CREDENTIAL_TEXT = { regex: CREDENTIAL_VALUE, text: "must be printable ASCII without blanks" };

const SUCCESS: AnswerField = {
  path: "status",
  type: "string",
  choices: ["success"],
  help: "Outcome of the call.",
  example: "success",
};

const MESSAGE: AnswerField = {
  path: "message",
  type: "string",
  help: "Text for people; it may change.",
  example: "The project is registered; its credential can be requested in 5 s.",
};

/** Answer to a check (spec 2.4). */
export const CHECK_ANSWER_FIELDS: readonly AnswerField[] = [
  SUCCESS,
  {
    path: "code",
    type: "string",
    choices: RECOMMENDATIONS,
    help: `Recommendation. ${RECOMMENDATIONS.map((code) => `${code}: ${REQUIRED_REACTION[code]}`).join(" ")}`,
    example: "pass",
  },
  {
    ...MESSAGE,
    help: "The recommendation in words, for people; it may change.",
    example: "Continue processing the transaction.",
  },
];

/** Answer to a registration (spec 2.6). */
export const REGISTRATION_ANSWER_FIELDS: readonly AnswerField[] = [SUCCESS, MESSAGE];

/** Answer to a credential request (spec 2.8). */
export const CREDENTIAL_ANSWER_FIELDS: readonly AnswerField[] = [
  SUCCESS,
  { ...MESSAGE, example: "The credential signs checks of this project." },
  {
    path: "credential.key_id",
    type: "string",
    pattern: CREDENTIAL_TEXT,
    help: "Key id of the project, for the header x-key-id of its checks.",
    example: "hmac-sha256-0123456789abcdef",
  },
  {
    path: "credential.secret",
    type: "string",
    pattern: CREDENTIAL_TEXT,
    help: "Secret that signs the checks of the project, in hexadecimal digits; keep it confidential.",
    example: "0123456789abcdef".repeat(4),
  },
  {
    path: "credential.algorithm",
    type: "string",
    pattern: CREDENTIAL_TEXT,
    help: "Algorithm of the signature.",
    example: "hmac-sha256",
  },
  {
    path: "credential.project_id",
    type: "string",
    pattern: CREDENTIAL_TEXT,
    help: "Project id, for the header x-project-id of its checks.",
    example: "prj-0123456789abcdef",
  },
];

/** Body of every refusal; `fields` is added where the fault lies in the body. */
export const ERROR_FIELDS: readonly AnswerField[] = [
  { path: "status", type: "string", choices: ["error"], help: "Outcome of the call.", example: "error" },
  {
    path: "error",
    type: "string",
    choices: Object.keys(ERROR_SLUGS),
    help: "What kind of refusal it is, for programs.",
    example: "invalid_request",
  },
  { ...MESSAGE, example: "The request has a wrong field." },
  {
    path: "request_id",
    type: "string",
    help: "Identifier of the request in the log of the service.",
    example: "1f0c7a52-5c0e-4d5e-9f43-0d1b8c6a7e21",
  },
];

/** One entry of the list `fields` in a refusal. */
export const ERROR_FIELD_FIELDS: readonly AnswerField[] = [
  { path: "path", type: "string", help: "Dotted path in the request body.", example: "amount" },
  {
    path: "message",
    type: "string",
    help: "The problem; never the value itself.",
    example: "amount is required and missing.",
  },
];
