// Several segments replaced or removed in one step. The new ones are written beside the old, durably; a manifest then says
// what counts, and from that moment on every reader sees the new state; whoever writes next finishes what a crash left.

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";

import {
  createDurably,
  NO_LINKS,
  readWhole,
  syncFolder,
  temporaryName,
} from "#src/storage/documents/durable-file.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { asList, asObject, asText } from "#src/storage/record-shape.ts";
import { systemCode } from "#src/storage/write-fault.ts";

export const MANIFEST = "swap.json";
/** What the replacement of a segment is called until it takes the segment's name. */
export const NEXT = ".next";

export interface Swap {
  /** File names of segments that have a replacement, `<file>.next`. */
  readonly replace: readonly string[];
  /** File names of segments that go. */
  readonly remove: readonly string[];
}

/** The moment at which the swap counts. Its replacements must be durable, and the caller must hold every segment's lock. */
export async function commitSwap(dir: string, swap: Swap, fs: FileSystem): Promise<void> {
  const data = JSON.stringify({ replace: swap.replace, remove: swap.remove });
  const sha256 = createHash("sha256").update(data).digest("hex");
  const body = `{"format":"verdict/segment-swap","schema":1,"sha256":"${sha256}","data":${data}}\n`;
  await createDurably(join(dir, MANIFEST), Buffer.from(body), fs);
}

/** The swap that counts but is not finished; null when there is none, or when it cannot be read. */
export async function readSwap(dir: string, fs: FileSystem): Promise<Swap | null> {
  const bytes = await readWhole(join(dir, MANIFEST), fs);
  if (bytes === null) return null;
  try {
    const body = asObject(JSON.parse(bytes.toString("utf8")));
    const data = asObject(body["data"]);
    const swap = { replace: names(data["replace"]), remove: names(data["remove"]) };
    const sha256 = createHash("sha256").update(JSON.stringify(swap)).digest("hex");
    return body["schema"] === 1 && body["sha256"] === sha256 ? swap : null;
  } catch {
    return null;
  }
}

/** Names of segments of this folder and nothing else. */
function names(value: unknown): string[] {
  return asList(value).map((name) => {
    const text = asText(name);
    if (!/^[\d-]+[0-9a-f-]*\.jsonl$/.test(text)) throw new TypeError("no segment");
    return text;
  });
}

/**
 * Brings the files to what the manifest says, and removes it. Safe to be run again after a crash at any place in it; only
 * one process may run it at a time, and no writer may hold one of the segments.
 */
export async function finishSwap(dir: string, swap: Swap, fs: FileSystem): Promise<void> {
  const present = new Set(await fs.readdir(dir));
  for (const name of swap.remove) {
    if (present.has(name)) await fs.unlink(join(dir, name));
  }
  const replaced = swap.replace.filter((name) => present.has(`${name}${NEXT}`));
  for (const name of replaced) await putInPlace(join(dir, `${name}${NEXT}`), join(dir, name), fs);
  // The names must be durable before the manifest goes: without it, the old files would count again.
  await syncFolder(dir, fs);
  for (const name of replaced) await fs.unlink(join(dir, `${name}${NEXT}`)).catch(() => {});
  await fs.unlink(join(dir, MANIFEST));
  await syncFolder(dir, fs);
}

/** Gives a replacement its final name, and lets it keep the other one: no name may be its only one before it is durable. */
async function putInPlace(next: string, path: string, fs: FileSystem): Promise<void> {
  const second = temporaryName(path);
  try {
    await fs.link(next, second);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    await fs.rename(next, path);
    return;
  }
  try {
    await fs.rename(second, path);
  } finally {
    // Two names of one file stay two names: rename does nothing then.
    await fs.unlink(second).catch(() => {});
  }
}
