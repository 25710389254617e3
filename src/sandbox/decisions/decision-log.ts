// Every decision with its explanation, append-only: what was counted can be counted again after a crash.

import { readdir, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { openDurableAppender, type DurableAppender } from "#src/sandbox/state/durable-appender.ts";
import { syncFolder } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { LogSeal } from "./log-seal.ts";

/** A new file is begun beyond this size. */
const SEGMENT_BYTES = 8 * 1024 * 1024;

/** Files that are kept: 256 MiB of decisions. Older ones are forgotten, what they counted is not. */
const SEGMENTS_KEPT = 32;

const SEGMENT_FILE = /^(\d{12})\.log$/;

const NO_CHECKSUM = "00000000";
const CONTENT_AT = NO_CHECKSUM.length + 1;
const DIGITS = Buffer.from("0123456789abcdef");

export interface LoggedDecision {
  readonly sequence: number;
  /** What was appended, as JSON. Earlier versions wrote two texts of JSON with a tab between them. */
  readonly text: string;
}

export interface DecisionLog {
  /** Number that the next record gets. Numbers grow; some are skipped. */
  readonly next: number;
  /**
   * @param record becomes JSON a moment later: nobody changes it any more
   * @returns resolves once the system has it; those that were appended together share the promise
   */
  append(record: unknown): Promise<void>;
  /** JSON of a record, or null when it never was or is forgotten. */
  find(sequence: number): Promise<string | null>;
  /** Deletes old files, as far as every record in them is at or below `covered`. */
  prune(covered: number): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly sequence: number;
  readonly record: unknown;
}

/**
 * Line: CRC-32 in 8 hexadecimal digits, sequence number, and the JSON sealed, separated by tabs. (The first versions wrote
 * it as it was.) Every start begins a new file, so that nothing is ever written behind
 * a torn line.
 * @param after sequence number up to which nothing needs to be read again
 * @param onRecord called for every later record, in order
 * @param onDamage called for every stretch that is not what was written; it is left as it is
 */
export async function openDecisionLog(options: {
  readonly dir: string;
  readonly after: number;
  readonly seal: LogSeal;
  readonly sync: boolean;
  readonly onRecord: (record: LoggedDecision) => void;
  readonly onDamage: (file: string) => void;
}): Promise<DecisionLog> {
  const { dir, seal, sync } = options;
  const segments: number[] = [];
  let next = options.after + 1;

  for (const first of await listSegments(dir)) {
    const path = segmentPath(dir, first);
    if ((await stat(path)).size === 0) {
      await unlink(path);
      continue;
    }
    segments.push(first);
    next = Math.max(next, first + 1);
  }
  for (const [index, first] of segments.entries()) {
    const following = segments[index + 1];
    if (following !== undefined && following <= options.after + 1) continue;
    const content = await readFile(segmentPath(dir, first), "utf8");
    let damaged = false;
    for (const line of completeLines(content)) {
      const record = readLine(line, seal);
      if (record === null) damaged = true;
      else {
        next = Math.max(next, record.sequence + 1);
        if (record.sequence > options.after) options.onRecord(record);
      }
    }
    if (damaged || !content.endsWith("\n")) options.onDamage(segmentPath(dir, first));
  }

  let current: DurableAppender<Waiting> | null = null;
  let opening: Promise<void> | null = null;
  const queue: Waiting[] = [];

  /** Opens the next file while records wait, so that their order in the files is the order of their numbers. */
  async function begin(first: number): Promise<void> {
    try {
      const old = current;
      const file = await openDurableAppender<Waiting>(segmentPath(dir, first), 0, sync, (together) =>
        encode(together, seal),
      );
      if (sync) await syncFolder(dir, nodeFileSystem);
      segments.push(first);
      current = file;
      await old?.close();
    } catch (error) {
      queue.length = 0;
      throw error;
    } finally {
      opening = null;
    }
    await Promise.all(queue.splice(0).map((waiting) => current!.append(waiting)));
  }

  return {
    get next() {
      return next;
    },
    append(record) {
      const waiting = { sequence: next, record };
      next += 1;
      if (opening === null && current !== null && current.size < SEGMENT_BYTES)
        return current.append(waiting);
      queue.push(waiting);
      opening ??= begin(waiting.sequence);
      return opening;
    },
    async find(sequence) {
      const first = segments.findLast((start) => start <= sequence);
      if (first === undefined) return null;
      const content = await readFile(segmentPath(dir, first), "utf8");
      for (const line of completeLines(content)) {
        if (line.slice(CONTENT_AT, line.indexOf("\t", CONTENT_AT)) !== String(sequence)) continue;
        const record = readLine(line, seal);
        if (record !== null) return record.text;
      }
      return null;
    },
    async prune(covered) {
      while (segments.length > SEGMENTS_KEPT && segments[1]! <= covered + 1) {
        await unlink(segmentPath(dir, segments.shift()!));
      }
    },
    async close() {
      await opening?.catch(() => undefined);
      await current?.close();
    },
  };
}

async function listSegments(dir: string): Promise<number[]> {
  const names = await readdir(dir);
  return names
    .map((name) => SEGMENT_FILE.exec(name)?.[1])
    .filter((first) => first !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

function segmentPath(dir: string, first: number): string {
  return join(dir, `${String(first).padStart(12, "0")}.log`);
}

/** The lines of records that are written together. */
function encode(together: readonly Waiting[], seal: LogSeal): Buffer {
  const sealed = seal.sealAll(together.map(({ record }) => JSON.stringify(record)));
  let text = "";
  const ends = together.map(({ sequence }, index) => {
    text += `${NO_CHECKSUM}\t${sequence}\t${sealed[index]!}\n`;
    return text.length;
  });
  const lines = Buffer.from(text, "latin1");
  let start = 0;
  for (const end of ends) {
    // Of the bytes, where it costs a quarter of what it costs of a text.
    let sum = crc32(lines.subarray(start + CONTENT_AT, end - 1));
    for (let at = start + NO_CHECKSUM.length - 1; at >= start; at -= 1, sum >>>= 4)
      lines[at] = DIGITS[sum & 15]!;
    start = end;
  }
  return lines;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** Lines that ended; a torn last one is left out. */
function completeLines(content: string): string[] {
  return content.split("\n").slice(0, -1);
}

function readLine(line: string, seal: LogSeal): LoggedDecision | null {
  const text = line.slice(CONTENT_AT);
  if (line.slice(0, NO_CHECKSUM.length) !== checksum(text)) return null;
  const tab = text.indexOf("\t");
  if (tab === -1) return null;
  const written = text.slice(tab + 1);
  return {
    sequence: Number(text.slice(0, tab)),
    text: written.includes("\t") ? written : seal.open(written),
  };
}
