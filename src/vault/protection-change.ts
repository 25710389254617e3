// Changes the protection of the vault: seals all entries again with a new data key, in one write.

import { badInput, Fault, sentence, usage, whole } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { newSealingKey } from "#src/storage/documents/sealing.ts";
import { wrapWithKey, wrapWithPassphrase } from "./data-key.ts";
import { damagedEntryFault, describe } from "./entry-details.ts";
import { openEntry, sealEntry } from "./entry-seal.ts";
import { replaceKey } from "./key-file.ts";
import { removeOlder, withKeysLocked } from "./older-generations.ts";
import type { Protection, ProtectionOptions } from "./protection.ts";
import type { StoredEntry, VaultData, WrappedKey } from "./vault-file.ts";

/** Shortest passphrase, in characters: scrypt slows guessing down, but not enough for four letters. */
const SHORTEST_PASSPHRASE = 8;
const LONGEST_PASSPHRASE = 1024;

export class ProtectionChange {
  readonly #options: ProtectionOptions;
  readonly #protection: Protection;

  constructor(options: ProtectionOptions, protection: Protection) {
    this.#options = options;
    this.#protection = protection;
  }

  /** A passphrase, or a key file again (null). */
  async setPassphrase(next: Secret | null): Promise<void> {
    if (next !== null) requirePassphrase(next);
    await this.#protection.ensureOpen();
    await this.#change(() => (next === null ? this.#backToKeyFile() : this.#toPassphrase(next)), null);
  }

  /** The passphrase that a command gives. */
  async setPassphraseCommand(command: readonly string[]): Promise<void> {
    const { settings, runCommand } = this.#options;
    if (settings === null || runCommand === null) throw new TypeError("a vault without settings");
    const passphrase = await runCommand(command);
    requirePassphrase(passphrase);
    // An earlier attempt may have written the vault and not the settings.
    if (this.#protection.isLocked) await this.#tryToUnlock(passphrase);
    await this.#protection.ensureOpen();
    // Written first, so that the vault is never locked without its command; with a key file it is not used.
    if (this.#protection.scheme !== "passphrase") await settings.setPassphraseCommand(command);
    await this.#change(() => this.#toPassphrase(passphrase), command);
  }

  async #tryToUnlock(passphrase: Secret): Promise<void> {
    try {
      await this.#protection.unlock(passphrase);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "vault_locked") throw error;
    }
  }

  /** The vault is written first: after a crash the passphrase must be typed, and older generations are removed later. */
  async #change(rewrap: () => Promise<void>, command: readonly string[] | null): Promise<void> {
    await withKeysLocked(this.#options, async () => {
      await rewrap();
      try {
        await this.#options.settings?.setPassphraseCommand(command);
        await removeOlder(this.#options);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        throw new Fault(
          error.code,
          sentence`The vault has its new protection, but the change is not complete: ${whole(error.message)} Then set the protection once more.`,
        ).causedBy(error);
      }
    });
  }

  async #toPassphrase(next: Secret): Promise<void> {
    const dataKey = newSealingKey();
    await this.#rewrap(await wrapWithPassphrase(next, dataKey, this.#options.scryptLogN), dataKey);
  }

  async #backToKeyFile(): Promise<void> {
    const { document, keyPath, fs } = this.#options;
    if ((await document.read()).wrapped?.scheme !== "passphrase") {
      throw usage`The vault has no passphrase; its key file protects it already.`;
    }
    // Written before the vault needs it; until then it opens nothing.
    const [key, dataKey] = [newSealingKey(), newSealingKey()];
    await replaceKey(keyPath, key, fs);
    try {
      await this.#rewrap(wrapWithKey(key, dataKey), dataKey);
    } finally {
      key.fill(0);
    }
  }

  async #rewrap(wrapped: WrappedKey, dataKey: Buffer): Promise<void> {
    const { document, key } = this.#options;
    await document.update(async (data) => {
      const isNew = !(await this.#protection.adopt(data));
      const reseal = (entry: StoredEntry): StoredEntry => key.use((old) => resealed(old, dataKey, entry));
      const entries = isNew ? [] : data.entries.map(reseal);
      const former = isNew
        ? []
        : data.former.map((entry) => ({ ...reseal(entry), replacedAt: entry.replacedAt }));
      Object.assign(data, { wrapped, entries, former, outdated: true } satisfies VaultData);
    });
    this.#protection.open(dataKey, wrapped);
  }
}

function resealed(old: Buffer, next: Buffer, entry: StoredEntry): StoredEntry {
  const secret = openEntry(old, entry);
  if (secret === null) throw damagedEntryFault(entry.id);
  return sealEntry(next, entry.id, describe(entry), secret);
}

/** @throws Fault("bad_input") */
function requirePassphrase(passphrase: Secret): void {
  const characters = Array.from(passphrase.expose()).length;
  if (characters < SHORTEST_PASSPHRASE) {
    throw badInput`The passphrase needs at least ${SHORTEST_PASSPHRASE} characters; four or five random words are easy to remember and hard to guess.`;
  }
  if (characters > LONGEST_PASSPHRASE || /\p{Cc}/u.test(passphrase.expose())) {
    throw badInput`The passphrase must be at most ${LONGEST_PASSPHRASE} characters long and hold no control characters; nothing was changed.`;
  }
}
