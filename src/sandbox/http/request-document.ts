// Parses and validates a body: strict JSON, no full card numbers, the fields of the call.

import { findCardData } from "#src/contract/fields/card-data.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { validateBody } from "#src/contract/fields/validate.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { JSON_DEPTH_LIMIT } from "#src/contract/wire/wire.ts";
import { Refusal } from "./refusal.ts";

/**
 * @param required dotted paths of the fields that must be there
 * @param now virtual time, for the expiry of cards
 * @throws Refusal `invalid_json`, `card_data_refused` or `invalid_request`; the messages repeat no value of the body
 */
export function readDocument(
  body: Uint8Array,
  fields: readonly Field[],
  required: readonly string[],
  now: Milliseconds,
  maxBytes: number,
): unknown {
  let parsed: ReturnType<typeof parseStrictJson>;
  try {
    parsed = parseStrictJson(body, { maxBytes, maxDepth: JSON_DEPTH_LIMIT, bom: "refuse" });
  } catch (error) {
    if (error instanceof StrictJsonError) throw new Refusal("invalid_json", error.message);
    throw error;
  }
  const card = findCardData(parsed.value);
  if (card !== null) {
    const path = escapeText(card.path, 80);
    throw new Refusal("card_data_refused", `Full card data does not belong here: remove it from ${path}.`, {
      fields: [{ path, message: "Only the BIN and the last four digits of a card may be sent." }],
    });
  }
  const { value, irregularNumbers } = parsed;
  const findings = validateBody(fields, value, { required, irregularNumbers, now, strict: true });
  const wrong = findings
    .filter((finding) => finding.severity === "error")
    .map(({ path, message }) => ({ path: escapeText(path, 80), message }));
  if (wrong.length > 0) {
    throw new Refusal(
      "invalid_request",
      `The request has ${wrong.length === 1 ? "a wrong field" : "wrong fields"}.`,
      {
        fields: wrong,
      },
    );
  }
  return value;
}
