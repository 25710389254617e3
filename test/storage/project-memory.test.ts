// When the projects were chosen last, on disk: by profile, the last one first, once each, few and private.

import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openProjectMemory, PROJECTS_KEPT } from "#src/storage/documents/project-memory.ts";
import { noDamage } from "./no-damage.ts";
import { temporaryFolder } from "./temporary-folder.ts";

it("keeps the last use of each project by profile, and only so many", async () => {
  const path = join(temporaryFolder(), "project-uses.json");
  const memory = openProjectMemory({ onProblem: noDamage, path });
  expect(await memory.list("sandbox")).toEqual([]);
  await memory.remember({ profile: "sandbox", project: "shop/low", at: 1 });
  await memory.remember({ profile: "live", project: "shop/low", at: 2 });
  await memory.remember({ profile: "sandbox", project: "shop/high", at: 3 });
  await memory.remember({ profile: "sandbox", project: "shop/low", at: 4 });
  expect(await openProjectMemory({ onProblem: noDamage, path }).list("sandbox")).toEqual([
    { profile: "sandbox", project: "shop/low", at: 4 },
    { profile: "sandbox", project: "shop/high", at: 3 },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  for (let at = 0; at < PROJECTS_KEPT; at += 1)
    await memory.remember({ profile: "test", project: `m${at}/low`, at });
  expect(await memory.list("sandbox")).toEqual([]);
  expect(await memory.list("test")).toHaveLength(PROJECTS_KEPT);
});
