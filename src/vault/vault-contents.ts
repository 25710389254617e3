// The entries of the vault as last read. Each change is applied to what is then on disk.

import { Fault, usage, vaultLocked, whole } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { damagedEntryFault, describe } from "./entry-details.ts";
import { openEntry } from "./entry-seal.ts";
import { LOCKED } from "./open-key.ts";
import { retireOlder } from "./older-generations.ts";
import type { Protection, ProtectionOptions } from "./protection.ts";
import type { EntryDetails, StoredEntry, VaultData } from "./vault-file.ts";

/**
 * What may be shown of an entry. `fingerprint` tells two secrets apart; null when the vault is locked, and when the entry
 * does not open.
 */
export type VaultEntrySummary = EntryDetails & { readonly id: string; readonly fingerprint: string | null };

export class VaultContents {
  readonly #options: ProtectionOptions;
  readonly #protection: Protection;
  #data: Readonly<VaultData> = { wrapped: null, entries: [], former: [] };

  constructor(options: ProtectionOptions, protection: Protection) {
    this.#options = options;
    this.#protection = protection;
  }

  /** As last read. */
  get data(): Readonly<VaultData> {
    return this.#data;
  }

  async refresh(): Promise<void> {
    const data = await this.#options.document.read();
    await this.#protection.adopt(data);
    this.#data = data;
  }

  async ensureOpen(): Promise<void> {
    await this.refresh();
    if (!this.#protection.isLocked) return;
    await this.#protection.ensureOpen();
    // Typing takes time, in which other processes may have changed the vault.
    await this.refresh();
  }

  async update<R>(change: (data: VaultData, dataKey: Buffer) => R): Promise<R> {
    await this.ensureOpen();
    try {
      return await this.#updateOpen(change);
    } catch (error) {
      if (!this.#protection.isLocked) throw error;
      // It was open a moment ago: another process has changed the passphrase in between, or a limit was reached.
      await this.ensureOpen();
      return await this.#updateOpen(change);
    }
  }

  async #updateOpen<R>(change: (data: VaultData, dataKey: Buffer) => R): Promise<R> {
    const { document, documentPath, key } = this.#options;
    if (!key.isOpen && !this.#protection.isLocked) await this.#protection.initialise();
    let after: VaultData | null = null;
    const result = await document.update(async (data) => {
      if (!(await this.#protection.adopt(data))) {
        throw vaultLocked`The vault ${documentPath} lost its key just now; try again.`;
      }
      after = data;
      return key.use((dataKey) => change(data, dataKey));
    });
    await retireOlder(this.#options, after!);
    await this.refresh();
    return result;
  }

  /** @throws Fault("usage") for an unknown id */
  find(id: string): StoredEntry {
    const { entries, former } = this.#data;
    const entry = [...entries, ...former].find((each) => each.id === id);
    if (entry !== undefined) return entry;
    throw usage`The vault has no entry "${id}"; list them with "verdict vault list".`;
  }

  /** @throws Fault("vault_locked"), Fault("corrupt") for an entry that does not open */
  open(entry: StoredEntry): Secret {
    const { key } = this.#options;
    if (this.#protection.isLocked) throw new Fault("vault_locked", whole(LOCKED));
    const secret = key.isOpen ? key.use((dataKey) => openEntry(dataKey, entry)) : null;
    if (secret !== null) return secret;
    throw damagedEntryFault(entry.id);
  }

  /** Does not count as use: the lock is not put off. */
  summary(entry: StoredEntry): VaultEntrySummary {
    const { key } = this.#options;
    const secret = key.isOpen ? key.use((dataKey) => openEntry(dataKey, entry), false) : null;
    return { id: entry.id, ...describe(entry), fingerprint: secret?.fingerprint ?? null };
  }
}
