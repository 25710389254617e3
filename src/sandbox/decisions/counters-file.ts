// The file of counters and stored answers: frames with checksums, written and read one at a time so that a million keys do
// not block requests.

import { constants } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { endianness } from "node:os";
import { join } from "node:path";
import { setImmediate as afterEvents } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { corrupt, Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CountersImage } from "#src/rules/counters/counters-image.ts";
import { createCounters, type Counters } from "#src/rules/counters/counters.ts";
import {
  createPrivate,
  openRegular,
  removeOrphans,
  syncFolder,
  temporaryName,
  writeAll,
} from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem, type OpenFile } from "#src/storage/file-system.ts";
import { systemCode } from "#src/storage/write-fault.ts";
import { createLogSeal } from "./log-seal.ts";

export const COUNTERS_FILE = "counters.dat";

export interface StoredAnswer {
  readonly digest: string;
  /** Virtual time. */
  readonly at: Milliseconds;
  readonly decisionId: string;
  readonly recommendation: Recommendation;
  readonly message: string;
}

export type AnswerEntry = readonly [order: string, answer: StoredAnswer];

/** Counters and stored answers up to one decision. */
export interface CountersMoment {
  /** Number of that decision. */
  readonly sequence: number;
  /** Decisions so far. */
  readonly total: number;
  readonly counters: CountersImage;
  /** Oldest first. */
  readonly answers: readonly AnswerEntry[];
  /** Hashes the keys of the counters and seals the answers, which hold order ids. */
  readonly secret: string;
}

/** The same, loaded. */
export interface ReadyCounters extends Omit<CountersMoment, "counters"> {
  readonly counters: Counters;
}

/** Frame: kind, length and CRC-32 of the content, each in 4 bytes (little-endian), then the content. */
const HEADER_BYTES = 12;
const KIND = { head: 1, keys: 2, answers: 3, end: 4 } as const;
const FORMAT = "verdict/sandbox-counters";
const SCHEMA = 1;
/** Blocks of keys are 64-bit floats in the byte order of this machine. */
const BYTE_ORDER = endianness();
const ANSWERS_A_FRAME = 2_000;
/** Far larger than any frame that is written. */
const FRAME_LIMIT_BYTES = 64 * 1024 * 1024;

/** The frames of a file. Requests are served between them. */
export async function* countersFrames(moment: CountersMoment): AsyncGenerator<Buffer> {
  const { sequence, total, answers } = moment;
  const { seal } = createLogSeal(moment.secret);
  yield frame(KIND.head, json({ format: FORMAT, schema: SCHEMA, order: BYTE_ORDER, sequence, total }));
  let frames = 0;
  for (const block of moment.counters.blocks()) {
    yield frame(KIND.keys, Buffer.from(block.buffer));
    frames += 1;
    await afterEvents();
  }
  for (let at = 0; at < answers.length; at += ANSWERS_A_FRAME) {
    yield frame(KIND.answers, Buffer.from(seal(JSON.stringify(answers.slice(at, at + ANSWERS_A_FRAME)))));
    frames += 1;
    await afterEvents();
  }
  yield frame(KIND.end, json({ frames }));
}

/** Replaces the file of a folder durably; the previous generation stays as `.bak`. */
export async function writeCounters(dir: string, moment: CountersMoment): Promise<void> {
  const path = join(dir, COUNTERS_FILE);
  const temporary = temporaryName(path);
  const file = await createPrivate(temporary, nodeFileSystem);
  try {
    try {
      for await (const bytes of countersFrames(moment)) await writeAll(file, bytes, null);
      await file.sync();
    } finally {
      await file.close();
    }
    // After a crash between the two, the previous generation and the decision log still hold everything.
    await rename(path, `${path}.bak`).catch(unlessMissing);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dir, nodeFileSystem);
}

/**
 * Reads the file of a folder, or its previous generation; without either, nothing was counted.
 * @param secret hashes the keys of the counters
 * @param onDamage called with the path of a damaged file, which is renamed
 * @throws Fault `corrupt` when neither of them can be read
 */
export async function readCounters(
  dir: string,
  secret: string,
  onDamage: (path: string) => void,
): Promise<ReadyCounters> {
  const path = join(dir, COUNTERS_FILE);
  await removeOrphans(path, nodeFileSystem);
  const latest = await readFrames(path, secret);
  if (latest !== null && latest !== "damaged") return latest;
  const before = await readFrames(`${path}.bak`, secret);
  if (latest === null && before === null)
    return { sequence: 0, total: 0, answers: [], counters: createCounters({ secret }), secret };
  if (before === null || before === "damaged") {
    throw corrupt`${path} is ${latest === null ? "missing" : "damaged"} and its previous generation too; move both away to count again what the kept decisions hold.`;
  }
  if (latest === "damaged") {
    onDamage(path);
    await rename(path, `${path}.corrupt-${new Date().toISOString().replace(/[-:.]/g, "")}`);
  }
  return before;
}

async function readFrames(path: string, secret: string): Promise<ReadyCounters | "damaged" | null> {
  let file: OpenFile;
  try {
    file = await openRegular(path, constants.O_RDONLY, nodeFileSystem);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
  const counters = createCounters({ secret });
  const replacement = counters.replace();
  const answers: AnswerEntry[] = [];
  const { open } = createLogSeal(secret);
  let head: { sequence: number; total: number } | null = null;
  let frames = 0;
  try {
    for await (const { kind, content } of framesOf(file)) {
      if (kind === KIND.head && head === null) head = readHead(content);
      else if (head === null) return "damaged";
      else if (kind === KIND.keys) replacement.put(new Float64Array(content.buffer));
      else if (kind === KIND.answers)
        answers.push(...readAnswers(open(Buffer.from(content).toString("latin1"))));
      else if (kind === KIND.end && readEnd(content) === frames - 1) {
        replacement.done();
        return { ...head, counters, answers, secret };
      } else return "damaged";
      frames += 1;
      await afterEvents();
    }
    return "damaged";
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return "damaged";
    if (error instanceof Fault && error.code === "corrupt") return "damaged";
    throw error;
  } finally {
    await file.close();
  }
}

/** Intact frames up to the first damaged one; each content has its own buffer. */
async function* framesOf(
  file: OpenFile,
): AsyncGenerator<{ readonly kind: number; readonly content: Uint8Array<ArrayBuffer> }> {
  const header = Buffer.alloc(HEADER_BYTES);
  const { size } = await file.stat();
  for (let at = 0; at + HEADER_BYTES <= size;) {
    await file.read(header, 0, HEADER_BYTES, at);
    const length = header.readUInt32LE(4);
    if (length > FRAME_LIMIT_BYTES || at + HEADER_BYTES + length > size) return;
    const content = new Uint8Array(length);
    const { bytesRead } = await file.read(content, 0, length, at + HEADER_BYTES);
    if (bytesRead !== length || crc32(content) !== header.readUInt32LE(8)) return;
    yield { kind: header.readUInt32LE(0), content };
    at += HEADER_BYTES + length;
  }
}

function frame(kind: number, content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(kind, 0);
  header.writeUInt32LE(content.length, 4);
  header.writeUInt32LE(crc32(content), 8);
  return Buffer.concat([header, content]);
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function parse(content: Uint8Array): unknown {
  return JSON.parse(Buffer.from(content).toString("utf8"));
}

function readHead(content: Uint8Array): { sequence: number; total: number } {
  const { format, schema, order, sequence, total } = parse(content) as Record<string, unknown>;
  const isOurs = format === FORMAT && schema === SCHEMA && order === BYTE_ORDER;
  if (!isOurs || !Number.isSafeInteger(sequence) || !Number.isSafeInteger(total))
    throw new TypeError("no head");
  return { sequence: sequence as number, total: total as number };
}

function readAnswers(text: string): AnswerEntry[] {
  const answers: unknown = JSON.parse(text);
  if (!Array.isArray(answers)) throw new TypeError("no answers");
  return answers as AnswerEntry[];
}

function readEnd(content: Uint8Array): unknown {
  return (parse(content) as { frames: unknown }).frames;
}

function unlessMissing(error: unknown): void {
  if (systemCode(error) !== "ENOENT") throw error;
}
