// Turns errors of SQLite into faults: one sentence with the file and the next step, without SQLite's own message.

import { accessSync, constants, rmSync, writeFileSync } from "node:fs";

import { DISK_FAILURES } from "#src/contract/disk-failures.ts";
import { corrupt, Fault, storage, whole } from "#src/contract/fault.ts";
import { temporaryName } from "#src/storage/documents/durable-file.ts";
import { MOVED, REASONS, storageFault, systemCode } from "#src/storage/write-fault.ts";

/** Extended result codes (sqlite.org/rescode.html) that are handled separately from their family. */
const IOERR_WRITE = 778;
const IOERR_FSYNC = 1034;
const IOERR_DIR_FSYNC = 1290;
const IOERR_SHMOPEN = 4618;
const IOERR_SHMSIZE = 4874;
const READONLY_DBMOVED = 1032;
const CORRUPT_INDEX = 779;

/** Families: the low byte of an extended code. */
const BUSY = 5;
const NOMEM = 7;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const TOOBIG = 18;
const NOTADB = 26;

/** The extended result code of an error of SQLite; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error)) return null;
  return typeof error.errcode === "number" ? error.errcode : null;
}

const family = (error: unknown): number | null => {
  const code = sqliteCode(error);
  return code === null ? null : code & 255;
};

/** Another connection holds the lock, or is recovering the log of a killed one; retry. */
export const isBusy = (error: unknown): boolean => family(error) === BUSY;

/** The disk did not confirm a write: the kernel may have dropped it and call the next one a success. */
export function isUnconfirmed(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === IOERR_FSYNC || code === IOERR_DIR_FSYNC;
}

/** An index does not fit its table, from which it can be rebuilt. */
export const isIndexDamage = (error: unknown): boolean => sqliteCode(error) === CORRUPT_INDEX;

/** The name of the system error behind one of opening, which SQLite does not tell; undefined where it is of another kind. */
export function whyUnopened(error: unknown, path: string): string | undefined {
  if (family(error) === READONLY) return isDamage(error, path) ? undefined : "EROFS";
  return isOfRoom(error) || family(error) === CANTOPEN ? whyUnwritable(path) : undefined;
}

/** A write, or memory that is shared through a file, had no room. */
function isOfRoom(error: unknown): boolean {
  const code = sqliteCode(error);
  return family(error) === FULL || code === IOERR_WRITE || code === IOERR_SHMOPEN || code === IOERR_SHMSIZE;
}

/** The file is no database, or damaged. @param path of the file */
export function isDamage(error: unknown, path: string): boolean {
  if (error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE") return true;
  // A damaged number in the header (sqlite.org/fileformat.html, 1.3.13) has only the code of a wrong statement.
  if (error instanceof Error && error.message === "unsupported file format") return true;
  // So forbids one (1.3.3) to write to a file that may be written.
  if (sqliteCode(error) === READONLY) return isWritable(path);
  return family(error) === CORRUPT || family(error) === NOTADB;
}

/**
 * Turns an error of SQLite into a fault; other errors, and misuses caused by defects of this program, are returned unchanged.
 * @param path the database as the user knows it
 * @param upkeep the next step when it is damaged
 * @param isReading nothing was to be saved
 */
export function databaseFault(error: unknown, path: string, upkeep: string, isReading: boolean): unknown {
  if (isDamage(error, path)) {
    return corrupt`${path} is damaged; ${whole(upkeep)}.`.causedBy(error);
  }
  const reason = reasonOf(error, path) ?? REASONS[systemCode(error) ?? ""];
  if (reason === undefined || error instanceof Fault) return storageFault(error, path);
  const said = isReading ? reason.replace(/^was not saved/, "could not be read") : reason;
  return storage`${path} ${whole(said)}.`.causedBy(error);
}

function reasonOf(error: unknown, path: string): string | null {
  const code = sqliteCode(error);
  if (code === READONLY_DBMOVED) return MOVED;
  switch (family(error)) {
    case FULL:
      return REASONS[whyUnwritable(path) ?? "ENOSPC"] ?? REASONS.ENOSPC!;
    case IOERR:
      return isOfRoom(error)
        ? (REASONS[whyUnwritable(path) ?? "EIO"] ?? DISK_FAILURES.EIO!)
        : DISK_FAILURES.EIO!;
    case READONLY:
      return REASONS.EROFS!;
    case CANTOPEN:
      return REASONS[whyUnwritable(path) ?? "EIO"] ?? DISK_FAILURES.EIO!;
    case BUSY:
      return "is locked by another process; end that process or try again";
    case NOMEM:
      return "could not be read or saved because there is not enough memory; close some programs and try again";
    case TOOBIG:
      return "was not saved because the entry is too large; make it smaller";
    default:
      return null;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const PROBE = Buffer.alloc(64 * 1024);

/** What a new file beside it is refused with, because SQLite keeps the error of the system to itself; undefined for nothing. */
function whyUnwritable(path: string): string | undefined {
  const probe = temporaryName(path);
  try {
    writeFileSync(probe, PROBE, { flag: "wx", mode: 0o600 });
    return undefined;
  } catch (error) {
    return systemCode(error);
  } finally {
    rmSync(probe, { force: true });
  }
}
