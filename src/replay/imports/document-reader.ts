// What a reader of foreign documents takes and gives.

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
  /** Rows of a data file, with the empty cells of a table; null for none. */
  readonly rows: AsyncIterable<ForeignRow | Untaken> | null;
}

export const NO_VALUES: DocumentValues = { environment: null, rows: null };

/** Gives what a document holds, in its order; it asks for values where it has variables. It never throws. */
export type DocumentReader = (
  document: ForeignDocument,
  values: () => DocumentValues,
) => Iterable<Found> | AsyncIterable<Found>;
