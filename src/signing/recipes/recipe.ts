// The model of a signing recipe: a document that defines how a request is signed. The service does not publish its scheme
// (spec section 5), so the scheme is data that can be replaced when it becomes known.

import type { Call } from "#src/contract/wire/wire.ts";

export const KEY_ENCODINGS = ["utf8", "hex", "base64"] as const;

/** Encoding of the key's bytes in the text of a secret. */
export type KeyEncoding = (typeof KEY_ENCODINGS)[number];

export const SIGNATURE_ENCODINGS = ["hex", "HEX", "base64", "base64url"] as const;

/** Encoding of the signature's bytes; `HEX` is upper case. */
export type SignatureEncoding = (typeof SIGNATURE_ENCODINGS)[number];

export const HMAC_ALGORITHMS = ["hmac-sha256", "hmac-sha384", "hmac-sha512"] as const;

/** What a credential may name (spec 2.8). */
export type HmacAlgorithm = (typeof HMAC_ALGORITHMS)[number];

/** Weak hashes stand last: they are for services that still ask for them. */
export const DIGEST_HASHES = ["sha256", "sha384", "sha512", "sha1", "md5"] as const;

export type DigestHash = (typeof DIGEST_HASHES)[number];

export const SIGNING_HASHES = [...HMAC_ALGORITHMS, "hmac-sha1", "hmac-md5", ...DIGEST_HASHES] as const;

/** An HMAC, or a plain hash of a text that holds the secret. */
export type SigningHash = (typeof SIGNING_HASHES)[number];

export function isPlainHash(hash: string): hash is DigestHash {
  return (DIGEST_HASHES as readonly string[]).includes(hash);
}

export const TIME_FORMATS = ["http-date", "unix-s", "unix-ms", "iso8601", "amz-basic"] as const;

export type TimeFormat = (typeof TIME_FORMATS)[number];

/** `hex:N` is N hexadecimal digits, N even; `alnum:N` is N letters and digits. */
export type NonceFormat = "uuid4" | `hex:${number}` | `alnum:${number}`;

/**
 * One `name: value` line per component (draft-cavage-http-signatures-12 section 2.3). `a|b` means "a or b, whichever
 * the request carries".
 */
export interface HeaderLines {
  readonly style: "header-lines";
  readonly components: readonly string[];
  readonly join: string;
}

/** A text with placeholders; `{header_lines}` in it is a `name:value` line per component, sorted by name. */
export interface TextTemplate {
  readonly style: "template";
  readonly text: string;
  readonly components: readonly string[];
}

/** The signature base of RFC 9421 section 2.5: a quoted line per component, then the parameters. */
export interface MessageSignature {
  readonly style: "rfc9421";
  readonly components: readonly string[];
  /** in order, as in the header: `created={time}`, `keyid="{key_id}"` */
  readonly params: readonly string[];
}

/** A hash of the canonical request inside the string to sign (AWS Signature Version 4): `{request_hash}` in `text`. */
export interface TwoStage {
  readonly style: "two-stage";
  readonly request: string;
  readonly hash: DigestHash;
  readonly text: string;
  readonly components: readonly string[];
}

/** A JSON Web Token (RFC 7519) in compact form (RFC 7515 section 7.1), sent as `{token}`. */
export interface WebToken {
  readonly style: "jwt";
  /** Template of its header, a JSON text. */
  readonly header: string;
  /** Template of its claims, a JSON text, or `{body}`. */
  readonly claims: string;
  readonly components: readonly string[];
}

/** How the string to sign is built. A new scheme is a new member of this union and an entry in `canonical.ts`. */
export type Canonical = HeaderLines | TextTemplate | MessageSignature | TwoStage | WebToken;

export interface RecipeTime {
  /** Null: the time is only in the headers of `emit`. */
  readonly header: string | null;
  readonly format: TimeFormat;
  /** Largest accepted distance between this time and the verifier's clock, in seconds. */
  readonly skew_s: number;
}

export interface RecipeNonce {
  /** Null: the nonce is only in the headers of `emit`. */
  readonly header: string | null;
  readonly format: NonceFormat;
}

export const FIELD_FORMS = ["json", "pairs", "values"] as const;
export const FIELD_NESTINGS = ["dot", "brackets"] as const;
export const FIELD_ENCODINGS = ["none", "uri", "form"] as const;

/** The fields of the body, sorted by name, as a text of their own: `{fields}`. */
export interface BodyFields {
  /** `json` is the compact body with sorted names (RFC 8785); `values` are pairs without their names. */
  readonly form: (typeof FIELD_FORMS)[number];
  /** Names below another: `payer.email`, or `payer[email]`. */
  readonly nesting: (typeof FIELD_NESTINGS)[number];
  /** Between two pairs. */
  readonly separator: string;
  /** Between a name and its value. */
  readonly equals: string;
  /** Of names and values: `uri` is RFC 3986, `form` application/x-www-form-urlencoded. */
  readonly encoding: (typeof FIELD_ENCODINGS)[number];
  /** What becomes of fields without a value: null, or an empty text. */
  readonly empty: "keep" | "omit";
}

export interface BodyDigest {
  /** Null: the digest is only in the string to sign, or in the headers of `emit`. */
  readonly header: string | null;
  readonly hash: DigestHash;
  /** Template of the hashed text; `{body}` is the raw body. */
  readonly over: string;
  /** `{b64}` and `{hex}`; `{raw}` is the bytes, which no header can carry. */
  readonly render: string;
  /** Whether a request without a body has a digest, too. */
  readonly empty: "hash" | "omit";
}

/**
 * A test vector: a request and its expected signature. The secret in it is a published test value, never a live one.
 */
export interface RecipeVector {
  readonly name: string;
  readonly call: Call;
  readonly method: string;
  readonly url: string;
  /** names in lower case; those that identify the sender are added when signing */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keyId: string;
  readonly testSecret: string;
  readonly algorithm: string;
  /** project id of a check, company id of the other calls */
  readonly owner: string;
  /** ms since the epoch */
  readonly at: number;
  /** Null where the recipe has none. */
  readonly nonce: string | null;
  readonly expect: {
    readonly stringToSign: string | null;
    /** headers that must be emitted with exactly these values */
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** Headers of one call that replace what `emit` gives; that call is not signed. */
export type HeaderReplacement = Readonly<Record<string, string>>;

/** Parts of the recipe that are different for one call. */
export type RecipeParts = Partial<
  Pick<Recipe, "time" | "nonce" | "fields" | "body_digest" | "signature" | "emit">
> & {
  readonly canonical?: Canonical;
};

/** A signing recipe. Names are those of the document as people write it. Null leaves a part out. */
export interface Recipe {
  readonly recipe: string;
  /** `assumed` until the real service has accepted a request signed this way. */
  readonly status: "assumed" | "confirmed";
  /** One sentence for lists: the family of the recipe. */
  readonly about: string;
  readonly key: { readonly encoding: KeyEncoding };
  /** `from-credential`: the credential's own algorithm token decides (spec 2.8). */
  readonly hash: "from-credential" | SigningHash;
  /** Constant placeholders of the recipe, e.g. a region; no secrets. */
  readonly values: Readonly<Record<string, string>>;
  readonly time: RecipeTime | null;
  /** Without a nonce two equal requests in one second look like a replay, because `Date` has seconds only. */
  readonly nonce: RecipeNonce | null;
  readonly fields: BodyFields | null;
  readonly body_digest: BodyDigest | null;
  /**
   * Chained keys: each text is signed with the key before it and gives the next. A first text with `{secret}` is the
   * first key itself; else the secret's bytes are.
   */
  readonly derive: readonly string[];
  /**
   * Null: nothing is signed. Then `{secret}` in `emit` sends the secret itself, for a fixed Authorization, and `{basic}` the key
   * id and the secret (RFC 7617).
   */
  readonly canonical: Canonical | null;
  readonly signature: { readonly encoding: SignatureEncoding };
  /** Headers to add, templates. */
  readonly emit: Readonly<Record<string, string>>;
  /** Per call: other headers and no signature, e.g. the empty Authorization of the sample (spec 4.3), or other parts. */
  readonly endpoints: Readonly<Partial<Record<Call, HeaderReplacement | RecipeParts>>>;
  /** Run when the recipe is loaded: one that fails does not load. */
  readonly vectors: readonly RecipeVector[];
}

/** Whether an override is a set of headers in place of a signature. */
export function replacesHeaders(override: HeaderReplacement | RecipeParts): override is HeaderReplacement {
  return Object.values(override).every((value) => typeof value === "string");
}

/** Cache by recipe, then by call. */
const merged = new WeakMap<Recipe, Map<Call, Recipe>>();

/** The recipe with the overrides of one call; replaced headers apply to signing only and change nothing here. */
export function recipeFor(recipe: Recipe, call: Call): Recipe {
  const override = recipe.endpoints[call];
  if (override === undefined || replacesHeaders(override)) return recipe;
  let byCall = merged.get(recipe);
  if (byCall === undefined) merged.set(recipe, (byCall = new Map<Call, Recipe>()));
  let whole = byCall.get(call);
  if (whole === undefined) byCall.set(call, (whole = { ...recipe, ...override, endpoints: {} }));
  return whole;
}
