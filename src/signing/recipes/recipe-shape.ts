// The shape of a recipe document, by which it is read and its JSON Schema is written.

import {
  anyText,
  choice,
  formed,
  list,
  map,
  named,
  oneOf,
  orNothing,
  text,
  whole,
  type Shape,
  type Shapes,
} from "#src/contract/text/shape.ts";
import { ENDPOINTS, type Call } from "#src/contract/wire/wire.ts";
import {
  DIGEST_HASHES,
  FIELD_ENCODINGS,
  FIELD_FORMS,
  FIELD_NESTINGS,
  KEY_ENCODINGS,
  SIGNATURE_ENCODINGS,
  SIGNING_HASHES,
  TIME_FORMATS,
} from "./recipe.ts";

export const CALLS = Object.keys(ENDPOINTS) as Call[];
export const TEMPLATE_LIMIT = 4_096;
export const LIST_LIMIT = 64;
export const LINE_LIMIT = 200;
export const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
export const VALUE_NAME = /^[a-z][a-z0-9_]{0,39}$/;
export const COMPONENT = /^(?:(?![";,{}])[\x21-\x7e]){1,128}$/;
export const PRINTABLE = /^[\x20-\x7e]*$/;
export const PRINTABLE_LINES = /^[\x20-\x7e\r\n]*$/;
const DAY_S = 86_400;

function printable(description: string, maxLength: number = TEMPLATE_LIMIT): Shape {
  return anyText(description, { maxLength, pattern: PRINTABLE.source });
}
function printableLines(description: string): Shape {
  return anyText(description, { maxLength: TEMPLATE_LIMIT, pattern: PRINTABLE_LINES.source });
}
function templates(description: string): Shape {
  return list(printable("A template."), description, { maxItems: LIST_LIMIT });
}
function headers(description: string): Shape {
  return named(
    { pattern: HEADER_NAME.source, not: { const: "__proto__" } },
    printable("Its value."),
    description,
  );
}
const HEADER = orNothing(formed(HEADER_NAME, "the name of a header in lower case"));
const COMPONENTS = list(
  formed(COMPONENT, "a header name, or a|b for either"),
  "What is signed, in this order.",
  { maxItems: LIST_LIMIT },
);

export const KEY = map(
  { encoding: choice(KEY_ENCODINGS, "How the text of the secret holds the bytes of the key.") },
  ["encoding"],
  "The key.",
);

export const TIME = map(
  {
    header: HEADER,
    format: choice(TIME_FORMATS, "How the time is written."),
    skew_s: whole(1, DAY_S, "How far it may be from the clock of the verifier, in seconds; default 300."),
  },
  ["format"],
  "The time of a request.",
);

export const NONCE = map(
  { header: HEADER, format: text("uuid4, hex:N with an even N, or alnum:N.") },
  ["format"],
  "What makes each request another one.",
);

export const FIELDS = map(
  {
    form: choice(FIELD_FORMS, "json, pairs of name and value, or values alone; always sorted by name."),
    nesting: choice(FIELD_NESTINGS, "dot for payer.email, brackets for payer[email]; default dot."),
    separator: printableLines("What stands between two pairs; default &."),
    equals: printable("What stands between a name and its value; default =."),
    encoding: choice(FIELD_ENCODINGS, "How names and values are encoded; default none."),
    empty: choice(["keep", "omit"], "Whether fields without a value are there; default omit."),
  },
  ["form"],
  "The fields of the body as a text of their own, {fields}.",
);

export const BODY_DIGEST = map(
  {
    header: HEADER,
    hash: choice(DIGEST_HASHES, "The hash; default sha256."),
    over: printableLines("The hashed text, with {body} or {fields}; default {body}."),
    render: printable("The value, with {b64}, {hex} or {raw}."),
    empty: choice(["hash", "omit"], "Whether a request without a body has a digest; default hash."),
  },
  ["render"],
  "The digest of the body.",
);

export const SIGNATURE = map(
  { encoding: choice(SIGNATURE_ENCODINGS, "How the bytes of the signature are written.") },
  ["encoding"],
  "The signature.",
);

const STYLED = <const T extends string, P extends Shapes>(
  style: T,
  own: P,
  required: readonly string[],
  description: string,
) =>
  map(
    { style: choice([style], "How the string to sign is built."), components: COMPONENTS, ...own },
    ["style", ...required] as never,
    description,
  );

/** By style. */
export const CANONICAL = {
  "header-lines": STYLED(
    "header-lines",
    { join: printableLines("What stands between two lines; default a line feed.") },
    ["components"],
    "A line for each component (draft-cavage-http-signatures-12).",
  ),
  template: STYLED(
    "template",
    { text: printableLines("The string to sign.") },
    ["text"],
    "A text with placeholders.",
  ),
  rfc9421: STYLED(
    "rfc9421",
    { params: templates('Parameters of the signature, such as created={time} and keyid="{key_id}".') },
    ["components"],
    "The signature base of RFC 9421.",
  ),
  "two-stage": STYLED(
    "two-stage",
    {
      request: printableLines("The canonical request."),
      hash: choice(DIGEST_HASHES, "The hash; default sha256."),
      text: printableLines("The string to sign, with {request_hash}."),
    },
    ["request", "text"],
    "A hash of the canonical request inside the string to sign (AWS Signature Version 4).",
  ),
  jwt: STYLED(
    "jwt",
    {
      header: printable("The header of the token, a JSON text."),
      claims: printable("Its claims, a JSON text, or {body}."),
    },
    ["header", "claims"],
    "A JSON Web Token (RFC 7519), sent as {token}.",
  ),
} as const;

export const STYLE = choice(
  Object.keys(CANONICAL) as (keyof typeof CANONICAL)[],
  "How the string to sign is built.",
);

const REPLACEABLE = {
  time: orNothing(TIME),
  nonce: orNothing(NONCE),
  fields: orNothing(FIELDS),
  body_digest: orNothing(BODY_DIGEST),
  canonical: orNothing(oneOf(Object.values(CANONICAL), "The string to sign; nothing is signed without it.")),
  signature: SIGNATURE,
  emit: headers("Headers to send, as templates."),
};

export const PARTS = map(REPLACEABLE, [], "Parts that differ for one call.");

export const ENDPOINT_PARTS = map(
  Object.fromEntries(
    CALLS.map((call) => [
      call,
      oneOf(
        [{ ...PARTS, minProperties: 1 }, headers("Headers in place of a signature.")],
        `Of the call ${call}.`,
      ),
    ]),
  ) as Shapes as Record<Call, Shape>,
  [],
  "What differs for one of the calls.",
);

export const EXPECT = map(
  {
    string_to_sign: anyText("The string to sign."),
    headers: headers("Headers with exactly these values."),
  },
  [],
  "What must come out.",
);

export const VECTOR = map(
  {
    name: text("Its name."),
    call: choice(CALLS, "Which of the calls."),
    method: text("The method; default POST."),
    url: formed(/^https?:/, "an http or https address"),
    headers: headers("Headers of the request."),
    body: anyText("The body."),
    key_id: text("The key id."),
    test_secret: text("A published test secret, never a live one."),
    algorithm: text("The algorithm; default hmac-sha256."),
    owner: text("Project id of a check, company id of the other calls."),
    at: formed(/^\d{4}-\d{2}-\d{2}/, "a time such as 2026-01-31T12:00:00Z"),
    nonce: text("The nonce."),
    expect: EXPECT,
  },
  ["call", "url", "key_id", "test_secret", "owner", "at", "expect"],
  "A request and its expected signature.",
);

export const RECIPE = map(
  {
    recipe: formed(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      "1 to 64 of a-z, 0-9, dot, dash and underscore, no mark first",
    ),
    status: choice(["assumed", "confirmed"], "confirmed once a service has accepted a request."),
    about: printable("What it is, in a sentence.", LINE_LIMIT),
    key: KEY,
    hash: choice(
      ["from-credential", ...SIGNING_HASHES],
      "Default from-credential; a plain hash is over a text with {secret}.",
    ),
    values: named(
      { pattern: VALUE_NAME.source },
      anyText("Its text.", { maxLength: LINE_LIMIT, pattern: String.raw`^(?:(?!["\\{}])[\x20-\x7e])*$` }),
      "Placeholders of your own, such as a region; no secrets.",
    ),
    derive: templates("Chained keys: each text is signed with the key before it."),
    endpoints: ENDPOINT_PARTS,
    vectors: list(VECTOR, "Tests, which run whenever the document is loaded."),
    ...REPLACEABLE,
  },
  ["recipe"],
  "A signing recipe of verdict.",
);
