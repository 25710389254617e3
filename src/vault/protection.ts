// What protects the vault: a key file, or a passphrase that is typed or given by a command. Opens the vault, and changes
// the protection so that nothing older on disk opens any more, whatever happens in between.

import { basename, dirname, join } from "node:path";

import { Fault } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Document } from "#src/storage/documents/document.ts";
import { removeOrphans } from "#src/storage/documents/durable-file.ts";
import { withLock } from "#src/storage/documents/file-lock.ts";
import { newSealingKey } from "#src/storage/documents/sealing.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { unwrapWithKey, unwrapWithPassphrase, wrapWithKey, wrapWithPassphrase } from "./data-key.ts";
import { damagedEntryFault, describe } from "./entry-details.ts";
import { openEntry, sealEntry } from "./entry-seal.ts";
import { createKey, overwrite, readKey, replaceKey, retireKey } from "./key-file.ts";
import { LOCKED, type OpenKey } from "./open-key.ts";
import type { RunPassphraseCommand } from "./passphrase-command.ts";
import type { StoredEntry, VaultData, WrappedKey } from "./vault-file.ts";
import type { VaultSettings } from "./vault-settings.ts";

/** Shortest passphrase, in characters: scrypt slows guessing down, it cannot make up for four letters. */
export const SHORTEST_PASSPHRASE = 8;
const LONGEST_PASSPHRASE = 1024;
/** How often a passphrase is asked for before giving up. */
const ATTEMPTS = 3;

export interface ProtectionOptions {
  readonly document: Document<VaultData>;
  readonly documentPath: string;
  readonly keyPath: string;
  readonly key: OpenKey;
  readonly settings: VaultSettings | null;
  readonly runCommand: RunPassphraseCommand | null;
  readonly askPassphrase: ((problem: string | null) => Promise<Secret>) | null;
  readonly scryptLogN: number;
  readonly fs: FileSystem;
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
   * Takes the key that belongs to the document as it is now, where that needs no passphrase; forgets any other.
   * @returns false for a vault that holds nothing and has no key: it may start anew
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
      throw new Fault(
        "corrupt",
        `The vault ${escapeText(documentPath)} is missing beside its key; restore it from a backup of yours, or move the key ${escapeText(keyPath)} away to start anew.`,
      );
    }
    if (held === null) {
      key.clear();
      if (entries.length + former.length === 0) return false;
      throw new Fault(
        "vault_locked",
        `The key of the vault, ${escapeText(keyPath)}, is missing; restore it from a backup of yours.`,
      );
    }
    const dataKey = held === "passphrase" ? null : unwrapWithKey(held, wrapped);
    if (held !== "passphrase") held.fill(0);
    if (dataKey === null) {
      key.clear();
      throw new Fault(
        "vault_locked",
        `${escapeText(keyPath)} is not the key of the vault ${escapeText(documentPath)}; restore the right one from a backup of yours.`,
      );
    }
    if (key.fits(wrapped)) dataKey.fill(0);
    else key.set(dataKey, wrapped);
    return true;
  }

  /**
   * Gives a vault that holds nothing its keys. The vault is written before its key, so that a crash in between leaves an
   * empty vault without a key, which starts anew, and never a key whose vault seems lost.
   */
  async initialise(): Promise<void> {
    const { document, keyPath, fs } = this.#options;
    await this.#alone(async () => {
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

  /** @throws Fault("vault_locked") for a wrong passphrase */
  async unlock(passphrase: Secret): Promise<void> {
    const { document, key } = this.#options;
    const data = await document.read();
    await this.adopt(data);
    if (!this.isLocked || data.wrapped?.scheme !== "passphrase") return;
    const dataKey = await unwrapWithPassphrase(passphrase, data.wrapped);
    if (dataKey === null) throw new Fault("vault_locked", "The passphrase is wrong; try again.");
    key.set(dataKey, data.wrapped);
    await this.retireOlder(data);
  }

  /** Opens a locked vault by the command or by asking; those who come while it is opened wait for the same end. */
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
    if (askPassphrase === null) throw new Fault("vault_locked", problem ?? LOCKED);
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
      throw new Fault(
        "vault_locked",
        `The passphrase that the command "${escapeText(command[0]!, 80)}" gives is wrong; correct what it reads, or set another with "verdict vault passphrase".`,
      );
    }
  }

  async protection(): Promise<"key_file" | "passphrase" | "passphrase_command"> {
    const { document, settings } = this.#options;
    if ((await document.read()).wrapped?.scheme !== "passphrase") return "key_file";
    return ((await settings?.passphraseCommand()) ?? null) === null ? "passphrase" : "passphrase_command";
  }

  /** Protects the vault by another passphrase, or by a key file again (null). */
  async setPassphrase(next: Secret | null): Promise<void> {
    if (next !== null) insistOnPassphrase(next);
    await this.ensureOpen();
    await this.#change(() => (next === null ? this.#backToKeyFile() : this.#toPassphrase(next)), null);
  }

  /** Protects the vault by the passphrase that a command gives. */
  async setPassphraseCommand(command: readonly string[]): Promise<void> {
    const { settings, runCommand } = this.#options;
    if (settings === null || runCommand === null) throw new TypeError("a vault without settings");
    const passphrase = await runCommand(command);
    insistOnPassphrase(passphrase);
    // An earlier attempt may have been cut off behind the vault and before the settings.
    if (this.isLocked) await this.#tryToUnlock(passphrase);
    await this.ensureOpen();
    // Beside a key file an unused command harms nothing; with it written first, nothing is locked in between.
    if (this.#scheme !== "passphrase") await settings.setPassphraseCommand(command);
    await this.#change(() => this.#toPassphrase(passphrase), command);
  }

  async #tryToUnlock(passphrase: Secret): Promise<void> {
    try {
      await this.unlock(passphrase);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "vault_locked") throw error;
    }
  }

  /** The vault first: a crash before the rest leaves a passphrase to be typed, and older generations to be taken away. */
  async #change(rewrap: () => Promise<void>, command: readonly string[] | null): Promise<void> {
    await this.#alone(async () => {
      await rewrap();
      try {
        await this.#options.settings?.setPassphraseCommand(command);
        await this.#takeOlderAway();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        throw new Fault(
          error.code,
          `The vault is protected anew, but not all of it was put in order: ${error.message} Then set the protection once more.`,
          { cause: error },
        );
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
      throw new Fault("usage", "The vault has no passphrase; its key file protects it already.");
    }
    // The key is there before anything needs it; until then it opens nothing.
    const [key, dataKey] = [newSealingKey(), newSealingKey()];
    await replaceKey(keyPath, key, fs);
    try {
      await this.#rewrap(wrapWithKey(key, dataKey), dataKey);
    } finally {
      key.fill(0);
    }
  }

  /** Seals everything anew with another data key, in one step on disk. */
  async #rewrap(wrapped: WrappedKey, dataKey: Buffer): Promise<void> {
    const { document, key } = this.#options;
    await document.update(async (data) => {
      const isNew = !(await this.adopt(data));
      const reseal = (entry: StoredEntry): StoredEntry => key.use((old) => resealed(old, dataKey, entry));
      const entries = isNew ? [] : data.entries.map(reseal);
      const former = isNew
        ? []
        : data.former.map((entry) => ({ ...reseal(entry), replacedAt: entry.replacedAt }));
      Object.assign(data, { wrapped, entries, former, outdated: true } satisfies VaultData);
    });
    key.set(dataKey, wrapped);
    this.#scheme = wrapped.scheme;
  }

  /** Goes on with a change of the protection that a crash or a full disk has interrupted. Never rejects: it is tried again. */
  async retireOlder({ outdated }: VaultData): Promise<void> {
    if (outdated !== true) return;
    await this.#alone(() => this.#takeOlderAway()).catch(() => {});
  }

  /** Each step may be done twice; the mark goes last. */
  async #takeOlderAway(): Promise<void> {
    const { document, documentPath, keyPath, fs } = this.#options;
    const { outdated, wrapped } = await document.read();
    if (outdated !== true) return;
    // A second generation on top of the first pushes the one from before out of the backup.
    await document.update(() => {});
    await removeAside(documentPath, fs);
    if (wrapped?.scheme === "passphrase") await retireKey(keyPath, fs);
    // A key that was being written when a process was killed.
    await withStorageFaults(keyPath, () => removeOrphans(keyPath, fs));
    await document.update((data) => {
      delete data.outdated;
    });
  }

  /** One change of the keys at a time, in this process and in others. */
  #alone(action: () => Promise<void>): Promise<void> {
    const { keyPath, fs } = this.#options;
    return withLock(`${keyPath}.lock`, fs, action);
  }
}

function resealed(old: Buffer, next: Buffer, entry: StoredEntry): StoredEntry {
  const secret = openEntry(old, entry);
  if (secret === null) throw damagedEntryFault(entry.id);
  return sealEntry(next, entry.id, describe(entry), secret);
}

/** @throws Fault("bad_input") */
function insistOnPassphrase(passphrase: Secret): void {
  const characters = Array.from(passphrase.expose()).length;
  if (characters < SHORTEST_PASSPHRASE) {
    throw new Fault(
      "bad_input",
      `The passphrase needs at least ${SHORTEST_PASSPHRASE} characters; four or five random words are easy to remember and hard to guess.`,
    );
  }
  if (characters > LONGEST_PASSPHRASE || /\p{Cc}/u.test(passphrase.expose())) {
    throw new Fault(
      "bad_input",
      `The passphrase must be at most ${LONGEST_PASSPHRASE} characters long and hold no control characters; nothing was changed.`,
    );
  }
}

/** Files beside a document that hold earlier generations of it: damaged ones, and those of an older schema. */
export async function asideFiles(documentPath: string, fs: FileSystem): Promise<string[]> {
  const prefixes = ["corrupt-", "schema-"].map((kind) => `${basename(documentPath)}.${kind}`);
  const names = await fs.readdir(dirname(documentPath)).catch((error: unknown) => {
    // No vault was ever written there.
    if (systemCode(error) === "ENOENT") return [];
    throw storageFault(error, documentPath);
  });
  return names
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .map((name) => join(dirname(documentPath), name));
}

async function removeAside(documentPath: string, fs: FileSystem): Promise<void> {
  for (const path of await asideFiles(documentPath, fs)) {
    await withStorageFaults(path, async () => {
      await overwrite(path, fs);
      await fs.unlink(path);
    });
  }
}
