// How one request was signed: every byte of the string to sign made visible, without any secret.

import type { Milliseconds } from "./clock.ts";
import type { Call } from "./wire.ts";

/** A line with its end; every byte that is no printable ASCII character is shown as `\xNN`. */
export interface VisibleLine {
  readonly text: string;
  /** Null for the last line. */
  readonly end: "LF" | "CRLF" | null;
}

export interface SigningExplanation {
  readonly recipe: string;
  readonly status: string;
  readonly call: Call;
  readonly method: string;
  readonly url: string;
  /** Null where nothing is signed. */
  readonly stringToSign: readonly VisibleLine[] | null;
  /** Only where a hash of it stands in the string to sign. */
  readonly canonicalRequest: readonly VisibleLine[] | null;
  /** As the recipe renders it; null where it has none. */
  readonly bodyDigest: string | null;
  readonly key: {
    readonly encoding: string;
    /** length of the secret's bytes; null where no key is used */
    readonly bytes: number | null;
    /** how the key that signs comes from the secret, in words; empty where it is the secret */
    readonly derived: readonly string[];
  };
  /** All headers to send, by name. A secret that is sent is masked. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly algorithm: string | null;
  readonly signatureEncoding: string;
  /** length of the signature in bytes; null where nothing is signed */
  readonly signatureBytes: number | null;
  /** Until when a verifier accepts it; null where the recipe signs no time. */
  readonly validUntil: Milliseconds | null;
  /** Parts that are not covered by the signature. */
  readonly unsigned: readonly string[];
}
