// verdict run merge: the shards of a replay are one run, with one gate and one set of reports.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunHeader, RunInfo, RunRow, RunTime } from "#src/contract/records/run.ts";
import { Tally } from "#src/replay/tally.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { rowsOf, runResult, runRow, type Verdict } from "../replay/rows.ts";
import { header } from "../storage/run-samples.ts";
import { runsIn } from "../storage/open-runs.ts";
import { homeOfTests } from "./in-process.ts";

describe("verdict run merge", () => {
  const home = homeOfTests();
  let runs: Runs;
  let added = 0;

  async function add(
    rows: readonly RunRow[],
    changes: Partial<RunHeader & Pick<RunInfo, "state">> = {},
    time: RunTime = "recorded",
  ): Promise<string> {
    const { state = "complete", ...more } = changes;
    const id = `a${String((added += 1)).padStart(5, "0")}`;
    const tally = new Tally();
    for (const row of rows) tally.take(row);
    const summary = tally.summary(0, 1_000, rows.length === 0 ? undefined : time);
    await runs.add({ ...header(id), ...more }, rowsOf(rows), () => ({ state, summary }));
    return id;
  }
  const merged = async (
    ids: readonly string[],
    ...more: string[]
  ): Promise<{ code: number; stderr: string; row: Record<string, unknown> }> => {
    const { code, stderr, stdout } = await home.run(["runs", "merge", ...ids, "--json", ...more]);
    return { code, stderr, row: stdout === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>) };
  };

  beforeAll(() => {
    runs = runsIn(join(home.folder, "data"));
  });
  afterAll(async () => {
    await runs.close();
  });

  it("gives the rows and totals of the whole, however it was divided", async () => {
    const verdict = fc.constantFrom<Verdict>("pass", "block", "3ds_or_block", "refused", null);
    const rows = fc.array(fc.tuple(verdict, fc.integer({ min: 1, max: 900 })), {
      minLength: 2,
      maxLength: 40,
    });
    const division = fc.array(fc.nat(3), { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(rows, division, async (drawn, parts) => {
        const all = drawn.map(([kind, latencyMs], index) =>
          kind === null
            ? runRow(index + 1, null)
            : runRow(index + 1, kind, { result: runResult(kind, { latencyMs }) }),
        );
        const ids = [];
        for (const part of [1, 2, 3, 4]) {
          const own = all.filter((_, index) => parts[index] === part - 1);
          ids.push(await add(own, { shard: { part, of: 4 } }));
        }
        const whole = await add(all);
        const { row } = await merged(ids.reverse());
        expect(await Array.fromAsync(runs.rows(String(row.run)))).toEqual(all);
        expect((await runs.find(String(row.run)))!.summary).toEqual((await runs.find(whole))!.summary);
        for (const id of [...ids, whole, String(row.run)]) await runs.remove(id);
      }),
      { numRuns: 8 },
    );
  });

  it("compares the whole, exits by its gates, and writes its reports", async () => {
    const baseline = await add([1, 2, 3, 4].map((seq) => runRow(seq, "pass")));
    const ids = [
      await add([runRow(1, "pass"), runRow(4, "block")], { shard: { part: 1, of: 2 } }),
      await add([runRow(2, "pass"), runRow(3, "pass")], {
        shard: { part: 2, of: 2 },
        at: header("x").at + 500,
      }),
    ];
    const page = join(home.folder, "summary.md");
    const gated = await home.run(
      `runs merge ${ids.join(" ")} --baseline ${baseline} --max-flips 0 --report ${page}`,
    );
    expect(gated).toMatchObject({ code: 8 });
    expect(gated.stderr).toContain("1 verdict changed, and --max-flips allows 0.");
    expect(gated.stdout).toContain("4 compared: 1 changed (25.0 %), 3 unchanged");
    expect(readFileSync(page, "utf8")).toContain("o-4");
    const info = (await runs.list()).find(({ copyOf }) => copyOf?.[0] === ids[0])!;
    // Side by side for half a second.
    expect(info).toMatchObject({ copyOf: ids, baseline, summary: { durationMs: 1_500 } });
    expect(info.shard).toBeUndefined();
    expect(await merged([info.id, ids[0]!], "--max-flips", "1")).toMatchObject({ code: 2 });
  });

  it("claims no time where the shards were decided by different ones", async () => {
    const ids = [await add([runRow(1, "pass")]), await add([runRow(2, "pass")], {}, "now")];
    const { row } = await merged(ids);
    expect((await runs.find(String(row.run)))!.summary).not.toHaveProperty("time");
  });

  it("is partial while a shard is missing, or one of them is partial", async () => {
    const one = await add([runRow(1, "pass")], { shard: { part: 1, of: 3 } });
    const two = await add([runRow(2, "pass")], { shard: { part: 2, of: 3 } });
    const missing = await merged([one, two]);
    expect(missing.code).toBe(6);
    expect(missing.stderr).toContain("No run is of shard 3");
    const three = await add([], { shard: { part: 3, of: 3 }, state: "partial" });
    expect((await merged([one, two, three])).code).toBe(6);
    const empty = await add([], { shard: { part: 3, of: 3 } });
    expect((await merged([one, two, empty])).code).toBe(0);
  });

  it("says that a file of verdicts is of another division, and writes of how many shards it is", async () => {
    const lock = join(home.folder, "shards.lock");
    const rows = [runRow(1, "pass"), runRow(2, "pass")];
    const shards = [
      await add([rows[0]!], { shard: { part: 1, of: 2 } }),
      await add([rows[1]!], { shard: { part: 2, of: 2 } }),
    ];
    const wholes = [await add([rows[0]!]), await add([rows[1]!])];
    const said = "counts only its own payments";
    expect((await merged(wholes, "--golden", lock, "--update")).stderr).not.toContain(said);
    const other = await merged(shards, "--golden", lock);
    expect(other.stderr).toContain("is of a whole replay, and this run of 2 shards: ");
    expect((await home.run(["compare", lock, String(other.row.run)])).stderr).toContain(said);
    expect((await merged(shards, "--golden", lock, "--update")).code).toBe(0);
    expect(readFileSync(lock, "utf8")).toMatch(/^# .*; 2 shards\n/);
    expect((await merged(shards, "--golden", lock)).stderr).not.toContain(said);
    expect((await merged(wholes, "--golden", lock)).stderr).toContain(
      "is of 2 shards, and this run of a whole",
    );
  });

  it.each([
    ["", 6],
    ["--min-answered 100%", 8],
    ["--min-answered 0%", 8],
    ["--max-p95 1h", 6],
    ["--max-p95 1h --min-answered 1", 8],
  ])(
    "never ends well with %j while a shard is missing, nor does what is asked of it later",
    async (words, code) => {
      const gates = words === "" ? [] : words.split(" ");
      const ids = [
        await add([runRow(1, "pass")], { shard: { part: 1, of: 3 } }),
        await add([runRow(2, "pass")], { shard: { part: 3, of: 3 } }),
      ];
      const report = join(home.folder, `missing-${added}.xml`);
      const {
        code: ended,
        stderr,
        stdout,
      } = await home.run(["runs", "merge", ...ids, "--report", `junit=${report}`, "-q", ...gates]);
      expect(ended).toBe(code);
      expect(stderr).toContain("No run is of shard 2; its items are missing from the totals.");
      expect(stdout).toContain("Not finished:");
      const [, id = ""] = /Run: (\S+),/.exec(stdout)!;
      const suite = readFileSync(report, "utf8");
      expect(suite).toContain(`failures="${code === 8 ? 2 : 1}"`);
      expect(suite).toMatch(/<testcase name="missing items"[^>]*>\s*<failure /);
      const whole = await add([runRow(1, "pass"), runRow(2, "pass"), runRow(3, "pass")]);
      expect((await home.run(["compare", whole, id, ...gates])).code).toBe(code);
      expect((await home.run(["runs", "show", id, ...gates])).code).toBe(words === "" ? 0 : code);
    },
  );

  it.each<[string, Partial<RunHeader>, readonly RunRow[], RegExp]>([
    ["other sources", { sources: ["night.ndjson"] }, [runRow(2, "pass")], /different sources/],
    ["other rules", { isolated: "new.yaml" }, [runRow(2, "pass")], /different rules/],
    ["another project", { project: "shop/high" }, [runRow(2, "pass")], /different projects/],
    [
      "another number of shards",
      { shard: { part: 2, of: 3 } },
      [runRow(2, "pass")],
      /different numbers of shards/,
    ],
    ["an item with another verdict", {}, [runRow(1, "block")], /Item o-1 has different content in two/],
    [
      "an item at another place",
      {},
      [runRow(2, "pass", { key: "o-1" })],
      /Item o-1 has different content in two/,
    ],
  ])("refuses %s, and leaves nothing", async (_what, changes, rows, reason) => {
    const ids = [await add([runRow(1, "pass")]), await add(rows, changes)];
    const before = (await runs.list()).length;
    const { code, stderr } = await merged(ids);
    expect(stderr).toMatch(reason);
    expect(code).toBe(2);
    expect(await runs.list()).toHaveLength(before);
    expect((await merged([ids[0]!])).stderr).toContain("two or more");
  });

  it("takes an item that two have with the same content once", async () => {
    const ids = [
      await add([runRow(1, "pass"), runRow(2, "block")]),
      await add([runRow(2, "block"), runRow(3, "pass")]),
    ];
    expect(await merged(ids)).toMatchObject({ code: 0, row: { total: 3, pass: 2, block: 1 } });
  });
});
