// The protection of the vault: a key file, or a passphrase that is typed or given by a command. It holds the open key, and
// changes what protects it: all entries are sealed again with a new data key, in one write.

import { badInput, corrupt, Fault, sentence, usage, vaultLocked, whole } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { Document } from "#src/storage/documents/document.ts";
import { newSealingKey } from "#src/storage/documents/sealing.ts";
import { nodeFileSystem, type FileSystem } from "#src/storage/file-system.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { unwrapWithKey, unwrapWithPassphrase, wrapWithKey, wrapWithPassphrase } from "./data-key.ts";
import { damagedEntryFault, describe } from "./entry-details.ts";
import { openEntry, sealEntry } from "./entry-seal.ts";
import { createKey, readKey, replaceKey } from "./key-file.ts";
import { LOCKED, OpenKey, systemClock, type VaultClock } from "./open-key.ts";
import { removeOlder, retireOlder, withKeysLocked, type VaultFiles } from "./older-generations.ts";
import type { RunPassphraseCommand } from "./passphrase-command.ts";
import type { StoredEntry, VaultData, WrappedKey } from "./vault-file.ts";
import { openVaultSettings, type VaultSettings } from "./vault-settings.ts";

/** Of typing the passphrase. */
const ATTEMPTS = 3;
/** Shortest passphrase, in characters: scrypt slows guessing down, but not enough for four letters. */
const SHORTEST_PASSPHRASE = 8;
const LONGEST_PASSPHRASE = 1024;

export interface ProtectionOptions {
  /** The vault, in the data tree. */
  readonly documentPath: string;
  /** Its key, in the state tree: a copy of the data tree alone opens nothing. */
  readonly keyPath: string;
  /** Its settings, in the configuration tree; without one no passphrase command is used. */
  readonly settingsPath?: string;
  /** Called for damage to the vault and to its settings. */
  readonly onProblem: OnProblem;
  /** Runs the passphrase command; a vault without it only takes typed passphrases. */
  readonly runCommand?: RunPassphraseCommand;
  /**
   * Asks the user for the passphrase; `problem` says what was wrong with the last one. Rejects with Fault("vault_locked")
   * where there is no one to ask. Without it, `unlock` is the only way.
   */
  readonly askPassphrase?: (problem: string | null) => Promise<Secret>;
  readonly clock?: VaultClock;
  /** Base-2 logarithm of the cost of new passphrases; 17 by default. */
  readonly scryptLogN?: number;
  readonly fs?: FileSystem;
}

export class Protection {
  readonly key: OpenKey;
  readonly clock: VaultClock;
  readonly files: VaultFiles;
  readonly #options: ProtectionOptions;
  readonly #settings: VaultSettings | null;
  #scheme: WrappedKey["scheme"] | null = null;
  #opening: Promise<void> | null = null;

  constructor(options: ProtectionOptions, document: Document<VaultData>) {
    const { documentPath, keyPath, settingsPath, onProblem, fs = nodeFileSystem } = options;
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.key = new OpenKey(this.clock);
    this.files = { document, documentPath, keyPath, fs };
    this.#settings = settingsPath === undefined ? null : openVaultSettings(settingsPath, onProblem, fs);
  }

  /** How the data key was wrapped when the document was last read; null for a vault that was never written. */
  get scheme(): WrappedKey["scheme"] | null {
    return this.#scheme;
  }

  get isLocked(): boolean {
    return this.#scheme === "passphrase" && !this.key.isOpen;
  }

  /**
   * Loads the key of the document as it is now, unless that needs a passphrase; forgets any other key.
   * @returns false for an empty vault without a key: it may be initialised
   * @throws Fault("vault_locked") without the right key file, Fault("corrupt") for a vault that is missing beside its key
   */
  async adopt({ wrapped, entries, former }: VaultData): Promise<boolean> {
    const { key } = this;
    const { keyPath, documentPath, fs } = this.files;
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
    const { document, keyPath, fs } = this.files;
    await withKeysLocked(this.files, async () => {
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
  #keep(dataKey: Buffer, wrapped: WrappedKey): void {
    this.key.set(dataKey, wrapped);
    this.#scheme = wrapped.scheme;
  }

  /** @throws Fault("vault_locked") for a wrong passphrase */
  async unlock(passphrase: Secret): Promise<void> {
    const data = await this.files.document.read();
    await this.adopt(data);
    if (!this.isLocked || data.wrapped?.scheme !== "passphrase") return;
    const dataKey = await unwrapWithPassphrase(passphrase, data.wrapped);
    if (dataKey === null) throw vaultLocked`The passphrase is wrong; try again.`;
    this.#keep(dataKey, data.wrapped);
    await retireOlder(this.files, data);
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
    const { runCommand, askPassphrase } = this.#options;
    let problem: string | null = null;
    const command = (await this.#settings?.passphraseCommand()) ?? null;
    if (command !== null && runCommand !== undefined) {
      try {
        return await this.#unlockByCommand(command, runCommand);
      } catch (error) {
        if (!isLockedFault(error) || askPassphrase === undefined) throw error;
        problem = error.message;
      }
    }
    if (askPassphrase === undefined) throw new Fault("vault_locked", whole(problem ?? LOCKED));
    for (let attempt = 1; ; attempt += 1) {
      const passphrase = await askPassphrase(problem);
      try {
        return await this.unlock(passphrase);
      } catch (error) {
        if (!isLockedFault(error) || attempt === ATTEMPTS) throw error;
        problem = error.message;
      }
    }
  }

  async #unlockByCommand(command: readonly string[], runCommand: RunPassphraseCommand): Promise<void> {
    const passphrase = await runCommand(command);
    try {
      await this.unlock(passphrase);
    } catch (error) {
      if (!isLockedFault(error)) throw error;
      throw vaultLocked`The passphrase that the command "${command[0]!}" gives is wrong; correct what it reads, or set another with "verdict vault passphrase".`;
    }
  }

  async kind(): Promise<"key_file" | "passphrase" | "passphrase_command"> {
    if ((await this.files.document.read()).wrapped?.scheme !== "passphrase") return "key_file";
    return ((await this.#settings?.passphraseCommand()) ?? null) === null
      ? "passphrase"
      : "passphrase_command";
  }

  /** A passphrase, or a key file again (null). */
  async setPassphrase(next: Secret | null): Promise<void> {
    if (next !== null) requirePassphrase(next);
    await this.ensureOpen();
    await this.#change(() => (next === null ? this.#backToKeyFile() : this.#toPassphrase(next)), null);
  }

  /** The passphrase that a command gives. */
  async setPassphraseCommand(command: readonly string[]): Promise<void> {
    const [{ runCommand }, settings] = [this.#options, this.#settings];
    if (settings === null || runCommand === undefined) throw new TypeError("a vault without settings");
    const passphrase = await runCommand(command);
    requirePassphrase(passphrase);
    // An earlier attempt may have written the vault and not the settings.
    if (this.isLocked) await this.#tryToUnlock(passphrase);
    await this.ensureOpen();
    // Written first, so that the vault is never locked without its command; with a key file it is not used.
    if (this.#scheme !== "passphrase") await settings.setPassphraseCommand(command);
    await this.#change(() => this.#toPassphrase(passphrase), command);
  }

  async #tryToUnlock(passphrase: Secret): Promise<void> {
    try {
      await this.unlock(passphrase);
    } catch (error) {
      if (!isLockedFault(error)) throw error;
    }
  }

  /** The vault is written first: after a crash the passphrase must be typed, and older generations are removed later. */
  async #change(rewrap: () => Promise<void>, command: readonly string[] | null): Promise<void> {
    await withKeysLocked(this.files, async () => {
      await rewrap();
      try {
        await this.#settings?.setPassphraseCommand(command);
        await removeOlder(this.files);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        throw new Fault(
          error.code,
          sentence`The vault has its new protection, but the change is not complete: ${whole(error.message)} Correct this, then set the protection again.`,
        ).causedBy(error);
      }
    });
  }

  async #toPassphrase(next: Secret): Promise<void> {
    const dataKey = newSealingKey();
    await this.#rewrap(await wrapWithPassphrase(next, dataKey, this.#options.scryptLogN), dataKey);
  }

  async #backToKeyFile(): Promise<void> {
    const { document, keyPath, fs } = this.files;
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
    const { key } = this;
    await this.files.document.update(async (data) => {
      const isNew = !(await this.adopt(data));
      const reseal = (entry: StoredEntry): StoredEntry => key.use((old) => resealed(old, dataKey, entry));
      const entries = isNew ? [] : data.entries.map(reseal);
      const former = isNew
        ? []
        : data.former.map((entry) => ({ ...reseal(entry), replacedAt: entry.replacedAt }));
      Object.assign(data, { wrapped, entries, former, outdated: true } satisfies VaultData);
    });
    this.#keep(dataKey, wrapped);
  }
}

function isLockedFault(error: unknown): error is Fault {
  return error instanceof Fault && error.code === "vault_locked";
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
