// Explains a refusal (3xx, 4xx, 503) with the next step.

import { ownValue, type JsonObject } from "#src/contract/fields/body-path.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { AnswerForm, RecipeStatus } from "#src/contract/records/profile.ts";
import type { AnswerFacts, CallResult } from "#src/contract/wire/outcome.ts";
import { type Call, ERROR_SLUGS } from "#src/contract/wire/wire.ts";
import { CALL_NAME } from "./failure.ts";
import type { ServiceWords } from "./service-words.ts";

/** How the request was signed, and how it may be answered. */
export interface Terms {
  /** Id of the recipe. */
  readonly recipe: string;
  /** Null where there is no question about it: the sandbox. */
  readonly status: RecipeStatus | null;
  /** Forms of an answer beside the standard one; none by default. */
  readonly accepted?: readonly AnswerForm[];
}

/**
 * @param object body of the answer where it is readable JSON: any shape, untrusted
 * @param words what the service says, from any shape
 */
export function readRefusal(
  status: number,
  object: JsonObject | null,
  words: ServiceWords,
  facts: AnswerFacts,
  call: Call,
  terms: Terms,
): Pick<CallResult, "outcome" | "reason" | "explanation"> {
  const slug = ownValue(object, "error");
  const known = typeof slug === "string" && Object.hasOwn(ERROR_SLUGS, slug);
  const redirect = status < 400;
  const reason = redirect ? "redirect" : known ? slug : `http_${status}`;
  const named = typeof slug === "string" && !known && words.message !== slug;
  const said = named ? ` ("${escapeText(slug, 60)}")` : "";
  const wrong = words.fields;
  const text = wrong ?? quoted(words.message);
  const what = `The ${CALL_NAME[call]} was refused with HTTP ${status}${said}`;
  const recipe =
    facts.clockSkewS === null && mayBeSigning(status, reason, wrong) ? recipeToCheck(terms, call) : null;
  const why = text === null ? "" : `, ${wrong === null ? "saying" : "because"} ${text}`;
  return {
    outcome: "refused",
    reason,
    explanation: `${what}${why}: ${advice(status, reason, facts, call, recipe)}.`,
  };
}

/** The recipe, how sure it is, and the two commands that lead on. */
function recipeToCheck({ recipe, status }: Terms, call: Call): string | null {
  if (status === null) return null;
  const which = call === "check" ? "" : ` --call ${call}`;
  const sure = status === "assumed" ? "assumed, not confirmed" : status;
  return `the recipe ${escapeText(recipe, 64)}, which is ${sure} (next: verdict sign FILE${which} --explain, verdict recipe infer --request FILE)`;
}

/** Not every service answers a wrong signature with 401; one that names fields has read the body. */
function mayBeSigning(status: number, reason: string, fields: string | null): boolean {
  return status === 401 || status === 403 || (status === 400 && reason === "http_400" && fields === null);
}

function advice(
  status: number,
  reason: string,
  facts: AnswerFacts,
  call: Call,
  recipe: string | null,
): string {
  if (status < 400) return "a redirect is never followed, so correct the address in the profile";
  const wait = facts.retryAfterS === null ? "later" : `in ${facts.retryAfterS} s`;
  switch (status) {
    case 401:
    case 403:
      if (facts.clockSkewS !== null) {
        const side = facts.clockSkewS > 0 ? "ahead of" : "behind";
        return `the clock of this machine is ${Math.abs(facts.clockSkewS)} s ${side} the clock of the service, so set it and send again`;
      }
      return status === 401
        ? `check key, secret and ${recipe ?? "signing recipe"}`
        : `check that the key belongs to this ${call === "check" ? "project" : "company"}${recipe === null ? "" : `, and ${recipe}`}`;
    case 400:
      return `correct the field that the service names and send again${recipe === null ? "" : `, or check ${recipe}`}`;
    case 404:
      if (call !== "credential") return "check the address in the profile";
      return reason === "project_not_found"
        ? "register the project first"
        : `the credential is not ready, so ask again ${wait}`;
    case 408:
    case 425:
    case 429:
    case 503:
      return `send again ${wait}`;
    case 409:
      if (call === "register") return "the project exists, so go on to the credential request";
      if (call === "credential") return `the credential is not ready, so ask again ${wait}`;
      return "correct the field that the service names, or ask the operator of the service";
    case 410:
      return "the 24 hours are over, so take the credential from the administrative panel";
    default:
      return "correct the request and send it again";
  }
}

/** What a service says, in quotes; null where it says nothing. */
export function quoted(message: string | null): string | null {
  return message === null || message === "" ? null : `"${escapeText(message, 160)}"`;
}
