// Reads and writes verdicts.lock.

import { lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createWhole, SHARED } from "#src/actions/whole-file.ts";
import { goldenText, parseGolden, type Golden } from "#src/replay/golden.ts";
import { fileChunks, namedFile } from "#src/replay/sources/source-files.ts";
import { readLines } from "#src/replay/sources/source-lines.ts";

/** Null where there is no such file. @throws Fault("bad_input") for a file that is none, naming the line */
export async function readGolden(path: string, signal: AbortSignal): Promise<Golden | null> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const file = await namedFile(path);
  return await parseGolden(readLines(fileChunks(file, signal), file.label), file.label);
}

/** Replaces the file as a whole; it belongs into version control. @throws Fault("storage") when it cannot be written: the old one stays */
export async function writeGolden(path: string, golden: Golden): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await createWhole(path, [goldenText(golden)], true, SHARED);
}
