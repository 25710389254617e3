// A syntax error in a history filter, with the position of the wrong token.

import { Fault, sentence, whole } from "./fault.ts";

export class FilterFault extends Fault {
  /** First character of the token, from 1. */
  readonly column: number;
  /** Characters of the token, at least 1. */
  readonly length: number;
  /** What is wrong and what to write instead, without the place and the stop. */
  readonly reason: string;

  constructor(column: number, reason: string, length = 1) {
    super("usage", sentence`Filter, column ${column}: ${whole(reason)}.`);
    this.reason = reason;
    this.column = column;
    this.length = Math.max(1, length);
  }
}
