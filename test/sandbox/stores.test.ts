// The parts under the state: flat sets, group commit, the decision log and the replay cache.

import { execFileSync } from "node:child_process";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readHead } from "#src/sandbox/decisions/decision-line.ts";
import { openDecisionLog, type DecisionLog } from "#src/sandbox/decisions/decision-log.ts";
import { createLogSeal } from "#src/sandbox/decisions/log-seal.ts";
import { createStoredAnswers } from "#src/sandbox/decisions/stored-answers.ts";
import { openDurableAppender } from "#src/sandbox/state/durable-appender.ts";
import { createFingerprintSet } from "#src/sandbox/state/fingerprint-set.ts";
import { openReplayCache, type ReplayCache } from "#src/sandbox/state/replay-cache.ts";
import { temporaryFolder } from "./sandbox-under-test.ts";

test("a fingerprint set is a set", () => {
  const fingerprint = fc.oneof(
    fc.uint8Array({ minLength: 8, maxLength: 8 }),
    // Few different values, and many that want the same slot.
    fc.tuple(fc.nat(3), fc.nat(3)).map(([high, low]) => new Uint8Array([0, 0, 0, high, 0, 0, low, 0])),
  );
  fc.assert(
    fc.property(fc.array(fingerprint, { maxLength: 400 }), (added) => {
      const set = createFingerprintSet();
      const model = new Set<string>();
      for (const bytes of added) {
        // Zero marks a free slot and is kept as one: the two are one value.
        const text = Buffer.from(bytes)
          .toString("hex")
          .replace(/^0{16}$/, "0000000000000001");
        const print = Buffer.from(bytes).toString("latin1");
        expect(set.has(print)).toBe(model.has(text));
        expect(set.add(print)).toBe(!model.has(text));
        model.add(text);
        expect(set.size).toBe(model.size);
      }
    }),
  );
});

test("appends that arrive together are written in order, and a torn end is cut off first", async () => {
  const path = join(await temporaryFolder(), "file");
  await writeFile(path, "kept torn");
  let writes = 0;
  const file = await openDurableAppender<string>(path, 4, true, (lines) => {
    writes += 1;
    return Buffer.from(lines.join(""));
  });
  const lines = Array.from({ length: 200 }, (_, number) => `${number}\n`);
  await Promise.all(lines.map((line) => file.append(line)));
  expect(writes).toBe(1);
  await file.close();
  expect(await readFile(path, "utf8")).toBe(`kept${lines.join("")}`);
  expect(file.size).toBe(4 + lines.join("").length);
});

async function reopened(
  dir: string,
  after = 0,
): Promise<{ log: DecisionLog; records: string[]; damaged: string[] }> {
  const records: string[] = [];
  const damaged: string[] = [];
  const log = await openDecisionLog({
    dir,
    after,
    seal: createLogSeal("secret"),
    sync: true,
    onRecord: ({ sequence, text }) => records.push(`${sequence} ${text.trimEnd()}`),
    onDamage: (file) => damaged.push(file),
  });
  return { log, records, damaged };
}

/** Of different lengths: what is sealed together is filled up with blanks. */
const record = (n: number): string => `r${n}${"–".repeat(n % 3)}`;

async function found(log: DecisionLog, sequence: number): Promise<unknown> {
  const text = await log.find(sequence);
  return text === null ? null : JSON.parse(text);
}

test("the decision log reads back what follows a snapshot and finds every record", async () => {
  const dir = await temporaryFolder();
  const first = await reopened(dir);
  await Promise.all([1, 2, 3].map((n) => first.log.append(record(n))));
  await first.log.close();
  const second = await reopened(dir, 2);
  expect(second.records).toEqual([`3 "${record(3)}"`]);
  await second.log.append(record(4));
  expect(await Promise.all([1, 2, 3, 4, 5].map((n) => found(second.log, n)))).toEqual([
    ...[1, 2, 3, 4].map(record),
    null,
  ]);
  await second.log.close();
  const third = await reopened(dir);
  expect(third.records).toEqual([1, 2, 3, 4].map((n) => `${n} "${record(n)}"`));
  await third.log.close();
});

test("records that arrive while a file is begun share it, in the order of their numbers", async () => {
  const dir = await temporaryFolder();
  const first = await reopened(dir);
  await first.log.append("x".repeat(8 * 1024 * 1024));
  const together = [2, 3, 4].map((n) => first.log.append(record(n)));
  setImmediate(() => together.push(first.log.append(record(5))));
  while (together.length < 4) await together[0];
  await Promise.all(together);
  await first.log.close();
  expect(await readdir(dir)).toHaveLength(2);
  const second = await reopened(dir, 1);
  expect(second.records).toEqual([2, 3, 4, 5].map((n) => `${n} "${record(n)}"`));
  await second.log.close();
});

test("the decision log shows nobody what it says", async () => {
  const dir = await temporaryFolder();
  const { log } = await reopened(dir);
  const long = "olena@example.com ".repeat(50);
  for (const n of [1, 2, 3]) await log.append(`${record(n)} ${long}`);
  expect(await found(log, 2)).toBe(`${record(2)} ${long}`);
  await log.close();
  const written = await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), "utf8")));
  expect(written.join("")).not.toContain("olena");
  const again = await reopened(dir);
  expect(again.records).toEqual([1, 2, 3].map((n) => `${n} "${record(n)} ${long}"`));
  await again.log.close();
});

test("a whole line of the decision log that this sandbox cannot read is refused", async () => {
  const dir = await temporaryFolder();
  const text = `1\t{"order":null}\t{}`;
  await writeFile(join(dir, "000000000001.log"), `${crc32(text).toString(16).padStart(8, "0")}\t${text}\n`);
  const opening = openDecisionLog({
    dir,
    after: 0,
    seal: createLogSeal("secret"),
    sync: true,
    onRecord: ({ text: json }) => void readHead(json),
    onDamage: () => undefined,
  });
  await expect(opening).rejects.toMatchObject({
    code: "storage",
    message: expect.stringContaining("that this sandbox cannot read"),
  });
});

const turn = fc.array(fc.string({ unit: "binary" }), { maxLength: 5 });

test("texts that are sealed together open alone, as those that are sealed alone", () => {
  fc.assert(
    fc.property(turn, turn, fc.boolean(), (first, second, backwards) => {
      const turns = [first, second];
      const { seal, sealAll, open } = createLogSeal("secret");
      const sealed = turns.flatMap((turn) => [...sealAll(turn), ...turn.map(seal)]);
      const expected = turns.flatMap((turn) => [...turn, ...turn]);
      const places = [...sealed.keys()];
      for (const place of backwards ? places.toReversed() : places) {
        const text = expected[place]!;
        expect([text, `${text} `, `${text}  `]).toContain(open(sealed[place]!));
      }
    }),
  );
});

test("a torn or damaged line of the decision log is reported and skipped, and nothing is written behind it", async () => {
  const dir = await temporaryFolder();
  const first = await reopened(dir);
  await Promise.all([1, 2, 3].map((n) => first.log.append(record(n))));
  await first.log.close();
  const [segment] = await readdir(dir);
  const path = join(dir, segment!);
  const text = await readFile(path, "utf8");
  const [, middle] = text.split("\n");
  await writeFile(path, text.replace(middle!, `${middle!.slice(0, -1)}!`));
  await appendFile(path, "0123abcd\t4\ttorn");

  const second = await reopened(dir);
  expect(second.records).toEqual([1, 3].map((n) => `${n} "${record(n)}"`));
  expect(second.damaged).toEqual([path]);
  await second.log.append(record(4));
  await second.log.close();
  expect(await readFile(path, "utf8")).toContain("torn");
  const third = await reopened(dir);
  expect(third.records).toEqual([1, 3, 4].map((n) => `${n} "${record(n)}"`));
  await third.log.close();
});

test("stored answers are those of a list that is searched", () => {
  const put = fc.record({ order: fc.nat(6), later: fc.nat(4) });
  fc.assert(
    fc.property(fc.array(put, { maxLength: 60 }), (puts) => {
      const answers = createStoredAnswers<{ at: number }>(5, [], 4);
      let model: { order: string; answer: { at: number } }[] = [];
      let at = 0;
      for (const { order, later } of puts) {
        at += later;
        const answer = { at };
        answers.keep(`${order}`, answer);
        model = [...model.filter((kept) => kept.order !== `${order}`), { order: `${order}`, answer }];
        model = model.filter((kept) => at - kept.answer.at < 5).slice(-4);
        expect([...answers.entries()]).toEqual(model.map((kept) => [kept.order, kept.answer]));
      }
    }),
  );
});

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;

async function replayCache(dir: string): Promise<ReplayCache> {
  return await openReplayCache({ dir, windowMs: 5 * MINUTE, capacity: 1_000, sync: true });
}

test("the replay cache deletes the files of what is out of the window", async () => {
  const dir = await temporaryFolder();
  const cache = await replayCache(dir);
  await cache.remember("a", NOW, NOW);
  await cache.remember("b", NOW + 7 * MINUTE, NOW + 7 * MINUTE);
  expect((await readdir(dir)).filter((name) => name.endsWith(".seen"))).toHaveLength(1);
  await cache.close();
});

test("a torn fingerprint at the end of a bucket is dropped, and the rest is still known", async () => {
  const dir = await temporaryFolder();
  const cache = await replayCache(dir);
  for (const identity of ["a", "b"]) {
    const remembered = await cache.remember(identity, NOW, NOW);
    if (remembered.state === "new") await remembered.durable;
  }
  await cache.close();
  const [name] = await readdir(dir);
  await appendFile(join(dir, name!), Buffer.from([1, 2, 3]));
  const next = await replayCache(dir);
  const states = [];
  for (const identity of ["a", "b", "c"]) states.push((await next.remember(identity, NOW, NOW)).state);
  expect(states).toEqual(["seen", "seen", "new"]);
  await next.close();
  expect((await readFile(join(dir, name!))).length).toBe(24);
});

test.skipIf(process.platform === "win32").each([`${NOW / MINUTE}.seen`, "floor"])(
  "a FIFO in the place of %s is refused, and nobody waits for its other end",
  async (name) => {
    const dir = await temporaryFolder();
    execFileSync("mkfifo", [join(dir, name)]);
    await expect(replayCache(dir)).rejects.toThrow(`${name} is not a regular file; move it.`);
  },
);
