// The kinds of foreign documents whose payments can be imported, recognized by what they hold; tables and lines of JSON are
// rows, and any of their columns can be mapped.

import type { ForeignKind } from "#src/contract/fields/not-a-payment.ts";
import type { StrictJson } from "#src/contract/text/strict-json.ts";
import type { ForeignRow, Found, Untaken } from "./candidate.ts";

/** A document that was read as a whole. */
export interface ForeignDocument {
  /** Name in places, escaped: `session.har`. */
  readonly label: string;
  readonly json: StrictJson;
}

/** What fills the variables of a document, in addition to its own. */
export interface DocumentValues {
  /** An environment that Postman exported, parsed; null for none. */
  readonly environment: unknown;
  /** Rows of a data file; null for none. */
  readonly rows: AsyncIterable<ForeignRow | Untaken> | null;
  /** Columns of the data file, complete with its first row: an empty cell is an empty text. */
  readonly columns: ReadonlySet<string>;
}

export const NO_VALUES: DocumentValues = { environment: null, rows: null, columns: new Set() };

/** Gives what a document holds, in its order. It throws only Fault("bad_input"), for a document that cannot be read at all. */
export type DocumentReader = (
  document: ForeignDocument,
  values: DocumentValues,
) => Iterable<Found> | AsyncIterable<Found>;

/** The reader of each kind, loaded on use. */
export const DOCUMENT_READERS: Readonly<Partial<Record<ForeignKind, () => Promise<DocumentReader>>>> = {
  har: async () => (await import("./har.ts")).readHar,
  postman: async () => (await import("./postman.ts")).readPostman,
  openapi: async () => (await import("./openapi.ts")).readOpenApi,
};
