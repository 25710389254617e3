// Passphrases: what opens the vault and what does not, and changes of it that leave nothing behind for the old one.

import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

import { describe, expect, it, vi } from "vitest";

import { vaultLocked } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { nodeFileSystem, type FileSystem } from "#src/storage/file-system.ts";
import { parseGeneration, renderGeneration } from "#src/storage/documents/generation.ts";
import { newSealingKey } from "#src/storage/documents/sealing.ts";
import { unwrapWithKey, unwrapWithPassphrase, wrapWithPassphrase } from "#src/vault/data-key.ts";
import { readKey } from "#src/vault/key-file.ts";
import { openVault, type Vault, type VaultOptions } from "#src/vault/vault.ts";
import type { VaultData, WrappedKey } from "#src/vault/vault-file.ts";
import { failingFileSystem } from "../storage/failing-file-system.ts";
import { forgetfulDisk, type ForgetfulDisk } from "../storage/forgetful-disk.ts";
import { BASE, CREDENTIAL, KEY, OTHER, PASSPHRASE, place, PROJECTS, SECRET, type Place } from "./place.ts";
import { noDamage } from "../storage/no-damage.ts";

type ByPassphrase = Extract<WrappedKey, { scheme: "passphrase" }>;

async function filled(where: Place, passphrase: Secret | null): Promise<Vault> {
  const vault = await where.open();
  await vault.put(KEY);
  await vault.put(CREDENTIAL);
  if (passphrase !== null) await vault.setPassphrase(passphrase);
  return vault;
}

function secretOf(vault: Vault): string {
  return vault.credential("live", "merchant-7/low", BASE).secret.expose();
}

function wrappedIn(path: string): WrappedKey | null {
  return (parseGeneration("verdict/vault", readFileSync(path))!.data as VaultData).wrapped;
}

/** The vault of a disk in memory. */
function onDisk(fs: ForgetfulDisk, runCommand?: VaultOptions["runCommand"]): Promise<Vault> {
  return openVault({
    onProblem: noDamage,
    documentPath: "/home/data/vault.json",
    keyPath: "/home/state/vault.key",
    settingsPath: "/home/config/vault.json",
    newId: () => "id",
    scryptLogN: 4,
    ...(runCommand === undefined ? {} : { runCommand }),
    fs,
  });
}

/** Whether any generation of the vault on this disk opens with this key of a key file, or with this passphrase. */
async function anyGenerationOpens(where: Place, old: Buffer | Secret): Promise<boolean> {
  for (const [path, bytes] of where.files()) {
    if (!path.startsWith(where.documentPath)) continue;
    const generation = parseGeneration("verdict/vault", bytes);
    const wrapped = generation === null ? null : (generation.data as VaultData).wrapped;
    if (wrapped === null) continue;
    if (old instanceof Secret) {
      if (wrapped.scheme === "passphrase" && (await unwrapWithPassphrase(old, wrapped)) !== null) return true;
    } else if (unwrapWithKey(old, wrapped) !== null) return true;
  }
  return false;
}

describe("a passphrase", () => {
  it("opens what it wrapped, and another one does not", async () => {
    const dataKey = newSealingKey();
    const wrapped = (await wrapWithPassphrase(PASSPHRASE, dataKey, 4)) as ByPassphrase;
    expect(await unwrapWithPassphrase(PASSPHRASE, wrapped)).toEqual(dataKey);
    expect(await unwrapWithPassphrase(OTHER, wrapped)).toBeNull();
  });

  it("costs N = 2^17, r = 8, p = 1 unless a test says otherwise, with a salt of its own each time", async () => {
    const dataKey = newSealingKey();
    const one = (await wrapWithPassphrase(PASSPHRASE, dataKey)) as ByPassphrase;
    const two = (await wrapWithPassphrase(PASSPHRASE, dataKey)) as ByPassphrase;
    expect(one.scrypt).toMatchObject({ n: 131_072, r: 8, p: 1 });
    expect(one.scrypt.salt).not.toBe(two.scrypt.salt);
    expect(await unwrapWithPassphrase(PASSPHRASE, one)).toEqual(dataKey);
  });

  it("is the same however its accents are typed", async () => {
    const dataKey = newSealingKey();
    const wrapped = (await wrapWithPassphrase(new Secret("caf\u00e9 au lait"), dataKey, 4)) as ByPassphrase;
    expect(await unwrapWithPassphrase(new Secret("cafe\u0301 au lait"), wrapped)).toEqual(dataKey);
  });

  it.each([
    ["n beyond 2^20", { n: 2 ** 21 }],
    ["n that is endless", { n: 1e300 }],
    ["n that is no power of two", { n: 100_000 }],
    ["n of one", { n: 1 }],
    ["n below zero", { n: -16 }],
    ["another r", { r: 1_000_000 }],
    ["another p", { p: 64 }],
    ["another salt", { salt: "AA==" }],
  ])("is not even tried against a header with %s", async (_, change) => {
    const wrapped = (await wrapWithPassphrase(PASSPHRASE, newSealingKey(), 4)) as ByPassphrase;
    const asked = unwrapWithPassphrase(PASSPHRASE, {
      ...wrapped,
      scrypt: { ...wrapped.scrypt, ...change },
    });
    await expect(asked).rejects.toMatchObject({ code: "corrupt" });
  });

  it("does not open a header whose parameters were exchanged for other sound ones", async () => {
    const wrapped = (await wrapWithPassphrase(PASSPHRASE, newSealingKey(), 4)) as ByPassphrase;
    expect(
      await unwrapWithPassphrase(PASSPHRASE, { ...wrapped, scrypt: { ...wrapped.scrypt, n: 32 } }),
    ).toBeNull();
  });
});

describe("a vault with a passphrase", () => {
  it("opens in another process with the right one only, and says so", async () => {
    const where = place();
    await filled(where, PASSPHRASE);
    const vault = await where.open();
    expect(await vault.protection()).toBe("passphrase");
    await expect(vault.unlock(OTHER)).rejects.toMatchObject({
      code: "vault_locked",
      message: "The passphrase is wrong; try again.",
    });
    expect(vault.lockState()).toBe("locked");
    await vault.unlock(PASSPHRASE);
    expect(secretOf(vault)).toBe(`${SECRET}-2`);
    await vault.put({ ...KEY, companyId: "company-2" });
    expect(vault.list()).toHaveLength(3);
  });

  it("derives its key once in a session, whatever is read and written", async () => {
    const where = place();
    await filled(where, PASSPHRASE);
    const ask = vi.fn(() => Promise.resolve(PASSPHRASE));
    const vault = await where.open({ askPassphrase: ask });
    await Promise.all([vault.ensureOpen(), vault.probe(), vault.put(KEY)]);
    await vault.refresh();
    await vault.verify();
    expect(secretOf(vault)).toBe(`${SECRET}-2`);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("asks three times, says what was wrong, and then gives up", async () => {
    const where = place();
    await filled(where, PASSPHRASE);
    const ask = vi.fn((_problem: string | null) => Promise.resolve(OTHER));
    const vault = await where.open({ askPassphrase: ask });
    await expect(vault.ensureOpen()).rejects.toMatchObject({ code: "vault_locked" });
    expect(ask.mock.calls.map(([problem]) => problem)).toEqual([
      null,
      "The passphrase is wrong; try again.",
      "The passphrase is wrong; try again.",
    ]);
  });

  it("is corrupt, not new, when it is missing with all its generations", async () => {
    const where = place();
    await filled(where, PASSPHRASE);
    for (const name of [where.documentPath, `${where.documentPath}.bak`]) unlinkSync(name);
    await expect(where.open()).rejects.toMatchObject({ code: "corrupt" });
  });

  it("does not open beside the key file of an earlier time", async () => {
    const where = place();
    await filled(where, null);
    const key = readFileSync(where.keyPath);
    await (await where.open()).setPassphrase(PASSPHRASE);
    writeFileSync(where.keyPath, key);
    const vault = await where.open();
    expect(vault.lockState()).toBe("locked");
    await expect(vault.ensureOpen()).rejects.toMatchObject({ code: "vault_locked" });
  });

  it.each(["", "1234567", "seven\u0000 \u0001 control", "x".repeat(1025)])(
    "refuses %j as a new passphrase and changes nothing",
    async (bad) => {
      const where = place();
      const vault = await filled(where, null);
      const before = where.files();
      await expect(vault.setPassphrase(new Secret(bad))).rejects.toMatchObject({ code: "bad_input" });
      expect(where.files()).toEqual(before);
    },
  );

  it("locks other sessions when it is given another one, and they open with that", async () => {
    const where = place();
    await filled(where, PASSPHRASE);
    const [one, two] = [await where.open(), await where.open()];
    await one.unlock(PASSPHRASE);
    await two.unlock(PASSPHRASE);
    await one.setPassphrase(OTHER);
    expect(one.lockState()).toBe("open");
    await expect(two.put({ ...KEY, companyId: "late" })).rejects.toMatchObject({ code: "vault_locked" });
    expect(two.lockState()).toBe("locked");
    await expect(two.unlock(PASSPHRASE)).rejects.toMatchObject({ code: "vault_locked" });
    await two.unlock(OTHER);
    expect(secretOf(two)).toBe(`${SECRET}-2`);
    expect(two.list()).toHaveLength(2);
  });

  it("is not changed while an entry does not open: that one would be lost", async () => {
    const where = place();
    const vault = await filled(where, null);
    const generation = parseGeneration("verdict/vault", readFileSync(where.documentPath))!;
    const data = generation.data as VaultData;
    Object.assign(data.entries[0]!, { keyId: "other" });
    writeFileSync(where.documentPath, renderGeneration("verdict/vault", 1, generation.rev + 1, data));
    await expect(vault.setPassphrase(PASSPHRASE)).rejects.toMatchObject({ code: "corrupt" });
    expect(await vault.protection()).toBe("key_file");
    expect(secretOf(vault)).toBe(`${SECRET}-2`);
  });

  it("can protect a vault that was never written", async () => {
    const where = place();
    await (await where.open()).setPassphrase(PASSPHRASE);
    const vault = await where.open();
    expect(vault.lockState()).toBe("locked");
    await vault.unlock(PASSPHRASE);
    await vault.put(CREDENTIAL);
    expect(secretOf(vault)).toBe(`${SECRET}-2`);
  });
});

describe("a change of the protection", () => {
  it.each(["key file to passphrase", "passphrase to passphrase", "passphrase to key file"])(
    "from %s leaves no generation that what protected it before opens",
    async (name) => {
      const where = place();
      const [from, to] = name.split(" to ");
      const vault = await filled(where, from === "passphrase" ? PASSPHRASE : null);
      await vault.put({ ...KEY, companyId: "company-2" });
      const old =
        from === "passphrase" ? PASSPHRASE : ((await readKey(where.keyPath, nodeFileSystem)) as Buffer);
      // A damaged generation that was set aside earlier.
      writeFileSync(`${where.documentPath}.corrupt-20260101T000000000Z`, readFileSync(where.documentPath));
      expect(await anyGenerationOpens(where, old)).toBe(true);

      await vault.setPassphrase(to === "passphrase" ? OTHER : null);
      expect(await anyGenerationOpens(where, old)).toBe(false);
      expect(readdirSync(dirname(where.documentPath)).toSorted()).toEqual(["vault.json", "vault.json.bak"]);
      expect(wrappedIn(`${where.documentPath}.bak`)?.sealed).toBe(wrappedIn(where.documentPath)?.sealed);
      if (old instanceof Buffer) {
        for (const bytes of where.files().values())
          expect(bytes.includes(old.toString("base64"))).toBe(false);
      }
      const after = await where.open();
      if (to === "passphrase") await after.unlock(OTHER);
      expect(after.list()).toHaveLength(3);
      expect(secretOf(after)).toBe(`${SECRET}-2`);
      expect(await after.verify()).toMatchObject({ problems: [], fileProblems: [] });
    },
  );

  it("uses another data key: one that was learned earlier opens nothing new", async () => {
    const where = place();
    const vault = await filled(where, PASSPHRASE);
    const before = (await unwrapWithPassphrase(PASSPHRASE, wrappedIn(where.documentPath) as ByPassphrase))!;
    await vault.setPassphrase(OTHER);
    const after = (await unwrapWithPassphrase(OTHER, wrappedIn(where.documentPath) as ByPassphrase))!;
    expect(after).not.toEqual(before);
  });

  it("keeps former entries, which can be put back by the new protection", async () => {
    const where = place();
    const vault = await where.open();
    await vault.put(KEY);
    const { former } = await vault.put({ ...KEY, keyId: "newer" });
    await vault.setPassphrase(PASSPHRASE);
    const again = await where.open();
    await again.unlock(PASSPHRASE);
    expect(await again.verify()).toMatchObject({ problems: [], fileProblems: [] });
    await again.restore(former!.id);
    expect(again.integrationKey("live", PROJECTS)).toMatchObject({ keyId: KEY.keyId });
    expect(again.integrationKey("live", PROJECTS)?.secret.expose()).toBe(SECRET);
    expect(again.former().map(({ keyId }) => keyId)).toEqual(["newer"]);
  });

  it("has nothing to remove where there is no passphrase", async () => {
    const vault = await filled(place(), null);
    await expect(vault.setPassphrase(null)).rejects.toMatchObject({ code: "usage" });
  });

  /** What an attempt may have left: everything opens with one of the two, and the next change ends all of it. */
  const survives = async (where: Place, to: Secret | null, call: number): Promise<void> => {
    const after = await where.open();
    const known = [PASSPHRASE, OTHER];
    for (const passphrase of known) {
      if (after.lockState() === "locked") await after.unlock(passphrase).catch(() => undefined);
    }
    expect(after.lockState(), `call ${call}`).toBe("open");
    expect(secretOf(after), `call ${call}`).toBe(`${SECRET}-2`);
    await after.put({ ...KEY, companyId: "afterwards" });
    if (to === null && (await after.protection()) === "key_file") return;
    await after.setPassphrase(to);
    expect(await after.verify(), `call ${call}`).toMatchObject({ problems: [], fileProblems: [] });
    expect(after.list(), `call ${call}`).toHaveLength(3);
  };

  const CHANGES = [
    ["a key file to a passphrase", null, OTHER],
    ["a passphrase to another", PASSPHRASE, OTHER],
    ["a passphrase to a key file", PASSPHRASE, null],
  ] as const;

  // The full matrix costs a minute; each failure and each change is met at every call at least once.
  it.each([
    ["ENOSPC", ...CHANGES[0]],
    ["EACCES", ...CHANGES[1]],
    ["EIO", ...CHANGES[2]],
    ["short_write", ...CHANGES[0]],
    ["short_write", ...CHANGES[1]],
    ["short_write", ...CHANGES[2]],
  ] as const)(
    "with %s at the Nth call it goes from %s or not, and the vault opens in any case",
    async (failure, _, from, to) => {
      const prepared = place();
      await filled(prepared, from);
      for (let failAt = 1; ; failAt += 1) {
        const where = place();
        cpSync(prepared.home, where.home, { recursive: true });
        const failing = failingFileSystem(failure, failAt);
        const { vault, fail } = await openToFail(where, from);
        fail(failing);
        try {
          await vault.setPassphrase(to);
        } catch (error) {
          expect(["storage", "corrupt"], `call ${failAt}: ${String(error)}`).toContain(
            (error as { code?: string }).code,
          );
        }
        await survives(where, to, failAt);
        if (!failing.reached) return;
      }
    },
  );

  it.each([
    ["nothing", () => () => false],
    ["everything", () => () => true],
    ["some", () => coin()],
  ])("survives a power cut after every change where the disk keeps %s unsynced", async (_, keeps) => {
    for (const next of [PASSPHRASE, null]) {
      for (let cut = 0; ; cut += 1) {
        const disk = forgetfulDisk();
        const vault = await onDisk(disk);
        await vault.put(CREDENTIAL);
        if (next === null) await vault.setPassphrase(PASSPHRASE);
        disk.cutAfter(cut);
        const last = disk.changes + cut;
        const isDone = await vault.setPassphrase(next).then(
          () => true,
          () => false,
        );
        const after = await onDisk(disk.afterPowerCut(keeps()));
        if (isDone) expect(await after.protection()).toBe(next === null ? "key_file" : "passphrase");
        if (after.lockState() === "locked") await after.unlock(PASSPHRASE);
        expect(secretOf(after), `cut ${cut}`).toBe(`${SECRET}-2`);
        await after.put({ ...KEY, companyId: "afterwards" });
        expect(after.list(), `cut ${cut}`).toHaveLength(2);
        if (disk.changes <= last) {
          expect(cut).toBeGreaterThan(20);
          break;
        }
      }
    }
  });

  it("goes on taking older generations away after a crash in between", async () => {
    const where = place();
    const vault = await filled(where, null);
    const key = (await readKey(where.keyPath, nodeFileSystem)) as Buffer;
    // The first rename that gives the key file another content never happens.
    const fs: FileSystem = {
      ...nodeFileSystem,
      rename: (from, to) =>
        to === where.keyPath
          ? Promise.reject(Object.assign(new Error("EIO"), { code: "EIO", syscall: "rename" }))
          : nodeFileSystem.rename(from, to),
    };
    const failing = await where.open({ fs });
    await expect(failing.setPassphrase(PASSPHRASE)).rejects.toThrow(
      /new protection, but the change is not complete/,
    );
    expect(vault.list()).toHaveLength(2);
    const after = await where.open();
    await after.unlock(PASSPHRASE);
    expect(await anyGenerationOpens(where, key)).toBe(false);
    expect(await readKey(where.keyPath, nodeFileSystem)).toBe("passphrase");
    expect(await after.verify()).toMatchObject({ problems: [], fileProblems: [] });
  });

  it("never loses what another process puts at the same time", async () => {
    const where = place();
    await filled(where, null);
    const writers = await Promise.all(
      Array.from({ length: 4 }, () => where.open({ askPassphrase: () => Promise.resolve(PASSPHRASE) })),
    );
    const changer = await where.open();
    const acknowledged = await Promise.all([
      ...writers.map(async (writer, index) => {
        await writer.put({ ...KEY, companyId: `writer-${index}` });
        return `writer-${index}`;
      }),
      changer.setPassphrase(PASSPHRASE).then(() => "company-1"),
    ]);
    const after = await where.open();
    await after.unlock(PASSPHRASE);
    const held = after.integrationKeys("live", "https://projects.example").map(({ companyId }) => companyId);
    expect(held.toSorted()).toEqual([...acknowledged].toSorted());
  });
});

/** A vault whose file system can begin to fail once it is open. */
async function openToFail(
  where: Place,
  from: Secret | null,
): Promise<{ vault: Vault; fail(fs: FileSystem): void }> {
  let now: FileSystem = nodeFileSystem;
  const fs = new Proxy(nodeFileSystem, { get: (_, name: keyof FileSystem) => now[name] });
  const vault = await where.open({ fs });
  if (from !== null) await vault.unlock(from);
  return {
    vault,
    fail: (failing) => {
      now = failing;
    },
  };
}

/** Sheds and keeps in turns that no test depends on, the same in each run. */
function coin(): () => boolean {
  let state = 7;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % 3 === 0;
  };
}

describe("a passphrase command", () => {
  const command = ["pass", "show", "verdict"];

  it("protects the vault by what it gives, and opens it without a question", async () => {
    const where = place();
    const vault = await filled(where, null);
    const ran: (readonly string[])[] = [];
    const runCommand = (words: readonly string[]): Promise<Secret> => {
      ran.push(words);
      return Promise.resolve(PASSPHRASE);
    };
    const first = await where.open({ runCommand });
    await first.setPassphraseCommand(command);
    expect(await vault.protection()).toBe("passphrase_command");
    const ask = vi.fn(() => Promise.resolve(OTHER));
    const second = await where.open({ runCommand, askPassphrase: ask });
    expect(second.lockState()).toBe("locked");
    await second.ensureOpen();
    expect(secretOf(second)).toBe(`${SECRET}-2`);
    expect(ran).toEqual([command, command]);
    expect(ask).not.toHaveBeenCalled();
    // Again after a lock.
    second.lock();
    await second.probe();
    expect(ran).toHaveLength(3);
  });

  it.each([
    ["a key file", null],
    ["another command", ["old"]],
  ] as const)(
    "that is cut off anywhere when set in place of %s is set by the same command again",
    async (_, from) => {
      const open = (fs: ForgetfulDisk): Promise<Vault> =>
        onDisk(fs, ([name]) => Promise.resolve(name === "old" ? PASSPHRASE : OTHER));
      for (let cut = 0; ; cut += 1) {
        const disk = forgetfulDisk();
        const vault = await open(disk);
        await vault.put(CREDENTIAL);
        if (from !== null) await vault.setPassphraseCommand(from);
        disk.cutAfter(cut);
        const last = disk.changes + cut;
        await vault.setPassphraseCommand(["new"]).catch(() => undefined);
        const left = disk.afterPowerCut(() => true);
        // Where a key file was enough before, nothing is locked in between.
        if (from === null) await (await open(left)).ensureOpen();
        const again = await open(left);
        await again.setPassphraseCommand(["new"]);
        const after = await open(left);
        await after.ensureOpen();
        expect(secretOf(after), `cut ${cut}`).toBe(`${SECRET}-2`);
        expect(await after.protection()).toBe("passphrase_command");
        expect(await after.verify(), `cut ${cut}`).toMatchObject({ problems: [], fileProblems: [] });
        if (disk.changes <= last) {
          expect(cut).toBeGreaterThan(20);
          break;
        }
      }
    },
  );

  it("that fails changes nothing", async () => {
    const where = place();
    await filled(where, null);
    const before = where.files();
    const vault = await where.open({
      runCommand: () => Promise.reject(vaultLocked`It failed.`),
    });
    await expect(vault.setPassphraseCommand(command)).rejects.toThrow("It failed.");
    expect(where.files()).toEqual(before);
  });

  it("that gives a wrong passphrase is named, and the user is asked where there is one", async () => {
    const where = place();
    await filled(where, null);
    let given = PASSPHRASE;
    const runCommand = (): Promise<Secret> => Promise.resolve(given);
    await (await where.open({ runCommand })).setPassphraseCommand(command);
    given = OTHER;
    const alone = await where.open({ runCommand });
    await expect(alone.ensureOpen()).rejects.toMatchObject({
      code: "vault_locked",
      message: expect.stringContaining('command "pass" gives is wrong') as string,
    });
    const ask = vi.fn((_problem: string | null) => Promise.resolve(PASSPHRASE));
    const attended = await where.open({ runCommand, askPassphrase: ask });
    await attended.ensureOpen();
    expect(secretOf(attended)).toBe(`${SECRET}-2`);
    expect(ask.mock.calls[0]![0]).toContain('"pass"');
  });

  it("is forgotten with the next passphrase", async () => {
    const where = place();
    await filled(where, null);
    const vault = await where.open({ runCommand: () => Promise.resolve(PASSPHRASE) });
    await vault.setPassphraseCommand(command);
    await vault.setPassphrase(OTHER);
    expect(await vault.protection()).toBe("passphrase");
    await vault.setPassphrase(null);
    expect(await vault.protection()).toBe("key_file");
  });

  it("is not brought along by a vault from elsewhere: it stands in the configuration tree", async () => {
    const where = place();
    await filled(where, null);
    await (await where.open({ runCommand: () => Promise.resolve(PASSPHRASE) })).setPassphraseCommand(command);
    expect(readFileSync(where.documentPath, "utf8")).not.toContain('"show"');
    renameSync(where.settingsPath, `${where.settingsPath}.away`);
    if (existsSync(`${where.settingsPath}.bak`)) unlinkSync(`${where.settingsPath}.bak`);
    const runCommand = vi.fn(() => Promise.resolve(PASSPHRASE));
    const vault = await where.open({ runCommand });
    await expect(vault.ensureOpen()).rejects.toMatchObject({ code: "vault_locked" });
    expect(runCommand).not.toHaveBeenCalled();
  });
});
