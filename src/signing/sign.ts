// Signing one request with a recipe (spec section 5).

import { badInput, credentialMissing, whole } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { canonicalStyle } from "#src/signing/canonical/canonical.ts";
import { fieldsText } from "#src/signing/recipes/body-fields.ts";
import {
  HMAC_ALGORITHMS,
  isPlainHash,
  recipeFor,
  replacesHeaders,
  type Recipe,
  type SigningHash,
} from "#src/signing/recipes/recipe.ts";
import { fillTemplate, type Lookup } from "#src/signing/recipes/template.ts";
import { createNonce, formatDay, formatTime } from "#src/signing/recipes/time-format.ts";
import {
  basicCredentials,
  bodyDigest,
  isHmacAlgorithm,
  SECRET_MARK,
  shownText,
  signature,
  signingKey,
} from "./hmac.ts";
import { requestValue, type Message } from "./request-values.ts";

/** A request before it is signed. `body` holds exactly the bytes to be sent. */
export interface Unsigned {
  readonly method: string;
  readonly url: URL;
  /** names in any letter case; each name once */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Who signs. A check needs `projectId`, the other calls need `companyId` (spec 5.2, 5.3). */
export interface Identity {
  readonly keyId: string;
  readonly secret: Secret;
  readonly algorithm: string;
  readonly projectId?: string;
  readonly companyId?: string;
}

export interface Signed {
  /** All headers to send, names in lower case: the given ones, `host`, the identity and those of the recipe. */
  readonly headers: Readonly<Record<string, string>>;
  /** A byte string, with `{secret}` where a plain hash has the secret. Null where nothing is signed on this call. */
  readonly stringToSign: string | null;
  /** Only where a hash of it stands in the string to sign. */
  readonly canonicalRequest: string | null;
  /** Covered components, in order. */
  readonly components: readonly string[];
  readonly algorithm: SigningHash | null;
  readonly nonce: string | null;
  /** As it stands in the headers; null where nothing is signed. */
  readonly signature: string | null;
  /** As the recipe renders it; null where it has none. */
  readonly bodyDigest: string | null;
}

/** Header that names the owner of the key on a call (spec 5.2, 5.3). */
export function ownerHeader(call: Call): typeof HEADER.projectId | typeof HEADER.companyId {
  return call === "check" ? HEADER.projectId : HEADER.companyId;
}

/** The values of a recipe's placeholders for one request; `day` is the day of its time. */
export function recipeLookup(
  values: ReadonlyMap<string, string>,
  recipe: Recipe,
  message: Message,
  timeMs: number | null,
): Lookup {
  return (name) => {
    const value = values.get(name);
    if (value !== undefined) return value;
    if (name === "day" && timeMs !== null) return formatDay(timeMs);
    if (name === "expiry" && timeMs !== null)
      return formatTime("unix-s", timeMs + recipe.time!.skew_s * 1000);
    if (name === "fields" && recipe.fields !== null) return fieldsText(recipe.fields, message.body);
    // The text to sign alone may have it: elsewhere the recipe is refused.
    if (name === "secret" && isPlainHash(recipe.hash)) return SECRET_MARK;
    return Object.hasOwn(recipe.values, name) ? recipe.values[name] : requestValue(message, name);
  };
}

/**
 * Signs a request. Every call uses a new time and nonce, so each retry has its own signature.
 * @param at `nowMs` in ms since the epoch; `nonce` only to reproduce a known request
 * @throws Fault `credential_missing` for an unknown algorithm, a secret that is not in the recipe's encoding,
 * a missing owner id, or a credential value that is no valid header value; Fault `bad_input` for a recipe that signs
 * something the request does not have
 */
export function sign(
  recipe: Recipe,
  request: Unsigned,
  identity: Identity,
  at: { readonly nowMs: number; readonly nonce?: string },
  call: Call,
): Signed {
  const override = recipe.endpoints[call];
  const active = recipeFor(recipe, call);
  const headers = identifiedHeaders(request, identity, call);
  const message: Message = {
    method: request.method,
    target: request.url.pathname + request.url.search,
    scheme: request.url.protocol === "http:" ? "http" : "https",
    body: request.body,
    header: (name) => headers[name],
  };
  const values = new Map([
    ["key_id", identity.keyId],
    ["owner", headers[ownerHeader(call)]!],
  ]);
  const lookup = recipeLookup(values, active, message, active.time === null ? null : at.nowMs);
  const put = (name: string, header: string | null, value: string): string => {
    values.set(name, value);
    if (header !== null && value !== "") headers[header] = value;
    return value;
  };
  const { time, nonce: wanted, body_digest: wantedDigest } = active;
  if (time !== null) put("time", time.header, formatTime(time.format, at.nowMs));
  const nonce = wanted === null ? null : put("nonce", wanted.header, at.nonce ?? createNonce(wanted.format));
  const digest =
    wantedDigest === null
      ? null
      : put("digest", wantedDigest.header, bodyDigest(wantedDigest, request.body, lookup));
  const unsigned = {
    canonicalRequest: null,
    components: [],
    algorithm: null,
    nonce,
    signature: null,
    bodyDigest: digest,
  };

  if (override !== undefined && replacesHeaders(override)) {
    return { ...unsigned, headers: { ...headers, ...override }, stringToSign: null };
  }
  if (active.canonical === null) {
    values.set("algorithm", identity.algorithm);
    for (const [name, template] of Object.entries(active.emit)) {
      headers[name] = fillTemplate(template, (each) => {
        if (each === "secret") return sendableSecret(identity);
        return each === "basic" ? basicCredentials(identity) : lookup(each);
      });
    }
    return { ...unsigned, headers, stringToSign: null };
  }

  const algorithm = signingAlgorithm(active, identity.algorithm);
  const style = canonicalStyle(active.canonical);
  const components = style.choose(active.canonical, message);
  const lack = style.judge(active.canonical, message, components);
  if (lack !== null) {
    throw badInput`A ${call} request cannot be signed with the recipe ${active.recipe}: ${whole(lack)}; correct the recipe.`;
  }
  values.set("algorithm", identity.algorithm);
  values.set("components", style.list(components));
  if (style.writeParams) values.set("params", style.writeParams(active.canonical, lookup));
  const key = signingKey(active, identity.secret, active.key.encoding, algorithm, lookup);
  if (key === null) {
    throw credentialMissing`The secret of key ${identity.keyId} is not written in ${active.key.encoding}, which the recipe ${active.recipe} asks for; enter the secret again or choose another recipe.`;
  }
  const { stringToSign, canonicalRequest } = style.write(active.canonical, message, components, lookup);
  const signed = signature(algorithm, key, stringToSign, active.signature.encoding);
  values.set("signature", signed);
  values.set("token", `${stringToSign}.${signed}`);
  for (const [name, template] of Object.entries(active.emit)) headers[name] = fillTemplate(template, lookup);
  return {
    headers,
    stringToSign: shownText(stringToSign),
    canonicalRequest,
    components,
    algorithm,
    nonce,
    signature: signed,
    bodyDigest: digest,
  };
}

function signingAlgorithm(recipe: Recipe, token: string): SigningHash {
  if (recipe.hash !== "from-credential") return recipe.hash;
  if (isHmacAlgorithm(token)) return token;
  throw credentialMissing`The credential names the signing algorithm "${token}", which is not one of ${whole(HMAC_ALGORITHMS.join(", "))}, so nothing can be signed with it; enter the credential again or update verdict.`;
}

/** Text that is safe in a quoted header parameter: nothing that could end the quotes or the line. */
const HEADER_SAFE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The secret itself, for a recipe that sends it: the only place where one is exposed, and only in the request. */
function sendableSecret(identity: Identity): string {
  const secret = identity.secret.expose();
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw credentialMissing`The secret of key ${identity.keyId} is empty or holds a character that cannot be sent in a header; enter the secret again.`;
}

function identifiedHeaders(request: Unsigned, identity: Identity, call: Call): Record<string, string> {
  const owner = ownerHeader(call);
  const ownerId = owner === HEADER.projectId ? identity.projectId : identity.companyId;
  if (ownerId === undefined || ownerId === "") {
    throw credentialMissing`The key ${identity.keyId} has no value for the header ${owner}; add it to the key in the vault.`;
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  headers["host"] = request.url.host;
  headers[HEADER.keyId] = identity.keyId;
  headers[owner] = ownerId;
  for (const name of [HEADER.keyId, owner] as const) {
    if (HEADER_SAFE.test(headers[name] ?? "")) continue;
    throw credentialMissing`The value for the header ${name} is empty or holds a character that cannot be sent in it; enter the key again.`;
  }
  return headers;
}
