// Reads the JSON lines of earlier builds, so that their verdicts are not lost. Kept until 1.0; changes no file.

import { constants } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";

import { openRegular, readAt, readWhole } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";

export interface EarlierRecord {
  /** When it was appended, in ms since the epoch. */
  readonly time: number;
  /** Bytes of its line. */
  readonly bytes: number;
  readonly record: unknown;
}

/** `<first time>-<random>[-<last time>].jsonl` */
const SEGMENT = /^(\d{15})-[0-9a-f]{8}(?:-\d{15})?\.jsonl$/;
/** `{"c":"<CRC-32>","n":<sequence>,"t":<ms>,"r":<record>}`, with the checksum over everything behind the first comma. */
const LINE = /^\{"c":"([0-9a-f]{8})",("n":.*)$/s;

const CHUNK = 256 * 1024;

/** Names of the segments in a folder, oldest first; empty without a folder. */
export async function earlierSegments(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).filter((name) => SEGMENT.test(name)).sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return [];
    throw error;
  }
}

/**
 * Every record of a folder in order of time, opening one segment after the other.
 * @param onDamaged called for each damaged line; the last one of a killed process may be incomplete
 */
export async function* earlierRecords(
  dir: string,
  onDamaged: (file: string) => void,
): AsyncGenerator<EarlierRecord> {
  const swap = await unfinishedSwap(dir);
  const waiting = (await earlierSegments(dir))
    .filter((name) => !swap.remove.includes(name))
    .map((name) => ({ name, first: Number(SEGMENT.exec(name)![1]) }));
  const active: { readonly lines: AsyncGenerator<EarlierRecord>; head: EarlierRecord }[] = [];
  try {
    for (;;) {
      const nearest = Math.min(...active.map(({ head }) => head.time));
      if (waiting.length > 0 && waiting[0]!.first <= nearest) {
        const { name } = waiting.shift()!;
        const file = swap.replace.includes(name) ? `${name}.next` : name;
        const lines = linesOf(join(dir, file), () => onDamaged(name));
        const { value: head } = await lines.next();
        if (head !== undefined) active.push({ lines, head });
        continue;
      }
      const next = active.find(({ head }) => head.time === nearest);
      if (next === undefined) return;
      yield next.head;
      const { value: head } = await next.lines.next();
      if (head === undefined) active.splice(active.indexOf(next), 1);
      else next.head = head;
    }
  } finally {
    for (const { lines } of active) await lines.return(undefined);
  }
}

async function* linesOf(path: string, onDamaged: () => void): AsyncGenerator<EarlierRecord> {
  for await (const line of lineFeeds(path)) {
    const [, sum = "", rest = ""] = LINE.exec(line.toString("utf8")) ?? [];
    if (sum !== crc32(rest).toString(16).padStart(8, "0")) {
      if (line.length > 0) onDamaged();
      continue;
    }
    const { t: time, r: record } = JSON.parse(`{${rest}`) as { t: number; r: unknown };
    yield { time, record, bytes: line.length + 1 };
  }
}

/** Splits at line feeds only; Node's readline also splits at U+2028, which JSON does not escape. */
async function* lineFeeds(path: string): AsyncGenerator<Buffer> {
  const file = await withStorageFaults(path, () => openRegular(path, constants.O_RDONLY, nodeFileSystem));
  try {
    let rest = Buffer.alloc(0);
    for (let position = 0, filled = CHUNK; filled > 0; position += filled) {
      const chunk = Buffer.alloc(CHUNK);
      filled = await readAt(file, chunk, position);
      const bytes = Buffer.concat([rest, chunk.subarray(0, filled)]);
      let start = 0;
      for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n", start)) {
        yield bytes.subarray(start, end);
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
    yield rest;
  } finally {
    await file.close();
  }
}

interface Swap {
  readonly remove: readonly string[];
  readonly replace: readonly string[];
}

/** The decisions of an interrupted removal of old entries: removed files, and replaced ones. */
async function unfinishedSwap(dir: string): Promise<Swap> {
  const bytes = await readWhole(join(dir, "swap.json"), nodeFileSystem);
  try {
    if (bytes !== null) return (JSON.parse(bytes.toString("utf8")) as { data: Swap }).data;
  } catch {
    // It was not complete, so nothing was decided.
  }
  return { remove: [], replace: [] };
}
