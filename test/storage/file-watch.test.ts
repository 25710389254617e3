// Changes by other processes are heard of, from whatever is there at first, and no longer after the end.

import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { isRemoteFileSystem, watchFile, watchFolder } from "#src/storage/file-watch.ts";
import { openCounter } from "./counter.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Longer than it ever takes on a machine that does something else, too. */
const SOON = { timeout: 60_000 };

/** Calls that a watch makes; the watch ends with the test. */
function calls(watch: (onChange: () => void) => () => void): () => number {
  const onChange = vi.fn();
  onTestFinished(watch(onChange));
  return () => onChange.mock.calls.length;
}

describe("a watched file", () => {
  it("tells of each change by somebody else", async () => {
    const path = join(temporaryFolder(), "counter.json");
    await openCounter(path).update((data) => (data.value = 1));
    const seen = calls((onChange) => openCounter(path).watch(onChange));
    for (let step = 0; step < 3; step += 1) {
      const before = seen();
      await openCounter(path).update((data) => (data.value += 1));
      await vi.waitFor(() => expect(seen()).toBeGreaterThan(before), SOON);
    }
  });

  it("need not be there at first, nor its folder", async () => {
    const path = join(temporaryFolder(), "later/deeper/counter.json");
    const seen = calls((onChange) => watchFile(path, onChange));
    await openCounter(path).update((data) => (data.value = 1));
    await vi.waitFor(() => expect(seen()).toBeGreaterThan(0), SOON);
  });

  it("may go and come back, with its folder", async () => {
    const path = join(temporaryFolder(), "home/counter.json");
    await openCounter(path).update((data) => (data.value = 1));
    const seen = calls((onChange) => watchFile(path, onChange));
    rmSync(dirname(path), { recursive: true });
    await vi.waitFor(() => expect(seen()).toBeGreaterThan(0), SOON);
    const gone = seen();
    await openCounter(path).update((data) => (data.value = 2));
    await vi.waitFor(() => expect(seen()).toBeGreaterThan(gone), SOON);
    const back = seen();
    await openCounter(path).update((data) => (data.value = 3));
    await vi.waitFor(() => expect(seen()).toBeGreaterThan(back), SOON);
  });

  it("says nothing of what happens beside it, and nothing after the end", async () => {
    const path = join(temporaryFolder(), "counter.json");
    const beside = join(dirname(path), "beside.json");
    await openCounter(path).update((data) => (data.value = 1));
    const onChange = vi.fn();
    const stop = watchFile(path, onChange);
    await openCounter(beside).update((data) => (data.value = 1));
    const probe = calls((changed) => watchFile(beside, changed));
    await openCounter(beside).update((data) => (data.value = 2));
    await vi.waitFor(() => expect(probe()).toBeGreaterThan(0), SOON);
    expect(onChange).not.toHaveBeenCalled();
    stop();
    const last = calls((changed) => watchFile(path, changed));
    await openCounter(path).update((data) => (data.value = 2));
    await vi.waitFor(() => expect(last()).toBeGreaterThan(0), SOON);
    expect(onChange).not.toHaveBeenCalled();
  });

  it.runIf(process.platform === "linux")("leaves no descriptor open after the end", async () => {
    const path = join(temporaryFolder(), "counter.json");
    await openCounter(path).update((data) => (data.value = 1));
    const open = (): number => readdirSync("/proc/self/fd").length;
    // The first watch of a process opens what all of them share.
    watchFile(path, () => undefined)();
    const before = open();
    const stops = Array.from({ length: 50 }, () => watchFile(path, () => undefined));
    for (const stop of stops) stop();
    await vi.waitFor(() => expect(open()).toBeLessThanOrEqual(before + 1), SOON);
  });
});

describe("a watched folder", () => {
  it("tells of files that come, are replaced, and go", async () => {
    const folder = join(temporaryFolder(), "payloads");
    const seen = calls((onChange) => watchFolder(folder, onChange));
    const steps = [
      () => mkdirSync(folder),
      () => writeFileSync(join(folder, "one.json"), "1"),
      () => {
        writeFileSync(join(folder, ".two"), "2");
        renameSync(join(folder, ".two"), join(folder, "one.json"));
      },
      () => rmSync(join(folder, "one.json")),
      () => rmSync(folder, { recursive: true }),
      () => mkdirSync(folder),
      () => writeFileSync(join(folder, "three.json"), "3"),
    ];
    for (const [index, step] of steps.entries()) {
      const before = seen();
      step();
      await vi.waitFor(() => expect(seen(), `step ${index}`).toBeGreaterThan(before), SOON);
    }
  });
});

it("file systems of other machines are looked at, because the system does not tell of their changes", () => {
  // NFS, SMB2 as a signed number, FUSE; ext4, tmpfs, overlay.
  expect([0x6969, 0xfe534d42 | 0, 0x65735546].map(isRemoteFileSystem)).toEqual([true, true, true]);
  expect([0xef53, 0x01021994, 0x794c7630].map(isRemoteFileSystem)).toEqual([false, false, false]);
});
