// Reads and writes verdicts.lock.

import { lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createWhole, SHARED } from "#src/actions/whole-file.ts";
import { usage } from "#src/contract/fault.ts";
import { goldenText, parseGolden, type GoldenContent } from "#src/replay/golden.ts";
import { fileChunks, namedFile } from "#src/replay/sources/source-files.ts";
import { readLines } from "#src/replay/sources/source-lines.ts";

/** Without items for one that will be made. */
export interface GoldenFile extends GoldenContent {
  readonly path: string;
}

/**
 * @param isMade there need not be one yet
 * @throws Fault("usage") for a missing file; Fault("bad_input") for a file that is not a golden file, with the line
 */
export async function readGolden(path: string, isMade: boolean, signal: AbortSignal): Promise<GoldenFile> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    if (isMade) return { path, golden: new Map(), shards: 1 };
    throw usage`The golden file ${path} does not exist; "verdict replay --golden FILE --update" creates it from a correct run.`;
  }
  const file = await namedFile(path);
  return { path, ...(await parseGolden(readLines(fileChunks(file, signal), file.label), file.label)) };
}

/** Replaces the file as a whole; it belongs into version control. @throws Fault("storage") when it cannot be written: the old one stays */
export async function writeGolden(path: string, content: GoldenContent): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await createWhole(path, [goldenText(content)], true, SHARED);
}
