// Documents: checked on reading, replaced in one step, never silently reset.

import { execFileSync } from "node:child_process";
import {
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import { anyNumber, openMap } from "#src/contract/text/shape.ts";
import { DocumentAdapter } from "#src/storage/documents/document-adapter.ts";
import type { Basis } from "#src/storage/documents/document.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { renderGeneration } from "#src/storage/documents/generation.ts";
import { openCounter } from "./counter.ts";
import type { Counter } from "./counter.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A counter at 2, whose previous generation says 1. */
async function twoGenerations(): Promise<string> {
  const path = join(temporaryFolder(), "counter.json");
  const counter = openCounter(path);
  await counter.update((data) => (data.value = 1));
  await counter.update((data) => (data.value = 2));
  return path;
}

describe("a document", () => {
  it("is what was written, in the documented form", async () => {
    const path = await twoGenerations();
    expect(await openCounter(path).read()).toEqual({ value: 2 });
    const body = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(["format", "schema", "rev", "sha256", "data"]);
    expect(body).toMatchObject({ format: "test/counter", schema: 1, rev: 2, data: { value: 2 } });
    expect(JSON.parse(readFileSync(`${path}.bak`, "utf8"))).toMatchObject({ rev: 1, data: { value: 1 } });
  });

  it("creates nothing by being read", async () => {
    const folder = temporaryFolder();
    expect(await openCounter(join(folder, "new/counter.json")).read()).toEqual({ value: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves the file alone when the change throws", async () => {
    const path = await twoGenerations();
    const before = readFileSync(path);
    const counter = openCounter(path);
    await expect(
      counter.update((data) => {
        data.value = 3;
        throw new RangeError("no");
      }),
    ).rejects.toThrow(RangeError);
    expect(readFileSync(path)).toEqual(before);
    expect(await counter.read()).toEqual({ value: 2 });
    expect(readdirSync(dirname(path)).toSorted()).toEqual(["counter.json", "counter.json.bak"]);
  });

  it("can be read while it is being changed", async () => {
    const path = await twoGenerations();
    const counter = openCounter(path);
    const seen = await counter.update(async (data) => {
      data.value = 3;
      return await counter.read();
    });
    expect(seen).toEqual({ value: 2 });
    expect(await counter.read()).toEqual({ value: 3 });
  });

  it("takes changes of one process in turn", async () => {
    const path = join(temporaryFolder(), "counter.json");
    const [one, two] = [openCounter(path), openCounter(path)];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).update((data) => (data.value += 1))),
    );
    expect(await one.read()).toEqual({ value: 20 });
  });

  it("refuses to be written on top of a version that was not read", async () => {
    const path = await twoGenerations();
    const shape = {
      format: "test/counter",
      schema: 1,
      initial: () => ({ value: 0 }),
      shape: openMap({ value: anyNumber() }),
    };
    const adapter = new DocumentAdapter(path, shape, nodeFileSystem);
    await adapter.read();
    await openCounter(path).update((data) => (data.value = 7));
    await expect(adapter.write({ value: 3 })).rejects.toMatchObject({ code: "storage" });
    expect(await openCounter(path).read()).toEqual({ value: 7 });
  });

  it("of a newer schema is read and not written", async () => {
    const path = await twoGenerations();
    const newer = renderGeneration("test/counter", 2, 9, { value: 5, more: true });
    writeFileSync(path, newer);
    const counter = openCounter(path);
    expect(await counter.read()).toMatchObject({ value: 5 });
    await expect(counter.update((data) => (data.value = 6))).rejects.toThrow(/newer version of verdict/);
    expect(readFileSync(path)).toEqual(newer);
  });

  it("of a newer schema that cannot be understood is a fault, not damage", async () => {
    const path = await twoGenerations();
    writeFileSync(path, renderGeneration("test/counter", 2, 9, { values: [5] }));
    await expect(openCounter(path).read()).rejects.toMatchObject({ code: "storage" });
    expect(readdirSync(dirname(path)).some((name) => name.includes("corrupt"))).toBe(false);
  });
});

describe("a change that was thought out on what another session has changed since", () => {
  const basis = (was: number): Basis<Counter> => ({ of: ({ value }) => value, was, name: "The count" });

  it("is refused, and says so", async () => {
    const path = await twoGenerations();
    await openCounter(path).update((data) => (data.value = 7));
    const before = readFileSync(path);
    await expect(openCounter(path).update((data) => (data.value += 1), basis(2))).rejects.toMatchObject({
      code: "storage",
      message:
        "The count was changed in another session; look at it as it is now, and make the change again.",
    });
    expect(readFileSync(path)).toEqual(before);
  });

  it("is taken when that part is as it was, whatever else was written", async () => {
    const path = await twoGenerations();
    await openCounter(path).update(() => {});
    await openCounter(path).update((data) => (data.value += 1), basis(2));
    expect(await openCounter(path).read()).toEqual({ value: 3 });
  });
});

describe("a change whose last rename fails", () => {
  /** Fails the rename that puts the new generation in its place. */
  const failing = (path: string): FileSystem => ({
    ...nodeFileSystem,
    rename: async (from, to) => {
      if (to === path) throw Object.assign(new Error("EIO"), { code: "EIO", syscall: "rename" });
      await nodeFileSystem.rename(from, to);
    },
  });

  it.each([2, 3])("leaves %i generations as they were, and nothing beside them", async (generations) => {
    const path = join(temporaryFolder(), "counter.json");
    for (let value = 1; value <= generations; value += 1) {
      await openCounter(path).update((data) => (data.value = value));
    }
    const names = (): string[] => readdirSync(dirname(path)).toSorted();
    const picture = (): string[] => names().map((name) => readFileSync(join(dirname(path), name), "utf8"));
    const [before, contents] = [names(), picture()];
    const counter = openCounter(path, failing(path));
    await expect(counter.update((data) => (data.value = 9))).rejects.toMatchObject({ code: "storage" });
    expect([names(), picture()]).toEqual([before, contents]);
    await openCounter(path).update((data) => (data.value = 10));
    expect(names()).toEqual(["counter.json", "counter.json.bak"]);
    expect(readFileSync(`${path}.bak`, "utf8")).toBe(contents[0]);
  });

  it("takes along what an earlier one has left: a previous generation that is the present one", async () => {
    const path = await twoGenerations();
    unlinkSync(`${path}.bak`);
    linkSync(path, `${path}.bak`);
    await openCounter(path).update((data) => (data.value = 3));
    expect(readdirSync(dirname(path)).toSorted()).toEqual(["counter.json", "counter.json.bak"]);
  });
});

describe("a damaged document", () => {
  it.each([
    ["null", "null"],
    ["empty", ""],
    ["another format", renderGeneration("test/other", 1, 3, { value: 9 })],
    ["data of another shape", renderGeneration("test/counter", 1, 3, { value: "9" })],
    ["bytes that are no UTF-8", Buffer.from([0xff, 0xfe])],
  ])("(%s) is set aside, and the previous generation is used and reported", async (_, content) => {
    const path = await twoGenerations();
    writeFileSync(path, content);
    const counter = openCounter(path);
    expect(await counter.read()).toEqual({ value: 1 });
    const aside = `${path}.corrupt-20260102T030405000Z`;
    expect(readFileSync(aside)).toEqual(Buffer.from(content));
    expect(counter.problems).toHaveLength(1);
    expect(counter.problems[0]!.message).toContain("corrupt-2026");
    expect(await openCounter(path).read()).toEqual({ value: 1 });
  });

  it("without a good previous generation stops the program and stays as it is", async () => {
    const path = await twoGenerations();
    writeFileSync(path, "null");
    writeFileSync(`${path}.bak`, "[]");
    const counter = openCounter(path);
    await expect(counter.read()).rejects.toMatchObject({ code: "corrupt" });
    await expect(counter.update((data) => (data.value = 1))).rejects.toMatchObject({ code: "corrupt" });
    expect(readFileSync(path, "utf8")).toBe("null");
    unlinkSync(`${path}.bak`);
    await expect(counter.read()).rejects.toMatchObject({ code: "corrupt" });
  });

  it("that is gone is not a new one: its previous generation is used and reported", async () => {
    const path = await twoGenerations();
    unlinkSync(path);
    const counter = openCounter(path);
    expect(await counter.update((data) => (data.value += 10))).toBe(11);
    expect(counter.problems[0]!.message).toMatch(/was missing/);
  });

  it("is noticed wherever it is cut", async () => {
    const path = await twoGenerations();
    const whole = readFileSync(path);
    const backup = readFileSync(`${path}.bak`);
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      writeFileSync(`${path}.bak`, backup);
      const { value } = await openCounter(path).read();
      // Only the line feed at the very end may be missing.
      expect(value, `cut to ${length} bytes`).toBe(length === whole.length - 1 ? 2 : 1);
    }
  });

  it("is noticed whichever byte is flipped", async () => {
    const path = await twoGenerations();
    const whole = readFileSync(path);
    const backup = readFileSync(`${path}.bak`);
    for (let index = 0; index < whole.length - 1; index += 1) {
      const flipped = Buffer.from(whole);
      flipped[index]! ^= 1 << (index % 8);
      writeFileSync(path, flipped);
      writeFileSync(`${path}.bak`, backup);
      expect((await openCounter(path).read()).value, `byte ${index}`).toBe(1);
    }
  });

  it("is noticed when zeros follow it", async () => {
    const path = await twoGenerations();
    writeFileSync(path, Buffer.alloc(4096), { flag: "a" });
    expect(await openCounter(path).read()).toEqual({ value: 1 });
  });
});

describe("what is no regular file of ours", () => {
  it("is refused as a symbolic link, and its target is untouched", async () => {
    const path = await twoGenerations();
    const target = join(temporaryFolder(), "target");
    renameSync(path, target);
    symlinkSync(target, path);
    const before = readFileSync(target);
    await expect(openCounter(path).read()).rejects.toThrow(/symbolic link/);
    await expect(openCounter(path).update((data) => (data.value = 9))).rejects.toThrow(/symbolic link/);
    expect(readFileSync(target)).toEqual(before);
  });

  it("is refused as a link in the place of the backup", async () => {
    const path = await twoGenerations();
    const target = join(temporaryFolder(), "target");
    writeFileSync(target, "precious");
    unlinkSync(`${path}.bak`);
    symlinkSync(target, `${path}.bak`);
    await openCounter(path).update((data) => (data.value = 3));
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(JSON.parse(readFileSync(`${path}.bak`, "utf8"))).toMatchObject({ data: { value: 2 } });
  });

  it.skipIf(process.platform === "win32")("is refused as a FIFO, at once", async () => {
    const path = join(temporaryFolder(), "counter.json");
    execFileSync("mkfifo", [path]);
    await expect(openCounter(path).read()).rejects.toThrow(/not a regular file/);
  });

  it("is refused as a folder", async () => {
    const path = join(temporaryFolder(), "counter.json");
    mkdirSync(path);
    await expect(openCounter(path).read()).rejects.toMatchObject({ code: "storage" });
  });

  it.skipIf(process.geteuid?.() !== 0)(
    "is refused when it belongs to another account (needs root)",
    async () => {
      const path = await twoGenerations();
      chownSync(path, 12345, 12345);
      await expect(openCounter(path).read()).rejects.toThrow(/another account/);
    },
  );
});

describe("leftovers of a killed process", () => {
  it("are removed by the next one that writes, and nothing else is", async () => {
    const path = await twoGenerations();
    const folder = dirname(path);
    const orphans = [
      ".counter.json.0123456789abcdef.tmp",
      ".counter.json.bak.0123456789abcdef.tmp",
      ".counter.json.lock.0123456789abcdef.tmp",
    ];
    const others = [".counter.json.mine", ".counter.json.other.0123456789abcdef.tmp", "counter.json.tmp"];
    for (const name of [...orphans, ...others]) copyFileSync(path, join(folder, name));
    await openCounter(path).update((data) => (data.value = 3));
    expect(orphans.filter((name) => existsSync(join(folder, name)))).toEqual([]);
    expect(others.every((name) => existsSync(join(folder, name)))).toBe(true);
  });
});
