// The key of stand-ins: a file of the user's with at least 32 bytes, created when missing. Anyone with it can re-identify people.

import { randomBytes } from "node:crypto";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { badInput, Fault, storage, whole } from "#src/contract/fault.ts";
import { createDurably, readWhole } from "#src/storage/documents/durable-file.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { withStorageFaults } from "#src/storage/write-fault.ts";

const FEWEST_BYTES = 32;
/** 32 random digits have fewer in one of 10^10 cases. */
const FEWEST_DIFFERENT = 5;

/**
 * Reads the key; null where there is none.
 * @throws Fault("bad_input") for one that is short or can be guessed; Fault("storage") for one that others may read, or that cannot be read
 */
export async function readStandInKey(path: string, fs: FileSystem): Promise<Buffer | null> {
  const name = escapeText(path);
  const found = await withStorageFaults(path, () => readWhole(path, fs));
  if (found === null) return null;
  if (process.platform !== "win32" && ((await fs.stat(path)).mode & 0o077) !== 0) {
    throw storage`The key ${name} may be read by other accounts; make a new one, or make it private with chmod 600.`;
  }
  const refused = (why: string): Fault =>
    badInput`The key ${name} ${whole(why)}; give the name of a new file, and verdict creates the key.`;
  if (found.length < FEWEST_BYTES) throw refused(`has ${found.length} bytes and needs ${FEWEST_BYTES}`);
  const text = found.toString("latin1").trim();
  if (new Set(text).size < FEWEST_DIFFERENT || /^(.{1,15}?)\1+$/s.test(text))
    throw refused("repeats a few characters and is easy to guess");
  return found;
}

/** Makes a key of 256 random bits, mode 0600. @throws Fault("storage") */
export async function createStandInKey(path: string, fs: FileSystem): Promise<Buffer> {
  const key = Buffer.from(`${randomBytes(FEWEST_BYTES).toString("base64url")}\n`);
  await withStorageFaults(path, () => createDurably(path, key, fs));
  return key;
}
