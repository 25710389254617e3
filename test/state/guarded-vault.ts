// A console over a vault with a passphrase whose clock only the test moves, and a terminal's clipboard that is written down.

import { onTestFinished } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import type { Vault } from "#src/vault/vault.ts";
import {
  putCompanyKey,
  putCredential,
  testContext,
  type TestContext,
  type TestService,
} from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { place, type Place } from "../vault/place.ts";
import { createFakeTime, type FakeTime } from "./fake-time.ts";

export const PASSPHRASE = "correct horse battery staple";
export const VAULT_SECRET = "5ec2e7".repeat(10);
export const PROJECT = "demo-shop/medium";

export interface GuardedVault {
  readonly test: TestContext;
  readonly model: ConsoleModel;
  readonly vault: Vault;
  readonly where: Place;
  readonly time: FakeTime;
  /** What the clipboard of the terminal was told, oldest first; null for its being emptied. */
  readonly copied: (string | null)[];
  /** Both clocks go on: the vault's and that of the console's timers. */
  pass(ms: number): void;
  /** Texts of the toasts, oldest first. */
  said(): string[];
  /** Answers the question for one line of text, which must be there. */
  type(text: string): void;
}

/**
 * @param protectedBy what opens the vault
 * @param note what stands between program and terminal
 */
export async function guardedVault(
  protectedBy: "passphrase" | "key_file" = "passphrase",
  answers: TestService = {},
  note: string | null = null,
): Promise<GuardedVault> {
  const where = place();
  const time = createFakeTime(0);
  const test = await testContext(answers);
  // The vault asks the console, as it does in the program.
  const vault = await where.open({ askPassphrase: (problem) => model.vaultLock.ask(problem) });
  const context = { ...test.context, vault: () => Promise.resolve(vault) };
  await putCompanyKey(context, "company-1", { secret: VAULT_SECRET });
  await putCredential(context, PROJECT, { keyId: "key-2", secret: VAULT_SECRET });
  if (protectedBy === "passphrase") {
    await vault.setPassphrase(new Secret(PASSPHRASE));
    vault.lock();
  }
  const copied: (string | null)[] = [];
  const model = createConsoleModel(context, {
    keyName,
    now: () => test.context.now(),
    ascii: false,
    quit: () => undefined,
    after: time.after,
    clipboard: {
      copy: (text) => copied.push(text) > 0,
      clear: () => void copied.push(null),
      note,
    },
  });
  await model.vaultLock.load();
  onTestFinished(async () => {
    await model.close();
    await test.remove();
  });
  return {
    test,
    model,
    vault,
    where,
    time,
    copied,
    pass(ms) {
      where.clock.pass(ms);
      time.pass(ms);
    },
    said: () => model.session.store.getState().toasts.map(({ text }) => text),
    type(text) {
      if (model.session.store.getState().prompt === null) throw new Error("Nothing is asked.");
      model.session.submit(text);
    },
  };
}
