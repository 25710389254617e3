// The vault's data key and what wraps it: the key of a key file, or a key derived from a passphrase (scrypt, RFC 7914).

import { randomBytes, scrypt } from "node:crypto";

import { corrupt } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { openSealed, seal, SEALING_KEY_BYTES } from "#src/storage/documents/sealing.ts";
import type { ScryptParameters, WrappedKey } from "./vault-file.ts";

/** N = 2^17: 0.43 s and 128 MiB for whoever knows the passphrase, and for each guess of whoever does not. */
export const SCRYPT_LOG_N = 17;
/** Above this the header would make us take more than 1 GiB of memory. */
const LARGEST_LOG_N = 20;
const BLOCK_SIZE = 8;
const PARALLEL = 1;
const SALT_BYTES = 16;

const KEY_FILE_CONTEXT = JSON.stringify(["verdict/vault-data-key", 1, "key-file"]);

/** Wraps a data key by the key of a key file. */
export function wrapWithKey(key: Buffer, dataKey: Buffer): WrappedKey {
  return { scheme: "key-file", sealed: seal(key, dataKey, KEY_FILE_CONTEXT) };
}

/** Null when the key is not the one that wrapped it. */
export function unwrapWithKey(key: Buffer, wrapped: WrappedKey): Buffer | null {
  return openSealed(key, wrapped.sealed, KEY_FILE_CONTEXT);
}

/**
 * Wraps a data key by a passphrase.
 * @param logN base-2 logarithm of the cost
 */
export async function wrapWithPassphrase(
  passphrase: Secret,
  dataKey: Buffer,
  logN: number = SCRYPT_LOG_N,
): Promise<WrappedKey> {
  const parameters: ScryptParameters = {
    n: 2 ** logN,
    r: BLOCK_SIZE,
    p: PARALLEL,
    salt: randomBytes(SALT_BYTES).toString("base64"),
  };
  const key = await derive(passphrase, parameters);
  try {
    return { scheme: "passphrase", scrypt: parameters, sealed: seal(key, dataKey, contextOf(parameters)) };
  } finally {
    key.fill(0);
  }
}

/**
 * Null when the passphrase is not the one that wrapped it, or the parameters are not those of that time.
 * @throws Fault("corrupt") for parameters that verdict never writes: they could use up all memory
 */
export async function unwrapWithPassphrase(
  passphrase: Secret,
  wrapped: Extract<WrappedKey, { scheme: "passphrase" }>,
): Promise<Buffer | null> {
  requireSafeParameters(wrapped.scrypt);
  const key = await derive(passphrase, wrapped.scrypt);
  try {
    return openSealed(key, wrapped.sealed, contextOf(wrapped.scrypt));
  } finally {
    key.fill(0);
  }
}

function requireSafeParameters({ n, r, p, salt }: ScryptParameters): void {
  const logN = Math.log2(n);
  if (logN > LARGEST_LOG_N) {
    throw corrupt`The header of the vault is invalid, because its scrypt N is ${n} and the maximum is 2^20; restore the vault from a backup.`;
  }
  const isSound =
    Number.isInteger(logN) &&
    logN >= 1 &&
    r === BLOCK_SIZE &&
    p === PARALLEL &&
    Buffer.from(salt, "base64").length === SALT_BYTES;
  if (isSound) return;
  throw corrupt`The header of the vault holds scrypt parameters that verdict never wrote; restore the vault from a backup of yours.`;
}

function derive(passphrase: Secret, { n, r, p, salt }: ScryptParameters): Promise<Buffer> {
  // The same letters typed on another keyboard: é is one character there and two here.
  const text = Buffer.from(passphrase.expose().normalize("NFC"), "utf8");
  return new Promise((resolve, reject) => {
    // 128 N r bytes is what the algorithm needs; OpenSSL counts a little more.
    const options = { N: n, r, p, maxmem: 128 * n * r + 2 ** 20 };
    scrypt(text, Buffer.from(salt, "base64"), SEALING_KEY_BYTES, options, (error, key) => {
      text.fill(0);
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** The parameters are bound to the seal as well: nobody can swap them without being noticed. */
function contextOf({ n, r, p, salt }: ScryptParameters): string {
  return JSON.stringify(["verdict/vault-data-key", 1, "passphrase", n, r, p, salt]);
}
