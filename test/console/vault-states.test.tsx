// The states of the vault on the whole screen: locked, about to lock, a secret in the clipboard, the menu, a credential not saved.

import { draw, KEY, SIZES } from "./driver.tsx";
import { describe, expect, it } from "vitest";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import { storage } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { formatDateTime } from "#src/display/time.ts";
import { IDLE_LIMIT_MS } from "#src/vault/open-key.ts";
import {
  guardedVault,
  PASSPHRASE,
  PROJECT,
  VAULT_SECRET,
  type GuardedVault,
} from "../state/guarded-vault.ts";

const LONG_SECRET = "0nly-0nce-".repeat(20);
const { esc: ESC } = KEY;
const MEDIUM = SIZES[1]!;

async function show(
  protectedBy: "passphrase" | "key_file",
  size: { readonly columns: number; readonly rows: number } = MEDIUM,
  prepare: (desk: GuardedVault) => void = () => undefined,
) {
  const desk = await guardedVault(protectedBy);
  desk.model.session.setProject(PROJECT);
  await desk.model.checks.load();
  await desk.model.keyring.load();
  prepare(desk);
  return { ...draw(desk.model, size), desk };
}

describe.each(SIZES.slice(0, 3))("at $columns x $rows", (size) => {
  it("Check says that the vault is locked and which key unlocks it; u asks, and then it can send", async () => {
    const { screen } = await show("passphrase", size);
    await screen.until("vault locked");
    expect(screen.flowing()).toContain("press u to unlock it");
    screen.expectWhole();
    await screen.press("u").until("Passphrase of the vault:");
    await screen.press("wrong").until("*****");
    await screen.press("\r").until("once more:");
    expect(screen.flowing()).toContain("The passphrase is wrong");
    screen.expectWhole();
    expect(await screen.press(PASSPHRASE).until("*".repeat(10))).not.toContain("horse");
    await screen.press("\r").until((frame) => !frame.includes("vault locked"));
    expect(screen.flowing()).toContain("Nothing sent yet.");
    screen.expectWhole();
  });

  it("Vault asks when it is opened, shows names alone after Esc, and locks by its key", async () => {
    const { screen } = await show("passphrase", size);
    await screen.press("3").until("Passphrase of the vault:");
    screen.press(ESC);
    await screen.until((frame) => !frame.includes("Passphrase") && frame.includes("u unlock the vault"));
    expect(screen.frame()).toMatch(/locked {2}1 of 2/);
    expect(screen.frame()).toContain("demo-shop/medium");
    expect(screen.frame()).not.toContain("It does not open");
    screen.expectWhole();
    await screen.press("v").until("Passphrase of the vault:");
    screen.press(PASSPHRASE);
    await screen.press("\r").until("hidden again in 10 s");
    expect(screen.flowing().replaceAll(" ", "")).toContain(VAULT_SECRET);
    screen.expectWhole();
    await screen.press("L").until(/locked {2}1 of 2/);
    expect(screen.flowing().replaceAll(" ", "")).not.toContain(VAULT_SECRET);
  });

  it("the header of Vault counts down in the last minutes alone, and the lock comes by itself", async () => {
    const { screen, desk } = await show("passphrase", size);
    await screen.press("3").until("Passphrase of the vault:");
    screen.press(PASSPHRASE);
    expect(await screen.press("\r").until(/open {2}1 of 2/)).not.toContain("locks in");
    desk.pass(IDLE_LIMIT_MS - 252_000);
    await screen.until("locks in 04:12");
    screen.expectWhole();
    desk.pass(252_000);
    await screen.until(/locked {2}1 of 2/);
    expect(screen.flowing()).toContain("The vault has locked itself; press u to unlock it.");
    screen.expectWhole();
  });

  it("a key file shows nothing of a lock, but what it is good for", async () => {
    const { screen } = await show("key_file", size);
    await screen.press("3").until("demo-shop/medium");
    const text = screen.flowing();
    expect(text).toContain(
      "Protected by a key file: it protects copies of the data folder, but not against root",
    );
    for (const word of ["locked", "locks in", "unlock", "open  1 of"]) expect(text).not.toContain(word);
    screen.expectWhole();
    const ids = screen.dispatcher.active().map(({ binding }) => binding.id);
    expect(ids.filter((id) => id.startsWith("lock."))).toEqual([]);
  });

  it("the command lines for the vault are offered over it", async () => {
    const { screen } = await show("key_file", size);
    await screen.press("3").until("demo-shop/medium");
    await screen.press("x").until(/› vault passphrase --set +set a passphrase/);
    for (const line of ["vault export ", "vault export --only", "vault import", "doctor --verify"])
      expect(screen.frame()).toContain(line);
    screen.expectWhole();
    await screen.press(ESC).until((frame) => !frame.includes("Palette"));
  });

  it("a credential that is not saved covers everything until it is decided", async () => {
    const unsaved: UnsavedCredential = {
      fault: storage`The credential of shop-9/low was received but not saved: /home/merchant/.local/share/verdict/vault.json was not written because the disk is full; free some space and try again.`,
      projectKey: "shop-9/low",
      credential: {
        keyId: "key-9",
        projectId: "project-9",
        algorithm: "hmac-sha256",
        secret: new Secret(LONG_SECRET),
      },
      againUntil: Date.UTC(2026, 10, 22, 12),
      save: () => Promise.reject(storage`The disk is still full; free some space and try again.`),
      writeTo: () => Promise.resolve(),
    };
    const { screen, asked } = await show("key_file", size, ({ model }) =>
      model.unsavedCredentials.add(unsaved),
    );
    await screen.until("A credential that is not saved");
    expect(screen.flowing()).toContain(`gives it again until ${formatDateTime(unsaved.againUntil!)}`);
    screen.expectWhole();
    expect(screen.frame()).not.toContain(LONG_SECRET.slice(0, 30));
    // No key leads away from it.
    screen.press("4");
    screen.press("q");
    await screen.press("r").until("The disk is still full");
    expect(screen.frame()).toContain("A credential that is not saved");
    screen.expectWhole();
    const shown = await screen.press("v").until("hidden again in 10 s");
    expect(shown.replaceAll(/\s/g, "")).toContain(LONG_SECRET);
    screen.expectWhole();
    await screen.press("v").until((frame) => !frame.includes(LONG_SECRET.slice(0, 30)));
    await screen.press("\x03").until("y leave");
    expect(asked.interrupt).not.toHaveBeenCalled();
    screen.press("\r");
    await screen.until(
      (frame) => frame.includes("A credential that is not saved") && !frame.includes("y leave"),
    );
    await screen.press(ESC).until("y give up");
    await screen.press("y").until("Compose");
    expect(asked.interrupt).not.toHaveBeenCalled();
  });
});
