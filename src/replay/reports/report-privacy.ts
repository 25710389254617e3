// Masks personal data in reports, unless the user asked for it.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { redactRequest, redactText } from "#src/display/mask.ts";
import { maskedFilter } from "#src/display/masked-words.ts";

export interface Privacy {
  readonly masked: boolean;
  /** A text about a request: origin, tag, message. Masked, but not yet escaped. Keys and order ids are public, and are no such text. */
  text(text: string, request: CheckRequest): string;
  /** The request itself. */
  request(request: CheckRequest): unknown;
  /** A source as the user gave it: a filter may name a person. */
  source(source: string): string;
}

/** @param showPersonal true leaves everything as it is */
export function createPrivacy(showPersonal: boolean): Privacy {
  if (showPersonal) {
    return { masked: false, text: (text) => text, request: (request) => request, source: (source) => source };
  }
  return {
    masked: true,
    text: redactText,
    request: redactRequest,
    source: (source) =>
      source.startsWith("history:") ? `history:${maskedFilter(source.slice("history:".length))}` : source,
  };
}
