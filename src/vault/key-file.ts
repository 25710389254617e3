// The key file: the key that wraps the vault's data key, in another directory tree than the vault. It protects copies of
// the data folder; it does not protect against root or against the same account.

import { dirname } from "node:path";

import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { createDurably, ensureFolder, readWhole } from "#src/storage/durable-file.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { parseGeneration, renderGeneration } from "#src/storage/generation.ts";
import { withStorageFaults } from "#src/storage/write-fault.ts";
import { keyData, parseKey } from "./vault-file.ts";

const FORMAT = "verdict/vault-key";
const SCHEMA = 1;

/** The key, or null when there is no file. @throws Fault("corrupt") when the file is not what was written */
export async function readKey(path: string, fs: FileSystem): Promise<Buffer | null> {
  const bytes = await withStorageFaults(path, () => readWhole(path, fs));
  if (bytes === null) return null;
  const generation = parseGeneration(FORMAT, bytes);
  try {
    if (generation?.schema === SCHEMA) return parseKey(generation.data);
  } catch {
    // The same as a wrong checksum: said below.
  }
  throw new Fault(
    "corrupt",
    `The vault key ${escapeText(path)} is damaged; restore it from a backup of yours.`,
  );
}

/** Writes a new key file, durably. @throws Fault("storage") when it cannot be written, or when there is one already */
export async function createKey(path: string, key: Buffer, fs: FileSystem): Promise<void> {
  await withStorageFaults(path, async () => {
    await ensureFolder(dirname(path), fs);
    await createDurably(path, renderGeneration(FORMAT, SCHEMA, 1, keyData(key)), fs);
  });
}
