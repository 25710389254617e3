// Keys, HMAC and text encodings of signatures (RFC 2104, RFC 4648).

import { createHash, createHmac, hash as hashOnce, randomBytes, timingSafeEqual } from "node:crypto";
import type { Secret } from "#src/contract/secret.ts";
import type { DigestHash, HmacAlgorithm, KeyEncoding, Recipe, SignatureEncoding } from "./recipe.ts";
import { fillTemplate, type Lookup } from "./template.ts";

const HASH_OF: Readonly<Record<HmacAlgorithm, { readonly hash: string; readonly bytes: number }>> = {
  "hmac-sha256": { hash: "sha256", bytes: 32 },
  "hmac-sha384": { hash: "sha384", bytes: 48 },
  "hmac-sha512": { hash: "sha512", bytes: 64 },
};

export function isHmacAlgorithm(token: string): token is HmacAlgorithm {
  return Object.hasOwn(HASH_OF, token);
}

/** Length of a signature in bytes. */
export function signatureBytes(algorithm: HmacAlgorithm): number {
  return HASH_OF[algorithm].bytes;
}

/** The key's bytes, or null where the secret is not written in that encoding. */
export function keyBytes(secret: Secret, encoding: KeyEncoding): Buffer | null {
  const text = secret.expose();
  const bytes = Buffer.from(text, encoding);
  const written = bytes.toString(encoding);
  return bytes.length > 0 && written === (encoding === "hex" ? text.toLowerCase() : text) ? bytes : null;
}

/** @param data a byte string (one character a byte) or bytes */
export function hmac(algorithm: HmacAlgorithm, key: Uint8Array, data: string | Uint8Array): Buffer {
  const mac = createHmac(HASH_OF[algorithm].hash, key);
  return (typeof data === "string" ? mac.update(data, "latin1") : mac.update(data)).digest();
}

/** Whether a text of `derive` is the first key itself instead of being signed with the secret. */
export function startsFromText(step: string | undefined): step is string {
  return step?.includes("{secret}") ?? false;
}

/**
 * The key that signs: the secret's bytes, led through the recipe's chain of derived keys.
 * @returns null where the secret is not written in that encoding
 */
export function signingKey(
  { derive }: Pick<Recipe, "derive">,
  secret: Secret,
  encoding: KeyEncoding,
  algorithm: HmacAlgorithm,
  lookup: Lookup,
): Buffer | null {
  const bytes = keyBytes(secret, encoding);
  if (derive.length === 0 || bytes === null) return bytes;
  const [first, ...rest] = derive;
  if (!startsFromText(first)) return chained(algorithm, bytes, derive, lookup);
  const text = fillTemplate(first, (name) => (name === "secret" ? secret.expose() : lookup(name)));
  return chained(algorithm, Buffer.from(text, "utf8"), rest, lookup);
}

function chained(algorithm: HmacAlgorithm, key: Buffer, steps: readonly string[], lookup: Lookup): Buffer {
  return steps.reduce((last, step) => hmac(algorithm, last, fillTemplate(step, lookup)), key);
}

/** A hash in hexadecimal digits of a byte string. */
export function hashHex(hash: DigestHash, data: string): string {
  return createHash(hash).update(data, "latin1").digest("hex");
}

/** A digest in a recipe's rendering: `{b64}` and `{hex}` of the hash. */
export function renderDigest(hash: DigestHash, render: string, data: Uint8Array): string {
  return render
    .replaceAll("{b64}", () => hashOnce(hash, data, "base64"))
    .replaceAll("{hex}", () => hashOnce(hash, data, "hex"));
}

/** The digest of a request's body as the recipe wants it; empty where a request without a body has none. */
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
 * The bytes of a signature, or null. Node's decoders skip what they do not understand, so only the one text
 * that encodes exactly these bytes is accepted: no other letter case, padding, blanks or trailing bits.
 */
export function decodeSignature(text: string, encoding: SignatureEncoding, length: number): Buffer | null {
  const bytes = Buffer.from(text, encoding === "HEX" ? "hex" : encoding);
  return bytes.length === length && encodeSignature(bytes, encoding) === text ? bytes : null;
}

/** Compares in constant time; a missing signature costs the same and is never equal. */
export function sameSignature(expected: Buffer, received: Buffer | null): boolean {
  const equal = timingSafeEqual(expected, received ?? Buffer.alloc(expected.length));
  return equal && received !== null;
}

const COMPARING_KEY = randomBytes(32);

/** Compares texts of any length in constant time: what is compared are keyed hashes of them. */
export function sameText(expected: string, received: string): boolean {
  const of = (text: string): Buffer => createHmac("sha256", COMPARING_KEY).update(text, "utf8").digest();
  return timingSafeEqual(of(expected), of(received));
}
