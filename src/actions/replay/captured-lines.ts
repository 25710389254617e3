// The file of a capture: grows by whole lines behind the calls, goes on in numbered files, and never overwrites one.

import { existsSync, lstatSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { extname } from "node:path";
import { expectFolder, PRIVATE, writeFault } from "#src/actions/whole-file.ts";
import { Fault, usage } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { BODY_LIMIT_BYTES } from "#src/contract/wire/wire.ts";
import { tryLock } from "#src/storage/documents/file-lock.ts";

/** Bytes that wait for a slow disk; further lines are refused. */
const MOST_WAITING = 8 * 1024 * 1024;

export interface CapturedLines {
  /** The file that grows. */
  path(): string;
  /** Bytes of a line that a killed capture had begun, which were cut off. */
  readonly cut: number;
  /** Why nothing is written any more; null while it grows. */
  problem(): Fault | null;
  /** @param onEnd called once, with false for a line that is not written: there is a problem, or no room */
  append(line: string, onEnd: (isWritten: boolean) => void): void;
  /** Writes what waits. */
  close(): Promise<void>;
}

/**
 * Goes on in the last of day.ndjson, day.1.ndjson, day.2.ndjson ..., or begins the first, with mode 0600.
 * @param maxBytes from which size on the next file is begun
 * @param onNext called with the path of a further file
 * @throws Fault("usage") for a file of another kind, or of another running capture; Fault("storage")
 */
export async function openCapturedLines(
  first: string,
  maxBytes: number,
  onNext: (path: string) => void,
): Promise<CapturedLines> {
  expectFolder(first);
  const kind = extname(first);
  const named = (n: number): string =>
    n === 0 ? first : `${first.slice(0, -kind.length || undefined)}.${n}${kind}`;
  let number = 0;
  while (existsSync(named(number + 1))) number += 1;
  if (lstatSync(named(number), { throwIfNoEntry: false })?.isFile() === false) throw notOurs(first);
  // Before the lock, whose faults do not name the file.
  let growing = await open(named(number), "a+", PRIVATE).catch((error: unknown) => {
    throw writeFault(error, first);
  });
  const lock = await tryLock(`${first}.lock`);
  let [size, cut] = [0, 0];
  try {
    if (lock === null) throw anotherWrites(first);
    ({ size, cut } = await cutToLines(growing, named(number)));
  } catch (error) {
    await growing.close();
    await lock?.release();
    throw writeFault(error, first);
  }
  let waiting: { readonly line: Buffer; onEnd(isWritten: boolean): void }[] = [];
  let waitingBytes = 0;
  let problem: Fault | null = null;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting;
      const lines = Buffer.concat(taken.map(({ line }) => line));
      [waiting, waitingBytes] = [[], 0];
      try {
        if (size >= maxBytes) await goOn();
        if (problem === null) await growing.appendFile(lines);
        size += lines.length;
      } catch (error) {
        problem = asFault(error);
        await growing.truncate(size).catch(() => undefined);
      }
      for (const { onEnd } of taken) onEnd(problem === null);
    }
    writing = null;
  }

  async function goOn(): Promise<void> {
    await growing.close();
    number += 1;
    growing = await open(named(number), "ax", PRIVATE);
    size = 0;
    onNext(named(number));
  }

  const asFault = (error: unknown): Fault => {
    const fault = writeFault(error, named(number), "ends early");
    if (fault instanceof Fault) return fault;
    throw fault;
  };

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
      await growing.close().catch((error: unknown) => void (problem ??= asFault(error)));
      await lock?.release();
    },
  };
}

function anotherWrites(path: string): Fault {
  const where = escapeText(path);
  return usage`Another capture writes to ${where}; name another file, or end that capture.`;
}

function notOurs(path: string): Fault {
  return usage`${path} is not a file of payloads; name another file.`;
}

/** Cuts off what follows the last whole line. @throws Fault("usage") for a file that does not begin as a payload does */
async function cutToLines(file: FileHandle, path: string): Promise<{ size: number; cut: number }> {
  const { size } = await file.stat();
  if (size === 0) return { size, cut: 0 };
  const end = Buffer.alloc(Math.min(size, BODY_LIMIT_BYTES + 1));
  await file.read(end, 0, 1, 0);
  if (end[0] !== "{".charCodeAt(0)) throw notOurs(path);
  await file.read(end, 0, end.length, size - end.length);
  // No line is longer.
  const cut = end.length - 1 - end.lastIndexOf("\n");
  if (cut > BODY_LIMIT_BYTES) throw notOurs(path);
  if (cut > 0) await file.truncate(size - cut);
  return { size: size - cut, cut };
}
