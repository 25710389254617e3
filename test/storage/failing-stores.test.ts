// The Nth call to the file system fails, for every action that writes profiles and projects: what was acknowledged is there
// afterwards, and what is there is whole.

import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import { openProfiles } from "#src/storage/documents/profiles.ts";
import { openProjects } from "#src/storage/documents/projects.ts";
import { failingFileSystem, type FailingFileSystem, type Failure } from "./failing-file-system.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { noDamage } from "./no-damage.ts";

const START = Date.UTC(2026, 0, 2);

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

describe.each<Failure>(["ENOSPC", "EIO", "EACCES", "short_write"])("with %s at the Nth call", (failure) => {
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
