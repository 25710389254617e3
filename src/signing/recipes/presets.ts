// The signing recipes that come with the program. All are assumptions until a real request proves one of them.

import { Fault, usage, whole } from "#src/contract/fault.ts";
import { jsonPlace } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { loadRecipe } from "./load-recipe.ts";
import { PRESET_VECTORS } from "./preset-vectors.ts";
import { RECIPE, type Canonical, type Recipe } from "./recipe.ts";

/** Defaults of the presets, each of which lists its differences only. */
const PLAIN = readShape(RECIPE, jsonPlace({ recipe: "plain" }), "a preset");

const REQUEST_ID = { header: "x-request-id", format: "uuid4" } as const;
const DIGEST = {
  header: "digest",
  hash: "sha256",
  over: "{body}",
  render: "SHA-256={b64}",
  empty: "hash",
} as const;
const OWNER = "x-project-id|x-company-id";

/**
 * The default. The algorithm token `hmac-sha256`, a key id and the Authorization header together point to the draft
 * "Signing HTTP Messages" (draft-cavage-http-signatures-12); no other widely used scheme writes its algorithm so.
 */
const HTTP_SIGNATURES: Recipe = {
  ...PLAIN,
  recipe: "http-signatures",
  about: "Signature in Authorization over named headers, after draft-cavage-http-signatures-12.",
  time: { header: "date", format: "http-date", skew_s: 300 },
  nonce: REQUEST_ID,
  body_digest: DIGEST,
  canonical: {
    style: "header-lines",
    components: [
      "(request-target)",
      "host",
      "date",
      "digest",
      "content-type",
      "x-request-id",
      "x-key-id",
      OWNER,
    ],
    join: "\n",
  },
  emit: {
    authorization:
      'Signature keyId="{key_id}",algorithm="{algorithm}",headers="{components}",signature="{signature}"',
  },
};

/** RFC 9421 with the Content-Digest of RFC 9530. The algorithm is the key's, so that no parameter names it. */
const MESSAGE_SIGNATURE: Recipe = {
  ...PLAIN,
  recipe: "rfc9421",
  about: "HTTP Message Signatures, RFC 9421, in Signature-Input and Signature; Authorization is not used.",
  values: { tag: "risk-check" },
  time: { header: null, format: "unix-s", skew_s: 300 },
  nonce: { header: null, format: "hex:32" },
  body_digest: { ...DIGEST, header: "content-digest", render: "sha-256=:{b64}:" },
  canonical: {
    style: "rfc9421",
    components: [
      "@method",
      "@authority",
      "@path",
      "@query",
      "content-digest",
      "content-type",
      "x-key-id",
      OWNER,
    ],
    params: ["created={time}", 'nonce="{nonce}"', 'keyid="{key_id}"', 'tag="{tag}"'],
  },
  emit: {
    "signature-input": "sig1=({components}){params}",
    signature: "sig1=:{signature}:",
  },
};

/** As Kong's documentation enforces it. What else is sent, e.g. the project, is not signed there. */
const KONG: Recipe = {
  ...PLAIN,
  recipe: "kong",
  about: "The plugin hmac-auth of Kong Gateway: date, request line and digest of the body.",
  time: { header: "date", format: "http-date", skew_s: 300 },
  body_digest: DIGEST,
  canonical: { style: "header-lines", components: ["date", "request-line", "digest"], join: "\n" },
  emit: {
    authorization:
      'hmac username="{key_id}", algorithm="{algorithm}", headers="{components}", signature="{signature}"',
  },
};

/** The request id is signed with the other headers, so that two equal requests in one second are told apart. */
const AWS_SIGV4: Recipe = {
  ...PLAIN,
  recipe: "aws-sigv4",
  about: "AWS Signature Version 4: a key derived for the day, a hashed canonical request.",
  hash: "hmac-sha256",
  values: { region: "us-east-1", service: "execute-api" },
  time: { header: "x-amz-date", format: "amz-basic", skew_s: 300 },
  nonce: REQUEST_ID,
  body_digest: { ...DIGEST, header: null, render: "{hex}" },
  derive: ["AWS4{secret}", "{day}", "{region}", "{service}", "aws4_request"],
  canonical: {
    style: "two-stage",
    request: "{method}\n{canonical_path}\n{canonical_query}\n{header_lines}\n{components}\n{digest}",
    hash: "sha256",
    text: "AWS4-HMAC-SHA256\n{time}\n{day}/{region}/{service}/aws4_request\n{request_hash}",
    components: ["content-type", "host", "x-amz-date", "x-request-id", "x-key-id", OWNER],
  },
  signature: { encoding: "hex" },
  emit: {
    authorization:
      "AWS4-HMAC-SHA256 Credential={key_id}/{day}/{region}/{service}/aws4_request, SignedHeaders={components}, Signature={signature}",
  },
};

const HAWK: Recipe = {
  ...PLAIN,
  recipe: "hawk",
  about: "Hawk 1 with the hash of the payload: time and nonce stand in Authorization.",
  hash: "hmac-sha256",
  values: { ext: "" },
  time: { header: null, format: "unix-s", skew_s: 60 },
  nonce: { header: null, format: "alnum:6" },
  body_digest: {
    header: null,
    hash: "sha256",
    over: "hawk.1.payload\n{media_type}\n{body}\n",
    render: "{b64}",
    empty: "omit",
  },
  canonical: {
    style: "template",
    text: "hawk.1.header\n{time}\n{nonce}\n{method:upper}\n{target}\n{hostname:lower}\n{port}\n{digest}\n{ext}\n",
    components: [],
  },
  emit: {
    authorization:
      'Hawk id="{key_id}", ts="{time}", nonce="{nonce}"{#digest}, hash="{digest}"{/digest}{#ext}, ext="{ext}"{/ext}, mac="{signature}"',
  },
};

/** The owner is an added signed header, which the specification leaves to the sender. */
const ACQUIA_V2: Recipe = {
  ...PLAIN,
  recipe: "acquia-v2",
  about: "Acquia HTTP HMAC 2.0: request, Authorization parameters, time and digest of the body.",
  key: { encoding: "base64" },
  hash: "hmac-sha256",
  values: { realm: "Acquia" },
  time: { header: "x-authorization-timestamp", format: "unix-s", skew_s: 900 },
  nonce: { header: null, format: "uuid4" },
  body_digest: { ...DIGEST, header: "x-authorization-content-sha256", render: "{b64}", empty: "omit" },
  canonical: {
    style: "template",
    text: "{method:upper}\n{host:lower}\n{path}\n{query}\nid={key_id:uri}&nonce={nonce:uri}&realm={realm:uri}&version=2.0\n{header_lines}{time}{#digest}\n{content_type:lower}\n{digest}{/digest}",
    components: [OWNER],
  },
  emit: {
    authorization:
      'acquia-http-hmac {#components}headers="{components:uri}",{/components}id="{key_id:uri}",nonce="{nonce:uri}",realm="{realm:uri}",signature="{signature}",version="2.0"',
  },
};

const BODY: Canonical = { style: "template", text: "{body}", components: [] };

const TIMESTAMP_BODY: Recipe = {
  ...PLAIN,
  recipe: "timestamp-body",
  about: "Hexadecimal signature in Authorization over the time in X-Timestamp, a dot and the body.",
  time: { header: "x-timestamp", format: "unix-s", skew_s: 300 },
  canonical: { ...BODY, text: "{time}.{body}" },
  signature: { encoding: "hex" },
  emit: { authorization: "{signature}" },
};

const PRESET_RECIPES: readonly Recipe[] = [
  HTTP_SIGNATURES,
  {
    ...HTTP_SIGNATURES,
    recipe: "http-signatures-hex-key",
    about: "As http-signatures, but the secret's hexadecimal digits are the bytes of the key.",
    key: { encoding: "hex" },
  },
  MESSAGE_SIGNATURE,
  KONG,
  AWS_SIGV4,
  HAWK,
  ACQUIA_V2,
  TIMESTAMP_BODY,
  {
    ...TIMESTAMP_BODY,
    recipe: "timestamp-body-t-v1",
    about: "As timestamp-body, with time and signature in one header: t=...,v1=...",
    time: { ...TIMESTAMP_BODY.time!, header: null },
    emit: { authorization: "t={time},v1={signature}" },
  },
  {
    ...PLAIN,
    recipe: "body-hex",
    about: "Hexadecimal signature in Authorization over the body alone; replays cannot be detected.",
    canonical: BODY,
    signature: { encoding: "hex" },
    emit: { authorization: "{signature}" },
  },
  {
    ...PLAIN,
    recipe: "body-base64",
    about: "Base64 signature in Authorization over the body alone; replays cannot be detected.",
    canonical: BODY,
    emit: { authorization: "{signature}" },
  },
  {
    ...PLAIN,
    recipe: "sorted-fields",
    about: "Hexadecimal signature in Authorization over the time and the sorted fields of the body.",
    time: { header: "x-timestamp", format: "unix-s", skew_s: 300 },
    fields: {
      form: "pairs",
      nesting: "dot",
      separator: "&",
      equals: "=",
      encoding: "none",
      empty: "omit",
    },
    canonical: { ...BODY, text: "{time}.{fields}" },
    signature: { encoding: "hex" },
    emit: { authorization: "{signature}" },
  },
  {
    ...PLAIN,
    recipe: "jwt",
    about: "JSON Web Token in Authorization with the time, a token id and the digest of the body.",
    hash: "hmac-sha256",
    time: { header: null, format: "unix-s", skew_s: 300 },
    nonce: { header: null, format: "uuid4" },
    body_digest: { ...DIGEST, header: null, render: "{hex}" },
    canonical: {
      style: "jwt",
      header: '{"alg":"HS256","typ":"JWT","kid":"{key_id}"}',
      claims: '{"iss":"{owner}","iat":{time},"exp":{expiry},"jti":"{nonce}","body_sha256":"{digest}"}',
      components: [],
    },
    signature: { encoding: "base64url" },
    emit: { authorization: "Bearer {token}" },
  },
  {
    ...PLAIN,
    recipe: "basic",
    about: "No signature: Authorization is the key id and the secret, as RFC 7617 writes them.",
    canonical: null,
    emit: { authorization: "Basic {basic}" },
  },
  {
    ...PLAIN,
    recipe: "static",
    about: "No signature: Authorization is the secret itself, the same in every request.",
    canonical: null,
    emit: { authorization: "{secret}" },
  },
  {
    ...PLAIN,
    recipe: "none",
    about: "No signature: only the key id and the project or company id are sent.",
    canonical: null,
  },
];

export const PRESETS: readonly Recipe[] = PRESET_RECIPES.map((preset) => ({
  ...preset,
  vectors: PRESET_VECTORS[preset.recipe] ?? [],
}));

/** True for a word that names a recipe document: one with a `/` or `\\`, or that ends in .yaml or .yml. */
export function namesDocument(word: string): boolean {
  return /[/\\]|\.ya?ml$/.test(word);
}

/** Whether a recipe of this id comes with the program. */
export function isPreset(id: string): boolean {
  return PRESETS.some(({ recipe }) => recipe === id);
}

const loaded = new Map<string, Recipe>();

/**
 * The built-in recipe with this id, its vectors checked once.
 * @throws Fault `usage` for an unknown id
 */
export function recipeById(id: string): Recipe {
  let recipe = loaded.get(id);
  if (recipe === undefined) {
    const preset = PRESETS.find((candidate) => candidate.recipe === id);
    if (preset === undefined) throw unknownRecipe(id, PRESETS);
    recipe = loadRecipe(preset);
    loaded.set(id, recipe);
  }
  return recipe;
}

/** @param known the recipes there are */
export function unknownRecipe(id: string, known: readonly Recipe[]): Fault {
  const ids = known.map(({ recipe }) => recipe).join(", ");
  return usage`There is no signing recipe "${id}"; choose one of ${whole(ids)}.`;
}
