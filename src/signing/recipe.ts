// The model of a signing recipe: a document that says how a request is signed. The service does not publish its
// scheme (spec section 5), so the scheme is data that can be replaced the day it becomes known.

import type { Call } from "#src/contract/wire.ts";

/** How the text of a secret becomes the bytes of the key. */
export type KeyEncoding = "utf8" | "hex" | "base64";

/** How the signature's bytes become text; `HEX` is upper case. */
export type SignatureEncoding = "hex" | "HEX" | "base64" | "base64url";

export type HmacAlgorithm = "hmac-sha256" | "hmac-sha384" | "hmac-sha512";

export type DigestHash = "sha256" | "sha512";

export type TimeFormat = "http-date" | "unix-s" | "unix-ms" | "iso8601" | "amz-basic";

/** `hex:N` is N hexadecimal digits, N even. */
export type NonceFormat = "uuid4" | `hex:${number}`;

/**
 * One `name: value` line per component (draft-cavage-http-signatures-12 section 2.3). `a|b` means "a or b, whichever
 * the request carries".
 */
export interface HeaderLines {
  readonly style: "header-lines";
  readonly components: readonly string[];
  readonly join: string;
}

/** How the string to sign is built. Another scheme is another member of this union, and one entry in `canonical.ts`. */
export type Canonical = HeaderLines;

/**
 * A known request and what signing it must give. The secret in it is a published test value, never a live one.
 */
export interface RecipeVector {
  readonly name: string;
  readonly call: Call;
  readonly url: string;
  readonly body: string;
  readonly keyId: string;
  readonly testSecret: string;
  readonly algorithm: string;
  /** project id of a check, company id of the other calls */
  readonly owner: string;
  /** ms since the epoch */
  readonly at: number;
  readonly nonce: string;
  readonly expect: {
    readonly stringToSign?: string;
    /** headers that must be emitted with exactly these values */
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** A signing recipe. Names are those of the document as people write it. Null leaves a part out. */
export interface Recipe {
  readonly recipe: string;
  /** `assumed` until a request signed this way was accepted by the real service. */
  readonly status: "assumed" | "confirmed";
  /** One sentence for lists: what family this is. */
  readonly about: string;
  readonly key: { readonly encoding: KeyEncoding };
  /** `from-credential`: the credential's own algorithm token decides (spec 2.8). */
  readonly hash: "from-credential" | HmacAlgorithm;
  /** `skew_s`: largest accepted distance between this time and the verifier's clock, in seconds. */
  readonly time: { readonly header: string; readonly format: TimeFormat; readonly skew_s: number } | null;
  /** Without a nonce two equal requests in one second look like a replay, because `Date` has seconds only. */
  readonly nonce: { readonly header: string; readonly format: NonceFormat } | null;
  /** `render` may hold `{b64}` and `{hex}`: the digest of the raw body. */
  readonly body_digest: {
    readonly header: string;
    readonly hash: DigestHash;
    readonly render: string;
  } | null;
  /** Null: nothing is signed. */
  readonly canonical: Canonical | null;
  readonly signature: { readonly encoding: SignatureEncoding };
  /** Headers to add; `{key_id}`, `{algorithm}`, `{components}`, `{signature}`, `{time}`, `{nonce}` and `{digest}` are filled in. */
  readonly emit: Readonly<Record<string, string>>;
  /** Headers of one call that replace what `emit` gives, e.g. the empty Authorization of the sample (spec 4.3). */
  readonly endpoints: Readonly<Partial<Record<Call, Readonly<Record<string, string>>>>>;
  /** Run when the recipe is loaded: one that fails does not load. */
  readonly vectors: readonly RecipeVector[];
}
