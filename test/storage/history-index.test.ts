// The index of the history: any page at once, the same entries as a reading of everything, and rebuilt whenever it does not fit.

import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { intentRecord, outcomeRecord } from "#src/storage/database/history-record.ts";
import {
  idHash,
  idKey,
  INDEXED_VERDICTS,
  keyRange,
  RowsBuilder,
  VERDICT_UNSURE,
} from "#src/storage/database/history-rows.ts";
import { scanLines } from "#src/storage/database/history-scan.ts";
import { openHistory } from "#src/storage/database/history.ts";
import type { History } from "#src/storage/database/history.ts";
import { encodeLine } from "#src/storage/database/journal-line.ts";
import { orderRows, placeOf, rowAt, sharing } from "#src/storage/database/row-order.ts";
import { newSegment, sealedName } from "#src/storage/database/segment-name.ts";
import { answer, intent } from "./entries.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const START = Date.UTC(2026, 0, 2);

function open(dir: string, from = START + 1e9): History {
  let now = from;
  const history = openHistory({ dir, now: () => (now += 1) });
  onTestFinished(() => history.close());
  return history;
}

const idOf = (number: number): string => `m${String(number).padStart(8, "0")}abcdef0123`;

/** A full segment with the entries `from` to `to`, as a writer leaves it. */
function writeSegment(dir: string, from: number, to: number, settled = true): string {
  const segment = newSegment(START + from * 10);
  let sequence = 0;
  const lines: Buffer[] = [];
  for (let number = from; number < to; number += 1) {
    const entry = intent(idOf(number), {
      at: START + number * 10,
      result: answer({ recommendation: RECOMMENDATIONS[number % 3]! }),
    });
    lines.push(encodeLine({ sequence: ++sequence, time: START + number * 10, record: intentRecord(entry) }));
    if (settled)
      lines.push(
        encodeLine({ sequence: ++sequence, time: START + number * 10 + 5, record: outcomeRecord(entry) }),
      );
  }
  const path = join(dir, sealedName(segment, START + to * 10));
  writeFileSync(path, Buffer.concat(lines), { mode: 0o600 });
  return path;
}

async function expectSame(history: History): Promise<void> {
  const all = await Array.fromAsync(history.entries());
  expect(await history.count()).toBe(all.length);
  expect(await history.page(0, all.length)).toEqual(all);
  for (const from of [0, 1, Math.floor(all.length / 2), Math.max(0, all.length - 3)]) {
    expect(await history.page(from, 3)).toEqual(all.slice(from, from + 3));
  }
}

describe("a page", () => {
  it("is the same as in a reading of everything, wherever it starts", async () => {
    const dir = temporaryFolder();
    for (let from = 0; from < 90; from += 30) writeSegment(dir, from, from + 30);
    const history = open(dir);
    await expectSame(history);
    await history.intend(intent("zz-last"));
    await history.annotate(idOf(3), "seen later, in another segment");
    await history.settle(intent("zz-last", { result: answer() }));
    await expectSame(history);
    expect((await history.page(0, 1))[0]).toMatchObject({
      id: "zz-last",
      result: { recommendation: "block" },
    });
    expect(await history.find(idOf(3))).toMatchObject({ note: "seen later, in another segment" });
    expect(await history.page(1_000, 5)).toEqual([]);
    expect(await history.page(0, 0)).toEqual([]);
  });

  it("merges segments of writers at the same time by time", async () => {
    const dir = temporaryFolder();
    let now = START;
    const clock = (): number => (now += 1);
    const [one, two] = [openHistory({ dir, now: clock }), openHistory({ dir, now: clock })];
    for (let number = 0; number < 12; number += 1) {
      const by = number % 3 === 0 ? one : two;
      await by.intend(intent(idOf(number)));
      // The other one notes it: a record in another segment than its intent.
      if (number % 4 === 0) await (by === one ? two : one).annotate(idOf(number), `note ${number}`);
    }
    await expectSame(one);
    await expectSame(two);
    expect(await one.position(idOf(4))).toBe(7);
    expect(await one.position("nobody")).toBeNull();
    await one.close();
    await two.close();
  });

  it("follows what other processes append", async () => {
    const dir = temporaryFolder();
    const [reader, writer] = [open(dir), open(dir)];
    expect(await reader.extent()).toEqual({ count: 0, isContinued: true });
    expect(await reader.hasChanged()).toBe(false);
    for (let number = 0; number < 5; number += 1) {
      await writer.intend(intent(idOf(number)));
      expect(await reader.hasChanged()).toBe(true);
      expect(await reader.extent()).toEqual({ count: number + 1, isContinued: true });
      await expectSame(reader);
    }
    expect(await reader.hasChanged()).toBe(false);
  });

  it("skips what is damaged and tells of it, and shows the rest", async () => {
    const dir = temporaryFolder();
    const path = writeSegment(dir, 0, 20);
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(path, bytes);
    const history = open(dir);
    await expectSame(history);
    expect(history.problems).toHaveLength(1);
  });
});

describe("the kept table", () => {
  const indexFile = (dir: string): string => join(dir, "index", readdirSync(join(dir, "index"))[0]!);

  async function built(count = 20): Promise<{ dir: string; segment: string }> {
    const dir = temporaryFolder();
    const segment = writeSegment(dir, 0, count);
    await open(dir).count();
    return { dir, segment };
  }

  it("is made for full segments alone, private, and used by the next process", async () => {
    const { dir } = await built();
    const path = indexFile(dir);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, "index")).mode & 0o777).toBe(0o700);
    const before = statSync(path).mtimeMs;
    await expectSame(open(dir));
    expect(statSync(path).mtimeMs).toBe(before);
    rmSync(join(dir, "index"), { recursive: true });
    const growing = open(dir);
    await growing.intend(intent("new"));
    await growing.count();
    expect(readdirSync(join(dir, "index"))).toHaveLength(1);
  });

  it("is made when a segment becomes full, before anybody asks", async () => {
    const dir = temporaryFolder();
    let now = START;
    const history = openHistory({ dir, now: () => (now += 1) });
    const description = "x".repeat(60_000);
    for (let number = 0; number < 300; number += 1) {
      const entry = intent(idOf(number));
      await history.intend({ ...entry, request: { ...entry.request, description } });
    }
    await history.close();
    const full = readdirSync(dir).filter((name) => /-\d{15}\.jsonl$/.test(name));
    expect(full.length).toBeGreaterThan(1);
    const ids = full.map((name) => name.slice(0, 24)).sort();
    expect(readdirSync(join(dir, "index")).sort()).toEqual(ids.map((id) => `${id}.idx`));
    await expectSame(open(dir));
  });

  it("does not matter, cut at any byte or with any byte flipped", async () => {
    const { dir } = await built(4);
    const path = indexFile(dir);
    const whole = readFileSync(path);
    const expected = await Array.fromAsync(open(dir).entries());
    for (let index = 0; index < whole.length; index += 1) {
      const flipped = Buffer.from(whole);
      flipped[index]! ^= 1 << (index % 8);
      // Once, too: zeros behind it, as a crash leaves them.
      const zeros = index === 0 ? [Buffer.concat([whole, Buffer.alloc(4096)])] : [];
      for (const bytes of [flipped, whole.subarray(0, index), ...zeros]) {
        writeFileSync(path, bytes);
        const history = open(dir);
        expect(await history.page(0, 9), `byte ${index}`).toEqual(expected);
        // What reading has found out is mended by the next look.
        await history.count();
        expect(readFileSync(path).equals(whole), `byte ${index}`).toBe(true);
      }
    }
    writeFileSync(path, Buffer.concat([whole, Buffer.alloc(4096)]));
    expect(await open(dir).page(0, 9)).toEqual(expected);
  });

  it("is made anew when its segment was changed, cut or swapped", async () => {
    const { dir, segment } = await built();
    const bytes = readFileSync(segment);
    const lines = bytes.toString().trimEnd().split("\n");
    writeFileSync(segment, `${lines.slice(0, 10).join("\n")}\n`);
    await expectSame(open(dir));
    truncateSync(segment, 700);
    await expectSame(open(dir));
    writeFileSync(`${segment}.x`, bytes);
    renameSync(`${segment}.x`, segment);
    await expectSame(open(dir));
    rmSync(segment);
    writeSegment(dir, 50, 55);
    await expectSame(open(dir));
    expect(readdirSync(join(dir, "index"))).toHaveLength(1);
  });

  it("that lies about lines is found out by reading, and made anew", async () => {
    const { dir, segment } = await built();
    const { atime, mtime, mtimeMs } = statSync(segment);
    const bytes = readFileSync(segment);
    // The same size and time, other bytes: only the checksum of the lines can tell.
    const lines = bytes.toString().trimEnd().split("\n");
    writeFileSync(segment, `${[...lines.slice(10), ...lines.slice(0, 10)].join("\n")}\n`);
    utimesSync(segment, atime, mtime);
    const history = open(dir);
    const ids = (await history.page(0, 50)).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(Array.from({ length: 20 }, (_, number) => idOf(number)));
    expect(statSync(segment).mtimeMs).toBeCloseTo(mtimeMs, -1);
  });

  it.skipIf(process.platform === "win32")("is done without where it cannot be written", async () => {
    const { dir } = await built();
    rmSync(join(dir, "index"), { recursive: true });
    writeFileSync(join(dir, "index"), "in the way");
    await expectSame(open(dir));
  });

  it("goes with its segment, and so does what a killed process left of one", async () => {
    const { dir } = await built();
    writeFileSync(join(dir, "index", `${"0".repeat(15)}-deadbeef.idx`), "");
    writeFileSync(join(dir, "index", `.${"0".repeat(15)}-deadbeef.idx.${"0".repeat(16)}.tmp`), "");
    await open(dir).count();
    expect(readdirSync(join(dir, "index"))).toHaveLength(1);
  });
});

describe("finding an entry", () => {
  it("takes the whole id or a beginning, of any kind of id", async () => {
    const history = open(temporaryFolder());
    const ids = ["abc", "abcd", "xyz", "UPPER-1", "m0000000a1", "m0000000a1b", "m0000000a1c", "ö"];
    for (const id of ids) await history.intend(intent(id));
    for (const id of ids) expect((await history.find(id))?.id).toBe(id);
    for (const [prefix, id] of [
      ["x", "xyz"],
      ["UPP", "UPPER-1"],
      ["m0000000a1b", "m0000000a1b"],
      ["abcd", "abcd"],
    ]) {
      expect((await history.find(prefix!))?.id).toBe(id);
    }
    expect(await history.find("q")).toBeNull();
    await expect(history.find("ab")).rejects.toThrow(/^2 entries start with "ab"/);
    await expect(history.find("m0")).rejects.toThrow(/^3 entries/);
  });
});

describe("the scan of lines", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const entries = fc.record({
    id: fc.oneof(fc.stringMatching(/^[0-9a-z]{1,24}$/), text),
    at: fc.oneof(fc.integer({ min: 0, max: 4e12 }), fc.double()),
    outcome: fc.constantFrom("answered", "indeterminate", "refused", "unknown", "not_sent", "odd"),
    recommendation: fc.constantFrom(...RECOMMENDATIONS, null),
    message: fc.oneof(text, fc.constant('"recommendation":"pass"'), fc.constant('","outcome":"refused')),
    time: fc.integer({ min: 0, max: 4e12 }),
  });

  it("reads ids, times and verdicts as a parser does, or says that it is not sure", () => {
    fc.assert(
      fc.property(entries, ({ id, at, time, ...result }) => {
        const entry = intent(id, {
          // JSON knows no minus zero.
          at: Number.isFinite(at) ? at + 0 : 0,
          result: answer(result as Partial<NonNullable<HistoryEntry["result"]>>),
        });
        const builder = new RowsBuilder();
        const lines = [intentRecord({ ...entry, warnings: [result.message] }), outcomeRecord(entry)].map(
          (record, index) => encodeLine({ sequence: index + 1, time: time + index, record }),
        );
        const bytes = Buffer.from(Buffer.concat(lines));
        expect(scanLines(bytes, 100, builder)).toEqual({ bytes: bytes.length, bad: 0 });
        const rows = builder.pack();
        expect([rows.rows, rows.learned, rows.foreign]).toEqual([1, 1, 0]);
        const known = Buffer.from(id);
        expect([rows.time[0], rows.key[0], rows.hash[0]]).toEqual([time, idKey(known), idHash(known)]);
        if (Number.isInteger(entry.at) && Math.abs(entry.at - time) < 2 ** 31 - 1) {
          expect(time + rows.atDelta[0]!).toBe(entry.at);
        }
        const verdict = rows.verdict[0]!;
        if (verdict !== VERDICT_UNSURE) {
          expect(INDEXED_VERDICTS[verdict]).toBe(result.recommendation ?? result.outcome);
        } else if (!/["\\]/.test(id + result.message)) {
          // Quoted text may look like the fields that are sought: then the line is left to the parser.
          expect(result.outcome).toBe("odd");
        }
      }),
      { numRuns: 500 },
    );
  });

  it("counts every damaged line and takes none of it", () => {
    const line = encodeLine({ sequence: 1, time: START, record: intentRecord(intent("a")) });
    for (let index = 0; index < line.length - 1; index += 1) {
      const flipped = Buffer.from(line);
      flipped[index]! ^= 1;
      const builder = new RowsBuilder();
      const { bad } = scanLines(flipped, 0, builder);
      expect([bad > 0, builder.pack().rows], `byte ${index}`).toEqual([true, 0]);
    }
  });
});

it("orders rows as a stable sort by time does", () => {
  const times = fc
    .array(fc.integer({ min: 0, max: 30 }), { maxLength: 20 })
    .map((list) => list.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(times, { maxLength: 6 }), (unsorted) => {
      const segments = unsorted.toSorted((a, b) => (a[0] ?? -1) - (b[0] ?? -1));
      const spans = segments.map((all) => ({
        length: all.length,
        first: all[0] ?? 0,
        last: all.at(-1) ?? 0,
        all,
      }));
      const shared = sharing(spans);
      // What is not shared needs no more than its ends.
      const order = orderRows(
        spans.map((span, index) => ({ ...span, all: shared.has(index) ? span.all : null })),
      );
      const expected = segments
        .flatMap((list, segment) => list.map((time, row) => ({ segment, row, time })))
        .toSorted((a, b) => a.time - b.time || a.segment - b.segment || a.row - b.row);
      expect(order.before.at(-1)).toBe(expected.length);
      for (const [place, { segment, row }] of expected.entries()) {
        expect(rowAt(order, place)).toEqual({ segment, row });
        expect(placeOf(order, segment, row)).toBe(place);
      }
    }),
  );
});

it("keeps the order of ids in their keys, and every beginning in a range", () => {
  const ids = fc.stringMatching(/^[0-9a-z]{1,16}$/);
  fc.assert(
    fc.property(ids, ids, fc.nat(16), (one, two, length) => {
      const [a, b] = [Buffer.from(one), Buffer.from(two)];
      const order = Math.sign(Buffer.compare(a.subarray(0, 10), b.subarray(0, 10)));
      expect(Math.sign(idKey(a) - idKey(b))).toBe(order);
      const [least, most] = keyRange(a.subarray(0, length))!;
      expect(idKey(a)).toBeGreaterThanOrEqual(least);
      expect(idKey(a)).toBeLessThanOrEqual(most);
      if (length <= 10 && !two.startsWith(one.slice(0, length))) {
        expect(idKey(b) < least || idKey(b) > most).toBe(true);
      }
    }),
  );
});

describe("a search", () => {
  async function search(
    history: History,
    filter: string,
    to: number,
    onFound: (count: number) => void = () => undefined,
    controller = new AbortController(),
  ): Promise<number[]> {
    const found: number[] = [];
    await history.search({
      filter,
      now: START + 1e8,
      from: 0,
      to,
      signal: controller.signal,
      onFound: (places) => {
        found.push(...places);
        onFound(found.length);
      },
      onProgress: () => undefined,
    });
    return found;
  }

  it("finds what the filter accepts, by the index alone or by reading, newest first", async () => {
    const dir = temporaryFolder();
    for (let from = 0; from < 90; from += 30) writeSegment(dir, from, from + 30);
    writeSegment(dir, 90, 100, false);
    const history = open(dir);
    await history.settle(intent(idOf(95), { result: answer({ recommendation: "block" }) }));
    const all = await Array.fromAsync(history.entries());
    const { parseFilter } = await import("#src/storage/database/history-filter.ts");
    for (const filter of [
      "verdict:block",
      "-verdict:block since:2026-01-01",
      "outcome:answered",
      "verdict:unknown",
      "order:*7*",
      "amount>5 latency>10",
      "verdict:pass order:*1*",
      '"too many"',
      "final:none",
      "order:nothing",
    ]) {
      const matches = parseFilter(filter, START + 1e8);
      const expected = all.flatMap((entry, position) => (matches(entry) ? [all.length - 1 - position] : []));
      expect(await search(history, filter, all.length), filter).toEqual(expected);
    }
    const ids = (await history.at(await search(history, "order:*-m0000009*", all.length))).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(all.slice(0, 10).map(({ id }) => id));
  });

  it("of a long history runs in a worker, and ends when it is called off", async () => {
    const dir = temporaryFolder();
    for (let from = 0; from < 24_000; from += 8_000) writeSegment(dir, from, from + 8_000);
    const history = open(dir);
    const count = await history.count();
    const found = await search(history, "verdict:block order:*5", count);
    const all = await Array.fromAsync(history.entries());
    const expected = all.filter(
      ({ result, request }) => result?.recommendation === "block" && request.order_id!.endsWith("5"),
    );
    expect(found).toHaveLength(expected.length);
    const stopping = new AbortController();
    const some = await search(history, "amount>5", count, () => stopping.abort(), stopping);
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(count);
  });
});

it("never lets an index stand for bytes that are not there", async () => {
  const dir = temporaryFolder();
  const path = writeSegment(dir, 0, 10);
  const history = open(dir);
  expect(await history.count()).toBe(10);
  appendFileSync(path, randomBytes(100));
  const other = open(dir);
  expect(await other.count()).toBe(10);
  expect(existsSync(join(dir, "quarantine"))).toBe(true);
});
