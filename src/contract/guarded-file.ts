// Reads a small file that an administrator hands over: certificates, a key, a token.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { usage, whole, type Fault, type Tag } from "./fault.ts";
import { othersMayWrite } from "./others-may-write.ts";

const LIMIT_BYTES = 1024 * 1024;
/** Permissions of all accounts. */
const EVERYONE = 0o007;

/** Every character of a token goes into a header as it is. */
const TOKEN = /^[\x21-\x7e]{32,512}$/;

/**
 * Follows symbolic links, because mounted secrets are behind some; a group may read it, because mounts grant that.
 * @param what it is, at the beginning of a sentence
 * @param missing what to do where there is none
 * @param isSecret whether accounts beyond its owner and group must not read it
 * @param fault what is thrown
 * @throws Fault when it cannot be read, is no regular file, or other accounts could have changed or read it
 */
export function readGuarded(
  path: string,
  what: string,
  isSecret: boolean,
  missing?: string,
  fault?: Tag,
): string {
  return readGuardedBytes(path, what, isSecret, missing, fault).toString("utf8");
}

/** The same, for a file that is no text. */
export function readGuardedBytes(
  path: string,
  what: string,
  isSecret: boolean,
  missing: string = "correct its path",
  fault: Tag = usage,
): Buffer {
  const refused = (why: string, cause?: unknown): Fault =>
    fault`${whole(what)} ${path} ${whole(why)}.`.causedBy(cause);
  let file;
  try {
    // Opening a FIFO without a writer would block for ever.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refused(code === "ENOENT" ? `is not there; ${missing}` : `cannot be read (${code})`, error);
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > LIMIT_BYTES) throw refused("is not a regular file of at most 1 MiB");
    const self = process.geteuid?.();
    if (self !== undefined) {
      if (found.uid !== self && found.uid !== 0) throw refused("belongs to another account; make it yours");
      if (othersMayWrite(found))
        throw refused("can be written by other accounts; make it private with chmod go-w");
      if (isSecret && (found.mode & EVERYONE) !== 0)
        throw refused("may be read by every account; make it private with chmod 600");
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The token in a private file.
 * @param missing what to do where there is none
 * @throws Fault("usage") for a file as above, and for anything but a long token
 */
export function readToken(path: string, missing?: string): string {
  const token = readGuarded(path, "The token file", true, missing).trim();
  if (TOKEN.test(token)) return token;
  throw usage`The token file ${path} must hold 32 to 512 visible characters in one line; make it with openssl rand -hex 32.`;
}
