// A secret that cannot be printed by accident: every usual way of turning it into text gives a fingerprint.

import { createHash } from "node:crypto";
import { inspect } from "node:util";

/** Printable ASCII without blanks, 1 to 256 characters: what a credential value may consist of. */
export const CREDENTIAL_VALUE = /^[\x21-\x7e]{1,256}$/;

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself. Only signing, sealing and an explicit reveal by the user may call this. */
  expose(): string {
    return this.#value;
  }

  /** First 8 hexadecimal digits of SHA-256 of the secret: tells two secrets apart, gives neither away. */
  get fingerprint(): string {
    return createHash("sha256").update(this.#value, "utf8").digest("hex").slice(0, 8);
  }

  toString(): string {
    return `[secret ${this.fingerprint}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
