// Pictures of the vault and of a credential that is not saved.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openService } from "../service.ts";
import { ENTER, ESC, TAB, type Lot } from "../studio.ts";

const PASSPHRASE = "correct horse battery staple";

/** The vault: its menu, a passphrase set and asked for, locked, a copied secret, and a credential that is not saved. */
export async function captureVault(lot: Lot): Promise<void> {
  const home = lot.homeOf("vault");
  const vault = join(home.env["VERDICT_HOME"]!, "data/vault.json");
  // A service that believes everything; what it hands out cannot be saved, because the vault is taken by something else.
  const service = await openService((path) => {
    const isCredential = path === "/projects/credential";
    if (isCredential) mkdirSync(`${vault}.lock`, { recursive: true });
    const values = { key_id: "key-of-shop-9", project_id: "project-9", algorithm: "hmac-sha256" };
    const credential = { ...values, secret: "feedface".repeat(8) };
    return { status: "success", message: "Done", ...(isCredential ? { credential } : {}) };
  });
  await home.verdict(["profile", "add", "shop-test", "--base-url", service.url]);
  await home.verdict(["profile", "use", "shop-test"]);
  const studio = lot.open(home, "vault");
  await studio.until("No project has a credential yet");
  await studio.press(ESC, "3");
  await studio.until("The vault is empty");
  // An integration key, and the credential of a project.
  await studio.press("a", TAB, "company-1", TAB, "key-1", TAB, TAB, "0123456789abcdef", ENTER, ENTER);
  await studio.until("is in the vault");
  await studio.press("a", TAB, "demo-shop", TAB, TAB, "project-1", TAB, "key-2", TAB, TAB);
  await studio.press("fedcba9876543210", ENTER, ENTER);
  await studio.until("1 of 2");
  await studio.capture("key-file");
  await studio.press("y");
  await studio.until("cleared in");
  await studio.capture("copied");
  await studio.press("x");
  await studio.capture("actions");
  await studio.press("verify", ENTER);
  await studio.until("doctor --verify");
  await studio.until((screen) => screen.includes("The history is undamaged") && !screen.includes("Running;"));
  await studio.capture("verified");
  await studio.press(ESC, "x", ENTER);
  await studio.until("New passphrase");
  await studio.capture("new-passphrase");
  await studio.press(PASSPHRASE, ENTER, PASSPHRASE, ENTER);
  await studio.until("any key goes back");
  await studio.press(" ");
  await studio.until("locked  1 of 2");
  await studio.press("u", PASSPHRASE, ENTER);
  await studio.until("open  1 of 2");
  await studio.capture("open");
  await studio.press("L");
  await studio.until("locked  1 of 2");
  await studio.capture("locked");
  await studio.press("1", ESC);
  await studio.capture("locked-check");
  await studio.press("u", "wrong", ENTER);
  await studio.until("once more:");
  await studio.capture("wrong-passphrase");
  await studio.press(PASSPHRASE, ENTER);
  await studio.until("sends this payment for");
  await studio.press("2", TAB, "shop-9", TAB, "Shop 9", TAB, TAB, "UAH", ESC, ENTER);
  await studio.until("Registered shop-9");
  await studio.press("f");
  await studio.until("A credential that is not saved");
  await studio.capture("not-saved");
  await studio.press("v");
  await studio.capture("not-saved-secret");
  await studio.press("\u0003");
  await studio.until("y leave");
  await studio.capture("not-saved-leave");
  await studio.press("y");
  service.close();
  await studio.ended();
}
