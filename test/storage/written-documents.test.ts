// Documents as an earlier build wrote them: each is read, and a change that changes nothing writes the same data.

import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { openDrafts } from "#src/storage/documents/drafts.ts";
import { openFilterMemory } from "#src/storage/documents/filter-memory.ts";
import { openProfiles } from "#src/storage/documents/profiles.ts";
import { openProjectMemory } from "#src/storage/documents/project-memory.ts";
import { openProjects } from "#src/storage/documents/projects.ts";
import { openVaultSettings } from "#src/vault/vault-settings.ts";
import { openVault } from "#src/vault/vault.ts";
import { noDamage } from "./no-damage.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A copy that this account alone can read. */
function copyOf(name: string, folder: string): string {
  const path = join(folder, `${name}.json`);
  copyFileSync(join(import.meta.dirname, "written", `${name}.json`), path);
  chmodSync(path, 0o600);
  return path;
}

interface Written {
  readonly rev: number;
  readonly data: unknown;
}

function written(path: string): Written {
  return JSON.parse(readFileSync(path, "utf8")) as Written;
}

const CHANGES: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  profiles: (path) => openProfiles({ path, onProblem: noDamage }).use("live"),
  projects: (path) =>
    openProjects({ path, onProblem: noDamage }).update("live", "shop/low", (project) => project),
  "project-uses": async (path) => {
    const memory = openProjectMemory({ path, onProblem: noDamage });
    await memory.remember((await memory.list("live"))[0]!);
  },
  filters: async (path) => {
    const memory = openFilterMemory({ path, onProblem: noDamage });
    for (const filter of (await memory.list()).toReversed()) await memory.remember(filter);
  },
  drafts: (path) => openDrafts({ path, onProblem: noDamage }).update(() => undefined),
  "vault-settings": async (path) => {
    const settings = openVaultSettings(path, noDamage, nodeFileSystem);
    await settings.setPassphraseCommand(await settings.passphraseCommand());
  },
  vault: async (documentPath) => {
    const keyPath = copyOf("vault-key", join(documentPath, ".."));
    const vault = await openVault({ documentPath, keyPath, newId: () => "id", onProblem: noDamage });
    expect(vault.list()).toHaveLength(2);
    const key = vault.integrationKey("live", "https://projects.example");
    const credential = vault.credential("live", "shop/low", "https://check.example/api");
    expect([key, credential].map((each) => each?.secret.expose())).toEqual(["secret-1", "secret-2"]);
    expect(vault.former()).toMatchObject([{ id: "id-1", replacedAt: 1_700_000_000_000 }]);
    await vault.probe();
  },
};

it.each(Object.entries(CHANGES))("%s keeps its data", async (name, change) => {
  const path = copyOf(name, temporaryFolder());
  const before = written(path);
  await change(path);
  const after = written(path);
  expect(after.rev).toBeGreaterThan(before.rev);
  expect(JSON.stringify(after.data)).toBe(JSON.stringify(before.data));
});
