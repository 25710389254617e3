// The words of an import: which column of a foreign file becomes which field, and which columns are left out.

export interface ImportWords {
  /** `COLUMN=FIELD` or `COLUMN=FIELD:CONVERSION` */
  readonly map: readonly string[];
  /** `FIELD=VALUE`, for every payment. */
  readonly set: readonly string[];
  /** Columns that are left out, and in JSON all that is in them. */
  readonly ignore: readonly string[];
  /** True to leave out every column that nothing else names. */
  readonly ignoreOthers: boolean;
  /** Columns, or fields of the map, whose full card numbers are reduced to BIN and last four. */
  readonly reducePan: readonly string[];
}

/** Words that are kept under a name. */
export interface SavedMap extends ImportWords {
  readonly name: string;
}
