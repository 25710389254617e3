// Verifying a signed request with a recipe. The reason of a refusal names the nearest miss and is for a journal only.

import { randomBytes } from "node:crypto";
import { Secret } from "#src/contract/secret.ts";
import type { Call } from "#src/contract/wire.ts";
import { HEADER } from "#src/contract/wire.ts";
import { canonicalStyle, namedHeaders } from "./canonical.ts";
import {
  decodeSignature,
  hmac,
  isHmacAlgorithm,
  keyBytes,
  renderDigest,
  sameSignature,
  signatureBytes,
} from "./hmac.ts";
import type { HmacAlgorithm, KeyEncoding, Recipe, SignatureEncoding } from "./recipe.ts";
import { ownerHeader } from "./sign.ts";
import { readTemplate } from "./template.ts";
import { isNonce, parseTime } from "./time-format.ts";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** with query, exactly as on the request line */
  readonly path: string;
  /** every header line, duplicates included */
  readonly headers: readonly (readonly [string, string])[];
  /** the raw bytes */
  readonly body: Uint8Array;
}

/** What the verifier knows about a key. It alone decides the algorithm. */
export interface KeyRecord {
  readonly keyId: string;
  readonly secret: Secret;
  readonly algorithm: string;
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

/**
 * Verifies a request. An endpoint override of the recipe concerns signing only: here every call must be signed.
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
  const table = headerTable(received.headers);
  const twice = meaningfulHeaders(recipe, call).find((name) => table.get(name) === null);
  if (twice !== undefined) return refuse(`the header ${twice} is there more than once`);
  const header: HeaderLookup = (name) => table.get(name) ?? undefined;
  for (const name of [HEADER.keyId, ownerHeader(call)]) {
    if (!header(name)) return refuse(`the header ${name} is missing or empty`);
  }

  const fresh = checkFreshness(recipe, header, nowMs);
  if (typeof fresh === "string") return refuse(fresh);
  const { timeMs, nonce } = fresh;
  const expected: Record<string, string> = { key_id: header(HEADER.keyId)!, ...fresh.values };
  if (recipe.body_digest !== null) {
    const { header: name, hash, render } = recipe.body_digest;
    expected["digest"] = renderDigest(hash, render, received.body);
    if (header(name) !== expected["digest"]) return refuse("the digest of the body differs");
  }
  if (recipe.canonical === null) {
    if (key === null || key.keyId !== expected["key_id"]) return refuse("the key is unknown");
    return { ok: true, keyId: key.keyId, timeMs, nonce, stringToSign: null };
  }

  const claims = readClaims(recipe, header);
  if (typeof claims === "string") return refuse(claims);
  const components = claims["components"]?.split(" ");
  const duplicate = components?.find((name) => table.get(name) === null);
  if (duplicate !== undefined) return refuse(`the signed header ${duplicate} is there more than once`);
  const style = canonicalStyle(recipe.canonical);
  const message = { method: received.method, target: received.path, header };
  const covered = components ?? style.choose(recipe.canonical, message);
  const lack = style.judge(recipe.canonical, message, covered);
  if (lack !== null) return refuse(lack);
  const stringToSign = style.write(recipe.canonical, message, covered);

  // From here on nothing returns early: a known and an unknown key take the same path.
  const record = usableKey(recipe, key, expected["key_id"]!);
  expected["algorithm"] = record.token;
  const mismatch = Object.keys(claims).find((name) => name in expected && claims[name] !== expected[name]);
  const length = signatureBytes(record.algorithm);
  const signature = decodeSignature(claims["signature"] ?? "", recipe.signature.encoding, length);
  const wanted = hmac(record.algorithm, record.bytes, stringToSign);
  const equal = sameSignature(wanted, signature);
  if (equal && mismatch === undefined && record.fault === null && key !== null) {
    return { ok: true, keyId: key.keyId, timeMs, nonce, stringToSign };
  }
  const miss = nearestMiss(recipe, record, claims["signature"] ?? "", stringToSign, wanted);
  const claim =
    mismatch === undefined ? null : `the claimed ${mismatch.replace("_", " ")} is not that of the request`;
  return { ok: false, reason: record.fault ?? claim ?? miss, stringToSign };
}

type HeaderLookup = (name: string) => string | undefined;

interface Freshness {
  readonly timeMs: number | null;
  readonly nonce: string | null;
  /** what stands in the headers, by the placeholder of templates */
  readonly values: Readonly<Record<string, string>>;
}

/** Time window and form of the nonce; a string is what is wrong. Whether the nonce is new is the caller's to remember. */
function checkFreshness(recipe: Recipe, header: HeaderLookup, nowMs: number): Freshness | string {
  const values: Record<string, string> = {};
  let timeMs: number | null = null;
  if (recipe.time !== null) {
    const text = header(recipe.time.header) ?? "";
    timeMs = parseTime(recipe.time.format, text);
    if (timeMs === null) return `the time in ${recipe.time.header} is missing or not ${recipe.time.format}`;
    const late = (nowMs - timeMs) / 1000;
    if (Math.abs(late) > recipe.time.skew_s) {
      return `the time is ${Math.abs(late).toFixed(0)} s in the ${late > 0 ? "past" : "future"}`;
    }
    values["time"] = text;
  }
  let nonce: string | null = null;
  if (recipe.nonce !== null) {
    nonce = header(recipe.nonce.header) ?? "";
    if (!isNonce(recipe.nonce.format, nonce)) {
      return `the nonce in ${recipe.nonce.header} is missing or not ${recipe.nonce.format}`;
    }
    values["nonce"] = nonce;
  }
  return { timeMs, nonce, values };
}

/** What the emitted headers say, by placeholder; a string is what is wrong. */
function readClaims(recipe: Recipe, header: HeaderLookup): Readonly<Record<string, string>> | string {
  const claims: Record<string, string> = {};
  for (const [name, template] of Object.entries(recipe.emit)) {
    const text = header(name);
    if (!text) return `the header ${name} is missing or empty`;
    const read = readTemplate(template, text);
    if (typeof read === "string") return `the header ${name} ${read}`;
    Object.assign(claims, read);
  }
  return claims;
}

function refuse(reason: string): Verification {
  return { ok: false, reason, stringToSign: null };
}

/** Header values by lower-case name; null where a name occurs more than once. */
function headerTable(headers: Received["headers"]): Map<string, string | null> {
  const table = new Map<string, string | null>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    table.set(lower, table.has(lower) ? null : value);
  }
  return table;
}

function meaningfulHeaders(recipe: Recipe, call: Call): string[] {
  return [
    HEADER.keyId,
    ownerHeader(call),
    ...Object.keys(recipe.emit),
    ...(recipe.time === null ? [] : [recipe.time.header]),
    ...(recipe.nonce === null ? [] : [recipe.nonce.header]),
    ...(recipe.body_digest === null ? [] : [recipe.body_digest.header]),
    ...(recipe.canonical === null ? [] : namedHeaders(recipe.canonical)),
  ];
}

interface UsableKey {
  readonly token: string;
  readonly algorithm: HmacAlgorithm;
  readonly secret: Secret;
  readonly bytes: Buffer;
  /** why this key can never verify anything; null for a good one */
  readonly fault: string | null;
}

/** Nobody knows this secret; it stands in for unknown and unusable keys. 64 digits are valid in every key encoding. */
const DECOY = new Secret(randomBytes(32).toString("hex"));

function usableKey(recipe: Recipe, key: KeyRecord | null, claimedId: string): UsableKey {
  const token = key?.algorithm ?? "hmac-sha256";
  const name = recipe.hash === "from-credential" ? token : recipe.hash;
  const known = isHmacAlgorithm(name);
  const algorithm = known ? name : "hmac-sha256";
  const secret = key?.secret ?? DECOY;
  const bytes = keyBytes(secret, recipe.key.encoding);
  const fault =
    key === null || key.keyId !== claimedId
      ? "the key is unknown"
      : !known
        ? `the key's algorithm ${name} is unknown`
        : bytes === null
          ? `the key's secret is not ${recipe.key.encoding}`
          : null;
  return { token, algorithm, secret, bytes: bytes ?? Buffer.from(DECOY.expose()), fault };
}

const KEY_ENCODINGS: readonly KeyEncoding[] = ["utf8", "hex", "base64"];
const SIGNATURE_ENCODINGS: readonly SignatureEncoding[] = ["hex", "HEX", "base64", "base64url"];

/** Tries the usual mistakes, so that the journal can say which one it was. */
function nearestMiss(
  recipe: Recipe,
  key: UsableKey,
  signature: string,
  stringToSign: string,
  wanted: Buffer,
): string {
  const decodes = (encoding: SignatureEncoding, equals: Buffer): boolean =>
    sameSignature(equals, decodeSignature(signature, encoding, equals.length));
  const written = SIGNATURE_ENCODINGS.find((encoding) => decodes(encoding, wanted));
  if (written !== undefined && written !== recipe.signature.encoding) {
    return `the signature is right but written in ${written}, not ${recipe.signature.encoding}`;
  }
  for (const encoding of KEY_ENCODINGS) {
    const bytes = encoding === recipe.key.encoding ? null : keyBytes(key.secret, encoding);
    if (bytes !== null && decodes(recipe.signature.encoding, hmac(key.algorithm, bytes, stringToSign))) {
      return `the secret was used as ${encoding}, not as ${recipe.key.encoding}`;
    }
  }
  if (decodes(recipe.signature.encoding, hmac(key.algorithm, key.bytes, `${stringToSign}\n`))) {
    return "the signed string ends with an extra line end";
  }
  if (decodeSignature(signature, recipe.signature.encoding, wanted.length) === null) {
    return `the signature is not ${wanted.length} bytes in ${recipe.signature.encoding}`;
  }
  return "the signature differs: another secret, or a signed part was changed on the way";
}
