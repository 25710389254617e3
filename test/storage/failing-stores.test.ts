// The Nth call to the file system fails, for every action that writes to a run: what was acknowledged
// is there afterwards, what is there is whole, and the store goes on.

import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import type { RunItem, RunSummary } from "#src/contract/records/run.ts";
import { openProfiles } from "#src/storage/documents/profiles.ts";
import { openProjects } from "#src/storage/documents/projects.ts";
import { openRuns, type Runs } from "#src/storage/database/runs.ts";
import { answer } from "./entries.ts";
import { failingFileSystem, type FailingFileSystem, type Failure } from "./failing-file-system.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { noDamage } from "./no-damage.ts";

const START = Date.UTC(2026, 0, 2);

function ticking(): () => number {
  let now = START;
  return () => (now += 1);
}

/** True when it was acknowledged; anything but a fault of the storage is an error. */
async function isDone(action: Promise<unknown>, about: string): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    expect(error, about).toBeInstanceOf(Fault);
    expect((error as Fault).code, about).toBe("storage");
    return false;
  }
}

/** Runs the work with a failure at call 1, 2, ... until it meets none. */
async function failEverywhere(
  failure: Failure,
  work: (fs: FailingFileSystem, about: string) => Promise<void>,
): Promise<void> {
  for (let failAt = 1; ; failAt += 1) {
    const fs = failingFileSystem(failure, failAt);
    await work(fs, `${failure} at call ${failAt}`);
    if (fs.reached) continue;
    expect(failAt).toBeGreaterThan(2);
    return;
  }
}

const SUMMARY: RunSummary = {
  counts: { total: 1, pass: 1, block: 0, threeDs: 0, indeterminate: 0, refused: 0, unknown: 0, notSent: 0 },
  rejected: 0,
  expectationsFailed: 0,
  latencies: { p50: 1, p95: 1, p99: 1, max: 1 },
  ratePerS: 1,
  durationMs: 1,
};
const HEADER = {
  id: "r1",
  at: START,
  profile: "sandbox",
  project: "shop/low",
  amountUnit: "minor",
  sources: ["day.ndjson"],
  baseline: null,
  freshOrderIds: false,
} as const;

const item = (seq: number): RunItem => ({
  seq,
  key: `o-${seq}`,
  origin: `day.ndjson:${seq}`,
  request: { operation: "payment", order_id: `o-${seq}`, amount: 100, currency: 980 },
  expect: null,
  tags: [],
  was: null,
});

describe.each<Failure>(["ENOSPC", "EIO", "EACCES", "short_write"])("with %s at the Nth call", (failure) => {
  it("a run has what was acknowledged, and what may have left is not sent again", async () => {
    await failEverywhere(failure, async (fs, about) => {
      const dir = join(temporaryFolder(), "runs");
      const now = ticking();
      const writing: Runs = openRuns({ dir, now, fs });
      const done: Record<string, boolean> = {};
      const run = await writing.create(HEADER).catch((error: unknown) => {
        expect(error, about).toMatchObject({ code: "storage" });
        return null;
      });
      if (run !== null) {
        done["one"] = await isDone(run.intend(item(1), START), about);
        const settle = run.settle(1, { ...answer({ recommendation: "pass" }) });
        done["settled"] = await isDone(settle, about);
        done["two"] = await isDone(run.intend(item(2), START), about);
        done["finished"] = await isDone(run.finish("complete", SUMMARY), about);
        await run.close().catch(() => {});
      }

      const after = openRuns({ dir, now });
      const info = await after.find("r1");
      if (run === null) return;
      expect(info, about).not.toBeNull();
      const rows = await Array.fromAsync(after.rows("r1"));
      const [one, two] = [1, 2].map((seq) => rows.find((row) => row.seq === seq));
      if (done["one"]) expect(one, about).toBeDefined();
      if (done["one"] && done["settled"]) expect(one?.result?.recommendation, about).toBe("pass");
      if (done["two"]) expect(two, about).toBeDefined();
      if (done["finished"]) expect(info?.state, about).toBe("complete");
      if (info?.state === "complete") return;
      const resumed = await after.resume("r1").catch((error: unknown) => {
        // Where giving the lock back failed, this very process still holds it.
        expect(error, about).toMatchObject({ code: "usage" });
        return null;
      });
      if (done["one"] && resumed !== null) expect(resumed.alreadySent(1), about).toBe(true);
      if (done["two"] && resumed !== null) expect(resumed.alreadySent(2), about).toBe(true);
      await resumed?.close();
    });
  });

  it("a run that is removed is there as a whole or not at all", async () => {
    await failEverywhere(failure === "short_write" ? "EIO" : failure, async (fs, about) => {
      const dir = join(temporaryFolder(), "runs");
      const now = ticking();
      const made = await openRuns({ dir, now }).create(HEADER);
      await made.intend(item(1), START);
      await made.close();
      const done = await isDone(openRuns({ dir, now, fs }).remove("r1"), about);
      const after = openRuns({ dir, now });
      const found = await after.find("r1");
      if (done) expect(found, about).toBeNull();
      if (found !== null) expect(await Array.fromAsync(after.rows("r1")), about).toHaveLength(1);
      else
        expect(
          readdirSync(dir).filter((name) => name === "r1"),
          about,
        ).toEqual([]);
    });
  });

  it("profiles and projects are as before or as told", async () => {
    const profile = {
      name: "test",
      environment: "TEST",
      baseUrl: "https://check.example",
      projectsUrl: "https://projects.example",
      recipe: "none",
      amountUnit: "minor",
      credentialWaitS: 1,
    } as const;
    const project = {
      key: "m/low",
      profile: "test",
      companyId: "c",
      merchantId: "m",
      riskLevel: "low",
      name: "M",
      description: null,
      currency: 980,
      state: "registered",
      startedAt: START,
      provenStartAt: null,
      serviceOffsetMs: null,
      projectId: null,
    } as const;
    await failEverywhere(failure, async (fs, about) => {
      const folder = temporaryFolder();
      const [profilesPath, projectsPath] = [join(folder, "profiles.json"), join(folder, "projects.json")];
      await openProfiles({ onProblem: noDamage, path: profilesPath }).put(profile);
      await openProjects({ onProblem: noDamage, path: projectsPath }).put(project);
      const renamed = await isDone(
        openProjects({ onProblem: noDamage, path: projectsPath, fs }).put({ ...project, name: "N" }),
        about,
      );
      const second = { ...profile, name: "second" };
      const added = await isDone(
        openProfiles({ onProblem: noDamage, path: profilesPath, fs }).put(second),
        about,
      );
      const projects = await openProjects({ onProblem: noDamage, path: projectsPath }).list();
      expect(renamed ? ["N"] : ["M", "N"], about).toContain(projects[0]?.name);
      const names = (await openProfiles({ onProblem: noDamage, path: profilesPath }).list()).map(
        ({ name }) => name,
      );
      expect(names, about).toContain("test");
      if (added) expect(names, about).toContain("second");
    });
  });
});
