// Masks personal data in reports, unless the user asked for it.

import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { getPath, setPath } from "#src/contract/fields/body-path.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { isPersonal, MASK, redactText } from "#src/display/mask.ts";

export interface Privacy {
  readonly masked: boolean;
  /** A text about a request: key, origin, tag, message. Masked, but not yet escaped. */
  text(text: string, request: CheckRequest): string;
  /** The request itself. */
  request(request: CheckRequest): unknown;
  /** A source as the user gave it: a filter may name a person. */
  source(source: string): string;
}

/** Fields of a history filter that hold no personal data. */
const PLAIN_TERM =
  /^-?(?:verdict|outcome|amount|currency|order|project|profile|bin|operation|latency|final|since|before)(?:[:<>=]|$)/i;

/** @param showPersonal true leaves everything as it is */
export function createPrivacy(showPersonal: boolean): Privacy {
  if (showPersonal) {
    return { masked: false, text: (text) => text, request: (request) => request, source: (source) => source };
  }
  return {
    masked: true,
    text: redactText,
    request: knownFields,
    source: (source) => (source.startsWith("history:") ? maskedFilter(source) : source),
  };
}

/** Only fields of the contract, because unknown ones may be personal. */
function knownFields(request: CheckRequest): Record<string, unknown> {
  let shown: Record<string, unknown> = {};
  for (const { path } of CHECK_FIELDS) {
    const value = getPath(request, path);
    if (value === undefined) continue;
    const plain =
      typeof value === "string"
        ? redactText(value, request)
        : typeof value === "number" || typeof value === "boolean"
          ? value
          : MASK;
    shown = setPath(shown, path, isPersonal(path) ? MASK : plain);
  }
  return shown;
}

function maskedFilter(source: string): string {
  const prefix = "history:";
  const terms = source.slice(prefix.length).match(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/g) ?? [];
  return prefix + terms.map((term) => (PLAIN_TERM.test(term) ? term : MASK)).join(" ");
}
