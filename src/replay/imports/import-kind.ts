// The kinds of foreign documents whose payments can be imported, recognized by what they hold; tables and lines of JSON are
// rows, and any of their columns can be mapped.

import type { ForeignKind } from "#src/contract/fields/not-a-payment.ts";
import type { StrictJson } from "#src/contract/text/strict-json.ts";
import type { Found } from "./candidate.ts";

/** A document that was read as a whole. */
export interface ForeignDocument {
  /** Name in places, escaped: `session.har`. */
  readonly label: string;
  readonly json: StrictJson;
}

/** Gives what a document holds, in its order. It throws only Fault("bad_input"), for a document that cannot be read at all. */
export type DocumentReader = (document: ForeignDocument) => Iterable<Found> | AsyncIterable<Found>;

/** The reader of each kind, loaded on use. */
export const DOCUMENT_READERS: Readonly<Partial<Record<ForeignKind, () => Promise<DocumentReader>>>> = {};
