// The file-system calls that storage makes, as one seam: tests put a failing disk behind it.

import type { Stats } from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, stat, unlink, chmod } from "node:fs/promises";

/** An open file. Node's own `FileHandle` is one. */
export interface OpenFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  /** `position` null appends to a file opened for appending. May write less than asked. */
  write(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesWritten: number }>;
  stat(): Promise<Stats>;
  chmod(mode: number): Promise<void>;
  truncate(length: number): Promise<void>;
  /** fsync */
  sync(): Promise<void>;
  /** fdatasync */
  datasync(): Promise<void>;
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

export const nodeFileSystem: FileSystem = {
  open,
  stat,
  lstat,
  chmod,
  mkdir,
  readdir: (path) => readdir(path),
  link,
  rename,
  unlink,
};
