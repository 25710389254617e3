// A file system whose Nth call fails, or whose Nth write is cut short. Everything else goes to the real one.

import { constants } from "node:os";
import { getSystemErrorName } from "node:util";

import type { FileSystem, OpenFile } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";

/** A name of the platform, or a number that has none there. */
export type Failure = keyof typeof constants.errno | number | "short_write";

/** As Node reports it: libuv has no name for some numbers. */
export function systemError(failure: Exclude<Failure, "short_write">, syscall: string): Error {
  const errno = -(typeof failure === "number" ? failure : constants.errno[failure]);
  return Object.assign(new Error(`injected, ${syscall}`), {
    errno,
    code: getSystemErrorName(errno),
    syscall,
  });
}

export interface FailingFileSystem extends FileSystem {
  /** Whether the call that was to fail was reached. */
  readonly reached: boolean;
}

/** @param failAt the call that fails, from 1; with `short_write` only writes count */
export function failingFileSystem(failure: Failure, failAt: number): FailingFileSystem {
  let calls = 0;
  const isTurn = (): boolean => (calls += 1) === failAt;
  const step = (syscall: string): void => {
    if (failure === "short_write" || !isTurn()) return;
    throw systemError(failure, syscall);
  };
  const wrap =
    <A extends unknown[], R>(syscall: string, call: (...parameters: A) => Promise<R>) =>
    async (...parameters: A): Promise<R> => {
      step(syscall);
      return await call(...parameters);
    };

  const wrapFile = (file: OpenFile): OpenFile => ({
    read: wrap("read", (buffer, offset, length, position) => file.read(buffer, offset, length, position)),
    write: async (buffer, offset, length, position) => {
      step("write");
      const short = failure === "short_write" && isTurn();
      return await file.write(buffer, offset, short ? Math.ceil(length / 2) : length, position);
    },
    stat: wrap("fstat", () => file.stat()),
    chmod: wrap("fchmod", (mode) => file.chmod(mode)),
    sync: wrap("fsync", () => file.sync()),
    // Closed in any case, so that a test leaks nothing.
    close: async () => {
      await file.close();
      step("close");
    },
  });

  return {
    get reached() {
      return calls >= failAt;
    },
    open: async (path, flags, mode) => {
      step("open");
      return wrapFile(await nodeFileSystem.open(path, flags, mode));
    },
    stat: wrap("stat", (path) => nodeFileSystem.stat(path)),
    lstat: wrap("lstat", (path) => nodeFileSystem.lstat(path)),
    chmod: wrap("chmod", (path, mode) => nodeFileSystem.chmod(path, mode)),
    mkdir: wrap("mkdir", (path, mode) => nodeFileSystem.mkdir(path, mode)),
    readdir: wrap("scandir", (path) => nodeFileSystem.readdir(path)),
    link: wrap("link", (existing, path) => nodeFileSystem.link(existing, path)),
    rename: wrap("rename", (from, to) => nodeFileSystem.rename(from, to)),
    unlink: wrap("unlink", (path) => nodeFileSystem.unlink(path)),
  };
}
