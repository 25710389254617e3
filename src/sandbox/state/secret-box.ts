// Seals the sandbox's secrets with a key file of its own.

import { corrupt } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { createDurably, readWhole } from "#src/storage/documents/durable-file.ts";
import {
  newSealingKey,
  openSealed,
  seal,
  SEALING_KEY_BYTES,
  type Sealed,
} from "#src/storage/documents/sealing.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";

export type SecretBox = ReturnType<typeof createSecretBox>;

/**
 * Null when there is no key file.
 * @throws Fault `corrupt` when it is not a key
 */
export async function readKeyFile(path: string): Promise<Buffer | null> {
  const key = await readWhole(path, nodeFileSystem);
  if (key === null || key.length === SEALING_KEY_BYTES) return key;
  throw corrupt`${path} is not a key; restore it, or move the sandbox's state away.`;
}

/** Creates a key file, durably, before anything is sealed with it. */
export async function createKeyFile(path: string): Promise<Buffer> {
  const key = newSealingKey();
  await createDurably(path, key, nodeFileSystem);
  return key;
}

export function createSecretBox(key: Buffer) {
  return {
    seal: (secret: Secret, boundTo: string): Sealed =>
      seal(key, Buffer.from(secret.expose(), "utf8"), boundTo),
    /** @throws Fault `corrupt` when it was sealed with another key or bound to something else */
    open(sealed: Sealed, boundTo: string): Secret {
      const bytes = openSealed(key, sealed, boundTo);
      if (bytes !== null) return new Secret(bytes.toString("utf8"));
      throw corrupt`A secret of the sandbox does not open with its key; restore both, or move the sandbox's state away.`;
    },
  };
}
