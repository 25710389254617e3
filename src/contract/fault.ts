// Faults that a user can act on. Each has a stable code; the command line maps codes to exit codes.

import { escapeText } from "./text/escape-text.ts";

export type FaultCode =
  /** a word of the command line, or a value typed by the user */
  | "usage"
  /** an input file or standard input that cannot be used */
  | "bad_input"
  /** no credential or integration key for what was asked */
  | "credential_missing"
  /** the vault cannot be opened now */
  | "vault_locked"
  /** nothing was sent: name, connection, TLS, or a local refusal to send */
  | "not_sent"
  /** the service refused */
  | "refused"
  /** a file could not be written or read back; nothing half-written is left */
  | "storage"
  /** a stored file is damaged: set aside, never silently replaced */
  | "corrupt"
  /** the embedded service did not start or answer */
  | "sandbox"
  /** the profile is read-only: nothing is sent through it */
  | "read_only"
  /** stopped by the user */
  | "interrupted";

/** Longest value in a sentence, in characters; a longer one ends in `…`. */
const LONGEST_VALUE = 200;

/** A text in which nothing is left that a terminal would obey or hide. */
export class Sentence {
  readonly #text: string;

  constructor(text: string) {
    this.#text = escapeText(text, Infinity, "\n");
  }

  toString(): string {
    return this.#text;
  }
}

type Values = readonly (string | number | Sentence)[];

/** Puts values into a text. A string is escaped and cut; a number or a `Sentence` stays whole. */
export function sentence(texts: TemplateStringsArray, ...values: Values): Sentence {
  const shown = values.map((value) =>
    typeof value === "string" ? escapeText(value, LONGEST_VALUE) : String(value),
  );
  return new Sentence(texts.reduce((text, next, at) => text + shown[at - 1]! + next));
}

/** A text of verdict's own inside a sentence: escaped, and never cut. */
export function whole(text: string): Sentence {
  return new Sentence(text);
}

/**
 * A fault with one sentence for the user: what is wrong, where, what to do.
 * `message` never holds a secret and is shown without a stack trace.
 */
export class Fault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: Sentence) {
    super(String(message));
    this.name = "Fault";
    this.code = code;
  }

  /** @param cause the error behind it, for those who debug verdict */
  causedBy(cause: unknown): this {
    this.cause = cause;
    return this;
  }
}

export type Tag = (texts: TemplateStringsArray, ...values: Values) => Fault;

function faultOf(code: FaultCode): Tag {
  return (texts, ...values) => new Fault(code, sentence(texts, ...values));
}

export const usage = faultOf("usage");
export const badInput = faultOf("bad_input");
export const credentialMissing = faultOf("credential_missing");
export const vaultLocked = faultOf("vault_locked");
export const storage = faultOf("storage");
export const corrupt = faultOf("corrupt");
export const sandboxFault = faultOf("sandbox");
export const interrupted = faultOf("interrupted");

/** @param list the command that shows the names there are */
export function noSuch(what: string, name: string, list: string): Fault {
  return usage`There is no ${what} "${name}"; "${whole(list)}" shows the ${what}s there are.`;
}
