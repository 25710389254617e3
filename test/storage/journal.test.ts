// Journals: appended, never rewritten; what is damaged is kept aside, reported and skipped.

import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import { decodeLine, encodeLine } from "#src/storage/database/journal-line.ts";
import { openJournal } from "#src/storage/database/journal.ts";
import type { Journal } from "#src/storage/database/journal.ts";
import { folderId } from "#src/storage/folder-id.ts";
import { thisProcess } from "#src/storage/documents/lock-owner.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const START = Date.UTC(2026, 0, 2);

/** A clock that moves 1 ms at each look. */
function ticking(from = START): () => number {
  let now = from;
  return () => (now += 1);
}

async function all<T>(journal: Journal<T>): Promise<T[]> {
  return await Array.fromAsync(journal.records());
}

function segments(dir: string): string[] {
  return readdirSync(dir).filter((name) => name.endsWith(".jsonl"));
}

/** A journal of one segment with the records 1 to `count`, closed. */
async function written(count: number): Promise<{ dir: string; path: string; bytes: Buffer }> {
  const dir = join(temporaryFolder(), "journal");
  const journal = openJournal<number>({ dir, now: ticking() });
  for (let record = 1; record <= count; record += 1) await journal.append(record);
  await journal.close();
  const path = join(dir, segments(dir)[0]!);
  return { dir, path, bytes: readFileSync(path) };
}

describe("a line", () => {
  it("carries the CRC-32 of what follows it", () => {
    // CRC-32 (ISO-HDLC) of the text behind it, computed by another implementation.
    expect(encodeLine({ sequence: 1, time: 2, record: { a: 1 } }).toString()).toBe(
      '{"c":"e6887b43","n":1,"t":2,"r":{"a":1}}\n',
    );
  });

  it("is refused after any single change of a bit", () => {
    const line = encodeLine({ sequence: 7, time: START, record: { text: "some record" } }).subarray(0, -1);
    expect(decodeLine(line)).toEqual({ sequence: 7, time: START, record: { text: "some record" } });
    for (let bit = 0; bit < line.length * 8; bit += 1) {
      const changed = Buffer.from(line);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(decodeLine(changed), `bit ${bit}`).toBeNull();
    }
  });
});

describe("a journal", () => {
  it("returns its records in order, from both ends", async () => {
    const { dir } = await written(5);
    const journal = openJournal<number>({ dir });
    expect(await all(journal)).toEqual([1, 2, 3, 4, 5]);
    expect(await Array.fromAsync(journal.newestFirst())).toEqual([5, 4, 3, 2, 1]);
    expect(await journal.tail(2)).toEqual([4, 5]);
    expect(await journal.tail(9)).toEqual([1, 2, 3, 4, 5]);
    expect(await journal.tail(0)).toEqual([]);
    expect(journal.problems).toEqual([]);
  });

  it("creates nothing before the first append", async () => {
    const folder = temporaryFolder();
    const journal = openJournal<number>({ dir: join(folder, "journal") });
    expect(await all(journal)).toEqual([]);
    expect(await journal.tail(3)).toEqual([]);
    await journal.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("shares one segment among processes that follow each other", async () => {
    const { dir } = await written(1);
    for (let record = 2; record <= 20; record += 1) {
      const journal = openJournal<number>({ dir, now: ticking(START + record * 1000) });
      await journal.append(record);
      await journal.close();
    }
    expect(readdirSync(dir)).toEqual(segments(dir));
    expect(segments(dir)).toHaveLength(1);
    const journal = openJournal<number>({ dir });
    expect(await all(journal)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(journal.problems).toEqual([]);
  });

  it("gives writers at the same time segments of their own and merges them by time", async () => {
    const dir = join(temporaryFolder(), "journal");
    const now = ticking();
    const [one, two] = [openJournal<number>({ dir, now }), openJournal<number>({ dir, now })];
    for (let record = 1; record <= 10; record += 1) await (record % 3 === 0 ? one : two).append(record);
    expect(segments(dir)).toHaveLength(2);
    const expected = Array.from({ length: 10 }, (_, index) => index + 1);
    expect(await all(one)).toEqual(expected);
    expect(await two.tail(4)).toEqual([7, 8, 9, 10]);
    await one.close();
    await two.close();
  });

  it("writes what is appended together with one sync", async () => {
    const { nodeFileSystem } = await import("#src/storage/file-system.ts");
    let syncs = 0;
    const dir = join(temporaryFolder(), "journal");
    const journal = openJournal<number>({
      dir,
      fs: {
        ...nodeFileSystem,
        open: async (path, flags, mode) => {
          const file = await nodeFileSystem.open(path, flags, mode);
          const datasync = file.datasync.bind(file);
          return Object.assign(file, {
            datasync: async () => {
              syncs += 1;
              await datasync();
            },
          });
        },
      },
    });
    await Promise.all(Array.from({ length: 500 }, (_, index) => journal.append(index)));
    expect(syncs).toBe(1);
    expect(await all(journal)).toHaveLength(500);
    await journal.close();
  });

  it("rotates at 8 MiB, and a full segment tells its last time", async () => {
    const dir = join(temporaryFolder(), "journal");
    const journal = openJournal<string>({ dir, now: ticking() });
    const record = "x".repeat(1024 * 1024);
    for (let count = 0; count < 10; count += 1) await journal.append(`${count}${record}`);
    await journal.close();
    const sizes = segments(dir).map((name) => statSync(join(dir, name)).size);
    expect(sizes).toHaveLength(2);
    expect(sizes[0]).toBeGreaterThan(8 * 1024 * 1024);
    expect(segments(dir)[0]).toMatch(/^\d{15}-[0-9a-f]{8}-\d{15}\.jsonl$/);
    expect((await all(journal)).map((text) => text[0]).join("")).toBe("0123456789");
    expect((await journal.tail(3)).map((text) => text[0]).join("")).toBe("789");
    expect(journal.problems).toEqual([]);
  });

  it("keeps lines in order when the clock is set back", async () => {
    const dir = join(temporaryFolder(), "journal");
    let now = START + 5_000;
    const journal = openJournal<number>({ dir, now: () => now });
    await journal.append(1);
    now = START;
    await journal.append(2);
    expect(await all(journal)).toEqual([1, 2]);
    await journal.close();
    // A process that starts now does not continue a segment from the future.
    const next = openJournal<number>({ dir, now: () => now });
    await next.append(3);
    expect(segments(dir)).toHaveLength(2);
    await next.close();
  });

  it("refuses a symbolic link in the place of a segment", async () => {
    const { dir, path } = await written(2);
    const target = join(dir, "target");
    renameSync(path, target);
    symlinkSync(target, path);
    await expect(openJournal<number>({ dir }).tail(1)).rejects.toThrow(/symbolic link/);
  });

  it("finds a segment that is sealed between listing and opening", async () => {
    const { dir, path } = await written(3);
    const { nodeFileSystem } = await import("#src/storage/file-system.ts");
    const journal = openJournal<number>({
      dir,
      fs: {
        ...nodeFileSystem,
        open: async (name, flags, mode) => {
          if (name === path && existsSync(path)) {
            renameSync(path, path.replace(".jsonl", `-${String(START + 3).padStart(15, "0")}.jsonl`));
          }
          return await nodeFileSystem.open(name, flags, mode);
        },
      },
    });
    expect(await all(journal)).toEqual([1, 2, 3]);
  });
});

describe("a damaged journal", () => {
  it("returns the whole lines wherever it is cut, and takes the next record", async () => {
    const { dir, path, bytes } = await written(3);
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index);
    for (let length = 0; length <= bytes.length; length += 1) {
      writeFileSync(path, bytes.subarray(0, length));
      // A line is whole even without its line feed: the checksum says so.
      const whole = ends.filter((end) => end <= length).length;
      const torn = length > 0 && length !== ends[whole - 1] && length !== (ends[whole - 1] ?? -1) + 1;
      const before = openJournal<number>({ dir, now: ticking(START + 10_000) });
      expect(await all(before), `cut to ${length}`).toEqual([1, 2, 3].slice(0, whole));
      // Whether a last line was cut off whole, only an empty segment tells while it may grow.
      expect(before.problems.length, `cut to ${length}`).toBe(torn || length === 0 ? 1 : 0);
      await before.append(99);
      await before.close();
      const after = openJournal<number>({ dir });
      expect(await all(after), `cut to ${length}`).toEqual([...[1, 2, 3].slice(0, whole), 99]);
      expect(await after.tail(1)).toEqual([99]);
      for (const name of segments(dir))
        if (join(dir, name) !== path) renameSync(join(dir, name), join(dir, "x"));
    }
  });

  it("loses only what a flipped byte touches, in both directions, and says so", async () => {
    const { dir, path, bytes } = await written(3);
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = Buffer.from(bytes);
      flipped[index]! ^= 1 << (index % 8);
      writeFileSync(path, flipped);
      const journal = openJournal<number>({ dir });
      const oldest = await all(journal);
      const newest = (await Array.fromAsync(journal.newestFirst())).toReversed();
      expect(newest, `byte ${index}`).toEqual(oldest);
      // A flipped line feed joins two lines; at the very end it is what a torn line looks like.
      const lineFeed = bytes[index] === 0x0a;
      expect(oldest.length, `byte ${index}`).toBe(lineFeed && index < bytes.length - 1 ? 1 : 2);
      expect(journal.problems, `byte ${index}`).toHaveLength(1);
    }
  });

  it("keeps a copy of a damaged stretch once, and leaves the segment as it is", async () => {
    const { dir, path, bytes } = await written(3);
    const broken = Buffer.concat([bytes.subarray(0, 60), Buffer.alloc(4096), bytes.subarray(60)]);
    writeFileSync(path, broken);
    const journal = openJournal<number>({ dir });
    const records = await all(journal);
    await journal.tail(5);
    expect(records).toEqual([1, 3]);
    expect(journal.problems).toHaveLength(1);
    expect(journal.problems[0]).toMatchObject({ path, isNew: true });
    const kept = readdirSync(join(dir, "quarantine"));
    expect(kept).toHaveLength(1);
    expect(journal.problems[0]!.message).toContain(kept[0]!);
    const copy = readFileSync(join(dir, "quarantine", kept[0]!));
    expect(broken.includes(copy)).toBe(true);
    expect(copy.includes(Buffer.alloc(4096))).toBe(true);
    expect(statSync(join(dir, "quarantine", kept[0]!)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path)).toEqual(broken);

    const later = openJournal<number>({ dir });
    await all(later);
    expect(later.problems).toMatchObject([{ isNew: false }]);
    expect(readdirSync(join(dir, "quarantine"))).toEqual(kept);
  });

  it("that zeros follow is read whole and continued elsewhere", async () => {
    const { dir, path } = await written(2);
    appendFileSync(path, Buffer.alloc(4096));
    const journal = openJournal<number>({ dir, now: ticking(START + 1000) });
    await journal.append(3);
    await journal.close();
    expect(await all(journal)).toEqual([1, 2, 3]);
    expect(segments(dir)).toHaveLength(2);
    expect(journal.problems).toHaveLength(1);
  });

  it("is never glued to what somebody else left at the end of the open segment", async () => {
    const dir = join(temporaryFolder(), "journal");
    const journal = openJournal<number>({ dir, now: ticking() });
    await journal.append(1);
    appendFileSync(join(dir, segments(dir)[0]!), '{"c":"torn');
    await journal.append(2);
    await journal.append(3);
    expect(await all(journal)).toEqual([1, 2, 3]);
    expect(journal.problems).toHaveLength(1);
    await journal.close();
  });

  it.skipIf(process.platform !== "linux")(
    "does not report a line that a living process is still writing",
    async () => {
      const { dir, path } = await written(2);
      appendFileSync(path, '{"c":"');
      const lock = path.replace(/\.jsonl$/, ".lock");
      // The parent of this process stands for the writer.
      const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
      const startTime = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
      writeFileSync(
        lock,
        JSON.stringify({ ...thisProcess("x", folderId(dirname(lock))), pid: process.ppid, startTime }),
      );
      const journal = openJournal<number>({ dir });
      expect(await all(journal)).toEqual([1, 2]);
      expect(journal.problems).toEqual([]);
      writeFileSync(lock, JSON.stringify({ ...thisProcess("x", folderId(dirname(lock))), pid: 2 ** 22 + 1 }));
      expect(await all(journal)).toEqual([1, 2]);
      expect(journal.problems).toHaveLength(1);
    },
  );

  it("reports records that were cut out without a trace", async () => {
    const { dir, path, bytes } = await written(4);
    const lines = bytes.toString().split("\n");
    writeFileSync(path, [lines[0], lines[3], ""].join("\n"));
    const journal = openJournal<number>({ dir });
    expect(await all(journal)).toEqual([1, 4]);
    expect(journal.problems[0]!.message).toMatch(/lacks the records from 2 to 3/);
  });

  it("is read although no copy can be made", async () => {
    const { dir, path, bytes } = await written(3);
    writeFileSync(path, Buffer.concat([Buffer.from("rubbish\n"), bytes]));
    writeFileSync(join(dir, "quarantine"), "in the way");
    const journal = openJournal<number>({ dir });
    expect(await all(journal)).toEqual([1, 2, 3]);
    expect(journal.problems[0]!.message).toMatch(/could not be made/);
  });
});
