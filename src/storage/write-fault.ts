// Turns system errors of the disk into faults: one sentence with the file and the next step.

import { constants } from "node:os";

import { DISK_FAILURES } from "#src/contract/disk-failures.ts";
import { Fault, storage, whole } from "#src/contract/fault.ts";

/** Cause and next step by error code, worded to follow the path. */
export const REASONS: Readonly<Record<string, string>> = {
  ...DISK_FAILURES,
  ENOSPC: "was not saved because the disk is full; free some space and try again",
  EDQUOT: "was not saved because your disk quota is used up; free some space and try again",
  EFBIG:
    'was not saved because it would exceed the largest file allowed here; raise that limit, for example with "ulimit -f"',
  EROFS:
    "was not saved because its file system is read-only; mount it writable or name another folder with --home or VERDICT_HOME",
  EACCES:
    "cannot be read or written, because permission is denied; correct its permissions or name another folder with --home or VERDICT_HOME",
  EPERM:
    "cannot be read or written, because permission is denied; correct its permissions or name another folder with --home or VERDICT_HOME",
  ELOOP: "is a symbolic link, but must be a regular file; replace it by the file itself",
  ENOTDIR:
    "is below a file that is not a folder; move that file or use another folder with --home or VERDICT_HOME",
  EISDIR: "is a folder, but must be a file; move the folder",
  ENOENT: "does not exist; create its folder or use another folder with --home or VERDICT_HOME",
  ENXIO: "is not a regular file; move it",
  ENAMETOOLONG: "has a name that is too long; name a shorter one with --home or VERDICT_HOME",
};

/** For a file that another process moved away. */
export const MOVED = "was moved or removed while in use; start again";

const NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]));

/** The name (`ENOSPC`, ...) of a system error, or of the cause of a fault; its number without a name; undefined for others. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof Fault) return systemCode(error.cause);
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (/^E[A-Z0-9]+$/.test(error.code)) return error.code;
  // libuv has no name for some, such as EDQUOT: their code is "Unknown system error -122".
  if (!("syscall" in error) || !("errno" in error) || typeof error.errno !== "number") return undefined;
  return NAMES.get(Math.abs(error.errno)) ?? `error ${Math.abs(error.errno)}`;
}

/**
 * True when fsync or fdatasync failed. The kernel may have dropped the unwritten pages and report success for the next
 * fsync, so no later write of this process can be trusted.
 */
export function isSyncFailure(error: unknown): boolean {
  if (error instanceof Fault) return isSyncFailure(error.cause);
  if (!(error instanceof Error) || !("syscall" in error)) return false;
  return error.syscall === "fsync" || error.syscall === "fdatasync";
}

/**
 * Turns a system error into Fault("storage"); faults and other errors are returned unchanged.
 * @param path the file as the user knows it, not a temporary one
 */
export function storageFault(error: unknown, path: string): unknown {
  if (error instanceof Fault) return error;
  const code = systemCode(error);
  if (code === undefined) return error;
  const reason =
    REASONS[code] ??
    `could not be read or saved (${code}); correct that or name another folder with --home or VERDICT_HOME`;
  return storage`${path} ${whole(reason)}.`.causedBy(error);
}

/** Runs an action on a file and turns its system errors into Fault("storage"). */
export async function withStorageFaults<R>(path: string, action: () => Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (error) {
    throw storageFault(error, path);
  }
}

/** The fault of every write after a failed sync. */
export function readOnlyFault(path: string, cause: unknown): Fault {
  return storage`${path} is read-only for this run because the disk failed to confirm an earlier write; check the disk and start again.`.causedBy(
    cause,
  );
}
