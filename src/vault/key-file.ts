// The key file: the key that wraps the vault's data key, in another directory tree than the vault. It protects copies of
// the data folder; it does not protect against root or against the same account. Once a passphrase protects the vault it
// holds no key, but stays as proof that there was a vault.

import { constants } from "node:fs";
import { dirname } from "node:path";

import { corrupt } from "#src/contract/fault.ts";
import { jsonPlace } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { anyText, becomes, choice, openMap, variants, Wrong } from "#src/contract/text/shape.ts";
import {
  createDurably,
  ensureFolder,
  openRegular,
  readWhole,
  replaceDurably,
  writeAll,
} from "#src/storage/documents/durable-file.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { parseGeneration, renderGeneration } from "#src/storage/documents/generation.ts";
import { SEALING_KEY_BYTES } from "#src/storage/documents/sealing.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";

const FORMAT = "verdict/vault-key";
const SCHEMA = 1;
const KEY = becomes(
  variants("scheme", [
    openMap({ scheme: choice(["passphrase"]) }),
    openMap({ scheme: choice(["key-file"]), key: anyText("In base64.") }),
  ]),
  (data) => {
    if (data.scheme === "passphrase") return data.scheme;
    const key = Buffer.from(data.key, "base64");
    return key.length === SEALING_KEY_BYTES ? key : new Wrong("is not a key", "key");
  },
);

/** @returns the key, `passphrase` for a file without a key, or null when there is no file. @throws Fault("corrupt") when the file is not what was written */
export async function readKey(path: string, fs: FileSystem): Promise<Buffer | "passphrase" | null> {
  const bytes = await withStorageFaults(path, () => readWhole(path, fs));
  if (bytes === null) return null;
  const generation = parseGeneration(FORMAT, bytes);
  try {
    if (generation?.schema === SCHEMA) return readShape(KEY, jsonPlace(generation.data), "the key file");
  } catch {
    // Reported below, as a wrong checksum is.
  }
  throw corrupt`The vault key ${path} is damaged; restore it from a backup of yours.`;
}

/** Writes a new key file, durably. @throws Fault("storage") when it cannot be written, or when there is one already */
export async function createKey(path: string, key: Buffer, fs: FileSystem): Promise<void> {
  await withStorageFaults(path, async () => {
    await ensureFolder(dirname(path), fs);
    await createDurably(path, render({ scheme: "key-file", key: key.toString("base64") }), fs);
  });
}

/** Writes a key file, replacing an existing one. @throws Fault("storage") */
export async function replaceKey(path: string, key: Buffer, fs: FileSystem): Promise<void> {
  await replace(path, { scheme: "key-file", key: key.toString("base64") }, fs);
}

/**
 * Leaves a key file without a key, for a vault that a passphrase protects. An old key is overwritten first; copies,
 * snapshots and the spare blocks of flash memory are out of reach. @throws Fault("storage")
 */
export async function retireKey(path: string, fs: FileSystem): Promise<void> {
  await withStorageFaults(path, () => overwrite(path, fs));
  await replace(path, { scheme: "passphrase" }, fs);
}

async function replace(path: string, data: object, fs: FileSystem): Promise<void> {
  await withStorageFaults(path, async () => {
    await ensureFolder(dirname(path), fs);
    await replaceDurably(path, render(data), fs, null);
  });
}

/** Overwrites a file with zeros; nothing where there is none. */
export async function overwrite(path: string, fs: FileSystem): Promise<void> {
  let file;
  try {
    file = await openRegular(path, constants.O_WRONLY, fs);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  try {
    await writeAll(file, Buffer.alloc((await file.stat()).size), 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

function render(data: object): Buffer {
  return renderGeneration(FORMAT, SCHEMA, 1, data);
}
