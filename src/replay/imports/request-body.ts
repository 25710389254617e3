// The body of a recorded or prepared HTTP request as a possible payment.

import { isJsonObject, ownValue } from "#src/contract/fields/body-path.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import type { Candidate, Found } from "./candidate.ts";

/** The text of a body, or why there is none, in one sentence. */
export type Body<T = string> = { readonly text: T } | { readonly why: string };

/**
 * Reads a body, which must be strict JSON within the limits of a payload.
 * @returns the reason for one that is not, e.g. because its recorder cut it off
 */
export function foundInBody(
  body: Body<string | Uint8Array>,
  { place, name, at }: Pick<Candidate, "place" | "name" | "at">,
): Found {
  if ("why" in body) return { place, why: body.why };
  try {
    const { value, irregularNumbers } = parseStrictJson(body.text);
    return isJsonObject(value)
      ? { place, body: { value, irregularNumbers }, name, at }
      : { place, why: "Its body is no JSON object." };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const what = error.code === "truncated" ? "is cut off or empty" : "is no JSON that is taken";
    return { place, why: `Its body ${what}: ${error.message.replace(/^L/, "l")}` };
  }
}

/** An own property that should be a text; empty for anything else. */
export function textAt(object: unknown, key: string): string {
  const value = ownValue(object, key);
  return typeof value === "string" ? value : "";
}

/** A name or an address of a foreign file for places and reasons; one that is a card number is left out. */
export function shownWord(word: string): string {
  return findCardData(word) === null ? escapeText(word, 80) : "(left out)";
}
