// What the server does as one step, in Lua. It understands no counters: it keeps order, and appends.

import { hash } from "node:crypto";

export interface Script {
  readonly text: string;
  /** By which the server knows it. */
  readonly sha1: string;
}

export function script(text: string): Script {
  return { text, sha1: hash("sha1", text, "hex") };
}
