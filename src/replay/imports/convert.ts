// What a conversion of a map does to a cell.

export type Cells = ReadonlyMap<string, string>;

/** A row that is being converted. */
export interface Row {
  /** What it has become so far; of it, `currency`. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly cells: Cells;
}

/** @returns the text to be read as the field's value, empty to leave the field out; or one sentence that repeats no value */
export type Convert = (text: string, row: Row) => { readonly text: string } | { readonly problem: string };

export interface Conversion {
  /** Of a cell that is not empty. */
  readonly convert: Convert;
  /** What an empty cell means; without it, the field is left out. */
  readonly empty?: string;
  /** Columns that it reads besides the field's own. */
  readonly columns?: readonly string[];
}
