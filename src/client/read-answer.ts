// Interprets an answer fail-closed: only a complete, well-formed success counts. Pure.

import { isJsonObject, ownValue, type JsonObject } from "#src/contract/fields/body-path.ts";
import { ANSWER_FORMS } from "#src/contract/records/profile-fields.ts";
import type { AnswerForm } from "#src/contract/records/profile.ts";
import { credentialValueProblem, Secret } from "#src/contract/secret.ts";
import { escapeNonAscii, escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import type {
  AnswerFacts,
  CheckResult,
  CredentialResult,
  Outcome,
  RegisterResult,
} from "#src/contract/wire/outcome.ts";
import { isRecommendation, REQUIRED_REACTION } from "#src/contract/wire/recommendation.ts";
import { BODY_LIMIT_BYTES, type Call, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { isHmacAlgorithm } from "#src/signing/hmac.ts";
import { formsOf, isOfType, withoutForms } from "./answer-forms.ts";
import type { Answer } from "./exchange.ts";
import { AFTER_UNKNOWN, CALL_NAME } from "./failure.ts";
import { quoted, readRefusal, type Terms } from "./refusal.ts";
import { serviceWords } from "./service-words.ts";

type Reading = Pick<CheckResult, "outcome" | "reason" | "explanation">;

export type CheckReading = Reading & Pick<CheckResult, "recommendation" | "message" | "rawCode">;
export type RegisterReading = Reading & Pick<RegisterResult, "registered" | "message">;
export type CredentialReading = Reading & Pick<CredentialResult, "state" | "credential" | "message">;

/** Reads the answer to a check (spec 2.4). */
export function readCheckAnswer(answer: Answer, facts: AnswerFacts, terms: Terms): CheckReading {
  const read = readSuccess(answer, facts, "check", terms);
  const nothing = { recommendation: null, message: read.message, rawCode: null };
  if (read.object === null) return { ...read.reading, ...nothing };
  const raw = ownValue(read.object, "code");
  const rawCode = raw === undefined ? null : cut(JSON.stringify(raw));
  if (read.status !== 200) {
    return {
      ...indeterminate(
        "check",
        "bad_http_status",
        `has HTTP status ${answer.status}${read.remedy}`,
        read.message,
      ),
      ...nothing,
      rawCode,
    };
  }
  const fault = statusFault(read.object, "check", read.message);
  if (fault !== null) return { ...fault, ...nothing, rawCode };
  if (!isRecommendation(raw)) {
    const what = rawCode === null ? "has no code" : `has the code ${escapeNonAscii(rawCode, 80)}`;
    return { ...indeterminate("check", "bad_code", what, read.message), ...nothing, rawCode };
  }
  const explanation = `The service recommends ${raw}: ${lowerFirst(REQUIRED_REACTION[raw])}`;
  return { ...answered(explanation), recommendation: raw, message: ownMessage(read.object), rawCode: null };
}

/** Reads the answer to a registration (spec 2.6). */
export function readRegisterAnswer(answer: Answer, facts: AnswerFacts, terms: Terms): RegisterReading {
  const { object, reading, message } = readSuccess(answer, facts, "register", terms);
  const fault = object === null ? reading : statusFault(object, "register", message);
  if (fault !== null) return { ...fault, registered: false, message };
  return { ...answered("The project is registered: fetch its credential next."), registered: true, message };
}

/** Reads the answer to a credential request (spec 2.8). */
export function readCredentialAnswer(answer: Answer, facts: AnswerFacts, terms: Terms): CredentialReading {
  const { object, reading, message } = readSuccess(answer, facts, "credential", terms);
  if (object === null) {
    return { ...reading, state: credentialState(answer.status, reading), credential: null, message };
  }
  const waiting = (fault: Reading): CredentialReading => ({
    ...fault,
    state: "not_ready",
    credential: null,
    message,
  });
  const fault = statusFault(object, "credential", message);
  if (fault !== null) return waiting(fault);
  const credential = ownValue(object, "credential") ?? null;
  if (credential === null) {
    return waiting(indeterminate("credential", "no_credential", "holds no credential", message));
  }
  const problem = credentialProblem(credential);
  if (problem !== null) {
    const explanation = `The credential from the service is invalid, because ${problem}. Do not request it again; take the credential from the administrative panel and enter it by hand.`;
    return {
      outcome: "indeterminate",
      reason: "bad_credential",
      explanation,
      state: "unusable",
      credential: null,
      message,
    };
  }
  const { key_id: keyId, project_id: projectId, secret, algorithm } = credential as CredentialBody;
  return {
    ...answered(
      isHmacAlgorithm(algorithm)
        ? "The credential arrived; it signs the checks of this project."
        : `The credential arrived, but verdict does not know its algorithm "${escapeText(algorithm, 80)}" and cannot sign checks with it; update verdict.`,
    ),
    state: "ready",
    credential: { keyId, projectId, secret: new Secret(secret), algorithm },
    message,
  };
}

/** Member names of a credential (spec 2.8). */
const CREDENTIAL_NAMES = ["key_id", "secret", "algorithm", "project_id"] as const;
type CredentialBody = Readonly<Record<(typeof CREDENTIAL_NAMES)[number], string>>;

/** The problem of a credential, as the end of a sentence that repeats no value; null for a well-formed one. */
function credentialProblem(credential: unknown): string | null {
  if (!isJsonObject(credential)) return `it ${notText(credential)}, not an object`;
  for (const name of CREDENTIAL_NAMES) {
    const problem = valueProblem(ownValue(credential, name));
    if (problem !== null) return `its ${name} ${problem}`;
  }
  return null;
}

function valueProblem(value: unknown): string | null {
  if (value === undefined || value === null) return "is missing";
  if (typeof value !== "string") return notText(value);
  return credentialValueProblem(value);
}

function notText(value: unknown): string {
  if (Array.isArray(value)) return "is a list";
  return typeof value === "object" ? "is an object" : `is a ${typeof value}`;
}

function credentialState(status: number, reading: Reading): CredentialResult["state"] {
  if (reading.outcome === "indeterminate") return "not_ready";
  if (reading.outcome !== "refused") return "failed";
  if (status === 410) return "closed";
  const wrongPlace = reading.reason === "project_not_found" || reading.reason === "not_found";
  if (status === 404) return wrongPlace ? "failed" : "not_ready";
  return [408, 409, 425, 429, 503].includes(status) ? "not_ready" : "failed";
}

interface Success {
  /** The body of a complete, readable 2xx answer; otherwise null and `reading` says what the answer means. */
  readonly object: JsonObject | null;
  readonly reading: Reading;
  readonly message: string | null;
  /** The HTTP status without the accepted forms. */
  readonly status: number;
  /** What accepts the answer, in brackets, where known forms are its only difference; else empty. */
  readonly remedy: string;
}

function readSuccess(answer: Answer, facts: AnswerFacts, call: Call, terms: Terms): Success {
  const { accepted = [] } = terms;
  const forms = formsOf(answer, call);
  const standard = withoutForms(
    answer,
    forms.filter((form) => accepted.includes(form)),
  );
  const failed = (reading: Reading, message: string | null = null): Success => ({
    object: null,
    reading,
    message,
    status: standard.status,
    remedy: "",
  });
  if (answer.ending === "unframed") {
    return failed(unknown(call, "unframed", "the answer has no Content-Length, so it may be incomplete"));
  }
  const body = readBody(standard);
  const object = "object" in body ? body.object : null;
  const { status } = answer;
  // A text in place of a credential may be the credential.
  const words = serviceWords(answer, object, call !== "credential");
  const { message } = words;
  if ((status >= 300 && status < 500) || status === 503) {
    return failed(readRefusal(status, object, words, facts, call, terms), message);
  }
  if (status < 200 || status >= 300) {
    return failed(
      unknown(call, `http_${status}`, `the service answered with HTTP ${status}`, message),
      message,
    );
  }
  const remedy = terms.status === null ? "" : remedyFor(answer, forms, accepted);
  if (!("object" in body)) {
    return failed(indeterminate(call, body.reason, body.what + remedy, message), message);
  }
  return { object: body.object, reading: answered(""), message, status: standard.status, remedy };
}

/** Names the switch of the profile where a whole answer comes in forms that are not accepted. */
function remedyFor(answer: Answer, forms: readonly AnswerForm[], accepted: readonly AnswerForm[]): string {
  const all = ANSWER_FORMS.filter((form) => accepted.includes(form) || forms.includes(form));
  if (all.length === accepted.length) return "";
  const whole = readBody(withoutForms(answer, forms));
  if (!("object" in whole) || ownValue(whole.object, "status") !== "success") return "";
  return ` (if the service always sends such answers: "verdict profile add NAME --answers ${all.join(",")}")`;
}

/** Media type, coding, size and JSON of a body. `what` continues "The answer to the check". */
function readBody(answer: Answer): { object: JsonObject } | { reason: string; what: string } {
  if (!isOfType(answer, JSON_MEDIA_TYPE))
    return { reason: "wrong_media_type", what: "is not JSON by its content type" };
  const coded = answer.headers.some(
    ([name, value]) => name === "content-encoding" && !/^identity$/i.test(value),
  );
  if (coded) return { reason: "encoded", what: "is compressed or encoded" };
  if (answer.ending === "too_large") {
    return { reason: "too_large", what: `is longer than ${BODY_LIMIT_BYTES / 1024} KiB` };
  }
  let value: unknown;
  try {
    value = parseStrictJson(answer.body, { bom: "refuse" }).value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { reason: "bad_json", what: jsonProblem(error, answer.body) };
  }
  return isJsonObject(value) ? { object: value } : { reason: "not_an_object", what: "is not a JSON object" };
}

/** Continues "The answer to the check". */
function jsonProblem({ code, line }: StrictJsonError, body: Uint8Array): string {
  if (body.length === 0) return "is empty";
  if (code === "bom") return "begins with a byte order mark, which JSON must not have";
  if (code === "truncated") return `ends inside its JSON, on line ${line}`;
  if (code === "duplicate_key") return `names a member twice, on line ${line}`;
  return `is not valid JSON (${code.replaceAll("_", " ")}, line ${line})`;
}

function statusFault(object: JsonObject, call: Call, message: string | null): Reading | null {
  const status = ownValue(object, "status");
  if (status === "success") return null;
  const what =
    status === undefined
      ? "has no status"
      : `has the status ${escapeNonAscii(cut(JSON.stringify(status)), 80)}`;
  return indeterminate(call, "bad_status", what, message);
}

function answered(explanation: string): Reading {
  return { outcome: "answered", reason: null, explanation };
}

const AFTER_INDETERMINATE: Readonly<Record<Call, string>> = {
  check: "the answer does not count as a pass, so do not continue the transaction",
  register: "ask for the credential to see whether the project exists",
  credential: "ask again later",
};

/** @param message what the service says; it stands last, because a narrow screen cuts the end */
function indeterminate(call: Call, reason: string, what: string, message: string | null): Reading {
  return reading(
    "indeterminate",
    reason,
    `The answer to the ${CALL_NAME[call]} ${what}: ${AFTER_INDETERMINATE[call]}${saying(message)}.`,
  );
}

function unknown(call: Call, reason: string, what: string, message: string | null = null): Reading {
  return reading(
    "unknown",
    reason,
    `The ${CALL_NAME[call]} arrived, but ${what}: ${AFTER_UNKNOWN[call]}${saying(message)}.`,
  );
}

function saying(message: string | null): string {
  const text = quoted(message);
  return text === null ? "" : `; it says ${text}`;
}

function reading(outcome: Outcome, reason: string, explanation: string): Reading {
  return { outcome, reason, explanation };
}

/** The member of spec 2.4. */
function ownMessage(object: JsonObject): string | null {
  const value = ownValue(object, "message");
  return typeof value === "string" ? value : null;
}

function cut(text: string): string {
  return text.slice(0, 200);
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
