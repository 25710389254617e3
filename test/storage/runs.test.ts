// Runs on disk: nothing that may have left is ever sent again, wherever the journal is cut.

import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import type { Outcome } from "#src/contract/wire/outcome.ts";
import type { RunHeader, RunItem, RunResult, RunRow, RunSummary } from "#src/contract/records/run.ts";
import { openRuns, type RunJournal, type Runs } from "#src/storage/database/runs.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function open(dir = temporaryFolder()): { runs: Runs; dir: string; time: { now: number } } {
  const time = { now: Date.UTC(2026, 0, 2) };
  return { runs: openRuns({ dir, now: () => (time.now += 1) }), dir, time };
}

function header(id: string): RunHeader {
  return {
    id,
    at: Date.UTC(2026, 0, 2),
    profile: "sandbox",
    project: "shop/low",
    amountUnit: "minor",
    sources: ["day.ndjson"],
    baseline: null,
    freshOrderIds: false,
  };
}

function item(seq: number, changes: Partial<RunItem> = {}): RunItem {
  return {
    seq,
    key: `o-${seq}`,
    origin: `day.ndjson:${seq}`,
    request: { operation: "payment", order_id: `o-${seq}`, amount: 100 + seq, currency: 980 },
    expect: null,
    tags: [],
    was: null,
    ...changes,
  };
}

function result(outcome: Outcome = "answered", changes: Partial<RunResult> = {}): RunResult {
  return {
    outcome,
    recommendation: outcome === "answered" ? "pass" : null,
    message: null,
    reason: null,
    explanation: "It was so.",
    httpStatus: 200,
    latencyMs: 12.5,
    attempts: 1,
    decisionId: null,
    ...changes,
  };
}

const SUMMARY: RunSummary = {
  counts: { total: 2, pass: 1, block: 0, threeDs: 0, indeterminate: 0, refused: 0, unknown: 1, notSent: 0 },
  rejected: 3,
  expectationsFailed: 0,
  latencies: { p50: 1, p95: 2, p99: 3, max: 4 },
  ratePerS: 10,
  durationMs: 200,
};

async function collect(rows: AsyncIterable<RunRow>): Promise<RunRow[]> {
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** A run that lost its process: nothing is finished or given back but the lock, as the kernel's view of a dead owner is. */
async function begun(runs: Runs, id: string): Promise<RunJournal> {
  const journal = await runs.create(header(id));
  onTestFinished(() => journal.close());
  return journal;
}

describe("a run", () => {
  it("is read back in the order in which its items were settled, those without an outcome last", async () => {
    const { runs } = open();
    const journal = await begun(runs, "a1");
    for (const seq of [1, 2, 3]) await journal.intend(item(seq), 1_000 + seq);
    await journal.settle(3, result());
    await journal.settle(1, result("unknown"));
    expect(await collect(runs.rows("a1"))).toEqual([
      { ...item(3), at: 1_003, result: result() },
      { ...item(1), at: 1_001, result: result("unknown") },
      { ...item(2), at: 1_002, result: null },
    ]);
    expect(await runs.find("a1")).toEqual({ ...header("a1"), state: "partial", summary: null });
    await journal.finish("complete", SUMMARY);
    expect(await runs.find("a1")).toEqual({ ...header("a1"), state: "complete", summary: SUMMARY });
  });

  it("is found by its id, the beginning of it, or as the last one", async () => {
    const { runs } = open();
    expect(await runs.find("last")).toBeNull();
    for (const id of ["b1x", "b2y", "c3z"]) await (await begun(runs, id)).close();
    expect((await runs.list()).map(({ id }) => id)).toEqual(["c3z", "b2y", "b1x"]);
    expect((await runs.find("b1"))?.id).toBe("b1x");
    expect((await runs.find("last"))?.id).toBe("c3z");
    expect(await runs.find("d")).toBeNull();
    expect(await runs.find("../b1x")).toBeNull();
    await expect(runs.find("b")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("2 runs"),
    });
  });

  it("belongs to its account alone, whatever the umask", async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const { runs, dir } = open(join(temporaryFolder(), "runs"));
    const journal = await begun(runs, "a1");
    await journal.intend(item(1), 1);
    expect(statSync(join(dir, "a1")).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(join(dir, "a1"))) {
      expect({ name, mode: statSync(join(dir, "a1", name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    }
  });

  it("is removed as a whole, and only when nobody writes to it", async () => {
    const { runs, dir } = open();
    const journal = await begun(runs, "a1");
    await expect(runs.remove("a1")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("in use"),
    });
    await journal.close();
    await runs.remove("a1");
    expect(await runs.list()).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
    await expect(runs.remove("a1")).rejects.toMatchObject({ code: "usage" });
  });

  it("refuses card data, and leaves out card numbers that a service echoes", async () => {
    const { runs, dir } = open();
    const journal = await begun(runs, "a1");
    const number = ["4111", "1111", "1111", "1111"].join("");
    const bad = item(1, { request: { ...item(1).request, description: number } });
    await expect(journal.intend(bad, 1)).rejects.toMatchObject({ code: "bad_input" });
    await journal.intend(item(1), 1);
    await journal.settle(1, result("answered", { message: `for ${number}` }));
    const [row] = await collect(runs.rows("a1"));
    expect(row?.result).toMatchObject({
      recommendation: "pass",
      message: expect.stringContaining("left out"),
    });
    for (const name of readdirSync(join(dir, "a1"))) {
      expect(readFileSync(join(dir, "a1", name), "utf8")).not.toContain(number);
    }
  });

  it("makes many intents durable with few writes", async () => {
    const { runs } = open();
    const journal = await begun(runs, "a1");
    await Promise.all(Array.from({ length: 2_000 }, (_, index) => journal.intend(item(index + 1), 1)));
    expect(await collect(runs.rows("a1"))).toHaveLength(2_000);
  });
});

describe("a continued run", () => {
  it("knows what must not be sent again, and hands it over once", async () => {
    const { runs } = open();
    const first = await begun(runs, "a1");
    for (const seq of [1, 2, 3, 4, 5]) await first.intend(item(seq), 10);
    await first.settle(1, result());
    await first.settle(2, result("not_sent"));
    await first.settle(3, result("unknown"));
    await first.withdraw([5]);
    await first.finish("partial", SUMMARY);
    await first.close();

    const rows: RunRow[] = [];
    const second = await runs.resume("a1", (row) => rows.push(row));
    onTestFinished(() => second.close());
    expect([1, 2, 3, 4, 5, 6].map((seq) => second.alreadySent(seq))).toEqual([
      true,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(rows.map(({ seq }) => seq)).toEqual([1, 3, 4]);
    expect(second).toMatchObject({ sentBefore: 3, highest: 5, rejected: 3, durationMs: 200 });

    await second.intend(item(2), 20);
    await second.settle(2, result());
    await second.intend(item(5), 20);
    await second.settle(5, result("not_sent"));
    const read = await collect(runs.rows("a1"));
    expect(read.map((row) => [row.seq, row.result?.outcome ?? null])).toEqual([
      [1, "answered"],
      [3, "unknown"],
      [2, "answered"],
      [5, "not_sent"],
      [4, null],
    ]);
  });

  it("refuses a source that changed, naming the item", async () => {
    const { runs } = open();
    const first = await begun(runs, "a1");
    await first.intend(item(1), 1);
    await first.close();
    const second = await runs.resume("a1");
    onTestFinished(() => second.close());
    expect(() => second.expectSame(item(1, { origin: "elsewhere:1", tags: ["x"] }))).not.toThrow();
    const changed = item(1, { request: { ...item(1).request, amount: 999 } });
    expect(() => second.expectSame(changed)).toThrow(
      /^Item 1 of the sources is not what the run sent; day\.ndjson:1 /,
    );
    expect(() => second.expectSame(item(1, { key: "other" }))).toThrow(/not what the run sent/);
  });

  it("is refused when it is complete, unknown, or in use", async () => {
    const { runs } = open();
    const first = await begun(runs, "a1");
    await expect(runs.resume("a1")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("in use"),
    });
    await first.finish("complete", SUMMARY);
    await first.close();
    await expect(runs.resume("a1")).rejects.toMatchObject({
      message: expect.stringContaining("is complete"),
    });
    await expect(runs.resume("zz")).rejects.toMatchObject({ message: expect.stringContaining("no run") });
  });

  it("is read in the right order even when the clock was set back", async () => {
    const { runs, time } = open();
    const first = await begun(runs, "a1");
    await first.intend(item(1), 1);
    await first.settle(1, result("not_sent"));
    await first.close();
    time.now -= 3_600_000;
    const second = await runs.resume("a1");
    await second.intend(item(1), 2);
    await second.settle(1, result());
    await second.close();
    expect((await collect(runs.rows("a1"))).map((row) => row.result?.outcome)).toEqual(["answered"]);
  });

  it("never sends a thing twice, wherever a crash cut the journal", async () => {
    const { runs, dir } = open();
    const journal = await begun(runs, "a1");
    const acknowledged: { readonly bytes: number; readonly seq: number }[] = [];
    const segment = (): string =>
      join(
        dir,
        "a1",
        readdirSync(join(dir, "a1")).find((name) => name.endsWith(".jsonl"))!,
      );
    for (let seq = 1; seq <= 12; seq += 1) {
      await journal.intend(item(seq), seq);
      acknowledged.push({ bytes: statSync(segment()).size, seq });
      if (seq % 3 === 0) await journal.settle(seq - 1, result());
    }
    await journal.close();
    const whole = statSync(segment()).size;
    const name = segment().slice(join(dir, "a1").length + 1);

    const cuts = Array.from({ length: Math.ceil(whole / 37) + 1 }, (_, index) => Math.min(whole, index * 37));
    for (const cut of [...cuts, ...acknowledged.map(({ bytes }) => bytes)]) {
      const copy = temporaryFolder();
      cpSync(join(dir, "a1"), join(copy, "a1"), { recursive: true });
      truncateSync(join(copy, "a1", name), cut);
      const sent = acknowledged.filter(({ bytes }) => bytes <= cut).map(({ seq }) => seq);
      const again = open(copy);
      if ((await again.runs.find("a1")) === null) {
        expect(sent).toEqual([]);
        continue;
      }
      const resumed = await again.runs.resume("a1");
      for (const seq of sent)
        expect({ cut, seq, sent: resumed.alreadySent(seq) }).toEqual({ cut, seq, sent: true });
      // The rest goes on, behind a line that may be torn.
      for (let seq = 1; seq <= 12; seq += 1) {
        if (resumed.alreadySent(seq)) continue;
        await resumed.intend(item(seq), 100);
        await resumed.settle(seq, result());
      }
      await resumed.finish("complete", SUMMARY);
      await resumed.close();
      const rows = await collect(again.runs.rows("a1"));
      expect(rows.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 12 }, (_, n) => n + 1),
      );
    }
  }, 60_000);

  it("takes items whose records are damaged for sent, keeps the bytes and says so", async () => {
    const { runs, dir } = open();
    const first = await begun(runs, "a1");
    for (const seq of [1, 2, 3]) await first.intend(item(seq), seq);
    await first.close();
    const folder = join(dir, "a1");
    const path = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith(".jsonl"))!,
    );
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('"key":"o-2"', '"key":"o-9"'));
    const second = await runs.resume("a1");
    onTestFinished(() => second.close());
    expect([1, 2, 3].map((seq) => second.alreadySent(seq))).toEqual([true, true, true]);
    expect(runs.problems.map(({ message }) => message)).toEqual([expect.stringContaining("damaged bytes")]);
    expect(readdirSync(join(folder, "quarantine"))).toHaveLength(1);
  });

  it("agrees with a simple model after any sequence of sessions", async () => {
    const sessions = fc.array(
      fc.record({
        results: fc.array(
          fc.constantFrom<Outcome | null>("answered", "unknown", "not_sent", "refused", null),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        torn: fc.boolean(),
        finished: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(sessions, async (all) => {
        const { runs, dir } = open();
        const model = new Map<number, Outcome | null>();
        let known = 0;
        for (const [index, session] of all.entries()) {
          const journal = index === 0 ? await runs.create(header("a1")) : await runs.resume("a1");
          for (let seq = 1; seq <= known; seq += 1) {
            expect(journal.alreadySent(seq)).toBe(model.get(seq) !== "not_sent");
          }
          const due = Array.from({ length: known }, (_, n) => n + 1).filter(
            (seq) => !journal.alreadySent(seq),
          );
          for (const outcome of session.results) {
            const seq = due.shift() ?? (known += 1);
            await journal.intend(item(seq), 1);
            model.set(seq, outcome);
            if (outcome !== null) await journal.settle(seq, result(outcome));
          }
          if (session.finished) await journal.finish("partial", SUMMARY);
          await journal.close();
          if (session.torn) {
            const folder = join(dir, "a1");
            const segment = readdirSync(folder)
              .filter((name) => name.endsWith(".jsonl"))
              .sort()
              .at(-1)!;
            appendFileSync(join(folder, segment), '{"c":"0000');
          }
        }
        const rows = await collect(runs.rows("a1"));
        expect(new Map(rows.map((row) => [row.seq, row.result?.outcome ?? null]))).toEqual(model);
        expect(rows).toHaveLength(model.size);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

describe("a folder that cannot be used", () => {
  it.skipIf(process.geteuid?.() === 0)("stops a run before its first item", async () => {
    const dir = temporaryFolder();
    chmodSync(dir, 0o500);
    onTestFinished(() => chmodSync(dir, 0o700));
    await expect(open(dir).runs.create(header("a1"))).rejects.toMatchObject({ code: "storage" });
  });

  it("without a header is no run: its first record never reached the disk", async () => {
    const { runs, dir } = open();
    mkdirSync(join(dir, "a1"));
    expect(await runs.list()).toEqual([]);
    expect(await runs.find("a1")).toBeNull();
    expect(existsSync(join(dir, "a1"))).toBe(true);
  });
});
