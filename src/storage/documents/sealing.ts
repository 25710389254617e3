// Encryption of small secrets with AES-256-GCM (NIST SP 800-38D), bound to a context that is stored in the clear.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Bytes of a sealing key. */
export const SEALING_KEY_BYTES = 32;

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, ciphertext and tag, concatenated, in base64. */
export type Sealed = string;

/** A new random key. */
export function newSealingKey(): Buffer {
  return randomBytes(SEALING_KEY_BYTES);
}

/**
 * Encrypts bytes. The random nonce is safe for up to 2^32 calls under one key (SP 800-38D, 8.3).
 * @param context additional authenticated data; decryption needs the same text
 */
export function seal(key: Uint8Array, secret: Uint8Array, context: string): Sealed {
  return sealBytes(key, secret, context).toString("base64");
}

/** As `seal`, where the result may be bytes. */
export function sealBytes(key: Uint8Array, secret: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, "utf8"));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the result of `seal`; null for another key or context, or changed bytes. */
export function openSealed(key: Uint8Array, sealed: Sealed, context: string): Buffer | null {
  const bytes = Buffer.from(sealed, "base64");
  // Other letters may decode to the same bytes.
  if (bytes.toString("base64") !== sealed) return null;
  return openSealedBytes(key, bytes, context);
}

/** Decrypts the result of `sealBytes`; null as above. */
export function openSealedBytes(key: Uint8Array, bytes: Uint8Array, context: string): Buffer | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context, "utf8"));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
