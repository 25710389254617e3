// The file of a capture: grows by whole lines behind the calls, goes on in numbered files, and never overwrites one.

import { existsSync, lstatSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { extname } from "node:path";
import { PRIVATE, writeFault } from "#src/actions/whole-file.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { tryLock, type FileLock } from "#src/storage/documents/file-lock.ts";

/** Bytes that wait for a slow disk; further lines are refused. */
const MOST_WAITING = 8 * 1024 * 1024;
const FEED = 0x0a;

export interface CapturedLines {
  /** The file that grows. */
  path(): string;
  /** Bytes of a line that a killed capture had begun, which were cut off. */
  readonly cut: number;
  /** Why nothing is written any more; null while it grows. */
  problem(): Fault | null;
  /** @param onEnd called once, with false for a line that is not written: the file has ended, or there is no room */
  append(line: string, onEnd: (isWritten: boolean) => void): void;
  /** Writes what waits. */
  close(): Promise<void>;
}

/**
 * Goes on in the last of day.ndjson, day.1.ndjson, day.2.ndjson ..., or begins the first, with mode 0600.
 * @param maxBytes from which size on the next file is begun; null for one file of any size
 * @param onNext called with the path of a further file
 * @throws Fault("usage") for a file of another kind, or of another running capture; Fault("storage")
 */
export async function openCapturedLines(
  first: string,
  maxBytes: number | null,
  onNext: (path: string) => void,
): Promise<CapturedLines> {
  const kind = extname(first);
  const named = (n: number): string =>
    n === 0 ? first : `${first.slice(0, first.length - kind.length)}.${n}${kind}`;
  let number = 0;
  while (existsSync(named(number + 1))) number += 1;
  const lock = await locked(`${first}.lock`, first);
  let file: FileHandle;
  let [size, cut] = [0, 0];
  try {
    const path = named(number);
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw notOurs(path);
    file = await open(path, "a+", PRIVATE);
    try {
      ({ size, cut } = await wholeLines(file, path));
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw writeFault(error, first);
  }
  let waiting: { readonly line: Buffer; onEnd(isWritten: boolean): void }[] = [];
  let waitingBytes = 0;
  let problem: Fault | null = null;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      waitingBytes = 0;
      try {
        if (problem !== null) throw problem;
        while (taken.length > 0) await writeSome(taken);
      } catch (error) {
        const fault = writeFault(error, named(number), "ends early");
        if (!(fault instanceof Fault)) throw fault;
        problem ??= fault;
        await file.truncate(size).catch(() => undefined);
        for (const { onEnd } of taken) onEnd(false);
      }
    }
    writing = null;
  }

  /** As many as the file takes; they are taken out once they are written. */
  async function writeSome(taken: typeof waiting): Promise<void> {
    if (maxBytes !== null && size > 0 && size + taken[0]!.line.length > maxBytes) {
      await file.close();
      do number += 1;
      while (existsSync(named(number)));
      file = await open(named(number), "ax", PRIVATE);
      size = 0;
      onNext(named(number));
    }
    const room = maxBytes === null ? Infinity : maxBytes - size;
    let [count, bytes] = [1, taken[0]!.line.length];
    while (count < taken.length && bytes + taken[count]!.line.length <= room)
      bytes += taken[count++]!.line.length;
    await file.appendFile(Buffer.concat(taken.slice(0, count).map(({ line }) => line)));
    size += bytes;
    for (const { onEnd } of taken.splice(0, count)) onEnd(true);
  }

  return {
    path: () => named(number),
    cut,
    problem: () => problem,
    append(text, onEnd) {
      const line = Buffer.from(text);
      if (problem !== null || waitingBytes + line.length > MOST_WAITING) return onEnd(false);
      waiting.push({ line, onEnd });
      waitingBytes += line.length;
      writing ??= write();
    },
    async close() {
      await writing;
      await file
        .close()
        .catch((error: unknown) => void (problem ??= writeFault(error, named(number)) as Fault));
      await lock.release();
    },
  };
}

async function locked(path: string, first: string): Promise<FileLock> {
  const lock = await tryLock(path);
  if (lock !== null) return lock;
  const where = escapeText(first);
  throw new Fault("usage", `Another capture writes to ${where}; name another file, or end that one.`);
}

function notOurs(path: string): Fault {
  return new Fault("usage", `${escapeText(path)} is not a file of payloads; name another file.`);
}

/** Cuts off what follows the last whole line. @throws Fault("usage") for a file that does not begin as a payload does */
async function wholeLines(file: FileHandle, path: string): Promise<{ size: number; cut: number }> {
  const { size } = await file.stat();
  if (size === 0) return { size, cut: 0 };
  const start = Buffer.alloc(1);
  await file.read(start, 0, 1, 0);
  if (start.toString() !== "{") throw notOurs(path);
  const piece = Buffer.alloc(64 * 1024);
  let end = size;
  while (end > 0) {
    const from = Math.max(0, end - piece.length);
    const { bytesRead } = await file.read(piece, 0, end - from, from);
    const feed = piece.lastIndexOf(FEED, bytesRead - 1);
    end = feed < 0 ? from : from + feed + 1;
    if (feed >= 0) break;
  }
  if (end < size) await file.truncate(end);
  return { size: end, cut: size - end };
}
