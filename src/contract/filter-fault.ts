// A mistake in a filter, with the place of it: a front end can point at the token.

import { Fault } from "./fault.ts";

export class FilterFault extends Fault {
  /** Where the wrong token starts, in characters from 1. */
  readonly column: number;
  /** Characters of the token, at least 1. */
  readonly length: number;

  constructor(column: number, reason: string, length = 1) {
    super("usage", `Filter, column ${column}: ${reason}.`);
    this.column = column;
    this.length = Math.max(1, length);
  }
}
