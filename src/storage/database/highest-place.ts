// The highest place of a database, kept beside it: SQLite drops what follows a damaged part of its log without a word, and a lost
// log whole. Not synced, which would cost a second sync a check: a power cut can only leave a lower place.

import { closeSync, constants, fchmodSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

import { NO_BLOCK, NO_FOLLOW } from "#src/storage/documents/durable-file.ts";

export interface HighestPlace {
  /** Of the last row that was written; 0 where rows were removed since. */
  readonly place: number;
  /** Rows that were lost with the log so far. */
  readonly lost: number;
}

const MARK = ".mark";
const BYTES = 64;
const UNKNOWN: HighestPlace = { place: 0, lost: 0 };

/** @param path of the database. What is damaged proves nothing */
export function readHighest(path: string): HighestPlace {
  const bytes = Buffer.alloc(BYTES);
  try {
    const file = openSync(path + MARK, constants.O_RDONLY | NO_FOLLOW | NO_BLOCK);
    try {
      readSync(file, bytes, 0, BYTES, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return UNKNOWN;
  }
  const [place, lost, crc] = bytes.toString("latin1").trim().split(" ");
  return crc32(`${place} ${lost}`) === Number(crc) ? { place: Number(place), lost: Number(lost) } : UNKNOWN;
}

/** Without the rows that are about to be removed. */
export function lowerHighest(path: string): void {
  const { place, lost } = readHighest(path);
  if (place > 0) writeHighest(path, { place: 0, lost });
}

/** In one write of the same length, so that no reader sees a part of it. A failure only leaves a lower place. */
export function writeHighest(path: string, { place, lost }: HighestPlace): void {
  const said = `${place} ${lost}`;
  const line = `${said} ${crc32(said)}`.padEnd(BYTES - 1);
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW | NO_BLOCK;
    const file = openSync(path + MARK, flags, 0o600);
    try {
      // Whatever the umask says.
      fchmodSync(file, 0o600);
      writeSync(file, `${line}\n`, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // What it guards is durable all the same.
  }
}

export function forgetHighest(path: string): void {
  rmSync(path + MARK, { force: true });
}
