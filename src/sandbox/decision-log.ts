// Every decision with its explanation, append-only: what was counted can be counted again after a crash.

import { readdir, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { syncFolder } from "#src/storage/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { openDurableAppender, type DurableAppender } from "./durable-appender.ts";
import type { LogSeal } from "./log-seal.ts";

/** A new file is begun beyond this size. */
const SEGMENT_BYTES = 8 * 1024 * 1024;

/** Files that are kept: 256 MiB of decisions. Older ones are forgotten, what they counted is not. */
const SEGMENTS_KEPT = 32;

const SEGMENT_FILE = /^(\d{12})\.log$/;

export interface LoggedDecision {
  readonly sequence: number;
  /** What a restart needs of it, as JSON. */
  readonly head: string;
}

export interface DecisionLog {
  /** Number that the next record gets. Numbers grow; some are skipped. */
  readonly next: number;
  /**
   * @param head JSON that a restart reads
   * @param body JSON that only `find` reads
   * @returns resolves once it is on disk
   */
  append(head: string, body: string): Promise<void>;
  /** Body of a record, or null when it never was or is forgotten. */
  find(sequence: number): Promise<string | null>;
  /** Deletes old files, as far as every record in them is at or below `covered`. */
  prune(covered: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Line: CRC-32 in 8 hexadecimal digits, sequence number, and head and body sealed as one, separated by tabs. (Earlier
 * versions wrote head and body as they were.) Every start begins a new file, so that nothing is ever written behind a
 * torn line.
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

  let current: DurableAppender | null = null;
  let opening: Promise<void> | null = null;
  const queue: { line: Buffer; sequence: number; resolve: (done: Promise<void>) => void }[] = [];

  /** Opens the next file while lines wait, so that their order in the files is the order of their numbers. */
  async function begin(first: number): Promise<void> {
    try {
      const old = current;
      const file = await openDurableAppender(segmentPath(dir, first), 0, sync);
      if (sync) await syncFolder(dir, nodeFileSystem);
      segments.push(first);
      current = file;
      await old?.close();
    } catch (error) {
      for (const waiting of queue.splice(0)) waiting.resolve(Promise.reject(error));
    } finally {
      opening = null;
    }
    drain();
  }

  function drain(): void {
    while (queue.length > 0) {
      const { line, sequence, resolve } = queue[0]!;
      if (current === null || current.size >= SEGMENT_BYTES) {
        opening ??= begin(sequence);
        return;
      }
      queue.shift();
      resolve(current.append(line));
    }
  }

  return {
    get next() {
      return next;
    },
    append(head, body) {
      const sequence = next;
      next += 1;
      const text = `${sequence}\t${seal.seal(`${head}\t${body}`)}`;
      const line = Buffer.from(`${checksum(text)}\t${text}\n`, "latin1");
      return new Promise<void>((resolve) => {
        queue.push({ line, sequence, resolve });
        if (opening === null) drain();
      });
    },
    async find(sequence) {
      const first = segments.findLast((start) => start <= sequence);
      if (first === undefined) return null;
      const content = await readFile(segmentPath(dir, first), "utf8");
      for (const line of completeLines(content)) {
        if (line.slice(9, line.indexOf("\t", 9)) !== String(sequence)) continue;
        const record = readLine(line, seal);
        if (record !== null) return record.body;
      }
      return null;
    },
    async prune(covered) {
      while (segments.length > SEGMENTS_KEPT && segments[1]! <= covered + 1) {
        await unlink(segmentPath(dir, segments.shift()!));
      }
    },
    async close() {
      await opening;
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

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** Lines that ended; a torn last one is left out. */
function completeLines(content: string): string[] {
  return content.split("\n").slice(0, -1);
}

function readLine(line: string, seal: LogSeal): (LoggedDecision & { body: string }) | null {
  const text = line.slice(9);
  if (line.slice(0, 8) !== checksum(text)) return null;
  const [sequence, ...written] = text.split("\t");
  const [head, body] = written.length === 1 ? seal.open(written[0]!).split("\t") : written;
  if (sequence === undefined || head === undefined || body === undefined) return null;
  return { sequence: Number(sequence), head, body };
}
