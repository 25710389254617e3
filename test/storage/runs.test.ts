// Runs on disk: nothing that may have left is ever sent again, wherever a crash or damage met the database.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import type { Outcome } from "#src/contract/wire/outcome.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import type { OpenRun, Runs, RunsOptions } from "#src/storage/database/runs.ts";
import { startChild } from "./child.ts";
import { runsIn } from "./open-runs.ts";
import { forbidWriting } from "./read-only-folder.ts";
import { dueOf, header, item, items, result, rowsOf, SUMMARY } from "./run-samples.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function open(
  dir = temporaryFolder(),
  options: Partial<RunsOptions> = {},
): { runs: Runs; dir: string; time: { now: number } } {
  const time = { now: Date.UTC(2026, 0, 2) };
  const runs = runsIn(dir, { now: () => (time.now += 1), ...options });
  onTestFinished(() => runs.close());
  return { runs, dir, time };
}

/** A run that lost its process: nothing is finished or given back but the lock, as the kernel's view of a dead owner is. */
async function begun(runs: Runs, id: string): Promise<OpenRun> {
  const journal = await runs.create(header(id));
  onTestFinished(() => journal.close());
  return journal;
}

/** Everything that lies in the folder, read while no connection of this process is open. */
function bytesIn(dir: string): string {
  return readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), "latin1"))
    .join("");
}

describe.each([undefined, "writes", "everything"] as const)("a run, with %s in a worker", (inWorker) => {
  it("is read back in the order of the sources", async () => {
    const { runs } = open(temporaryFolder(), inWorker === undefined ? {} : { inWorker });
    const journal = await begun(runs, "a1");
    for (const seq of [1, 2, 3]) await journal.intend(item(seq), 1_000 + seq);
    await journal.settle(3, result());
    await journal.settle(1, result("unknown"));
    expect(await rowsOf(runs, "a1")).toEqual([
      { ...item(1), at: 1_001, result: result("unknown") },
      { ...item(2), at: 1_002, result: null },
      { ...item(3), at: 1_003, result: result() },
    ]);
    expect(await runs.find("a1")).toEqual({ ...header("a1"), state: "partial", summary: null });
    await journal.finish("complete", SUMMARY);
    expect(await runs.find("a1")).toEqual({ ...header("a1"), state: "complete", summary: SUMMARY });
  });

  it("knows what must not be sent again, and hands it over once", async () => {
    const { runs } = open(temporaryFolder(), inWorker === undefined ? {} : { inWorker });
    const first = await begun(runs, "a1");
    for (const seq of [1, 2, 3, 4, 5]) await first.intend(item(seq), 10);
    await first.settle(1, result());
    await first.settle(2, result("not_sent"));
    await first.settle(3, result("unknown"));
    await first.withdraw([5]);
    await first.finish("partial", SUMMARY);
    await first.close();

    const rows: RunRow[] = [];
    const second = await runs.resume("a1", async (page) => void rows.push(...page));
    onTestFinished(() => second.close());
    expect(await dueOf(second, 6)).toEqual([2, 5, 6]);
    expect(rows.map(({ seq }) => seq)).toEqual([1, 3, 4]);
    expect(second).toMatchObject({ sentBefore: 3, highest: 5, rejected: 3, durationMs: 200 });

    await second.intend(item(2), 20);
    expect(await dueOf(second, 6)).toEqual([5, 6]);
    await second.settle(2, result());
    await second.intend(item(5), 20);
    await second.settle(5, result("not_sent"));
    expect((await rowsOf(runs, "a1")).map((row) => [row.seq, row.result?.outcome ?? null])).toEqual([
      [1, "answered"],
      [2, "answered"],
      [3, "unknown"],
      [4, null],
      [5, "not_sent"],
    ]);
  });

  it("is still read by a reader that began before the end", async () => {
    const { runs } = open(temporaryFolder(), inWorker === undefined ? {} : { inWorker });
    await (await begun(runs, "a1")).close();
    const reading = [runs.list(), runs.list()];
    await runs.close();
    for (const listed of await Promise.all(reading)) expect(listed.map(({ id }) => id)).toEqual(["a1"]);
  });
});

describe("a run", () => {
  it("is found by its id, the beginning of it, or as the last one", async () => {
    const { runs } = open();
    expect(await runs.find("last")).toBeNull();
    for (const id of ["b1x", "b2y", "c3z"]) await (await begun(runs, id)).close();
    expect((await runs.list()).map(({ id }) => id)).toEqual(["c3z", "b2y", "b1x"]);
    expect((await runs.find("b1"))?.id).toBe("b1x");
    expect((await runs.find("last"))?.id).toBe("c3z");
    expect([await runs.find("d"), await runs.find(""), await runs.find("../b1x")]).toEqual([
      null,
      null,
      null,
    ]);
    await expect(runs.find("b")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("2 runs"),
    });
  });

  it("is not created by a look at it", async () => {
    const { runs, dir } = open();
    expect([await runs.list(), await runs.find("last"), await rowsOf(runs, "a1")]).toEqual([[], null, []]);
    await expect(runs.resume("a1")).rejects.toMatchObject({ code: "usage" });
    expect(readdirSync(dir)).toEqual([]);
  });

  it("belongs to its account alone, whatever the umask", async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const { runs, dir } = open(join(temporaryFolder(), "data"));
    const journal = await begun(runs, "a1");
    await journal.intend(item(1), 1);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) {
      expect({ name, mode: statSync(join(dir, name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    }
  });

  it("is removed for good, and only when nobody writes to it", async () => {
    const { runs, dir } = open();
    await (await begun(runs, "a0")).close();
    const journal = await begun(runs, "a1");
    await Promise.all(items(2_000).map((each) => journal.intend(each, 1)));
    await expect(runs.remove("a1")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("in use"),
    });
    await journal.close();
    await runs.remove("a1");
    expect((await runs.list()).map(({ id }) => id)).toEqual(["a0"]);
    expect(await rowsOf(runs, "a1")).toEqual([]);
    await expect(runs.remove("a1")).rejects.toMatchObject({ code: "usage" });
    await runs.close();
    expect(bytesIn(dir)).not.toContain("o-1999");
  });

  it("refuses card data, and leaves out card numbers that a service echoes", async () => {
    const { runs, dir } = open();
    const journal = await begun(runs, "a1");
    const number = ["4111", "1111", "1111", "1111"].join("");
    const bad = item(1, { request: { ...item(1).request, description: number } });
    await expect(journal.intend(bad, 1)).rejects.toMatchObject({ code: "bad_input" });
    await journal.intend(item(1), 1);
    await journal.settle(1, result("answered", { message: `for ${number}` }));
    const [row] = await rowsOf(runs, "a1");
    expect(row?.result).toMatchObject({
      recommendation: "pass",
      message: expect.stringContaining("left out"),
    });
    await journal.close();
    await runs.close();
    expect(bytesIn(dir)).not.toContain(number);
  });

  it("makes many intents durable with few transactions", async () => {
    const { runs, dir } = open();
    const journal = await begun(runs, "a1");
    await Promise.all(items(2_000).map((each) => journal.intend(each, 1)));
    expect(await rowsOf(runs, "a1")).toHaveLength(2_000);
    // A transaction of its own for each would take two pages of 4 KiB and more.
    expect(statSync(join(dir, "runs.db-wal")).size).toBeLessThan(2_000 * 4_096);
  });
});

describe("a continued run", () => {
  it("refuses a source that changed, naming the item", async () => {
    const { runs } = open();
    const first = await begun(runs, "a1");
    await first.intend(item(1), 1);
    await first.close();
    const second = await runs.resume("a1");
    onTestFinished(() => second.close());
    expect(await second.findSent([item(1, { origin: "elsewhere:1", tags: ["x"] })])).toEqual(new Set([1]));
    const changed = item(1, { request: { ...item(1).request, amount: 999 } });
    await expect(second.findSent([changed])).rejects.toThrow(
      /^day\.ndjson:1 has changed since the run, which sent another item 1; /,
    );
    await expect(second.findSent([item(1, { key: "other" })])).rejects.toThrow(/sent another item/);
  });

  it("sends what was never intended, also below the last item that was", async () => {
    const { runs } = open();
    const first = await begun(runs, "a1");
    for (const seq of [5, 2]) await first.intend(item(seq), seq);
    await first.close();
    const second = await runs.resume("a1");
    onTestFinished(() => second.close());
    expect(await second.findSent([1, 2, 3, 4, 5, 6].map((seq) => item(seq)))).toEqual(new Set([2, 5]));
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
    // Each of the refusals has given the run back.
    await runs.remove("a1");
  });

  it("sends a refused item once more, and not again where that may have been decided", async () => {
    const { runs } = open();
    const first = await begun(runs, "a1");
    await first.intend(item(1), 1);
    await first.settle(1, { ...result("refused"), httpStatus: 503, decisionId: null });
    // As builds did that counted no undecided items.
    await first.finish("complete", { ...SUMMARY, counts: { ...SUMMARY.counts, refused: 1 } });
    await first.close();
    const second = await runs.resume("a1");
    expect(await second.findSent([item(1)])).toEqual(new Set());
    await second.intend(item(1), 2);
    // Its process is lost here.
    await second.close();
    const third = await runs.resume("a1");
    onTestFinished(() => third.close());
    expect(await third.findSent([item(1)])).toEqual(new Set([1]));
  });

  it("counts the time of a session that lost its process up to its last intent", async () => {
    const { runs, time } = open();
    const first = await begun(runs, "a1");
    const began = time.now;
    await first.intend(item(1), began + 700);
    await first.close();
    const second = await runs.resume("a1");
    expect(second.durationMs).toBe(700);
    await second.finish("partial", { ...SUMMARY, durationMs: 900 });
    await second.close();
    const third = await runs.resume("a1");
    expect(third.durationMs).toBe(900);
    await third.close();
  });

  it("never sends a thing twice, wherever a crash cut the log", async () => {
    const dir = temporaryFolder();
    const child = startChild("write-run", dir, "a1", "12", "log");
    expect(await child.ended, child.errors()).toBeNull();
    const acknowledged = child.lines
      .map((line) => line.split(" "))
      .filter(([step]) => step === "intent")
      .map(([, seq, bytes]) => ({ seq: Number(seq), bytes: Number(bytes) }));
    expect(acknowledged).toHaveLength(12);
    const whole = statSync(join(dir, "runs.db-wal")).size;
    const cuts = Array.from({ length: Math.ceil(whole / 997) }, (_, index) => index * 997);
    for (const cut of [...cuts, ...acknowledged.map(({ bytes }) => bytes), whole]) {
      const copy = temporaryFolder();
      for (const name of ["runs.db", "runs.db-wal"]) cpSync(join(dir, name), join(copy, name));
      truncateSync(join(copy, "runs.db-wal"), cut);
      const sent = acknowledged.filter(({ bytes }) => bytes <= cut).map(({ seq }) => seq);
      const again = open(copy);
      if ((await again.runs.find("a1")) === null) {
        expect(sent).toEqual([]);
        continue;
      }
      const resumed = await again.runs.resume("a1");
      const due = await dueOf(resumed, 12);
      // The seventh certainly never left.
      const twice = due.filter((seq) => sent.includes(seq) && seq !== 7);
      expect({ cut, twice: twice }).toEqual({ cut, twice: [] });
      for (const seq of due) {
        await resumed.intend(item(seq), 100);
        await resumed.settle(seq, result());
      }
      await resumed.finish("complete", SUMMARY);
      await resumed.close();
      expect((await rowsOf(again.runs, "a1")).map(({ seq }) => seq)).toEqual(items(12).map(({ seq }) => seq));
      await again.runs.close();
    }
  });

  it("agrees with a simple model after any sequence of sessions", async () => {
    const outcomes = fc.constantFrom<Outcome | "withdrawn" | null>(
      "answered",
      "unknown",
      "not_sent",
      "refused",
      "withdrawn",
      null,
    );
    const sessions = fc.array(
      fc.record({ results: fc.array(outcomes, { minLength: 1, maxLength: 6 }), finished: fc.boolean() }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(sessions, async (all) => {
        const runs = runsIn(temporaryFolder());
        const model = new Map<number, Outcome | "withdrawn" | null>();
        const neverLeft = (): number[] =>
          [...model]
            .filter(([, outcome]) => outcome === "not_sent" || outcome === "withdrawn")
            .map(([seq]) => seq)
            .toSorted((a, b) => a - b);
        let known = 0;
        for (const [index, session] of all.entries()) {
          const handed: number[] = [];
          const journal =
            index === 0
              ? await runs.create(header("a1"))
              : await runs.resume("a1", async (page) => void handed.push(...page.map(({ seq }) => seq)));
          const due = await dueOf(journal, known);
          expect(due).toEqual(neverLeft());
          if (index > 0) expect(handed).toHaveLength(known - due.length);
          expect(journal).toMatchObject({ highest: known, sentBefore: known - due.length });
          for (const outcome of session.results) {
            const seq = due.shift() ?? (known += 1);
            await journal.intend(item(seq), 1);
            model.set(seq, outcome);
            if (outcome === "withdrawn") await journal.withdraw([seq]);
            else if (outcome !== null) await journal.settle(seq, result(outcome));
          }
          if (session.finished) await journal.finish("partial", SUMMARY);
          await journal.close();
        }
        const rows = await rowsOf(runs, "a1");
        const kept = [...model].filter(([, outcome]) => outcome !== "withdrawn");
        expect(new Map(rows.map((row) => [row.seq, row.result?.outcome ?? null]))).toEqual(new Map(kept));
        expect(rows).toHaveLength(kept.length);
        await runs.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe("a damaged database", () => {
  /** Item 3n was answered, 3n + 1 was certainly not sent, 3n + 2 lost its process. Closed, so that its bytes may be changed. */
  async function written(
    count: number,
  ): Promise<{ dir: string; path: string; rows: RunRow[]; due: number[] }> {
    const { runs, dir } = open();
    const journal = await runs.create(header("a1"));
    for (const each of items(count)) {
      await journal.intend(each, each.seq);
      if (each.seq % 3 !== 2)
        await journal.settle(each.seq, result(each.seq % 3 === 0 ? "answered" : "not_sent"));
    }
    await journal.finish("partial", SUMMARY);
    const [rows, due] = [await rowsOf(runs, "a1"), items(count).filter(({ seq }) => seq % 3 === 1)];
    await journal.close();
    await runs.close();
    return { dir, path: join(dir, "runs.db"), rows, due: due.map(({ seq }) => seq) };
  }

  it("never gives back another payment or outcome, and lets no item be sent twice, whichever bit is flipped", async () => {
    const { dir, path, rows, due } = await written(30);
    const good = readFileSync(path);
    const pages = Array.from({ length: good.length / 4_096 }, (_, page) => page * 4_096);
    // Where an inner page of a table points to its last part, which a flip may turn into a circle.
    const pointers = pages.filter((page) => good[page] === 5).map((page) => page + 11);
    const examples = pointers.flatMap((at) => [0, 1, 2, 3].map((bit): [number, number] => [at, bit]));
    expect(examples).not.toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), async (at, bit) => {
        const bad = Buffer.from(good);
        bad[at]! ^= 1 << bit;
        writeFileSync(path, bad);
        const runs = runsIn(dir);
        try {
          for (const row of await rowsOf(runs, "a1")) {
            const { result: outcome, ...sent } = rows[row.seq - 1]!;
            const { result: found, ...read } = row;
            expect(read).toEqual(sent);
            // An outcome that cannot be read any more is unknown.
            if (found !== null) expect(found).toEqual(outcome);
          }
          const journal = await runs.resume("a1");
          try {
            const again = await dueOf(journal, rows.length);
            expect(again.filter((seq) => !due.includes(seq))).toEqual([]);
          } finally {
            await journal.close();
          }
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          expect(["corrupt", "storage", "usage"]).toContain(error.code);
        } finally {
          await runs.close();
        }
      }),
      { numRuns: 150, examples },
    );
  });

  it("takes items whose intent or outcome is damaged for sent, and says so", async () => {
    const { dir, path } = await written(9);
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('"key":"o-4"') + 8]! ^= 1;
    const outcome = bytes.lastIndexOf('"not_sent"');
    bytes[outcome + 2]! ^= 1;
    writeFileSync(path, bytes);
    const { runs } = open(dir);
    const journal = await runs.resume("a1");
    onTestFinished(() => journal.close());
    const due = await dueOf(journal, 9);
    expect(due).toHaveLength(1);
    expect(due).not.toContain(4);
    expect(runs.problems.map(({ message }) => message).toSorted()).toEqual([
      "Item 4 of run a1 is damaged and left out; it is not sent again.",
      expect.stringMatching(/^The comparison data of item [17] of run a1 was damaged; verdict repaired it/),
      expect.stringMatching(/^The outcome of item [17] of run a1 is damaged and counts as unknown\.$/),
    ]);
    expect(await rowsOf(runs, "a1")).toHaveLength(8);
  });

  it("mends what comparisons read of an item when its row is read, and says so", async () => {
    const { dir, path } = await written(3);
    const bytes = readFileSync(path);
    // Key, amount 103, currency 980, verdict.
    const facts = bytes.indexOf(Buffer.from("o-3g\u0003\u00d4pass", "latin1"));
    expect(facts).toBeGreaterThan(0);
    bytes[facts + 2]! ^= 4;
    writeFileSync(path, bytes);
    const { runs } = open(dir);
    expect((await runs.earlier("a1", ["o-3"]))[0]).toBeNull();
    await rowsOf(runs, "a1");
    expect(runs.problems.map(({ message }) => message)).toEqual([
      "The comparison data of item 3 of run a1 was damaged; verdict repaired it. Compare the runs again.",
    ]);
    await runs.close();
    const again = open(dir).runs;
    expect((await again.earlier("a1", ["o-3"]))[0]).toMatchObject({ verdict: "pass" });
    await rowsOf(again, "a1");
    expect(again.problems).toEqual([]);
  });

  it("leaves out a run whose header is damaged, and goes on with the others", async () => {
    const { dir, path } = await written(3);
    const bytes = readFileSync(path);
    bytes[bytes.indexOf('"day.ndjson"') + 2]! ^= 1;
    writeFileSync(path, bytes);
    const { runs } = open(dir);
    expect(await runs.list()).toEqual([]);
    expect(runs.problems).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^Run a1 is damaged and left out; restore it /),
      }),
    ]);
    await expect(runs.create(header("a1"))).rejects.toMatchObject({ code: "corrupt" });
    await (await runs.create(header("b2"))).close();
    expect((await runs.list()).map(({ id }) => id)).toEqual(["b2"]);
  });
});

describe("a place that cannot be used", () => {
  it("stops a run before its first item", async () => {
    const dir = temporaryFolder();
    forbidWriting(dir);
    await expect(open(dir).runs.create(header("a1"))).rejects.toMatchObject({ code: "storage" });
  });

  it.each([
    ["a folder", (path: string) => mkdirSync(path), "is a folder"],
    ["a FIFO", (path: string) => execFileSync("mkfifo", [path]), "is not a regular file"],
    [
      "other text",
      (path: string) => writeFileSync(path, "text ".repeat(99)),
      "is damaged; restore it from a backup",
    ],
  ])("%s is refused at once", async (_what, make, said) => {
    const dir = temporaryFolder();
    make(join(dir, "runs.db"));
    await expect(open(dir).runs.list()).rejects.toThrow(said);
    await expect(open(dir).runs.create(header("a1"))).rejects.toThrow(said);
  });
});
