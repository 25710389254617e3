import { CARRIED, type Comparison } from "#src/contract/records/flip.ts";
import { beforeEach, expect, test } from "vitest";
import { findRun, keptAgainst, openSide } from "#src/actions/replay/compare-runs.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { runsIn } from "../storage/open-runs.ts";
import { runRow } from "../replay/rows.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { storeRun } from "./stored-runs.ts";

let runs: Runs;
beforeEach(() => {
  runs = runsIn(temporaryFolder());
});

async function compared(words: {
  readonly run: string;
  readonly baseline: string | null;
}): Promise<Comparison> {
  const side = await openSide(runs, words.baseline);
  return (await side.compare(await findRun(runs, words.run))).comparison;
}

test("two stored runs, with both sides of each flip", async () => {
  await storeRun(runs, "aaa1", [runRow(1, "pass"), runRow(2, "block"), runRow(3, "pass")]);
  await storeRun(runs, "bbb2", [runRow(1, "block"), runRow(2, "block"), runRow(4, "pass")]);
  const comparison = await compared({ run: "last", baseline: "aa" });
  expect(comparison).toMatchObject({
    baseline: "aaa1",
    run: "bbb2",
    compared: 2,
    newBlocks: 1,
    changes: { unchanged: 1, flipped: 1, new: 1, missing: 1, failed: 0 },
  });
  expect(comparison.flips).toMatchObject([
    {
      key: "o-1",
      before: { result: { recommendation: "pass" } },
      after: { result: { recommendation: "block" } },
    },
  ]);
});

test("a run against what its payloads carried", async () => {
  await storeRun(runs, "aaa1", [runRow(1, "block", { was: "pass" }), runRow(2, "pass")]);
  const comparison = await compared({ run: "aaa1", baseline: null });
  expect(comparison).toMatchObject({
    baseline: CARRIED,
    compared: 1,
    changes: { flipped: 1, new: 1, missing: 0 },
    flips: [{ key: "o-1", was: "pass", now: "block", before: null }],
  });
});

test("the earlier verdict of every item, also of those that are as before", async () => {
  await storeRun(runs, "aaa1", [runRow(1, "pass"), runRow(2, "block"), runRow(3, null)]);
  const later = [
    runRow(1, "block"),
    runRow(2, "block"),
    runRow(3, "pass"),
    runRow(4, "pass", { was: "block" }),
  ];
  await storeRun(runs, "bbb2", later);
  const was = async (baseline: string | null) =>
    (await keptAgainst(runs, "bbb2", baseline, 9)).items.map((row) => row.was);
  expect(await was("aaa1")).toEqual(["pass", "block", null, null]);
  expect(await was(null)).toEqual([null, null, null, "block"]);
  expect(await was("gone")).toEqual([null, null, null, null]);
});

test("an item that was lost counts as failed", async () => {
  await storeRun(runs, "aaa1", [runRow(1, "pass")]);
  await storeRun(runs, "bbb2", [runRow(1, null)]);
  expect((await compared({ run: "bbb2", baseline: "aaa1" })).changes).toMatchObject({
    failed: 1,
  });
});

test("unknown runs are named", async () => {
  await expect(compared({ run: "last", baseline: null })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("There is no run yet") as string,
  });
  await storeRun(runs, "aaa1", [runRow(1, "pass")]);
  await expect(compared({ run: "last", baseline: "zz\u001b[31m" })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining('There is no run "zz\\x1b[31m"') as string,
  });
});

test("a run against a file of verdicts, with what is no change of a verdict", async () => {
  await storeRun(runs, "aaa1", [runRow(1, "block"), runRow(2, "pass"), runRow(3, "pass")]);
  const golden = new Map([
    ["o-1", "pass - -"],
    ["o-2", "pass 10 A"],
    ["o-9", "block - -"],
  ]);
  const side = await openSide(runs, { path: "verdicts.lock", golden, shards: 1 });
  const { comparison, golden: facts } = await side.compare(await findRun(runs, "aaa1"));
  expect(comparison).toMatchObject({
    baseline: "verdicts.lock",
    changes: { unchanged: 1, flipped: 1, new: 1, missing: 1, failed: 0 },
  });
  expect(facts).toMatchObject({ added: ["o-3"], missing: ["o-9"], otherBasis: 1 });
  const sided = await Array.fromAsync(runs.sidedRows("aaa1", side.earlierOf));
  expect(sided.map(({ earlier }) => earlier)).toEqual([
    { verdict: "pass" },
    { verdict: "pass", rules: ["A"] },
    null,
  ]);
});
