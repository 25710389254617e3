// Profiles and projects: what is put is found again, in every process, and the built-in profile stays.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { SANDBOX_PROFILE } from "#src/contract/records/profile.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import { openProfiles } from "#src/storage/documents/profiles.ts";
import { openProjects } from "#src/storage/documents/projects.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { noDamage } from "./no-damage.ts";

const LIVE: Profile = {
  name: "live",
  environment: "LIVE",
  baseUrl: "https://check.example/api",
  projectsUrl: "https://projects.example",
  recipe: "http-signatures",
  amountUnit: "major",
  credentialWaitS: 180,
};

describe("profiles", () => {
  it("start with the sandbox alone, without a file", async () => {
    const path = join(temporaryFolder(), "profiles.json");
    const profiles = openProfiles({ onProblem: noDamage, path });
    expect(await profiles.list()).toEqual([SANDBOX_PROFILE]);
    expect(await profiles.current()).toEqual(SANDBOX_PROFILE);
    expect(existsSync(path)).toBe(false);
  });

  it("are found again by the next process", async () => {
    const path = join(temporaryFolder(), "profiles.json");
    const profiles = openProfiles({ onProblem: noDamage, path });
    const careful = { companyId: "acme", deadlineS: 9, proxy: "direct", readOnly: true };
    await profiles.put({ ...LIVE, name: "zebra", ca: "/etc/company.pem", ...careful });
    await profiles.put({ ...LIVE, recipe: "none" });
    await profiles.put(LIVE);
    await profiles.use("live");
    const next = openProfiles({ onProblem: noDamage, path });
    expect((await next.list()).map(({ name }) => name)).toEqual(["sandbox", "live", "zebra"]);
    expect(await next.get("live")).toEqual(LIVE);
    expect(await next.get("zebra")).toMatchObject({ ca: "/etc/company.pem", ...careful });
    expect(await next.get("none")).toBeNull();
    expect(await next.current()).toEqual(LIVE);
  });

  it("keep the one in use, because the sandbox in its place would go unseen", async () => {
    const profiles = openProfiles({ onProblem: noDamage, path: join(temporaryFolder(), "profiles.json") });
    await profiles.put(LIVE);
    await profiles.use("live");
    await expect(profiles.remove("live")).rejects.toMatchObject({ code: "usage" });
    expect(await profiles.current()).toEqual(LIVE);
    await profiles.use("sandbox");
    expect(await profiles.remove("live")).toBe(true);
    expect(await profiles.remove("live")).toBe(false);
    expect(await profiles.current()).toEqual(SANDBOX_PROFILE);
    await expect(profiles.use("live")).rejects.toMatchObject({ code: "usage" });
  });

  it("are not overwritten by somebody who has seen another version", async () => {
    const path = join(temporaryFolder(), "profiles.json");
    const [here, elsewhere] = [
      openProfiles({ onProblem: noDamage, path }),
      openProfiles({ onProblem: noDamage, path }),
    ];
    await here.put(LIVE, null);
    const shown = await here.get("live");
    await elsewhere.put({ ...LIVE, recipe: "none" });
    await expect(here.put({ ...LIVE, credentialWaitS: 5 }, shown)).rejects.toThrow(
      'The profile "live" was changed in another session',
    );
    await expect(here.put({ ...LIVE, credentialWaitS: 5 }, null)).rejects.toMatchObject({ code: "storage" });
    expect(await here.get("live")).toMatchObject({ recipe: "none", credentialWaitS: 180 });
    // What happens to others is no reason to refuse.
    await elsewhere.put({ ...LIVE, name: "other" });
    await here.put({ ...LIVE, credentialWaitS: 5 }, await here.get("live"));
    expect(await here.get("live")).toMatchObject({ credentialWaitS: 5 });
  });

  it("keep the built-in one as it is", async () => {
    const profiles = openProfiles({ onProblem: noDamage, path: join(temporaryFolder(), "profiles.json") });
    await expect(profiles.remove("sandbox")).rejects.toMatchObject({ code: "usage" });
    await expect(profiles.put({ ...LIVE, name: "sandbox" })).rejects.toMatchObject({ code: "usage" });
  });

  it.each(["", "../up", "a/b", "-dash", ".hidden", "a\0b", "with blank", "x".repeat(65)])(
    "refuse the name %j",
    async (name) => {
      const profiles = openProfiles({ onProblem: noDamage, path: join(temporaryFolder(), "profiles.json") });
      await expect(profiles.put({ ...LIVE, name })).rejects.toMatchObject({ code: "usage" });
    },
  );

  it.each(["", "check.example", "ftp://check.example", "file:///etc/passwd"])(
    "refuse the address %j",
    async (baseUrl) => {
      const profiles = openProfiles({ onProblem: noDamage, path: join(temporaryFolder(), "profiles.json") });
      await expect(profiles.put({ ...LIVE, baseUrl })).rejects.toMatchObject({ code: "usage" });
    },
  );

  it("refuse an address with a password, and do not repeat it", async () => {
    const profiles = openProfiles({ onProblem: noDamage, path: join(temporaryFolder(), "profiles.json") });
    const failing = profiles.put({ ...LIVE, projectsUrl: "https://me:hunter2@projects.example" });
    await expect(failing).rejects.toThrow(/user name or password/);
    await expect(failing).rejects.not.toThrow(/hunter2/);
  });
});

const PROJECT: Project = {
  key: "merchant-7/low",
  profile: "live",
  companyId: "company-1",
  merchantId: "merchant-7",
  riskLevel: "low",
  name: "Shoes",
  description: null,
  currency: 980,
  state: "registering",
  startedAt: 2_000,
  provenStartAt: null,
  serviceOffsetMs: null,
  projectId: null,
};

describe("projects", () => {
  it("are found again by the next process, by profile and key", async () => {
    const path = join(temporaryFolder(), "projects.json");
    const projects = openProjects({ onProblem: noDamage, path });
    await projects.put(PROJECT);
    await projects.put({ ...PROJECT, profile: "sandbox", startedAt: 1_000 });
    await projects.put({ ...PROJECT, name: "Boots" });
    const next = openProjects({ onProblem: noDamage, path });
    expect(await next.list("live")).toEqual([{ ...PROJECT, name: "Boots" }]);
    expect((await next.list()).map(({ startedAt }) => startedAt)).toEqual([1_000, 2_000]);
    expect(await next.get("sandbox", PROJECT.key)).toMatchObject({ startedAt: 1_000 });
    expect(await next.get("sandbox", "merchant-7/high")).toBeNull();
  });

  it("are changed in one step with reading them", async () => {
    const path = join(temporaryFolder(), "projects.json");
    const [one, two] = [
      openProjects({ onProblem: noDamage, path }),
      openProjects({ onProblem: noDamage, path }),
    ];
    await one.put({ ...PROJECT, currency: 0 });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? one : two).update("live", PROJECT.key, (project) => ({
          ...project,
          currency: (project.currency ?? 0) + 1,
        })),
      ),
    );
    expect(await one.get("live", PROJECT.key)).toMatchObject({ currency: 10 });
    await expect(one.update("live", "none/low", (project) => project)).rejects.toMatchObject({
      code: "usage",
    });
    expect(await one.remove("live", PROJECT.key)).toBe(true);
    expect(await one.remove("live", PROJECT.key)).toBe(false);
  });

  it("refuse a card number, naming its field", async () => {
    const projects = openProjects({ onProblem: noDamage, path: join(temporaryFolder(), "projects.json") });
    const failing = projects.put({ ...PROJECT, description: "for 4111111111111111" });
    await expect(failing).rejects.toThrow(/^description /);
    expect(await projects.list()).toEqual([]);
  });
});
