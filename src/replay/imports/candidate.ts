// What a foreign file holds: something that may be a payment, or the reason why it cannot be one.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import type { StrictJson } from "#src/contract/text/strict-json.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** A possible payment of a foreign file: a request's body, a row of a table. */
export interface Candidate {
  /** Where it stands, for people: `orders.csv:17`, `session.har: entry 12, POST https://…/check`. */
  readonly place: string;
  /** A check request, or an envelope. */
  readonly body: StrictJson & { readonly value: JsonObject };
  readonly name: string | null;
  readonly at: Milliseconds | null;
}

/** What could not be taken, in one sentence; untrusted text in it is already escaped. */
export interface Skipped {
  readonly place: string;
  readonly why: string;
}

export type Found = Candidate | Skipped;

/** A row of a table, or an object of JSON, as texts by column or dotted path; what is empty or null in JSON is not in it. */
export interface ForeignRow {
  readonly place: string;
  readonly cells: ReadonlyMap<string, string>;
}

/** A document that was read as a whole. */
export interface ForeignDocument {
  /** Name in places, escaped: `session.har`. */
  readonly label: string;
  readonly json: StrictJson;
}

/** The rows of a data file; null for none. */
export type DataRows = () => AsyncIterable<ForeignRow | Skipped> | null;

/** Gives what a document holds, in its order; it asks for rows where it has variables. It never throws. */
export type DocumentReader = (
  document: ForeignDocument,
  rows: DataRows,
) => Iterable<Found> | AsyncIterable<Found>;
