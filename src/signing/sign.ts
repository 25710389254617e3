// Signing one request with a recipe (spec section 5).

import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { Call } from "#src/contract/wire.ts";
import { HEADER } from "#src/contract/wire.ts";
import { canonicalStyle } from "./canonical.ts";
import { encodeSignature, hmac, HMAC_ALGORITHMS, isHmacAlgorithm, keyBytes, renderDigest } from "./hmac.ts";
import type { HmacAlgorithm, Recipe } from "./recipe.ts";
import { fillTemplate } from "./template.ts";
import { createNonce, formatTime } from "./time-format.ts";

/** A request before it is signed. `body` holds the very bytes that will be sent. */
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
  /** All headers to send, names in lower case: those given, `host`, the identity and what the recipe adds. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the recipe, or its override for this call, signs nothing. */
  readonly stringToSign: string | null;
  /** What was covered, in order. */
  readonly components: readonly string[];
  readonly algorithm: HmacAlgorithm | null;
  readonly nonce: string | null;
}

/** Header that names the owner of the key on a call (spec 5.2, 5.3). */
export function ownerHeader(call: Call): typeof HEADER.projectId | typeof HEADER.companyId {
  return call === "check" ? HEADER.projectId : HEADER.companyId;
}

/**
 * Signs a request. Every call makes a new time and nonce, so each retry is signed anew.
 * @param at `nowMs` in ms since the epoch; `nonce` only to reproduce a known request
 * @throws Fault `credential_missing` for an unknown algorithm, a secret that is not in the recipe's encoding,
 * a missing owner id, or a credential value that cannot stand in a header
 */
export function sign(
  recipe: Recipe,
  request: Unsigned,
  identity: Identity,
  at: { readonly nowMs: number; readonly nonce?: string },
  call: Call,
): Signed {
  const headers = identifiedHeaders(request, identity, call);
  const values: Record<string, string> = { key_id: identity.keyId };
  if (recipe.time !== null) {
    values["time"] = headers[recipe.time.header] = formatTime(recipe.time.format, at.nowMs);
  }
  let nonce: string | null = null;
  if (recipe.nonce !== null) {
    nonce = at.nonce ?? createNonce(recipe.nonce.format);
    values["nonce"] = headers[recipe.nonce.header] = nonce;
  }
  if (recipe.body_digest !== null) {
    const { header, hash, render } = recipe.body_digest;
    values["digest"] = headers[header] = renderDigest(hash, render, request.body);
  }

  const override = recipe.endpoints[call];
  if (recipe.canonical === null || override !== undefined) {
    return {
      headers: { ...headers, ...override },
      stringToSign: null,
      components: [],
      algorithm: null,
      nonce,
    };
  }

  const algorithm = signingAlgorithm(recipe, identity.algorithm);
  const key = keyBytes(identity.secret, recipe.key.encoding);
  if (key === null) {
    throw new Fault(
      "credential_missing",
      `The secret of key ${escapeText(identity.keyId)} is not written in ${recipe.key.encoding}, which the recipe ${recipe.recipe} asks for; enter the secret again or choose another recipe.`,
    );
  }
  const message = {
    method: request.method,
    target: request.url.pathname + request.url.search,
    header: (name: string) => headers[name],
  };
  const style = canonicalStyle(recipe.canonical);
  const components = style.choose(recipe.canonical, message);
  const lack = style.judge(recipe.canonical, message, components);
  if (lack !== null) throw new TypeError(`the request cannot be signed with ${recipe.recipe}: ${lack}`);
  const stringToSign = style.write(recipe.canonical, message, components);
  values["algorithm"] = identity.algorithm;
  values["components"] = components.join(" ");
  values["signature"] = encodeSignature(hmac(algorithm, key, stringToSign), recipe.signature.encoding);
  for (const [name, template] of Object.entries(recipe.emit)) headers[name] = fillTemplate(template, values);
  return { headers, stringToSign, components, algorithm, nonce };
}

function signingAlgorithm(recipe: Recipe, token: string): HmacAlgorithm {
  const algorithm = recipe.hash === "from-credential" ? token : recipe.hash;
  if (isHmacAlgorithm(algorithm)) return algorithm;
  throw new Fault(
    "credential_missing",
    `The credential names the signing algorithm "${escapeText(algorithm, 80)}", which is not one of ${HMAC_ALGORITHMS.join(", ")}, so nothing can be signed with it; enter the credential again or update verdict.`,
  );
}

/** Text that can stand between quotes in a header: nothing that could end the quotes or the line. */
const HEADER_SAFE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function identifiedHeaders(request: Unsigned, identity: Identity, call: Call): Record<string, string> {
  const owner = ownerHeader(call);
  const ownerId = owner === HEADER.projectId ? identity.projectId : identity.companyId;
  if (ownerId === undefined || ownerId === "") {
    throw new Fault(
      "credential_missing",
      `The key ${escapeText(identity.keyId)} has no value for the header ${owner}; add it to the key in the vault.`,
    );
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  headers["host"] = request.url.host;
  headers[HEADER.keyId] = identity.keyId;
  headers[owner] = ownerId;
  for (const name of [HEADER.keyId, owner] as const) {
    if (HEADER_SAFE.test(headers[name] ?? "")) continue;
    throw new Fault(
      "credential_missing",
      `The value for the header ${name} is empty or holds a character that cannot be sent in it; enter the key again.`,
    );
  }
  return headers;
}
