// The vault: sealed, bound, never lost without a word, and silent about its secrets.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";

import { describe, expect, it } from "vitest";

import { Secret } from "#src/contract/secret.ts";
import { parseGeneration, renderGeneration } from "#src/storage/documents/generation.ts";
import type { VaultData } from "#src/vault/vault-file.ts";
import { failingFileSystem } from "../storage/failing-file-system.ts";
import { BASE, CREDENTIAL, KEY, place, PROJECTS, SECRET } from "./place.ts";

/** Rewrites the vault's document with a valid checksum, as somebody with access to the file could. */
function tamper(path: string, change: (data: VaultData) => void): void {
  const generation = parseGeneration("verdict/vault", readFileSync(path))!;
  const data = generation.data as VaultData;
  change(data);
  writeFileSync(path, renderGeneration("verdict/vault", 1, generation.rev + 1, data));
}

describe("a vault", () => {
  it("creates nothing by being opened", async () => {
    const { home, open } = place();
    expect((await open()).list()).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });

  it("finds nothing wrong where none was ever written", async () => {
    const { home, open } = place();
    expect(await (await open()).verify()).toEqual({ entries: [], problems: [], fileProblems: [] });
    expect(readdirSync(home)).toEqual([]);
  });

  it("gives back what was put, in this process and the next", async () => {
    const { open } = place();
    const first = await open();
    await first.put(KEY);
    const { id } = await first.put(CREDENTIAL);
    for (const vault of [first, await open()]) {
      const { secret, ...credential } = vault.credential("live", "merchant-7/low", BASE);
      expect(credential).toEqual({
        keyId: "hmac-sha256-2",
        projectId: "project-1",
        algorithm: "hmac-sha256",
      });
      expect(secret.expose()).toBe(`${SECRET}-2`);
      expect(vault.integrationKey("live", PROJECTS)).toMatchObject({
        keyId: "hmac-sha256-1",
        companyId: "company-1",
      });
      expect(vault.integrationKey("live", PROJECTS)?.secret.expose()).toBe(SECRET);
      expect(vault.integrationKey("other", PROJECTS)).toBeNull();
      expect(vault.reveal(id).expose()).toBe(`${SECRET}-2`);
    }
  });

  it("sees what another process put after a refresh", async () => {
    const { open } = place();
    const [one, two] = [await open(), await open()];
    await one.put(KEY);
    expect(two.list()).toEqual([]);
    await two.refresh();
    expect(two.list()).toHaveLength(1);
  });

  it("replaces the key of the same company and the credential of the same project", async () => {
    const { open } = place();
    const vault = await open();
    await vault.put(KEY);
    await vault.put({ ...KEY, companyId: "company-2" });
    await vault.put({ ...KEY, keyId: "newer" });
    await vault.put(CREDENTIAL);
    const { id } = await vault.put({ ...CREDENTIAL, projectId: "project-2" });
    expect(vault.list()).toHaveLength(3);
    expect(vault.integrationKeys("live", PROJECTS).map(({ keyId }) => keyId)).toEqual([
      "newer",
      "hmac-sha256-1",
    ]);
    expect(vault.credential("live", "merchant-7/low", BASE).projectId).toBe("project-2");
    expect(await vault.remove(id)).toBe(true);
    expect(await vault.remove(id)).toBe(false);
    expect(() => vault.credential("live", "merchant-7/low", BASE)).toThrow(
      expect.objectContaining({ code: "credential_missing" }) as Error,
    );
  });

  it("keeps what gave way, in this process and the next, and signs with nothing of it", async () => {
    const { open } = place();
    const vault = await open();
    const first = await vault.put(KEY);
    expect(first.former).toBeNull();
    const { id, former } = await vault.put({ ...KEY, keyId: "newer", secret: new Secret("a-newer-secret") });
    expect(former).toMatchObject({ id: first.id, keyId: KEY.keyId, fingerprint: KEY.secret.fingerprint });
    for (const each of [vault, await open()]) {
      expect(each.list().map((entry) => entry.id)).toEqual([id]);
      expect(each.former().map((entry) => entry.id)).toEqual([first.id]);
      expect(each.reveal(first.id).expose()).toBe(SECRET);
      expect(each.integrationKeys("live", PROJECTS).map(({ keyId }) => keyId)).toEqual(["newer"]);
    }
    // The very same one again is no other one.
    const same = await vault.put({ ...KEY, keyId: "newer", secret: new Secret("a-newer-secret") });
    expect(same).toEqual({ id, former: null });
    expect(await vault.remove(first.id)).toBe(true);
    expect(vault.former()).toEqual([]);
  });

  it("puts a former entry back in the place of the one that signs, or of none", async () => {
    const { open } = place();
    const vault = await open();
    const first = await vault.put(CREDENTIAL);
    const second = await vault.put({ ...CREDENTIAL, keyId: "newer" });
    expect(await vault.restore(first.id)).toMatchObject({ id: first.id, former: { id: second.id } });
    expect(vault.credential("live", "merchant-7/low", BASE).keyId).toBe(CREDENTIAL.keyId);
    await vault.remove(first.id);
    expect(await vault.restore(second.id)).toEqual({ id: second.id, former: null });
    expect(vault.credential("live", "merchant-7/low", BASE).keyId).toBe("newer");
    await expect(vault.restore(second.id)).rejects.toMatchObject({ code: "usage" });
  });

  it("loses nothing when several write at once for the first time", async () => {
    const { open } = place();
    const vaults = await Promise.all(Array.from({ length: 6 }, () => open()));
    await Promise.all(vaults.map((vault, index) => vault.put({ ...KEY, companyId: `company-${index}` })));
    expect((await open()).integrationKeys("live", PROJECTS)).toHaveLength(6);
  });

  it("forgets a removed entry in its previous generation, too", async () => {
    const { documentPath, open } = place();
    const vault = await open();
    const { id } = await vault.put(KEY);
    await vault.put(CREDENTIAL);
    await vault.remove(id);
    expect(readFileSync(documentPath, "utf8")).not.toContain(id);
    expect(readFileSync(`${documentPath}.bak`, "utf8")).not.toContain(id);
  });

  it("hands out an entry for the address that it is bound to, and for no other", async () => {
    const { open } = place();
    const vault = await open();
    await vault.put(KEY);
    await vault.put(CREDENTIAL);
    const missing = expect.objectContaining({ code: "credential_missing" }) as Error;
    expect(() => vault.credential("live", "merchant-7/low", "https://evil.example")).toThrow(missing);
    expect(() => vault.integrationKey("live", "https://evil.example")).toThrow(missing);
  });

  it.each([
    ["keyId", "key id"],
    ["algorithm", "algorithm"],
    ["projectId", "project id"],
    ["secret", "secret"],
  ])("refuses a line feed in %s, naming the %s", async (field, name) => {
    const { home, open } = place();
    const vault = await open();
    for (const bad of ["a\r\nx-evil: 1", "", "é", "a b", "x".repeat(257)]) {
      const failing = vault.put({ ...CREDENTIAL, [field]: field === "secret" ? new Secret(bad) : bad });
      await expect(failing).rejects.toMatchObject({ code: "bad_input" });
      await expect(failing).rejects.toThrow(new RegExp(`^The ${name} `));
    }
    expect(readdirSync(home)).toEqual([]);
  });

  it("shows fingerprints and no secret, in no usual way of printing", async () => {
    const { home, open } = place();
    const vault = await open();
    await vault.put(KEY);
    await vault.put(CREDENTIAL);
    const list = vault.list();
    expect(list.map(({ fingerprint }) => fingerprint)).toEqual([
      KEY.secret.fingerprint,
      CREDENTIAL.secret.fingerprint,
    ]);
    const shown = [JSON.stringify(list), inspect(list, { depth: 9 }), inspect(vault, { depth: 9 })].join(
      "\n",
    );
    const forms = ["utf8", "hex", "base64", "base64url"] as const;
    const files = readdirSync(home, { recursive: true, encoding: "utf8" })
      .map((name) => join(home, name))
      .filter((path) => statSync(path).isFile());
    expect(files.length).toBeGreaterThan(2);
    for (const form of forms) {
      // Without padding: it would not be there inside a longer text.
      const canary = Buffer.from(SECRET).toString(form).replace(/=+$/, "").slice(0, -1);
      expect(shown).not.toContain(canary);
      for (const path of files) expect(readFileSync(path, "latin1"), path).not.toContain(canary);
    }
  });
});

describe("a vault that was touched", () => {
  it.each([
    [
      "another address",
      (data: VaultData) => Object.assign(data.entries[1]!, { baseUrl: "https://evil.example" }),
    ],
    ["another algorithm", (data: VaultData) => Object.assign(data.entries[1]!, { algorithm: "none" })],
    ["another project", (data: VaultData) => Object.assign(data.entries[1]!, { projectId: "project-9" })],
    ["another key id", (data: VaultData) => Object.assign(data.entries[1]!, { keyId: "mine" })],
    ["another id", (data: VaultData) => Object.assign(data.entries[1]!, { id: "id-9" })],
    [
      "the seal of another entry",
      (data: VaultData) => {
        data.entries = data.entries.with(1, { ...data.entries[1]!, sealed: data.entries[0]!.sealed });
      },
    ],
  ])("does not open an entry with %s", async (_, change) => {
    const { documentPath, open } = place();
    const vault = await open();
    await vault.put(KEY);
    await vault.put(CREDENTIAL);
    tamper(documentPath, change);
    const touched = await open();
    const { baseUrl } = touched.list().find(({ kind }) => kind === "project_credential") as {
      baseUrl: string;
    };
    expect(() => touched.credential("live", "merchant-7/low", baseUrl)).toThrow(
      expect.objectContaining({ code: "corrupt" }) as Error,
    );
    expect(touched.list().map(({ fingerprint }) => fingerprint === null)).toEqual([false, true]);
    expect(touched.integrationKey("live", PROJECTS)?.secret.expose()).toBe(SECRET);
    expect(await touched.remove(touched.list()[1]!.id)).toBe(true);
  });

  it("does not open an entry that was moved to another profile", async () => {
    const { documentPath, open } = place();
    await (await open()).put(KEY);
    tamper(documentPath, (data) => Object.assign(data.entries[0]!, { profile: "sandbox" }));
    const touched = await open();
    expect(() => touched.integrationKey("sandbox", PROJECTS)).toThrow(
      expect.objectContaining({ code: "corrupt" }) as Error,
    );
  });

  it("is corrupt, not new, when it is missing beside its key", async () => {
    const { documentPath, keyPath, open } = place();
    const vault = await open();
    await vault.put(KEY);
    unlinkSync(documentPath);
    if (existsSync(`${documentPath}.bak`)) unlinkSync(`${documentPath}.bak`);
    await expect(open()).rejects.toMatchObject({ code: "corrupt" });
    await expect(vault.put(KEY)).rejects.toMatchObject({ code: "corrupt" });
    await expect(vault.probe()).rejects.toMatchObject({ code: "corrupt" });
    expect(existsSync(documentPath)).toBe(false);
    expect(existsSync(keyPath)).toBe(true);
  });

  it("is locked when its key is missing or another one, and opens again with the right one", async () => {
    const { documentPath, keyPath, home, open } = place();
    const vault = await open();
    await vault.put(KEY);
    const kept = join(home, "kept");
    renameSync(keyPath, kept);
    await expect(open()).rejects.toMatchObject({ code: "vault_locked" });
    await expect(vault.put(CREDENTIAL)).rejects.toMatchObject({ code: "vault_locked" });
    const other = place();
    await (await other.open()).put(KEY);
    writeFileSync(keyPath, readFileSync(other.keyPath));
    await expect(open()).rejects.toThrow(/is not the key of the vault/);
    writeFileSync(keyPath, "null");
    await expect(open()).rejects.toMatchObject({ code: "corrupt" });
    renameSync(kept, keyPath);
    expect((await open()).list()).toHaveLength(1);
    expect(existsSync(documentPath)).toBe(true);
  });

  it("uses its previous generation after damage, and says so", async () => {
    const { documentPath, open } = place();
    const vault = await open();
    await vault.put(KEY);
    await vault.put(CREDENTIAL);
    writeFileSync(documentPath, "null");
    const recovered = await open();
    expect(recovered.list()).toHaveLength(1);
    expect(recovered.problems).toHaveLength(1);
  });

  it("may start anew while it holds nothing and has no key: a crash at the very beginning", async () => {
    const { documentPath, keyPath, open } = place();
    await (await open()).probe();
    unlinkSync(keyPath);
    const vault = await open();
    await vault.put(KEY);
    expect((await open()).integrationKey("live", PROJECTS)?.secret.expose()).toBe(SECRET);
    expect(existsSync(documentPath)).toBe(true);
  });

  it("refuses a probe where it cannot be written", async () => {
    const { open, documentPath, home } = place();
    mkdirSync(join(home, "data"));
    mkdirSync(`${documentPath}.lock`);
    await expect((await open()).probe()).rejects.toMatchObject({ code: "storage" });
  });
});

it.each(["ENOSPC", "EIO", "EACCES", "short_write"] as const)(
  "with %s at the Nth call a credential is in the vault or not, and the vault opens",
  async (failure) => {
    for (let failAt = 1; ; failAt += 1) {
      const { open } = place();
      const fs = failingFileSystem(failure, failAt);
      let isSaved = false;
      try {
        await (await open({ fs })).put(KEY);
        isSaved = true;
      } catch (error) {
        expect(error, `call ${failAt}`).toMatchObject({ code: "storage" });
      }
      const after = await open();
      if (isSaved) expect(after.list(), `call ${failAt}`).toHaveLength(1);
      await after.put(CREDENTIAL);
      expect(after.credential("live", "merchant-7/low", BASE).secret.expose()).toBe(`${SECRET}-2`);
      if (!fs.reached) return;
    }
  },
);
