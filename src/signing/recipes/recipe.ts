// The signing recipe: a document that defines how a request is signed, by its shape. The service does not publish its scheme
// (spec section 5), so the scheme is data that can be replaced when it becomes known. Names are those of the document.

import {
  allOptional,
  anyText,
  becomes,
  checked,
  choice,
  FORM,
  formed,
  instant,
  list,
  map,
  named,
  oneOf,
  optional,
  or,
  orNothing,
  orNull,
  text,
  variants,
  whole,
  Wrong,
  type Of,
  type Shape,
} from "#src/contract/text/shape.ts";
import { ENDPOINTS, JSON_MEDIA_TYPE, type Call } from "#src/contract/wire/wire.ts";
import { filterProblem, templateProblem } from "./template.ts";
import { isNonceFormat, TIME_FORMATS, type NonceFormat } from "./time-format.ts";

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

const CALLS = Object.keys(ENDPOINTS) as Call[];
const LIMIT = 4_096;
const LINE_LIMIT = 200;
const LIST_LIMIT = { maxItems: 64 };
const DAY_S = 86_400;

function ascii(description: string, pattern = "^[\\x20-\\x7e]*$"): Shape<string> {
  const form = `printable ASCII of up to ${LIMIT} characters`;
  return anyText(description, { maxLength: LIMIT, pattern, [FORM]: form });
}

function template(description: string): Shape<string> {
  return checked(ascii(description), templateProblem);
}

function templateLines(description: string): Shape<string> {
  return checked(ascii(description, "^[\\x20-\\x7e\\r\\n]*$"), templateProblem);
}

/** A template whose other braces are those of JSON. */
function jsonTemplate(description: string): Shape<string> {
  return checked(ascii(description), filterProblem);
}

function templates(description: string): Shape<readonly string[]> {
  return list(template("A template."), description, LIST_LIMIT);
}

function holding(shape: Shape<string>, pattern: RegExp, needed: string): Shape<string> {
  return checked(shape, (value) => (pattern.test(value) ? null : `must hold ${needed}`));
}

const HEADER_NAME = formed(
  /^(?!__proto__$)[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/,
  "the name of a header in lower case",
);
const HEADER = orNull(HEADER_NAME);
const COMPONENTS = list(
  formed(/^(?:(?![";,{}])[\x21-\x7e]){1,128}$/, "a header name, or a|b for either"),
  "What is signed, in this order.",
  LIST_LIMIT,
);
const HASH = or(choice(DIGEST_HASHES, "The hash."), "sha256");

const TIME = map(
  {
    /** Null: the time is only in the headers of `emit`. */
    header: HEADER,
    format: choice(TIME_FORMATS, "How the time is written."),
    skew_s: or(whole(1, DAY_S, "How far it may be from the clock of the verifier, in seconds."), 300),
  },
  "The time of a request.",
);

/** Without a nonce two equal requests in one second look like a replay, because `Date` has seconds only. */
const NONCE = map(
  {
    header: HEADER,
    format: becomes(text("uuid4, hex:N with an even N, or alnum:N."), (format): NonceFormat | Wrong =>
      isNonceFormat(format) ? format : new Wrong("must be uuid4, hex:N with an even N, or alnum:N"),
    ),
  },
  "What makes each request another one.",
);

export const FIELD_NESTINGS = ["dot", "brackets"] as const;
export const FIELD_ENCODINGS = ["none", "uri", "form"] as const;

const FIELDS = map(
  {
    /** `json` is the compact body with sorted names (RFC 8785). */
    form: choice(
      ["json", "pairs", "values"],
      "json, pairs of name and value, or values alone; always sorted by name.",
    ),
    nesting: or(choice(FIELD_NESTINGS, "dot for payer.email, brackets for payer[email]."), "dot"),
    separator: or(templateLines("What stands between two pairs."), "&"),
    equals: or(templateLines("What stands between a name and its value."), "="),
    /** `uri` is RFC 3986, `form` application/x-www-form-urlencoded. */
    encoding: or(choice(FIELD_ENCODINGS, "How names and values are encoded."), "none"),
    empty: or(choice(["keep", "omit"], "Whether fields without a value are there."), "omit"),
  },
  "The fields of the body as a text of their own, {fields}.",
);

const BODY_DIGEST = map(
  {
    header: HEADER,
    hash: HASH,
    over: or(
      holding(
        templateLines("The hashed text, with {body} or {fields}."),
        /\{(?:body|fields)\}/,
        "{body} or {fields}",
      ),
      "{body}",
    ),
    /** `{raw}` is the bytes, which no header can carry. */
    render: holding(
      template("The value, with {b64}, {hex} or {raw}."),
      /\{(?:b64|hex|raw)\}/,
      "{b64}, {hex} or {raw}",
    ),
    empty: or(choice(["hash", "omit"], "Whether a request without a body has a digest."), "hash"),
  },
  "The digest of the body.",
);

const style = <const T extends string>(name: T) => choice([name], "How the string to sign is built.");

/** A new scheme is a new member of this list and an entry in `canonical.ts`. */
const CANONICAL = variants(
  "style",
  [
    map(
      {
        style: style("header-lines"),
        components: COMPONENTS,
        join: or(templateLines("What stands between two lines."), "\n"),
      },
      "A line for each component (draft-cavage-http-signatures-12).",
    ),
    map(
      // `{header_lines}` in it is a `name:value` line per component, sorted by name.
      {
        style: style("template"),
        text: templateLines("The string to sign."),
        components: or(COMPONENTS, []),
      },
      "A text with placeholders.",
    ),
    map(
      {
        style: style("rfc9421"),
        components: COMPONENTS,
        params: or(
          templates('Parameters of the signature, such as created={time} and keyid="{key_id}".'),
          [],
        ),
      },
      "The signature base of RFC 9421.",
    ),
    map(
      {
        style: style("two-stage"),
        request: templateLines("The canonical request."),
        hash: HASH,
        text: templateLines("The string to sign, with {request_hash}."),
        components: or(COMPONENTS, []),
      },
      "A hash of the canonical request inside the string to sign (AWS Signature Version 4).",
    ),
    map(
      {
        style: style("jwt"),
        header: jsonTemplate("The header of the token, a JSON text."),
        claims: jsonTemplate("Its claims, a JSON text, or {body}."),
        components: or(COMPONENTS, []),
      },
      "A JSON Web Token (RFC 7519), sent as {token}.",
    ),
  ],
  "The string to sign; nothing is signed without it.",
);

const REPLACEABLE = {
  time: orNull(TIME),
  nonce: orNull(NONCE),
  fields: orNull(FIELDS),
  body_digest: orNull(BODY_DIGEST),
  /** Null: then `{secret}` in `emit` sends the secret itself, and `{basic}` the key id and the secret (RFC 7617). */
  canonical: orNull(CANONICAL),
  signature: or(
    map(
      { encoding: choice(SIGNATURE_ENCODINGS, "How the bytes of the signature are written.") },
      "The signature.",
    ),
    { encoding: "base64" },
  ),
  emit: or(named(HEADER_NAME, template("Its value."), "Headers to send, as templates."), {}),
};

const UNSIGNED = "must not be empty; a call is left unsigned by headers that replace emit";
const PARTS = map(
  {
    ...allOptional(REPLACEABLE),
    canonical: optional(becomes(orNothing(CANONICAL), (canonical) => canonical ?? new Wrong(UNSIGNED))),
  },
  "Parts that differ for one call.",
);
const REPLACEMENT = named(HEADER_NAME, template("Its value."), "Headers in place of a signature.");

/** Per call: other headers and no signature, e.g. the empty Authorization of the sample (spec 4.3), or other parts. */
const ENDPOINT = oneOf([{ ...PARTS, minProperties: 1 }, REPLACEMENT], "Of this call.");

const PLAIN_HEADERS = named(HEADER_NAME, ascii("Its value."), "Headers with exactly these values.");

/** A request and its expected signature. The secret in it is a published test value, never a live one. */
const VECTOR = becomes(
  map(
    {
      name: optional(text("Its name.")),
      call: choice(CALLS, "Which of the calls."),
      method: or(text("The method."), "POST"),
      url: checked(formed(/^https?:/, "an http or https address"), (url) =>
        URL.canParse(url) ? null : "must be an http or https address",
      ),
      /** Those that identify the sender are added when signing. */
      headers: or(PLAIN_HEADERS, { "content-type": JSON_MEDIA_TYPE }),
      body: or(anyText("The body."), ""),
      key_id: text("The key id."),
      test_secret: text("A published test secret, never a live one."),
      algorithm: or(text("The algorithm."), "hmac-sha256"),
      owner: text("Project id of a check, company id of the other calls."),
      at: instant("a time such as 2026-01-31T12:00:00Z"),
      nonce: optional(text("The nonce.")),
      expect: map(
        { string_to_sign: optional(anyText("The string to sign.")), headers: or(PLAIN_HEADERS, {}) },
        "What must come out.",
      ),
    },
    "A request and its expected signature.",
  ),
  (vector, { line }) => ({ ...vector, name: vector.name ?? `vector on line ${line}` }),
);

export const RECIPE = map(
  {
    recipe: formed(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      "1 to 64 of a-z, 0-9, dot, dash and underscore, starting with a letter or digit",
    ),
    status: or(
      choice(["assumed", "confirmed"], "confirmed once a service has accepted a request."),
      "assumed",
    ),
    about: or(
      anyText("What it is, in a sentence.", {
        maxLength: LINE_LIMIT,
        pattern: "^[\\x20-\\x7e]*$",
        [FORM]: `one line of up to ${LINE_LIMIT} printable ASCII characters`,
      }),
      "A recipe of your own.",
    ),
    key: or(
      map(
        { encoding: choice(KEY_ENCODINGS, "How the text of the secret holds the bytes of the key.") },
        "The key.",
      ),
      { encoding: "utf8" },
    ),
    /** `from-credential`: the credential's own algorithm token decides (spec 2.8). */
    hash: or(
      choice(["from-credential", ...SIGNING_HASHES], "A plain hash is over a text with {secret}."),
      "from-credential",
    ),
    values: or(
      named(
        formed(/^[a-z][a-z0-9_]{0,39}$/, "small letters, digits and _"),
        anyText("Its text.", {
          maxLength: LINE_LIMIT,
          pattern: String.raw`^(?:(?!["\\{}])[\x20-\x7e])*$`,
          [FORM]: `one line of up to ${LINE_LIMIT} printable ASCII characters without quotes, backslashes or braces`,
        }),
        "Placeholders of your own, such as a region; no secrets.",
      ),
      {},
    ),
    /** A first text with `{secret}` is the first key itself; else the secret's bytes are. */
    derive: or(templates("Chained keys: each text is signed with the key before it."), []),
    ...REPLACEABLE,
    endpoints: or(
      map(
        allOptional(
          Object.fromEntries(CALLS.map((call) => [call, ENDPOINT])) as Record<Call, typeof ENDPOINT>,
        ),
        "What differs for one of the calls.",
      ),
      {},
    ),
    vectors: or(list(VECTOR, "Tests, which run whenever the document is loaded."), []),
  },
  "A signing recipe of verdict.",
);

export type Recipe = Of<typeof RECIPE>;
export type RecipeTime = Of<typeof TIME>;
export type RecipeNonce = Of<typeof NONCE>;
export type BodyFields = Of<typeof FIELDS>;
export type BodyDigest = Of<typeof BODY_DIGEST>;
export type Canonical = Of<typeof CANONICAL>;
export type HeaderLines = Extract<Canonical, { style: "header-lines" }>;
export type TextTemplate = Extract<Canonical, { style: "template" }>;
export type MessageSignature = Extract<Canonical, { style: "rfc9421" }>;
export type TwoStage = Extract<Canonical, { style: "two-stage" }>;
export type WebToken = Extract<Canonical, { style: "jwt" }>;
/** Headers of one call that replace what `emit` gives; that call is not signed. */
export type HeaderReplacement = Of<typeof REPLACEMENT>;
/** Parts of the recipe that are different for one call. */
export type RecipeParts = Of<typeof PARTS>;
export type RecipeVector = Of<typeof VECTOR>;

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
