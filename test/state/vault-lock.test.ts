// The lock of the vault in the console: one question, what a lock takes away, and what it is worth.

import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { LOCK_NEAR_MS, vaultLocked } from "#src/state/vault/vault-lock.ts";
import { HARD_LIMIT_MS, IDLE_LIMIT_MS } from "#src/vault/open-key.ts";
import { answered } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { guardedVault, PASSPHRASE, PROJECT, VAULT_SECRET, type GuardedVault } from "./guarded-vault.ts";

const prompt = ({ model }: GuardedVault) => model.session.store.getState().prompt;
const lock = ({ model }: GuardedVault) => model.vaultLock.store.getState();

async function asked(desk: GuardedVault): Promise<void> {
  await vi.waitFor(() => expect(prompt(desk)).not.toBeNull());
}

const escape = (desk: GuardedVault): void => desk.model.session.closePrompt();

async function unlocked(desk: GuardedVault): Promise<void> {
  const opening = desk.model.vaultLock.open();
  await asked(desk);
  desk.type(PASSPHRASE);
  expect(await opening).toBe(true);
}

const REQUEST = { operation: "payment", order_id: "o-1", amount: 100, currency: 980 } as const;

describe("the question", () => {
  it("is asked once for all who come, masked, and again when the answer was wrong", async () => {
    const desk = await guardedVault();
    const { vaultLock } = desk.model;
    expect(lock(desk)).toMatchObject({ protection: "passphrase", locked: true });
    const both = Promise.all([vaultLock.open(), vaultLock.open()]);
    await asked(desk);
    expect(prompt(desk)).toMatchObject({ masked: true, label: "Passphrase of the vault:" });
    desk.type("wrong horse battery staple");
    await vi.waitFor(() => expect(prompt(desk)?.label).toBe("Passphrase of the vault, once more:"));
    expect(desk.said().join()).toContain("The passphrase is wrong");
    desk.type(PASSPHRASE);
    expect(await both).toEqual([true, true]);
    expect(lock(desk)).toMatchObject({ locked: false, unlocking: false });
    expect(prompt(desk)).toBeNull();
  });

  it("is not asked of a vault with a key file, whatever is done", async () => {
    const desk = await guardedVault("key_file");
    desk.model.session.go("vault");
    expect(await desk.model.vaultLock.open()).toBe(true);
    desk.model.vaultLock.lock();
    desk.model.secure();
    expect(lock(desk)).toMatchObject({ protection: "key_file", locked: false });
    expect(prompt(desk)).toBeNull();
    expect(desk.vault.lockState()).toBe("open");
  });

  it("comes before a check is sent: nothing is under way meanwhile, and Esc sends nothing", async () => {
    const sent = vi.fn();
    const desk = await guardedVault("passphrase", { check: () => (sent(), answered("pass")) });
    desk.model.session.setProject(PROJECT);
    const { checks } = desk.model;
    const refused = checks.send(REQUEST, []);
    await asked(desk);
    expect(checks.store.getState().inFlight).toBeNull();
    escape(desk);
    expect(await refused).toBeNull();
    expect(checks.store.getState().failed).toMatchObject({ message: vaultLocked(keyName) });
    expect(sent).not.toHaveBeenCalled();
    const going = checks.send(REQUEST, []);
    await asked(desk);
    desk.type(PASSPHRASE);
    expect(await going).not.toBeNull();
    expect(sent).toHaveBeenCalledOnce();
  });

  it("is taken back with what was typed when the vault is locked meanwhile", async () => {
    const desk = await guardedVault();
    const opening = desk.model.vaultLock.open();
    await asked(desk);
    desk.model.secure();
    expect(await opening).toBe(false);
    expect(prompt(desk)).toBeNull();
  });
});

describe("a lock", () => {
  it.each<[string, (desk: GuardedVault) => void]>([
    ["by its key", ({ model }) => model.vaultLock.lock()],
    ["on suspend", ({ model }) => model.secure()],
    ["after ten minutes without use", (desk) => desk.pass(IDLE_LIMIT_MS)],
  ])("%s leaves no secret anywhere", async (_when, act) => {
    const desk = await guardedVault();
    const { keyring, copies, session } = desk.model;
    session.go("vault");
    await asked(desk);
    desk.type(PASSPHRASE);
    await vi.waitFor(() => expect(lock(desk).locked).toBe(false));
    await keyring.load();
    keyring.add();
    keyring.move(-1);
    keyring.move(-1);
    keyring.enter("typed-by-hand");
    keyring.copy();
    await vi.waitFor(() => expect(copies.store.getState().held).not.toBeNull());
    keyring.reveal();
    await vi.waitFor(() => expect(keyring.store.getState().revealed).not.toBeNull());
    act(desk);
    expect(lock(desk).locked).toBe(true);
    expect(desk.vault.lockState()).toBe("locked");
    expect(keyring.store.getState()).toMatchObject({ revealed: null, adding: { secrets: {} } });
    expect(desk.copied).toEqual([VAULT_SECRET, null]);
    expect(inspect(keyring.store.getState(), { depth: 9 })).not.toContain(VAULT_SECRET);
    await vi.waitFor(() =>
      expect(keyring.store.getState().entries.every(({ fingerprint }) => fingerprint === null)).toBe(true),
    );
  });

  it("comes after two hours however much it is used, and says so", async () => {
    const desk = await guardedVault();
    await unlocked(desk);
    await desk.model.keyring.load();
    const [entry] = desk.vault.list();
    for (let minute = 0; minute < HARD_LIMIT_MS / 60_000 - 1; minute += 1) {
      desk.pass(60_000);
      desk.vault.reveal(entry!.id);
    }
    expect(lock(desk).locked).toBe(false);
    desk.pass(60_000);
    expect(lock(desk).locked).toBe(true);
    expect(desk.said()).toContain("The vault has locked itself; press u to unlock it.");
  });

  it("is announced in its last minutes only, once a second, and only while somebody looks", async () => {
    const desk = await guardedVault();
    await unlocked(desk);
    const heard = vi.fn();
    desk.model.vaultLock.store.subscribe(heard);
    const leave = desk.model.vaultLock.watch();
    desk.pass(IDLE_LIMIT_MS - LOCK_NEAR_MS - 1_000);
    expect(heard).not.toHaveBeenCalled();
    desk.pass(1_000);
    expect(lock(desk).locksIn).toBe(LOCK_NEAR_MS);
    desk.pass(2_000);
    expect(lock(desk).locksIn).toBe(LOCK_NEAR_MS - 2_000);
    // A use puts it off, and the countdown goes.
    desk.vault.reveal(desk.vault.list()[0]!.id);
    desk.pass(1_000);
    expect(lock(desk).locksIn).toBeNull();
    leave();
    heard.mockClear();
    desk.pass(IDLE_LIMIT_MS - 2_000);
    expect(heard).not.toHaveBeenCalled();
    expect(desk.time.pending()).toBeLessThanOrEqual(1);
  });
});

describe("the clipboard", () => {
  async function copied(note: string | null = null): Promise<GuardedVault> {
    const desk = await guardedVault("key_file", {}, note);
    await desk.model.keyring.load();
    desk.model.keyring.copy();
    await vi.waitFor(() => expect(desk.copied).toEqual([VAULT_SECRET]));
    return desk;
  }

  it("has a secret for 30 seconds", async () => {
    const desk = await copied();
    expect(desk.said().join()).toContain("Sent to your terminal's clipboard; it is cleared in 30 s");
    expect(desk.said().join()).not.toContain(VAULT_SECRET);
    desk.pass(29_000);
    expect(desk.copied).toEqual([VAULT_SECRET]);
    desk.pass(1_000);
    expect(desk.copied).toEqual([VAULT_SECRET, null]);
    desk.pass(60_000);
    expect(desk.copied).toHaveLength(2);
  });

  it("is emptied on the way out, once", async () => {
    const desk = await copied();
    desk.model.copies.clear();
    await desk.model.close();
    expect(desk.copied).toEqual([VAULT_SECRET, null]);
  });

  it("keeps what this program put there since", async () => {
    const desk = await copied();
    expect(desk.model.copies.copy("curl ...")).toBe(true);
    desk.pass(60_000);
    await desk.model.close();
    expect(desk.copied).toEqual([VAULT_SECRET, "curl ..."]);
  });

  it("takes nothing empty and nothing in front of an audience, and says what stands in between", async () => {
    const desk = await copied("Inside tmux it may not arrive.");
    expect(desk.said().join()).toContain("Inside tmux it may not arrive.");
    const { copies, session } = desk.model;
    expect(copies.copy("")).toBe(false);
    expect(copies.copySecret("x", new Secret(""))).toBe(false);
    session.go("demo");
    expect(copies.copySecret("x", new Secret("y"))).toBe(false);
    expect(desk.copied).toEqual([VAULT_SECRET]);
  });
});
