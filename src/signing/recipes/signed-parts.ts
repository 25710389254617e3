// Which parts of a request a recipe signs, found by trial: a part is signed if changing it changes the string to sign.

import { Secret } from "#src/contract/secret.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import { sign, type Identity, type Unsigned } from "#src/signing/sign.ts";
import { replacesHeaders, type Recipe } from "./recipe.ts";

export const REQUEST_PARTS = [
  "method",
  "path",
  "query",
  "host",
  "content type",
  "body",
  "time",
  "nonce",
  "key id",
  "project or company",
] as const;

export type RequestPart = (typeof REQUEST_PARTS)[number];

interface Sample {
  readonly request: Unsigned;
  readonly identity: Identity;
  readonly at: { readonly nowMs: number; readonly nonce: string };
}

/** 64 digits are a key in every encoding. */
const SAMPLE: Sample = {
  request: {
    method: "POST",
    url: new URL("https://service.example/path?query=1"),
    headers: { "content-type": "application/json", accept: "application/json", "user-agent": "verdict" },
    body: Buffer.from("{}"),
  },
  identity: {
    keyId: "key",
    secret: new Secret("00".repeat(32)),
    algorithm: "hmac-sha256",
    projectId: "owner",
    companyId: "owner",
  },
  at: { nowMs: Date.UTC(2026, 0, 5), nonce: "0" },
};

const CHANGED: Readonly<Record<RequestPart, Sample>> = {
  method: withRequest({ method: "PUT" }),
  path: withRequest({ url: new URL("https://service.example/other?query=1") }),
  query: withRequest({ url: new URL("https://service.example/path?query=2") }),
  host: withRequest({ url: new URL("https://other.example/path?query=1") }),
  "content type": withRequest({ headers: { ...SAMPLE.request.headers, "content-type": "text/plain" } }),
  body: withRequest({ body: Buffer.from("[]") }),
  time: { ...SAMPLE, at: { ...SAMPLE.at, nowMs: Date.UTC(2026, 0, 6) } },
  nonce: { ...SAMPLE, at: { ...SAMPLE.at, nonce: "1" } },
  "key id": { ...SAMPLE, identity: { ...SAMPLE.identity, keyId: "other" } },
  "project or company": {
    ...SAMPLE,
    identity: { ...SAMPLE.identity, projectId: "other", companyId: "other" },
  },
};

function withRequest(change: Partial<Unsigned>): Sample {
  return { ...SAMPLE, request: { ...SAMPLE.request, ...change } };
}

const found = new WeakMap<Recipe, Map<Call, ReadonlySet<RequestPart>>>();

/**
 * What the signature of a call covers. Overrides that replace headers leave a call unsigned, but the verifier still
 * requires a signature, so they are ignored here.
 */
function signedParts(recipe: Recipe, call: Call): ReadonlySet<RequestPart> {
  let byCall = found.get(recipe);
  if (byCall === undefined) found.set(recipe, (byCall = new Map<Call, ReadonlySet<RequestPart>>()));
  let parts = byCall.get(call);
  if (parts === undefined) {
    const override = recipe.endpoints[call];
    const signing =
      override !== undefined && replacesHeaders(override) ? { ...recipe, endpoints: {} } : recipe;
    const text = ({ request, identity, at }: Sample): string | null =>
      sign(signing, request, identity, at, call).stringToSign;
    const unchanged = text(SAMPLE);
    parts = new Set(REQUEST_PARTS.filter((part) => text(CHANGED[part]) !== unchanged));
    byCall.set(call, parts);
  }
  return parts;
}

export function isSigned(recipe: Recipe, call: Call, part: RequestPart): boolean {
  return signedParts(recipe, call).has(part);
}

/** The unsigned parts, which could be changed in transit, in the order of `REQUEST_PARTS`. */
export function unsignedParts(recipe: Recipe, call: Call): readonly RequestPart[] {
  const signed = signedParts(recipe, call);
  return REQUEST_PARTS.filter((part) => !signed.has(part));
}
