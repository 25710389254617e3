// Reads an age file that the user names.

import { stat } from "node:fs/promises";
import { badInput } from "#src/contract/fault.ts";
import { DOCUMENT_LIMIT_BYTES, TOO_LARGE } from "#src/contract/text/document-limit.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { readWhole } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { storageFault } from "#src/storage/write-fault.ts";

/** @throws Fault("bad_input") for a missing file, another type of file, or more than 5 MiB; Fault("storage") */
export async function readAgeFile(path: string): Promise<Uint8Array> {
  const name = escapeText(path, 200);
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw badInput`${name} cannot be read, because it was not found or permission is denied.`;
  }
  if (!found.isFile()) throw badInput`${name} is not a regular file; give an age file.`;
  if (found.size > DOCUMENT_LIMIT_BYTES) throw badInput`${name} ${TOO_LARGE}`;
  try {
    const bytes = await readWhole(path, nodeFileSystem);
    if (bytes !== null) return bytes;
  } catch (error) {
    throw storageFault(error, path);
  }
  throw badInput`${name} is gone; name another file.`;
}
