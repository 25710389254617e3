// The file-system interface of storage, which tests replace by a failing disk.

import type { Stats } from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, stat, unlink, chmod } from "node:fs/promises";

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
