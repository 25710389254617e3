// The file-system interface of storage, which tests replace by a failing disk.

import type { Stats } from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, stat, unlink, chmod } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** An open file, such as Node's `FileHandle`. */
export interface OpenFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  /** `position` null appends to a file opened for appending. May write less than requested. */
  write(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesWritten: number }>;
  stat(): Promise<Stats>;
  chmod(mode: number): Promise<void>;
  /** fsync */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Every call rejects with Node's system errors (`code`, `syscall`). */
export interface FileSystem {
  open(path: string, flags: number, mode?: number): Promise<OpenFile>;
  /** follows symbolic links */
  stat(path: string): Promise<Stats>;
  lstat(path: string): Promise<Stats>;
  chmod(path: string, mode: number): Promise<void>;
  mkdir(path: string, mode: number): Promise<unknown>;
  readdir(path: string): Promise<string[]>;
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** What Windows answers while another program, such as a virus scanner, has one of the two files open. */
const IN_USE = new Set(["EPERM", "EACCES", "EBUSY"]);
/** Together a second. */
const WAITS_MS = [5, 10, 20, 40, 80, 160, 320, 365];

/** `rename`, tried again on Windows while a file is in use. */
export function patientRename(
  rename: FileSystem["rename"],
  platform: NodeJS.Platform,
  wait: (ms: number) => Promise<unknown>,
): FileSystem["rename"] {
  if (platform !== "win32") return rename;
  return async (from, to) => {
    for (const ms of WAITS_MS) {
      try {
        return await rename(from, to);
      } catch (error) {
        if (!IN_USE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
        await wait(ms);
      }
    }
    await rename(from, to);
  };
}

export const nodeFileSystem: FileSystem = {
  open,
  stat,
  lstat,
  chmod,
  mkdir,
  readdir: (path) => readdir(path),
  link,
  rename: patientRename(rename, process.platform, delay),
  unlink,
};
