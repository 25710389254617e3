// The lock: exclusive, named, taken from the dead and from nobody else.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import { acquireLock, isLocked, tryLock } from "#src/storage/documents/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { thisProcess } from "#src/storage/documents/lock-owner.ts";
import { startChild } from "./child.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A pid that no process has: above the kernel's limit. */
const NO_SUCH_PID = 2 ** 22 + 1;

function plant(path: string, changes: Record<string, unknown>): string {
  const content = JSON.stringify({ ...thisProcess("planted", folderId(dirname(path))), ...changes });
  writeFileSync(path, content);
  return content;
}

describe("a lock", () => {
  it("is exclusive, names its owner and is private", async () => {
    const path = join(temporaryFolder(), "lock");
    const lock = await acquireLock(path);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      host: hostname(),
      pid: process.pid,
      command: expect.stringMatching(/./) as string,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await tryLock(path)).toBeNull();
    await expect(acquireLock(path, { waitMs: 20 })).rejects.toThrow(new RegExp(`process ${process.pid} `));
    await lock.release();
    expect(existsSync(path)).toBe(false);
  });

  it("lets one in at a time, and leaves nothing behind", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "lock");
    plant(path, { pid: NO_SUCH_PID });
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const lock = await acquireLock(path);
        most = Math.max(most, (inside += 1));
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        await lock.release();
      }),
    );
    expect(most).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  // Start times, boot ids and namespaces are those of Linux.
  it.skipIf(process.platform !== "linux").each([
    ["its process is gone", { pid: NO_SUCH_PID }],
    ["its pid belongs to a later process", { startTime: "1" }],
    ["the machine was started since", { bootId: "another", pid: 1 }],
    ["this very process gave it back", {}],
    ["it was copied with its folder", { pid: process.ppid, startTime: "", folder: "1:2" }],
  ])("is taken when %s", async (_, changes) => {
    const path = join(temporaryFolder(), "lock");
    plant(path, changes);
    expect(await isLocked(path)).toBe(false);
    await (await acquireLock(path, { waitMs: 0 })).release();
  });

  it.skipIf(process.platform !== "linux").each([
    ["another machine", { host: "elsewhere", pid: NO_SUCH_PID }],
    ["another container", { namespace: "pid:[1]", pid: NO_SUCH_PID }],
    ["another machine that counts its folders otherwise", { host: "elsewhere", folder: "1:2" }],
    ["an older version", { pid: process.ppid, startTime: "", folder: undefined }],
  ])("of a process of %s is never taken", async (_, changes) => {
    const path = join(temporaryFolder(), "lock");
    const content = plant(path, changes);
    await expect(acquireLock(path, { waitMs: 30 })).rejects.toMatchObject({ code: "storage" });
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  it("that cannot be read is never taken while this machine runs", async () => {
    const path = join(temporaryFolder(), "lock");
    writeFileSync(path, "");
    await expect(acquireLock(path, { waitMs: 30 })).rejects.toThrow(/held by an unknown process/);
    expect(existsSync(path)).toBe(true);
  });

  it("of a stopped process is kept; of a killed one it is taken", async () => {
    const path = join(temporaryFolder(), "lock");
    const child = startChild("hold-lock", path);
    await child.started;
    expect(child.lines, child.errors()).toEqual(["held"]);
    child.process.kill("SIGSTOP");
    const waiting = acquireLock(path, { waitMs: 60 });
    await expect(waiting).rejects.toBeInstanceOf(Fault);
    await expect(waiting).rejects.toThrow(new RegExp(`process ${child.process.pid} `));
    child.process.kill("SIGKILL");
    await child.ended;
    await (await acquireLock(path, { waitMs: 0 })).release();
  });

  it("works on a file system without hard links", async () => {
    const path = join(temporaryFolder(), "lock");
    const fs: FileSystem = {
      ...nodeFileSystem,
      link: () => Promise.reject(Object.assign(new Error("no links"), { code: "ENOTSUP", syscall: "link" })),
    };
    const lock = await acquireLock(path, { fs });
    expect(await tryLock(path, fs)).toBeNull();
    await lock.release();
    expect(await isLocked(path, fs)).toBe(false);
  });
});
