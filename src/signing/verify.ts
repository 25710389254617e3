// Verifying a signed request with a recipe. The reason of a refusal names the nearest miss and is for a journal only.

import type { Call } from "#src/contract/wire.ts";
import { HEADER } from "#src/contract/wire.ts";
import { canonicalStyle } from "./canonical.ts";
import {
  bodyDigest,
  decodeSignature,
  hmac,
  sameSignature,
  sameText,
  signatureBytes,
  signingKey,
} from "./hmac.ts";
import { nearestMiss } from "./nearest-miss.ts";
import { recipeFor, type Recipe } from "./recipe.ts";
import type { Message } from "./request-values.ts";
import { ownerHeader, recipeLookup } from "./sign.ts";
import { fillTemplate, mergeValues, readTemplate, type Lookup } from "./template.ts";
import { isNonce, parseTime } from "./time-format.ts";
import { DECOY, usableKey, type KeyRecord } from "./usable-key.ts";

export type { KeyRecord } from "./usable-key.ts";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** with query, exactly as on the request line */
  readonly path: string;
  /** every header line, duplicates included; values as Latin-1 */
  readonly headers: readonly (readonly [string, string])[];
  /** the raw bytes */
  readonly body: Uint8Array;
  /** `http` when absent: the embedded service listens without TLS. Counts only where the recipe signs the scheme. */
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
      /** the nearest miss, untrusted text not escaped; never for the caller */
      readonly reason: string;
      readonly stringToSign: string | null;
    };

/** The value of `x-key-id`, or null when the request does not carry exactly one. */
export function claimedKeyId(received: Pick<Received, "headers">): string | null {
  return headerTable(received.headers).get(HEADER.keyId) || null;
}

const meaningful = new WeakMap<Recipe, Map<Call, readonly string[]>>();

/** Every header that a recipe gives a meaning to on a call, in lower case: it must be there at most once. */
export function meaningfulHeaders(recipe: Recipe, call: Call): readonly string[] {
  let byCall = meaningful.get(recipe);
  if (byCall === undefined) meaningful.set(recipe, (byCall = new Map<Call, readonly string[]>()));
  let names = byCall.get(call);
  if (names === undefined) byCall.set(call, (names = findMeaningfulHeaders(recipeFor(recipe, call), call)));
  return names;
}

function findMeaningfulHeaders(recipe: Recipe, call: Call): string[] {
  const { emit, time, nonce, body_digest, canonical } = recipe;
  return [
    HEADER.keyId,
    ownerHeader(call),
    ...Object.keys(emit),
    ...[time?.header, nonce?.header, body_digest?.header].filter((name) => typeof name === "string"),
    ...(canonical === null ? [] : canonicalStyle(canonical).headers(canonical)),
  ];
}

/**
 * Verifies a request. Where an endpoint of the recipe only replaces headers, signing alone is concerned: here every
 * call must be signed.
 * @param key the record found under `claimedKeyId`, or null; an unknown key costs the same as a wrong one
 * @param nowMs the verifier's real time in ms since the epoch
 */
export function verify(
  recipe: Recipe,
  received: Received,
  key: KeyRecord | null,
  nowMs: number,
  call: Call,
): Verification {
  const active = recipeFor(recipe, call);
  const table = headerTable(received.headers);
  const twice = meaningfulHeaders(recipe, call).find((name) => table.get(name) === null);
  if (twice !== undefined) return refuse(`the header ${twice} is there more than once`);
  const header: HeaderLookup = (name) => table.get(name) ?? undefined;
  for (const name of [HEADER.keyId, ownerHeader(call)]) {
    if (!header(name)) return refuse(`the header ${name} is missing or empty`);
  }
  const claims = readClaims(active, header);
  if (typeof claims === "string") return refuse(claims);
  const fresh = checkFreshness(active, header, claims, nowMs);
  if (typeof fresh === "string") return refuse(fresh);

  const { timeMs, nonce } = fresh;
  const message: Message = {
    method: received.method,
    target: received.path,
    scheme: received.scheme ?? "http",
    body: received.body,
    header,
  };
  const values = new Map([
    ["key_id", header(HEADER.keyId)!],
    ["owner", header(ownerHeader(call))!],
    ...fresh.values,
  ]);
  const lookup = recipeLookup(values, active, message, timeMs);
  if (active.body_digest !== null) {
    const digest = bodyDigest(active.body_digest, received.body, lookup);
    values.set("digest", digest);
    const name = active.body_digest.header;
    if (name !== null && (header(name) ?? "") !== digest) return refuse("the digest of the body differs");
  }
  if (active.canonical === null) return verifyUnsigned(claims, lookup, values, key, fresh);

  const style = canonicalStyle(active.canonical);
  const listed = claims.get("components");
  const read = listed === undefined ? style.choose(active.canonical, message) : style.readList(listed);
  if (typeof read === "string") return refuse(`what is signed ${read}`);
  const duplicate = read.find((name) => table.get(name.toLowerCase()) === null);
  if (duplicate !== undefined) return refuse(`the signed header ${duplicate} is there more than once`);
  const lack = style.judge(active.canonical, message, read);
  if (lack !== null) return refuse(lack);
  values.set("components", listed ?? style.list(read));
  const params = claims.get("params");
  if (params !== undefined) values.set("params", params);
  const { stringToSign } = style.write(active.canonical, message, read, lookup);

  // From here on nothing returns early: a known and an unknown key take the same path.
  const record = usableKey(active, key, values.get("key_id")!, lookup);
  values.set("algorithm", record.token);
  const mismatch = firstMismatch(claims, lookup);
  const claimed = claims.get("signature") ?? "";
  const signature = decodeSignature(claimed, active.signature.encoding, signatureBytes(record.algorithm));
  const wanted = hmac(record.algorithm, record.bytes, stringToSign);
  const equal = sameSignature(wanted, signature);
  if (equal && mismatch === null && record.fault === null && key !== null) {
    return { ok: true, keyId: key.keyId, timeMs, nonce, stringToSign };
  }
  const miss = nearestMiss({
    signature: claimed,
    encoding: active.signature.encoding,
    keyEncoding: active.key.encoding,
    algorithm: record.algorithm,
    stringToSign,
    sign: (text, encoding, algorithm) => {
      const bytes = signingKey(active, record.secret, encoding, algorithm, lookup);
      return bytes === null ? null : hmac(algorithm, bytes, text);
    },
  });
  return { ok: false, reason: record.fault ?? mismatch ?? miss, stringToSign };
}

/** Nothing is signed; but a secret that is sent must be the key's, and what is claimed must hold. */
function verifyUnsigned(
  claims: ReadonlyMap<string, string>,
  lookup: Lookup,
  values: Map<string, string>,
  key: KeyRecord | null,
  { timeMs, nonce }: Freshness,
): Verification {
  const sent = claims.get("secret");
  const same = sent === undefined || sameText((key?.secret ?? DECOY).expose(), sent);
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
  /** what stands in the request, by the placeholder of templates */
  readonly values: readonly (readonly [string, string])[];
}

/** Time window and form of the nonce; a string is what is wrong. Whether the nonce is new is the caller's to remember. */
function checkFreshness(
  recipe: Recipe,
  header: HeaderLookup,
  claims: ReadonlyMap<string, string>,
  nowMs: number,
): Freshness | string {
  const values: [string, string][] = [];
  const given = (name: string, from: string | null): [text: string, where: string] =>
    from === null ? [claims.get(name) ?? "", "the signature"] : [header(from) ?? "", from];
  let timeMs: number | null = null;
  if (recipe.time !== null) {
    const [text, where] = given("time", recipe.time.header);
    timeMs = parseTime(recipe.time.format, text);
    if (timeMs === null) return `the time in ${where} is missing or not ${recipe.time.format}`;
    const late = (nowMs - timeMs) / 1000;
    if (Math.abs(late) > recipe.time.skew_s) {
      return `the time is ${Math.abs(late).toFixed(0)} s in the ${late > 0 ? "past" : "future"}`;
    }
    values.push(["time", text]);
  }
  let nonce: string | null = null;
  if (recipe.nonce !== null) {
    const [text, where] = given("nonce", recipe.nonce.header);
    if (!isNonce(recipe.nonce.format, text)) {
      return `the nonce in ${where} is missing or not ${recipe.nonce.format}`;
    }
    nonce = text;
    values.push(["nonce", text]);
  }
  return { timeMs, nonce, values };
}

/** What the emitted headers say, by placeholder; a string is what is wrong. */
function readClaims(recipe: Recipe, header: HeaderLookup): ReadonlyMap<string, string> | string {
  const claims = new Map<string, string>();
  for (const [name, template] of Object.entries(recipe.emit)) {
    const text = header(name);
    if (!text) return `the header ${name} is missing or empty`;
    const read = readTemplate(template, text);
    if (typeof read === "string") return `the header ${name} ${read}`;
    const clash = mergeValues(claims, read);
    if (clash !== null) return `the header ${name} ${clash}`;
  }
  const params = claims.get("params");
  if (params !== undefined && recipe.canonical !== null) {
    const read = canonicalStyle(recipe.canonical).readParams?.(recipe.canonical, params);
    if (typeof read === "string") return `the signature ${read}`;
    const clash = read === undefined ? null : mergeValues(claims, read);
    if (clash !== null) return `the signature ${clash}`;
  }
  return claims;
}

/** What proves itself otherwise: by its own check, or by standing in the string to sign. */
const PROVEN: ReadonlySet<string> = new Set(["signature", "components", "params", "secret"]);

/** The first claim that is not what the request itself says, in words; null when all hold. */
function firstMismatch(claims: ReadonlyMap<string, string>, lookup: Lookup): string | null {
  for (const [placeholder, claimed] of claims) {
    if (PROVEN.has(placeholder)) continue;
    const own = placeholder.includes(":") ? fillTemplate(`{${placeholder}}`, lookup) : lookup(placeholder);
    if (own === claimed) continue;
    return `the claimed ${placeholder.replace(/:.*/, "").replaceAll("_", " ")} is not that of the request`;
  }
  return null;
}

function refuse(reason: string): Verification {
  return { ok: false, reason, stringToSign: null };
}

/** Header values by lower-case name; null where a name occurs more than once. */
export type HeaderTable = ReadonlyMap<string, string | null>;

const tables = new WeakMap<Received["headers"], HeaderTable>();

/** Made once for a list of headers, whoever asks. */
export function headerTable(headers: Received["headers"]): HeaderTable {
  const known = tables.get(headers);
  if (known !== undefined) return known;
  const table = new Map<string, string | null>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    table.set(lower, table.has(lower) ? null : value);
  }
  tables.set(headers, table);
  return table;
}
