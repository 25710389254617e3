// The protection of the vault: a key file, or a passphrase that is typed or given by a command.

import { corrupt, Fault, vaultLocked, whole } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { newSealingKey } from "#src/storage/documents/sealing.ts";
import { unwrapWithKey, unwrapWithPassphrase, wrapWithKey } from "./data-key.ts";
import { createKey, readKey } from "./key-file.ts";
import { LOCKED, type OpenKey } from "./open-key.ts";
import { retireOlder, withKeysLocked, type VaultFiles } from "./older-generations.ts";
import type { RunPassphraseCommand } from "./passphrase-command.ts";
import type { VaultData, WrappedKey } from "./vault-file.ts";
import type { VaultSettings } from "./vault-settings.ts";

/** Of typing the passphrase. */
const ATTEMPTS = 3;

export interface ProtectionOptions extends VaultFiles {
  readonly key: OpenKey;
  readonly settings: VaultSettings | null;
  readonly runCommand: RunPassphraseCommand | null;
  readonly askPassphrase: ((problem: string | null) => Promise<Secret>) | null;
  readonly scryptLogN: number;
}

export class Protection {
  readonly #options: ProtectionOptions;
  #scheme: WrappedKey["scheme"] | null = null;
  #opening: Promise<void> | null = null;

  constructor(options: ProtectionOptions) {
    this.#options = options;
  }

  /** How the data key was wrapped when the document was last read; null for a vault that was never written. */
  get scheme(): WrappedKey["scheme"] | null {
    return this.#scheme;
  }

  get isLocked(): boolean {
    return this.#scheme === "passphrase" && !this.#options.key.isOpen;
  }

  /**
   * Loads the key of the document as it is now, unless that needs a passphrase; forgets any other key.
   * @returns false for an empty vault without a key: it may be initialised
   * @throws Fault("vault_locked") without the right key file, Fault("corrupt") for a vault that is missing beside its key
   */
  async adopt({ wrapped, entries, former }: VaultData): Promise<boolean> {
    const { key, keyPath, documentPath, fs } = this.#options;
    this.#scheme = wrapped?.scheme ?? null;
    if (wrapped !== null && !key.fits(wrapped)) key.clear();
    if (wrapped?.scheme === "passphrase") return true;
    const held = await readKey(keyPath, fs);
    if (wrapped === null) {
      if (held === null) return false;
      throw corrupt`The vault ${documentPath} is missing beside its key; restore it from a backup, or move the key ${keyPath} away to start with a new one.`;
    }
    if (held === null) {
      key.clear();
      if (entries.length + former.length === 0) return false;
      throw vaultLocked`The key of the vault, ${keyPath}, is missing; restore it from a backup of yours.`;
    }
    const dataKey = held === "passphrase" ? null : unwrapWithKey(held, wrapped);
    if (held !== "passphrase") held.fill(0);
    if (dataKey === null) {
      key.clear();
      throw vaultLocked`${keyPath} is not the key of the vault ${documentPath}; restore the right one from a backup of yours.`;
    }
    if (key.fits(wrapped)) dataKey.fill(0);
    else key.set(dataKey, wrapped);
    return true;
  }

  /**
   * Gives an empty vault its keys. The vault is written before its key, so that a crash in between leaves an empty vault
   * without a key, which is initialised again, and never a key whose vault seems lost.
   */
  async initialise(): Promise<void> {
    const { document, keyPath, fs } = this.#options;
    await withKeysLocked(this.#options, async () => {
      if (await this.adopt(await document.read())) return;
      const [key, dataKey] = [newSealingKey(), newSealingKey()];
      await document.update((data) => {
        data.wrapped = wrapWithKey(key, dataKey);
      });
      await createKey(keyPath, key, fs);
      key.fill(0);
      dataKey.fill(0);
    });
  }

  /** Keeps a data key with its wrapping, which is on disk. */
  open(dataKey: Buffer, wrapped: WrappedKey): void {
    this.#options.key.set(dataKey, wrapped);
    this.#scheme = wrapped.scheme;
  }

  /** @throws Fault("vault_locked") for a wrong passphrase */
  async unlock(passphrase: Secret): Promise<void> {
    const data = await this.#options.document.read();
    await this.adopt(data);
    if (!this.isLocked || data.wrapped?.scheme !== "passphrase") return;
    const dataKey = await unwrapWithPassphrase(passphrase, data.wrapped);
    if (dataKey === null) throw vaultLocked`The passphrase is wrong; try again.`;
    this.open(dataKey, data.wrapped);
    await retireOlder(this.#options, data);
  }

  /** Opens a locked vault by the command or by asking; concurrent callers share one attempt. */
  ensureOpen(): Promise<void> {
    if (!this.isLocked) return Promise.resolve();
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { settings, runCommand, askPassphrase } = this.#options;
    let problem: string | null = null;
    const command = (await settings?.passphraseCommand()) ?? null;
    if (command !== null && runCommand !== null) {
      try {
        return await this.#unlockByCommand(command, runCommand);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "vault_locked" || askPassphrase === null) throw error;
        problem = error.message;
      }
    }
    if (askPassphrase === null) throw new Fault("vault_locked", whole(problem ?? LOCKED));
    for (let attempt = 1; ; attempt += 1) {
      const passphrase = await askPassphrase(problem);
      try {
        return await this.unlock(passphrase);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "vault_locked" || attempt === ATTEMPTS) throw error;
        problem = error.message;
      }
    }
  }

  async #unlockByCommand(command: readonly string[], runCommand: RunPassphraseCommand): Promise<void> {
    const passphrase = await runCommand(command);
    try {
      await this.unlock(passphrase);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "vault_locked") throw error;
      throw vaultLocked`The passphrase that the command "${command[0]!}" gives is wrong; correct what it reads, or set another with "verdict vault passphrase".`;
    }
  }

  async protection(): Promise<"key_file" | "passphrase" | "passphrase_command"> {
    const { document, settings } = this.#options;
    if ((await document.read()).wrapped?.scheme !== "passphrase") return "key_file";
    return ((await settings?.passphraseCommand()) ?? null) === null ? "passphrase" : "passphrase_command";
  }
}
