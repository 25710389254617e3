// Verifies a signed request with a recipe. The reason of a refusal names the nearest miss; it is for the journal only.

import type { Call } from "#src/contract/wire/wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { canonicalStyle } from "#src/signing/canonical/canonical.ts";
import type { Canonical, Recipe } from "#src/signing/recipes/recipe.ts";
import { mergeValues } from "#src/signing/recipes/template-values.ts";
import { fillTemplate, readTemplate, type Lookup } from "#src/signing/recipes/template.ts";
import { isNonce, parseTime } from "#src/signing/recipes/time-format.ts";
import type { HeaderLayout, HeaderTable } from "./header-table.ts";
import {
  basicCredentials,
  bodyDigest,
  sameSignature,
  sameText,
  shownText,
  signature,
  signingKey,
} from "./hmac.ts";
import { nearestMiss } from "./nearest-miss.ts";
import type { Message } from "./request-values.ts";
import { recipeLookup } from "./sign.ts";
import { DECOY, usableKey, type KeyRecord } from "./usable-key.ts";
import { planOf, type ClaimedComponents, type Plan } from "./verify-plan.ts";

/** A received request. */
export interface Received {
  readonly method: string;
  /** with query, exactly as on the request line */
  readonly path: string;
  readonly headers: HeaderTable;
  /** the raw bytes */
  readonly body: Uint8Array;
  /** `http` when absent, as the embedded service listens without TLS. Used only if the recipe signs the scheme. */
  readonly scheme?: "http" | "https";
}

export type Verification =
  | {
      readonly ok: true;
      readonly keyId: string;
      /** the signed time in ms since the epoch; null where the recipe has none */
      readonly timeMs: number | null;
      readonly nonce: string | null;
      readonly stringToSign: string | null;
    }
  | {
      readonly ok: false;
      /** the nearest miss, with unescaped untrusted text; never sent to the caller */
      readonly reason: string;
      readonly stringToSign: string | null;
    };

/** The value of `x-key-id`, or null when the request does not carry exactly one. */
export function claimedKeyId(received: Pick<Received, "headers">): string | null {
  return received.headers.get(HEADER.keyId) || null;
}

/**
 * Verifies a request. Overrides of the recipe that replace headers apply to signing only: here every call must be signed.
 * @param key the record of `claimedKeyId`, or null; an unknown key takes as long as a wrong one
 * @param nowMs the verifier's real time in ms since the epoch
 */
export function verify(
  recipe: Recipe,
  received: Received,
  key: KeyRecord | null,
  nowMs: number,
  call: Call,
): Verification {
  const plan = planOf(recipe, call);
  const { active, owner } = plan;
  const { headers } = received;
  const { repeated } = headers.layout;
  if (repeated.length > 0) {
    const twice = plan.meaningful.find((name) => repeated.includes(name));
    if (twice !== undefined) return refuse(`the header ${twice} is there more than once`);
  }
  const header: HeaderLookup = (name) => headers.get(name);
  const keyId = header(HEADER.keyId);
  if (!keyId) return refuse(`the header ${HEADER.keyId} is missing or empty`);
  const ownerId = header(owner);
  if (!ownerId) return refuse(`the header ${owner} is missing or empty`);
  const claims = readClaims(plan, header);
  if (typeof claims === "string") return refuse(claims);
  const values = new Map<string, string>();
  values.set("key_id", keyId);
  values.set("owner", ownerId);
  const fresh = checkFreshness(active, header, claims, nowMs, values);
  if (typeof fresh === "string") return refuse(fresh);

  const { timeMs, nonce } = fresh;
  const message: Message = {
    method: received.method,
    target: received.path,
    scheme: received.scheme ?? "http",
    body: received.body,
    header,
  };
  const lookup = recipeLookup(values, active, message, timeMs);
  if (active.body_digest !== null) {
    const digest = bodyDigest(active.body_digest, received.body, lookup);
    values.set("digest", digest);
    const name = active.body_digest.header;
    if (name !== null && (header(name) ?? "") !== digest) return refuse("the digest of the body differs");
  }
  if (active.canonical === null) return verifyUnsigned(claims, lookup, values, key, fresh);

  const style = canonicalStyle(active.canonical);
  const signed = readSigned(plan, active.canonical, message, headers.layout, claims.get("components"));
  if (typeof signed === "string") return refuse(signed);
  values.set("components", signed.list);
  const params = claims.get("params");
  if (params !== undefined) values.set("params", params);
  const { stringToSign } = style.write(active.canonical, message, signed.components, lookup);

  // No early return from here on, so that known and unknown keys take the same time.
  const record = usableKey(active, key, keyId, lookup);
  values.set("algorithm", record.token);
  const claimed = claims.get("signature") ?? "";
  values.set("token", `${stringToSign}.${claimed}`);
  const mismatch = firstMismatch(claims, lookup);
  const { encoding } = active.signature;
  const equal = sameSignature(signature(record.algorithm, record.key, stringToSign, encoding), claimed);
  if (equal && mismatch === null && record.fault === null && key !== null) {
    return { ok: true, keyId: key.keyId, timeMs, nonce, stringToSign: shownText(stringToSign) };
  }
  const miss = nearestMiss({
    signature: claimed,
    encoding,
    keyEncoding: active.key.encoding,
    algorithm: record.algorithm,
    stringToSign,
    sign: (text, keyEncoding, algorithm, written) => {
      const other = signingKey(active, record.secret, keyEncoding, algorithm, lookup);
      return other === null ? null : signature(algorithm, other, text, written);
    },
  });
  return { ok: false, reason: record.fault ?? mismatch ?? miss, stringToSign: shownText(stringToSign) };
}

/** The signed components, or an error in words. Depends on the header names of the message only. */
function readSigned(
  plan: Plan,
  canonical: Canonical,
  message: Message,
  layout: HeaderLayout,
  listed: string | undefined,
): ClaimedComponents | string {
  const { latest } = plan;
  if (latest !== null && latest.layout === layout && latest.listed === listed) return latest;
  const style = canonicalStyle(canonical);
  const components = listed === undefined ? style.choose(canonical, message) : style.readList(listed);
  if (typeof components === "string") return `what is signed ${components}`;
  const duplicate = components.find((name) => layout.repeated.includes(name.toLowerCase()));
  if (duplicate !== undefined) return `the signed header ${duplicate} is there more than once`;
  const lack = style.judge(canonical, message, components);
  if (lack !== null) return lack;
  plan.latest = { layout, listed, components, list: listed ?? style.list(components) };
  return plan.latest;
}

/** For recipes without a signature: a sent secret must be the key's, and the claims must be true. */
function verifyUnsigned(
  claims: ReadonlyMap<string, string>,
  lookup: Lookup,
  values: Map<string, string>,
  key: KeyRecord | null,
  { timeMs, nonce }: Freshness,
): Verification {
  const holder = key ?? { keyId: values.get("key_id")!, secret: DECOY };
  const [sent, basic] = [claims.get("secret"), claims.get("basic")];
  const same =
    (sent === undefined || sameText(holder.secret.expose(), sent)) &&
    (basic === undefined || sameText(basicCredentials(holder), basic));
  if (key === null || key.keyId !== values.get("key_id")) return refuse("the key is unknown");
  values.set("algorithm", key.algorithm);
  const mismatch = firstMismatch(claims, lookup);
  if (mismatch !== null) return refuse(mismatch);
  if (!same) return refuse("the secret differs");
  return { ok: true, keyId: key.keyId, timeMs, nonce, stringToSign: null };
}

type HeaderLookup = (name: string) => string | undefined;

interface Freshness {
  readonly timeMs: number | null;
  readonly nonce: string | null;
}

/**
 * Checks time window and format of the nonce; returns an error in words. The caller checks that the nonce is new.
 * @param values receives the values of the request by placeholder
 */
function checkFreshness(
  { time, nonce }: Recipe,
  header: HeaderLookup,
  claims: ReadonlyMap<string, string>,
  nowMs: number,
  values: Map<string, string>,
): Freshness | string {
  let timeMs: number | null = null;
  if (time !== null) {
    const text = (time.header === null ? claims.get("time") : header(time.header)) ?? "";
    timeMs = parseTime(time.format, text);
    if (timeMs === null) return `the time in ${headerName(time)} is missing or not ${time.format}`;
    const late = (nowMs - timeMs) / 1000;
    if (Math.abs(late) > time.skew_s) {
      return `the time is ${Math.abs(late).toFixed(0)} s in the ${late > 0 ? "past" : "future"}`;
    }
    values.set("time", text);
  }
  if (nonce === null) return { timeMs, nonce: null };
  const text = (nonce.header === null ? claims.get("nonce") : header(nonce.header)) ?? "";
  if (!isNonce(nonce.format, text)) {
    return `the nonce in ${headerName(nonce)} is missing or not ${nonce.format}`;
  }
  values.set("nonce", text);
  return { timeMs, nonce: text };
}

function headerName({ header }: { readonly header: string | null }): string {
  return header ?? "the signature";
}

/** Values of the emitted headers by placeholder, or an error in words. */
export function readClaims(
  { active, emit }: Plan,
  header: HeaderLookup,
): ReadonlyMap<string, string> | string {
  let claims: Map<string, string> | null = null;
  for (const [name, template] of emit) {
    const text = header(name);
    if (!text) return `the header ${name} is missing or empty`;
    const read = readTemplate(template, text);
    if (typeof read === "string") return `the header ${name} ${read}`;
    const clash = claims === null ? null : mergeValues(claims, read);
    if (clash !== null) return `the header ${name} ${clash}`;
    claims ??= read;
  }
  claims ??= new Map<string, string>();
  cutToken(claims);
  const params = claims.get("params");
  if (params !== undefined && active.canonical !== null) {
    const read = canonicalStyle(active.canonical).readParams?.(active.canonical, params);
    if (typeof read === "string") return `the signature ${read}`;
    const clash = read === undefined ? null : mergeValues(claims, read);
    if (clash !== null) return `the signature ${clash}`;
  }
  return claims;
}

/** A token is what is signed and, behind its last dot, the signature. */
function cutToken(claims: Map<string, string>): void {
  const token = claims.get("token");
  if (token === undefined) return;
  const dot = Math.max(token.lastIndexOf("."), 0);
  claims.set("params", token.slice(0, dot));
  claims.set("signature", token.slice(dot + 1));
}

/** Values that are verified by their own check or by the string to sign. */
const PROVEN: ReadonlySet<string> = new Set(["signature", "components", "params", "secret", "basic"]);

/** The first claim that contradicts the request, in words; null if there is none. */
function firstMismatch(claims: ReadonlyMap<string, string>, lookup: Lookup): string | null {
  for (const [placeholder, claimed] of claims) {
    if (PROVEN.has(placeholder)) continue;
    const own = placeholder.includes(":") ? fillTemplate(`{${placeholder}}`, lookup) : lookup(placeholder);
    if (own === claimed) continue;
    return `the claimed ${placeholder.replace(/:.*/, "").replaceAll("_", " ")} is not the one in the request`;
  }
  return null;
}

function refuse(reason: string): Verification {
  return { ok: false, reason, stringToSign: null };
}
