// Keys, HMAC and text encodings of signatures (RFC 2104, RFC 4648).

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Secret } from "#src/contract/secret.ts";
import type { DigestHash, HmacAlgorithm, KeyEncoding, SignatureEncoding } from "./recipe.ts";

const HASH_OF: Readonly<Record<HmacAlgorithm, { readonly hash: string; readonly bytes: number }>> = {
  "hmac-sha256": { hash: "sha256", bytes: 32 },
  "hmac-sha384": { hash: "sha384", bytes: 48 },
  "hmac-sha512": { hash: "sha512", bytes: 64 },
};

export const HMAC_ALGORITHMS = Object.keys(HASH_OF) as readonly HmacAlgorithm[];

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

export function hmac(algorithm: HmacAlgorithm, key: Uint8Array, data: string | Uint8Array): Buffer {
  return createHmac(HASH_OF[algorithm].hash, key).update(data).digest();
}

/** The digest header's value: `{b64}` and `{hex}` of the raw body's hash. */
export function renderDigest(hash: DigestHash, render: string, body: Uint8Array): string {
  const digest = createHash(hash).update(body).digest();
  return render
    .replaceAll("{b64}", () => digest.toString("base64"))
    .replaceAll("{hex}", () => digest.toString("hex"));
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
