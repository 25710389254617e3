// The lock: when a vault with a passphrase closes by itself, and what is left of the key in memory.

import { describe, expect, it } from "vitest";

import { HARD_LIMIT_MS, IDLE_LIMIT_MS, OpenKey } from "#src/vault/open-key.ts";
import type { WrappedKey } from "#src/vault/vault-file.ts";
import type { Vault } from "#src/vault/vault.ts";
import { BASE, CREDENTIAL, fakeClock, KEY, PASSPHRASE, place, PROJECTS, SECRET } from "./place.ts";

const MINUTE = 60_000;
const WRAPPED: WrappedKey = {
  scheme: "passphrase",
  scrypt: { n: 16, r: 8, p: 1, salt: "" },
  sealed: "one",
};

function opened(wrapped: WrappedKey = WRAPPED) {
  const clock = fakeClock();
  const key = new OpenKey(clock);
  const bytes = Buffer.alloc(32, 7);
  key.set(bytes, wrapped);
  return { clock, key, bytes };
}

describe("an open vault with a passphrase", () => {
  it("overwrites the key in memory when it is locked", () => {
    const { key, bytes } = opened();
    key.clear();
    expect(bytes).toEqual(Buffer.alloc(32));
    expect(key.isOpen).toBe(false);
    expect(() => key.use(() => 0)).toThrow(expect.objectContaining({ code: "vault_locked" }) as Error);
  });

  it("overwrites the key that another one takes the place of", () => {
    const { key, bytes } = opened();
    key.set(Buffer.alloc(32, 9), { ...WRAPPED, sealed: "two" });
    expect(bytes).toEqual(Buffer.alloc(32));
    expect(key.use((dataKey) => dataKey[0])).toBe(9);
    expect(key.fits(WRAPPED)).toBe(false);
  });

  it("is locked by a timer after ten minutes without use, and not a moment before", () => {
    const { clock, key, bytes } = opened();
    const heard: string[] = [];
    key.onChange((state) => heard.push(state));
    clock.pass(IDLE_LIMIT_MS - 1);
    expect(heard).toEqual([]);
    clock.pass(1);
    // Nobody has asked: the timer did it.
    expect(heard).toEqual(["locked"]);
    expect(bytes).toEqual(Buffer.alloc(32));
    expect(clock.timers).toBe(0);
  });

  it("stays open while it is used, until two hours are over", () => {
    const { clock, key, bytes } = opened();
    for (let minute = 9; minute < 120; minute += 9) {
      clock.pass(9 * MINUTE);
      expect(key.use(() => true)).toBe(true);
    }
    clock.pass(HARD_LIMIT_MS - 13 * 9 * MINUTE - 1);
    expect(key.isOpen).toBe(true);
    clock.pass(1);
    expect(bytes).toEqual(Buffer.alloc(32));
  });

  it("is not kept open by looks that are no use", () => {
    const { clock, key } = opened();
    for (let minute = 0; minute < 10; minute += 1) {
      key.use(() => 0, false);
      clock.pass(MINUTE);
    }
    expect(key.isOpen).toBe(false);
  });

  it.each([
    ["the idle limit", IDLE_LIMIT_MS],
    ["the hard limit", HARD_LIMIT_MS],
  ])("is locked at its first use after a suspension beyond %s, although no timer ran", (_, limit) => {
    const { clock, key, bytes } = opened();
    clock.suspend(limit);
    expect(() => key.use(() => 0)).toThrow(expect.objectContaining({ code: "vault_locked" }) as Error);
    expect(bytes).toEqual(Buffer.alloc(32));
  });

  it("is not kept open by a wall clock that is set back", () => {
    const { clock, key } = opened();
    clock.set(-HARD_LIMIT_MS);
    clock.pass(IDLE_LIMIT_MS);
    expect(key.isOpen).toBe(false);
  });

  it("stays open beyond the limits while a request is under way, and closes right afterwards", () => {
    const { clock, key } = opened();
    const release = key.hold();
    clock.pass(HARD_LIMIT_MS + MINUTE);
    expect(key.use(() => true)).toBe(true);
    release();
    release();
    expect(key.isOpen).toBe(false);
  });

  it("closes in the middle of a request when the user says so", () => {
    const { key } = opened();
    key.hold();
    key.clear();
    expect(key.isOpen).toBe(false);
  });

  it("has no limits with a key file, where a lock would protect nothing", () => {
    const { clock, key } = opened({ scheme: "key-file", sealed: "one" });
    expect(clock.timers).toBe(0);
    clock.pass(10 * HARD_LIMIT_MS);
    expect(key.isOpen).toBe(true);
  });
});

describe("a vault", () => {
  const withPassphrase = async () => {
    const where = place();
    const vault = await where.open();
    await vault.put(KEY);
    await vault.put(CREDENTIAL);
    await vault.setPassphrase(PASSPHRASE);
    return { ...where, vault };
  };
  const locked = expect.objectContaining({ code: "vault_locked" }) as Error;
  const useOf: readonly (readonly [string, (vault: Vault) => unknown])[] = [
    ["credential", (vault) => vault.credential("live", "merchant-7/low", BASE)],
    ["integrationKeys", (vault) => vault.integrationKeys("live", PROJECTS)],
    ["reveal", (vault) => vault.reveal(vault.list()[0]!.id)],
  ];

  it("starts locked, lists what it has without fingerprints, and gives out nothing", async () => {
    const { open } = await withPassphrase();
    const vault = await open();
    expect(vault.lockState()).toBe("locked");
    expect(vault.list().map(({ fingerprint }) => fingerprint)).toEqual([null, null]);
    for (const [name, use] of useOf) expect(() => use(vault), name).toThrow(locked);
    const uses = [
      () => vault.put(KEY),
      () => vault.remove("id"),
      () => vault.restore("id"),
      () => vault.probe(),
      () => vault.verify(),
    ];
    for (const use of uses) await expect(use()).rejects.toMatchObject({ code: "vault_locked" });
  });

  it("opens with its passphrase and says so, and locks again on demand", async () => {
    const { open } = await withPassphrase();
    const vault = await open();
    const heard: string[] = [];
    const stop = vault.onLockChange((state) => heard.push(state));
    await vault.unlock(PASSPHRASE);
    expect(vault.credential("live", "merchant-7/low", BASE).secret.expose()).toBe(`${SECRET}-2`);
    expect(vault.list().every(({ fingerprint }) => fingerprint !== null)).toBe(true);
    vault.lock();
    expect(vault.lockState()).toBe("locked");
    for (const [name, use] of useOf) expect(() => use(vault), name).toThrow(locked);
    stop();
    await vault.unlock(PASSPHRASE);
    expect(heard).toEqual(["open", "locked"]);
  });

  it("locks itself by its limits", async () => {
    const { open, clock } = await withPassphrase();
    const vault = await open();
    await vault.unlock(PASSPHRASE);
    clock.pass(IDLE_LIMIT_MS);
    expect(vault.lockState()).toBe("locked");
    await vault.unlock(PASSPHRASE);
    clock.suspend(HARD_LIMIT_MS);
    expect(() => vault.credential("live", "merchant-7/low", BASE)).toThrow(locked);
  });

  it("is always open with a key file, whatever is said", async () => {
    const { open, clock } = place();
    const vault = await open();
    expect(vault.lockState()).toBe("open");
    await vault.put(KEY);
    vault.lock();
    clock.pass(HARD_LIMIT_MS);
    expect(vault.lockState()).toBe("open");
    expect(vault.integrationKey("live", PROJECTS)?.secret.expose()).toBe(SECRET);
    expect(await vault.protection()).toBe("key_file");
  });
});
