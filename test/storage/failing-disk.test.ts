// Every call to the file system fails once, in every place: afterwards the old state is there or the new one, never a mix.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import { openJournal } from "#src/storage/database/journal.ts";
import { openCounter } from "./counter.ts";
import { failingFileSystem } from "./failing-file-system.ts";
import type { Failure } from "./failing-file-system.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const FAILURES: readonly Failure[] = ["ENOSPC", "EIO", "EACCES", "short_write"];

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

  it("a journal has every acknowledged record, whole, and takes the next one", async () => {
    for (let failAt = 1; ; failAt += 1) {
      const dir = join(temporaryFolder(), "journal");
      // Segments merge by time: every append gets a millisecond of its own.
      let time = 1_000_000;
      const now = (): number => (time += 1);
      const first = openJournal<string>({ dir, now });
      await first.append("before");
      await first.close();
      const fs = failingFileSystem(failure, failAt);
      const journal = openJournal<string>({ dir, now, fs });
      const acknowledged = ["before"];
      for (const record of ["one", "two", "three"]) {
        const outcome = await outcomeOf(journal.append(record));
        if (outcome === "done") acknowledged.push(record);
        else expect(outcome.code, `call ${failAt}`).toBe("storage");
      }
      await journal.close();
      const after = openJournal<string>({ dir, now });
      await after.append("after");
      const found = await Array.fromAsync(after.records());
      await after.close();
      // A record whose sync failed may be there although it was not acknowledged; nothing else may.
      const expected = ["before", "one", "two", "three", "after"];
      expect(
        expected.filter((record) => found.includes(record)),
        `call ${failAt}`,
      ).toEqual(found);
      expect(found, `call ${failAt}`).toEqual(expect.arrayContaining([...acknowledged, "after"]));
      if (!fs.reached) return;
    }
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

  it("a journal is read-only for this process and readable still", async () => {
    const dir = join(temporaryFolder(), "journal");
    const fs = failingSync();
    fs.heal();
    const journal = openJournal<number>({ dir, fs });
    await journal.append(1);
    fs.fail();
    await expect(journal.append(2)).rejects.toMatchObject({ code: "storage" });
    fs.heal();
    await expect(journal.append(3)).rejects.toThrow(/read-only for this run/);
    expect(await journal.tail(1)).not.toEqual([3]);
    await journal.close();
  });
});

it.each(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO"])(
  "after %s a journal says so, and takes records again once the disk does, without a restart",
  async (code) => {
    const dir = join(temporaryFolder(), "journal");
    let isBroken = false;
    const fs = failingFileSystem("EIO", Number.MAX_SAFE_INTEGER);
    const journal = openJournal<string>({
      dir,
      fs: {
        ...fs,
        open: async (path, flags, mode) => {
          const file = await fs.open(path, flags, mode);
          return {
            ...file,
            write: async (...parameters) => {
              if (isBroken) throw Object.assign(new Error(code), { code, syscall: "write" });
              return await file.write(...parameters);
            },
          };
        },
      },
    });
    await journal.append("before");
    isBroken = true;
    for (const record of ["lost", "lost, too"]) {
      await expect(journal.append(record)).rejects.toMatchObject({ code: "storage" });
    }
    isBroken = false;
    await journal.append("after");
    expect(await Array.fromAsync(journal.records())).toEqual(["before", "after"]);
    expect(journal.problems).toEqual([]);
    await journal.close();
  },
);

it("a full disk takes back what was written of a record", async () => {
  const dir = join(temporaryFolder(), "journal");
  const journal = openJournal<string>({ dir, fs: halfThenFull() });
  await journal.append("x".repeat(100)).catch(() => {});
  const { readdirSync } = await import("node:fs");
  const segment = readdirSync(dir).find((name) => name.endsWith(".jsonl"))!;
  expect(readFileSync(join(dir, segment))).toHaveLength(0);
  await expect(journal.append("y")).rejects.toThrow(/disk is full/);
  await journal.close();
  expect(existsSync(join(dir, "quarantine"))).toBe(false);
});

/** Writes the first half of everything, then the disk is full. */
function halfThenFull(): ReturnType<typeof failingFileSystem> {
  const fs = failingFileSystem("EIO", Number.MAX_SAFE_INTEGER);
  return {
    ...fs,
    open: async (path, flags, mode) => {
      const file = await fs.open(path, flags, mode);
      if (!path.endsWith(".jsonl")) return file;
      let written = false;
      return {
        ...file,
        write: async (buffer, offset, length, position) => {
          written = !written;
          if (written) return await file.write(buffer, offset, length >> 1, position);
          throw Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" });
        },
      };
    },
  };
}

/** Syncs of files fail until it is healed. */
function failingSync(): ReturnType<typeof failingFileSystem> & { heal(): void; fail(): void } {
  const fs = failingFileSystem("EIO", Number.MAX_SAFE_INTEGER);
  let broken = true;
  const sync = (syscall: string, call: () => Promise<void>) => async (): Promise<void> => {
    if (broken) throw Object.assign(new Error("sync"), { code: "EIO", syscall });
    await call();
  };
  return {
    ...fs,
    open: async (path, flags, mode) => {
      const file = await fs.open(path, flags, mode);
      return { ...file, sync: sync("fsync", file.sync), datasync: sync("fdatasync", file.datasync) };
    },
    heal: () => (broken = false),
    fail: () => (broken = true),
  };
}
