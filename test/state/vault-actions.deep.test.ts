// The menu of the vault: passphrase set, changed and removed, age files out and in, every entry verified.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import type { VaultActionId } from "#src/state/vault/vault-actions.ts";
import { openAge } from "#src/vault/age-file.ts";
import { selectedKey } from "#src/state/vault/keyring-state.ts";
import { guardedVault, PASSPHRASE, VAULT_SECRET, type GuardedVault } from "./guarded-vault.ts";

async function answer(desk: GuardedVault, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await vi.waitFor(() => expect(desk.model.session.store.getState().prompt).not.toBeNull());
    desk.type(text);
  }
}

/** Runs an action of the menu by its name, which must be offered. */
function run({ model }: GuardedVault, id: VaultActionId): Promise<void> {
  const { vaultActions } = model;
  vaultActions.open();
  const at = vaultActions.list().findIndex((action) => action.id === id);
  expect(at).toBeGreaterThanOrEqual(0);
  for (let step = 0; step < at; step += 1) vaultActions.select(1);
  return vaultActions.run();
}

const offered = ({ model }: GuardedVault): string[] => model.vaultActions.list().map(({ id }) => id);
const dialogOf = ({ model }: GuardedVault) => model.session.store.getState().dialog;

async function sitDown(protectedBy: "passphrase" | "key_file" = "key_file"): Promise<GuardedVault> {
  const desk = await guardedVault(protectedBy);
  await desk.model.keyring.load();
  return desk;
}

it("sets, changes and removes the passphrase, each with what it needs", async () => {
  const desk = await sitDown();
  expect(offered(desk)).toEqual(["setPassphrase", "exportAll", "exportOne", "import", "verify"]);
  const unequal = run(desk, "setPassphrase");
  await answer(desk, PASSPHRASE, "something else");
  await unequal;
  expect(desk.said().join()).toContain("not the same");
  expect(await desk.vault.protection()).toBe("key_file");

  const set = run(desk, "setPassphrase");
  await answer(desk, PASSPHRASE, PASSPHRASE);
  await set;
  expect(await desk.vault.protection()).toBe("passphrase");
  expect(offered(desk).slice(0, 2)).toEqual(["changePassphrase", "removePassphrase"]);

  desk.model.vaultLock.lock();
  const change = run(desk, "changePassphrase");
  await answer(desk, PASSPHRASE, "another passphrase", "another passphrase");
  await change;
  desk.model.vaultLock.lock();
  await expect(desk.vault.unlock(new Secret(PASSPHRASE))).rejects.toMatchObject({ code: "vault_locked" });
  await desk.vault.unlock(new Secret("another passphrase"));

  await run(desk, "removePassphrase");
  expect(await desk.vault.protection()).toBe("passphrase");
  dialogOf(desk)!.onYes();
  await vi.waitFor(async () => expect(await desk.vault.protection()).toBe("key_file"));
  await vi.waitFor(() => expect(desk.model.vaultLock.store.getState().protection).toBe("key_file"));
});

it("puts back the key that the selected one has taken the place of", async () => {
  const desk = await sitDown();
  const { keyring } = desk.model;
  const before = selectedKey(keyring.store.getState())!;
  expect(offered(desk)).not.toContain("restore");
  const { fingerprint: _f, id: _i, ...details } = before;
  await desk.vault.put({ ...details, keyId: "newer", secret: new Secret("a-newer-secret") });
  await keyring.load();
  await run(desk, "restore");
  expect(desk.vault.list().map(({ keyId }) => keyId)).toContain(before.keyId);
  expect(desk.vault.former().map(({ keyId }) => keyId)).toEqual(["newer"]);
  expect(desk.said().join()).toContain(`key id ${before.keyId}, signs again.`);
});

it("exports everything into an age file, and takes back from it what is missing", async () => {
  const desk = await sitDown();
  const path = join(desk.where.home, "vault.age");
  const out = run(desk, "exportAll");
  await answer(desk, path, PASSPHRASE, PASSPHRASE);
  await out;
  expect(desk.said().join()).toContain(`2 entries written to ${path}`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const plain = await openAge(readFileSync(path), {
    passphrase: () => Promise.resolve(new Secret(PASSPHRASE)),
  });
  expect(plain.toString("utf8")).toContain(VAULT_SECRET);

  // The same again: nothing to do. A name that is taken: nothing is overwritten.
  const same = run(desk, "import");
  await answer(desk, path, PASSPHRASE);
  await same;
  expect(desk.said().at(-1)).toContain("has everything of the file already");
  const twice = run(desk, "exportAll");
  await answer(desk, path, PASSPHRASE, PASSPHRASE);
  await twice;
  expect(desk.said().at(-1)).toContain("exists already");

  const [first, second] = desk.vault.list();
  await desk.vault.remove(first!.id);
  const other = { ...second!, secret: new Secret("an0ther") };
  await desk.vault.put(other);
  await desk.model.keyring.load();
  const back = run(desk, "import");
  await answer(desk, path, PASSPHRASE);
  await back;
  expect(dialogOf(desk)).toMatchObject({ title: "Import", yes: "Import" });
  dialogOf(desk)!.onYes();
  desk.model.session.closeDialog();
  await vi.waitFor(() => expect(dialogOf(desk)).toMatchObject({ title: "Replace keys" }));
  expect(desk.vault.list()).toHaveLength(2);
  const held = desk.vault.list().find(({ kind }) => kind === second!.kind)!;
  expect(desk.vault.reveal(held.id).expose()).toBe("an0ther");
  dialogOf(desk)!.onYes();
  await vi.waitFor(() => {
    const now = desk.vault.list().find(({ kind }) => kind === second!.kind)!;
    expect(desk.vault.reveal(now.id).expose()).toBe(VAULT_SECRET);
  });
});

it("exports one entry alone, and nothing after Esc", async () => {
  const desk = await sitDown();
  const path = join(desk.where.home, "one.age");
  const stopped = run(desk, "exportOne");
  await answer(desk, path, PASSPHRASE);
  await vi.waitFor(() => expect(desk.model.session.store.getState().prompt).not.toBeNull());
  desk.model.session.store.getState().prompt!.onCancel!();
  await stopped;
  expect(existsSync(path)).toBe(false);
  const one = run(desk, "exportOne");
  await answer(desk, path, PASSPHRASE, PASSPHRASE);
  await one;
  expect(desk.said().at(-1)).toContain("1 entry written to");
});

it("says what is wrong with a file to import, and a wrong passphrase", async () => {
  const desk = await sitDown();
  const missing = run(desk, "import");
  await answer(desk, join(desk.where.home, "missing.age"));
  await missing;
  expect(desk.said().at(-1)).toContain("was not found");
  const folder = run(desk, "import");
  await answer(desk, desk.where.home);
  await folder;
  expect(desk.said().at(-1)).toContain("not a regular file");
});

it("verifies every entry and reports", async () => {
  const desk = await sitDown();
  await run(desk, "verify");
  expect(desk.model.vaultActions.store.getState().report).toMatchObject({
    sound: true,
    sentence: "2 of 2 entries opened and undamaged.",
    problems: [],
  });
});
