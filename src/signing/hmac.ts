// Keys, HMAC and text encodings of signatures (RFC 2104, RFC 4648).

import {
  createHash,
  createHmac,
  createSecretKey,
  hash as hashOnce,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from "node:crypto";
import type { Secret } from "#src/contract/secret.ts";
import {
  HMAC_ALGORITHMS,
  isPlainHash,
  type DigestHash,
  type HmacAlgorithm,
  type KeyEncoding,
  type Recipe,
  type SignatureEncoding,
  type SigningHash,
} from "#src/signing/recipes/recipe.ts";
import { fillTemplate, type Lookup } from "#src/signing/recipes/template.ts";

const BYTES: Readonly<Record<DigestHash, number>> = { sha256: 32, sha384: 48, sha512: 64, sha1: 20, md5: 16 };

/** Stands for the secret in a string to sign, which is a byte string and so cannot hold it. */
export const SECRET_MARK = "\u{E000}";

export function isHmacAlgorithm(token: string): token is HmacAlgorithm {
  return (HMAC_ALGORITHMS as readonly string[]).includes(token);
}

function hashOf(algorithm: SigningHash): DigestHash {
  return algorithm.replace("hmac-", "") as DigestHash;
}

/** Length of a signature in bytes. */
export function signatureBytes(algorithm: SigningHash): number {
  return BYTES[hashOf(algorithm)];
}

/** The key's bytes, or null where the secret is not written in that encoding. */
export function keyBytes(secret: Secret, encoding: KeyEncoding): Buffer | null {
  const text = secret.expose();
  const bytes = Buffer.from(text, encoding);
  const written = bytes.toString(encoding);
  return bytes.length > 0 && written === (encoding === "hex" ? text.toLowerCase() : text) ? bytes : null;
}

/** Key of an HMAC: a KeyObject of the secret's bytes, or derived bytes. */
export type SigningKey = KeyObject | Buffer;

/** Cached per secret: creating a KeyObject takes as long as signing. */
const keys = new WeakMap<Secret, { [E in KeyEncoding]?: KeyObject | null }>();

function keyOf(secret: Secret, encoding: KeyEncoding): KeyObject | null {
  let made = keys.get(secret);
  if (made === undefined) keys.set(secret, (made = {}));
  const key = made[encoding];
  if (key !== undefined) return key;
  const bytes = keyBytes(secret, encoding);
  return (made[encoding] = bytes === null ? null : createSecretKey(bytes));
}

/** @param data a byte string (one character a byte) or bytes */
export function hmac(algorithm: SigningHash, key: SigningKey, data: string | Uint8Array): Buffer {
  const mac = createHmac(hashOf(algorithm), key);
  return (typeof data === "string" ? mac.update(data, "latin1") : mac.update(data)).digest();
}

/**
 * The signature of a byte string as text, without an intermediate buffer.
 * @param data for a plain hash with `SECRET_MARK` where the key stands
 */
export function signature(
  algorithm: SigningHash,
  key: SigningKey,
  data: string,
  encoding: SignatureEncoding,
): string {
  const mac = isPlainHash(algorithm)
    ? createHash(algorithm).update(withKey(data, key), "latin1")
    : createHmac(hashOf(algorithm), key).update(data, "latin1");
  return encoding === "HEX" ? mac.digest("hex").toUpperCase() : mac.digest(encoding);
}

/** How a string to sign is shown and returned. */
export function shownText(stringToSign: string): string {
  return stringToSign.replaceAll(SECRET_MARK, "{secret}");
}

/** RFC 7617 section 2. */
export function basicCredentials(key: { readonly keyId: string; readonly secret: Secret }): string {
  return Buffer.from(`${key.keyId}:${key.secret.expose()}`, "utf8").toString("base64");
}

function withKey(data: string, key: SigningKey): string {
  const bytes = Buffer.isBuffer(key) ? key : key.export();
  return data.replaceAll(SECRET_MARK, () => bytes.toString("latin1"));
}

/** Whether a text of `derive` is the first key itself instead of being signed with the secret. */
export function startsFromText(step: string | undefined): step is string {
  return step?.includes("{secret}") ?? false;
}

/**
 * The signing key: the secret's bytes after the recipe's chain of key derivations.
 * @returns null where the secret is not written in that encoding
 */
export function signingKey(
  { derive }: Pick<Recipe, "derive">,
  secret: Secret,
  encoding: KeyEncoding,
  algorithm: SigningHash,
  lookup: Lookup,
): SigningKey | null {
  const key = keyOf(secret, encoding);
  if (derive.length === 0 || key === null) return key;
  const [first, ...rest] = derive;
  if (!startsFromText(first)) return chained(algorithm, key, derive, lookup);
  const text = fillTemplate(first, (name) => (name === "secret" ? secret.expose() : lookup(name)));
  return chained(algorithm, Buffer.from(text, "utf8"), rest, lookup);
}

function chained(
  algorithm: SigningHash,
  key: SigningKey,
  steps: readonly string[],
  lookup: Lookup,
): SigningKey {
  return steps.reduce((last, step) => hmac(algorithm, last, fillTemplate(step, lookup)), key);
}

/** A hash in hexadecimal digits of a byte string. */
export function hashHex(hash: DigestHash, data: string): string {
  return hashOnce(hash, Buffer.from(data, "latin1"), "hex");
}

/** Written forms of a digest, by the placeholder of `render`. */
const WRITTEN = { "{b64}": "base64", "{hex}": "hex", "{raw}": "latin1" } as const;

export const DIGEST_MARK = /\{(?:b64|hex|raw)\}/g;

/** A digest in a recipe's rendering. */
export function renderDigest(hash: DigestHash, render: string, data: Uint8Array): string {
  return render.replaceAll(DIGEST_MARK, (mark) =>
    hashOnce(hash, data, WRITTEN[mark as keyof typeof WRITTEN]),
  );
}

/** The digest of a request's body as the recipe renders it; empty if a request without a body has none. */
export function bodyDigest(
  { hash, over, render, empty }: NonNullable<Recipe["body_digest"]>,
  body: Uint8Array,
  lookup: Lookup,
): string {
  if (body.length === 0 && empty === "omit") return "";
  const data = over === "{body}" ? body : Buffer.from(fillTemplate(over, lookup), "latin1");
  return renderDigest(hash, render, data);
}

export function encodeSignature(signature: Buffer, encoding: SignatureEncoding): string {
  return encoding === "HEX" ? signature.toString("hex").toUpperCase() : signature.toString(encoding);
}

/**
 * The bytes of a signature, or null. Node's decoders skip invalid characters, so only the canonical encoding of the bytes
 * is accepted: no other letter case, padding, spaces or trailing bits.
 */
export function decodeSignature(text: string, encoding: SignatureEncoding, length: number): Buffer | null {
  const bytes = Buffer.from(text, encoding === "HEX" ? "hex" : encoding);
  return bytes.length === length && encodeSignature(bytes, encoding) === text ? bytes : null;
}

/**
 * Compares an expected signature with the received text in constant time. Only the canonical encoding of the bytes is equal:
 * no other letter case, padding, spaces or trailing bits.
 */
export function sameSignature(expected: string, received: string): boolean {
  const wanted = Buffer.from(expected, "utf8");
  const sent = Buffer.from(received, "utf8");
  const isWhole = sent.length === wanted.length;
  return timingSafeEqual(wanted, isWhole ? sent : wanted) && isWhole;
}

const COMPARING_KEY = randomBytes(32);

/** Compares texts of any length in constant time, by keyed hashes of them. */
export function sameText(expected: string, received: string): boolean {
  const of = (text: string): Buffer => createHmac("sha256", COMPARING_KEY).update(text, "utf8").digest();
  return timingSafeEqual(of(expected), of(received));
}
