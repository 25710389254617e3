// Every call to the file system fails once, in every place: afterwards the old state is there or the new one, never a mix.

import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import { openCounter } from "./counter.ts";
import { writeFault } from "#src/actions/whole-file.ts";
import { storageFault } from "#src/storage/write-fault.ts";
import { failingFileSystem, systemError } from "./failing-file-system.ts";
import type { Failure } from "./failing-file-system.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const FAILURES: readonly Failure[] = ["ENOSPC", "EDQUOT", "EIO", "EACCES", "short_write"];

async function outcomeOf(action: Promise<unknown>): Promise<"done" | Fault> {
  try {
    await action;
    return "done";
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return error as Fault;
  }
}

describe.each(FAILURES)("with %s at the Nth call", (failure) => {
  it("a first write of a document is there or not", async () => {
    for (let failAt = 1; ; failAt += 1) {
      const path = join(temporaryFolder(), "new/counter.json");
      const fs = failingFileSystem(failure, failAt);
      const outcome = await outcomeOf(openCounter(path, fs).update((data) => (data.value = 1)));
      const { value } = await openCounter(path).read();
      if (outcome === "done") expect(value, `call ${failAt}`).toBe(1);
      else expect([outcome.code, [0, 1].includes(value)], `call ${failAt}`).toEqual(["storage", true]);
      expect(await openCounter(path).update((data) => (data.value += 1))).toBe(value + 1);
      if (!fs.reached) {
        expect(failAt).toBeGreaterThan(1);
        return;
      }
    }
  });

  it("a changed document is the old one or the new one", async () => {
    for (let failAt = 1; ; failAt += 1) {
      const path = join(temporaryFolder(), "counter.json");
      await openCounter(path).update((data) => (data.value = 1));
      await openCounter(path).update((data) => (data.value = 2));
      const before = readFileSync(path);
      const fs = failingFileSystem(failure, failAt);
      const outcome = await outcomeOf(openCounter(path, fs).update((data) => (data.value = 3)));
      const after = openCounter(path);
      const { value } = await after.read();
      expect(after.problems, `call ${failAt}`).toEqual([]);
      if (outcome === "done") expect(value, `call ${failAt}`).toBe(3);
      else expect([outcome.code, [2, 3].includes(value)], `call ${failAt}`).toEqual(["storage", true]);
      if (value === 2) expect(readFileSync(path)).toEqual(before);
      expect(await after.update((data) => (data.value += 1))).toBe(value + 1);
      if (!fs.reached) return;
    }
  });

  it("a damaged document is recovered or still damaged", async () => {
    for (let failAt = 1; ; failAt += 1) {
      const path = join(temporaryFolder(), "counter.json");
      await openCounter(path).update((data) => (data.value = 1));
      await openCounter(path).update((data) => (data.value = 2));
      const { writeFileSync } = await import("node:fs");
      writeFileSync(path, "null");
      const fs = failingFileSystem(failure, failAt);
      const outcome = await outcomeOf(openCounter(path, fs).read());
      if (outcome !== "done") expect(outcome.code, `call ${failAt}`).toBe("storage");
      expect(await openCounter(path).read(), `call ${failAt}`).toEqual({ value: 1 });
      if (!fs.reached) return;
    }
  });
});

describe("an error of the system", () => {
  const NAMELESS = 4_000;
  const all = [...(Object.keys(constants.errno) as (keyof typeof constants.errno)[]), NAMELESS];

  it.each([storageFault, writeFault])("of any number is a fault of one sentence (%o)", (faultOf) => {
    for (const failure of all) {
      const fault = faultOf(systemError(failure, "write"), "a.json");
      expect(fault, String(failure)).toBeInstanceOf(Fault);
      expect((fault as Fault).message).toMatch(/^a\.json [^\n]+\.$/);
      expect((fault as Fault).message).not.toContain("Unknown");
    }
  });

  it.each([storageFault, writeFault])("that libuv has no name for is told as what it is (%o)", (faultOf) => {
    expect(faultOf(systemError("EDQUOT", "write"), "a.json")).toMatchObject({
      message: expect.stringContaining("your disk quota is used up"),
    });
  });
});

describe("after a failed sync", () => {
  it("a document is read-only for this process and readable still", async () => {
    const path = join(temporaryFolder(), "counter.json");
    await openCounter(path).update((data) => (data.value = 1));
    const fs = failingSync();
    const counter = openCounter(path, fs);
    await expect(counter.update((data) => (data.value = 2))).rejects.toMatchObject({ code: "storage" });
    fs.heal();
    await expect(counter.update((data) => (data.value = 2))).rejects.toThrow(/read-only for this run/);
    expect(await counter.read()).toEqual({ value: 1 });
  });
});

/** Syncs of files fail until it is healed. */
function failingSync(): ReturnType<typeof failingFileSystem> & { heal(): void } {
  const fs = failingFileSystem("EIO", Number.MAX_SAFE_INTEGER);
  let broken = true;
  return {
    ...fs,
    open: async (path, flags, mode) => {
      const file = await fs.open(path, flags, mode);
      const sync = async (): Promise<void> => {
        if (broken) throw Object.assign(new Error("sync"), { code: "EIO", syscall: "fsync" });
        await file.sync();
      };
      return { ...file, sync };
    },
    heal: () => (broken = false),
  };
}
