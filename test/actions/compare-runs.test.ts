import { CARRIED } from "#src/contract/records/flip.ts";
import { beforeEach, expect, test } from "vitest";
import type { ActionContext } from "#src/actions/action-context.ts";
import { compareRuns } from "#src/actions/replay/compare-runs.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { runsIn } from "../storage/open-runs.ts";
import { runRow } from "../replay/rows.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { storeRun } from "./stored-runs.ts";

let runs: Runs;
let context: ActionContext;
beforeEach(() => {
  runs = runsIn(temporaryFolder());
  context = { runs: () => Promise.resolve(runs) } as Partial<ActionContext> as ActionContext;
});

test("two stored runs, with both sides of each flip", async () => {
  await storeRun(runs, "aaa1", [runRow(1, "pass"), runRow(2, "block"), runRow(3, "pass")]);
  await storeRun(runs, "bbb2", [runRow(1, "block"), runRow(2, "block"), runRow(4, "pass")]);
  const comparison = await compareRuns(context, { run: "last", baseline: "aa" });
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
  const comparison = await compareRuns(context, { run: "aaa1", baseline: null });
  expect(comparison).toMatchObject({
    baseline: CARRIED,
    compared: 1,
    changes: { flipped: 1, new: 1, missing: 0 },
    flips: [{ key: "o-1", was: "pass", now: "block", before: null }],
  });
});

test("an item that was lost counts as failed", async () => {
  await storeRun(runs, "aaa1", [runRow(1, "pass")]);
  await storeRun(runs, "bbb2", [runRow(1, null)]);
  expect((await compareRuns(context, { run: "bbb2", baseline: "aaa1" })).changes).toMatchObject({
    failed: 1,
  });
});

test("unknown runs are named", async () => {
  await expect(compareRuns(context, { run: "last", baseline: null })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("There is no run yet") as string,
  });
  await storeRun(runs, "aaa1", [runRow(1, "pass")]);
  await expect(compareRuns(context, { run: "last", baseline: "zz\u001b[31m" })).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining('There is no run "zz\\x1b[31m"') as string,
  });
});
