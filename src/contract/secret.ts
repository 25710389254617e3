// A wrapper for secrets that prints as a fingerprint, so that no secret reaches output or logs by accident.

import { createHash } from "node:crypto";
import { inspect } from "node:util";

/** Syntax of a credential value: printable ASCII without blanks, 1 to 256 characters. */
export const CREDENTIAL_VALUE = /^[\x21-\x7e]{1,256}$/;
const LONGEST = 256;

/** Why a text cannot be a credential value, as the end of a sentence that never repeats it; null when it can. */
export function credentialValueProblem(value: string): string | null {
  if (CREDENTIAL_VALUE.test(value)) return null;
  if (value === "") return "is empty";
  const [strange] = /\r\n|[^\x21-\x7e]/u.exec(value) ?? [];
  if (strange === undefined) return `has ${value.length} characters, and ${LONGEST} are the most`;
  return `holds ${NAMED[strange] ?? otherCharacter(strange.codePointAt(0)!)}`;
}

/** Looks like what belongs around a secret, as copied from a file of settings. */
const QUOTED = /^(["'`]).*\1$/s;
const ASSIGNED = /^(?:[a-z0-9_]*(?:secret|key|token|pass)[a-z0-9_]*)[=:][^=]/i;

/** The same for what a person pastes, where quotation marks and a name before the value are a mistake. */
export function pastedSecretProblem(value: string): string | null {
  const problem = credentialValueProblem(value);
  if (problem !== null) return problem;
  if (value.length > 2 && QUOTED.test(value)) return "is in quotation marks; give what is between them";
  return ASSIGNED.test(value) ? "begins with a name; give what is behind it alone" : null;
}

const NAMED: Readonly<Record<string, string>> = {
  "\r\n": "a line end (CR LF)",
  "\r": "a carriage return (CR)",
  "\n": "a line feed (LF)",
  " ": "a blank",
};

function otherCharacter(code: number): string {
  const kind = code < 0x80 ? "a control character" : "a character outside ASCII";
  return `${kind} (U+${code.toString(16).toUpperCase().padStart(4, "0")})`;
}

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself. Only signing, sealing and an explicit reveal by the user may call this. */
  expose(): string {
    return this.#value;
  }

  /** First 8 hexadecimal digits of the secret's SHA-256, to tell secrets apart. */
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
