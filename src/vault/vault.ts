// The vault: integration keys and project credentials, each sealed on its own and bound to its owner and address.

import { Fault, usage, vaultLocked, whole } from "#src/contract/fault.ts";
import { ownerOf } from "#src/contract/records/key.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import { changedElsewhere, openDocument } from "#src/storage/documents/document.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { openAge, type AgeIdentity, type AgeRecipients } from "./age-file.ts";
import { damagedEntryFault, describe, requireValidValues, isSameOwner } from "./entry-details.ts";
import { isSameEntry, openEntry, sealEntry } from "./entry-seal.ts";
import { readEntries, type OpenedEntry } from "./exported-entries.ts";
import { findCredential, findIntegrationKeys } from "./key-lookup.ts";
import { retireOlder } from "./older-generations.ts";
import { LOCKED, type LockState } from "./open-key.ts";
import { Protection, type ProtectionOptions } from "./protection.ts";
import { checkVault, type VaultCheck } from "./vault-check.ts";
import { writeExport, type ExportOptions, type VaultExport } from "./vault-export.ts";
import { VAULT } from "./vault-file.ts";
import type { EntryDetails, FormerEntry, StoredEntry, VaultData } from "./vault-file.ts";
import { planImport, type VaultImport } from "./vault-import.ts";

/**
 * What may be shown of an entry. `fingerprint` tells two secrets apart; null when the vault is locked, and when the entry
 * does not open.
 */
export type VaultEntrySummary = EntryDetails & { readonly id: string; readonly fingerprint: string | null };

/** What may be shown of an entry that was replaced. */
export type FormerSummary = VaultEntrySummary & {
  /** ms since the epoch */
  readonly replacedAt: number;
};

export interface SavedEntry {
  readonly id: string;
  /** The entry that it has replaced: it stays in the vault, signs nothing and can be put back. Null where there was none. */
  readonly former: FormerSummary | null;
}

export type NewVaultEntry = EntryDetails & { readonly secret: Secret };

export interface VaultOptions extends ProtectionOptions {
  readonly newId: () => string;
}

/**
 * Reading methods answer from what was last read; `refresh` and every writing method read again. Secrets stay sealed
 * in memory until one is asked for. Without a passphrase the vault is always open; with one it locks itself after ten
 * minutes without use and after two hours in any case, and reading a secret then throws Fault("vault_locked").
 */
export type Vault = Awaited<ReturnType<typeof openVault>>;

/**
 * Opens the vault; creates nothing before the first `put` or `probe`. One with a passphrase is locked at first.
 * @throws Fault("vault_locked") when the key file is missing or another one; Fault("corrupt") when the vault is missing
 *   beside its key, or damaged together with its previous generation
 */
export async function openVault(options: VaultOptions) {
  const { documentPath, newId } = options;
  const problems: StoreProblem[] = [];
  const document = openDocument({
    path: documentPath,
    format: "verdict/vault",
    schema: 1,
    initial: () => ({ wrapped: null, entries: [], former: [] }),
    shape: VAULT,
    onProblem: (problem) => {
      problems.push(problem);
      options.onProblem(problem);
    },
    ...(options.fs === undefined ? {} : { fs: options.fs }),
  });
  const protection = new Protection(options, document);
  const { key, clock, files } = protection;
  /** As last read. */
  let held: Readonly<VaultData> = { wrapped: null, entries: [], former: [] };

  const refresh = async (): Promise<void> => {
    const data = await document.read();
    await protection.adopt(data);
    held = data;
  };
  const ensureOpen = async (): Promise<void> => {
    await refresh();
    if (!protection.isLocked) return;
    await protection.ensureOpen();
    // Typing takes time, in which other processes may have changed the vault.
    await refresh();
  };
  const updateOpen = async <R>(change: (data: VaultData, dataKey: Buffer) => R): Promise<R> => {
    if (!key.isOpen && !protection.isLocked) await protection.initialise();
    let after: VaultData | null = null;
    const result = await document.update(async (data) => {
      if (!(await protection.adopt(data))) {
        throw vaultLocked`Another process changed the key of the vault ${documentPath}; try again.`;
      }
      after = data;
      return key.use((dataKey) => change(data, dataKey));
    });
    await retireOlder(files, after!);
    await refresh();
    return result;
  };
  /** Applies a change to what is then on disk. */
  const update = async <R>(change: (data: VaultData, dataKey: Buffer) => R): Promise<R> => {
    await ensureOpen();
    try {
      return await updateOpen(change);
    } catch (error) {
      if (!protection.isLocked) throw error;
      // It was open a moment ago: another process has changed the passphrase in between, or a limit was reached.
      await ensureOpen();
      return await updateOpen(change);
    }
  };
  /** @throws Fault("usage") for an unknown id */
  const find = (id: string): StoredEntry => {
    const entry = [...held.entries, ...held.former].find((each) => each.id === id);
    if (entry !== undefined) return entry;
    throw usage`The vault has no entry "${id}"; list them with "verdict vault list".`;
  };
  /** @throws Fault("vault_locked"), Fault("corrupt") for an entry that does not open */
  const open = (entry: StoredEntry): Secret => {
    if (protection.isLocked) throw new Fault("vault_locked", whole(LOCKED));
    const secret = key.isOpen ? key.use((dataKey) => openEntry(dataKey, entry)) : null;
    if (secret !== null) return secret;
    throw damagedEntryFault(entry.id);
  };
  /** Does not count as use: the lock is not put off. */
  const summary = (entry: StoredEntry): VaultEntrySummary => {
    const secret = key.isOpen ? key.use((dataKey) => openEntry(dataKey, entry), false) : null;
    return { id: entry.id, ...describe(entry), fingerprint: secret?.fingerprint ?? null };
  };
  const formerSummary = (entry: FormerEntry): FormerSummary => ({
    ...summary(entry),
    replacedAt: entry.replacedAt,
  });
  const saved = ({ id, former }: Placed): SavedEntry => ({
    id,
    former: former === null ? null : formerSummary(former),
  });
  const putInto = (data: VaultData, dataKey: Buffer, { secret, ...rest }: NewVaultEntry): Placed => {
    const details = describe(rest);
    const same = data.entries.find((entry) => isSameEntry(dataKey, entry, { ...details, secret }));
    return place(data, dataKey, same ?? sealEntry(dataKey, newId(), details, secret), clock.wall());
  };
  /**
   * The integration keys of a profile that are bound to this address, the last one put first.
   * @throws Fault("credential_missing") when all of them are bound to other addresses, Fault("corrupt") for one that does not open
   */
  const integrationKeys = (profile: string, projectsUrl: string): IntegrationKey[] =>
    findIntegrationKeys(held.entries, open, profile, projectsUrl);

  await refresh();
  return {
    /** Damage that was found since the vault was opened; `onProblem` was called for each. */
    problems: problems as readonly StoreProblem[],
    refresh,
    /** Calls back within a second of a change of the vault, by any process. @returns a function that stops it */
    watch: (onChange: () => void): (() => void) => document.watch(onChange),
    list: (): VaultEntrySummary[] => held.entries.map(summary),
    /** The entries that were replaced, in that order. None of them signs anything. */
    former: (): FormerSummary[] => held.former.map(formerSummary),
    integrationKeys,
    /** The first of `integrationKeys`; null when there is none. */
    integrationKey: (profile: string, projectsUrl: string): IntegrationKey | null =>
      integrationKeys(profile, projectsUrl)[0] ?? null,
    /**
     * The credential of a project.
     * @throws Fault("credential_missing") when there is none, or when it is bound to another address; Fault("corrupt") when it does not open
     */
    credential: (profile: string, projectKey: string, baseUrl: string): ProjectCredential =>
      findCredential(held.entries, open, profile, projectKey, baseUrl),
    /** The secret of one entry, for an explicit reveal. @throws Fault("usage") for an unknown id, Fault("corrupt") */
    reveal: (id: string): Secret => open(find(id)),
    /**
     * Seals an entry and saves it, in place of the one for the same profile and company, or profile and project. That one is
     * kept as a former entry, unless it is the very same one or does not open.
     * @param replaces id of the entry that it is meant to replace, null for none: no other one is replaced
     * @throws Fault("bad_input") naming a value that cannot go into a header; Fault("storage") when it was not saved,
     *   or when that entry was changed in another session
     */
    put: async (entry: NewVaultEntry, replaces?: string | null): Promise<SavedEntry> => {
      requireValidValues(entry, entry.secret);
      const placed = await update((data, dataKey) => {
        const before = data.entries.find((each) => isSameOwner(each, entry));
        if (replaces !== undefined && (before?.id ?? null) !== replaces) {
          throw changedElsewhere(`The key of ${ownerOf(entry)}`);
        }
        return putInto(data, dataKey, entry);
      });
      return saved(placed);
    },
    /**
     * Puts a former entry back; the one in its place becomes a former one in turn.
     * @throws Fault("usage") when no former entry has this id, Fault("corrupt") when it does not open
     */
    restore: async (id: string): Promise<SavedEntry> =>
      saved(await update((data, dataKey) => placeAgain(data, dataKey, id, clock.wall()))),
    /** Removes an entry or a former one. False when there is none. The backup on disk forgets it, too. */
    remove: async (id: string): Promise<boolean> => {
      const removed = await update((data) => {
        const before = data.entries.length + data.former.length;
        data.entries = data.entries.filter((entry) => entry.id !== id);
        data.former = data.former.filter((entry) => entry.id !== id);
        return data.entries.length + data.former.length < before;
      });
      // A second write without it: after the first one the backup still holds it.
      if (removed) await update(() => {});
      return removed;
    },
    /** Proves that the vault opens and can be written now. @throws Fault("vault_locked" | "corrupt" | "storage") */
    probe: (): Promise<void> => update(() => {}),
    lockState: (): LockState => (protection.isLocked ? "locked" : "open"),
    /** Time until the vault locks itself unless it is used, in ms; null while it does not. Asking does not count as use. */
    locksIn: (): number | null => key.locksIn,
    /** Calls back at every change of `lockState`, also by the limits. @returns a function that stops it */
    onLockChange: (listener: (state: LockState) => void): (() => void) => key.onChange(listener),
    /**
     * Opens a locked vault with its passphrase: one derivation, kept until the vault is locked again.
     * @throws Fault("vault_locked") when it is wrong
     */
    unlock: async (passphrase: Secret): Promise<void> => {
      await protection.unlock(passphrase);
      await refresh();
    },
    /**
     * Opens a locked vault by the passphrase command or by asking; nothing when it is open.
     * @throws Fault("vault_locked") where there is neither, or neither helps
     */
    ensureOpen,
    /** Forgets the data key; its memory is overwritten. Nothing with a key file, where a lock would protect nothing. */
    lock: (): void => {
      if (protection.scheme === "passphrase") key.clear();
    },
    /** The limits do not lock the vault before the returned function is called: for a request whose answer must be kept. */
    hold: (): (() => void) => key.hold(),
    /** What opens the vault: the key file, or a passphrase that is typed or printed by a command. */
    protection: () => protection.kind(),
    /**
     * Protects the vault by another passphrase, or by a key file again (null). There is a new data key then, and no older
     * generation on disk opens any more. The passphrase is typed from now on: a command is forgotten.
     * @throws Fault("bad_input") for a passphrase that is too short, Fault("usage") when there is none to remove, Fault("storage")
     */
    setPassphrase: async (next: Secret | null): Promise<void> => {
      await refresh();
      await protection.setPassphrase(next);
      await refresh();
    },
    /**
     * Protects the vault by the passphrase that a command gives. The command is run at once, so that one that fails changes nothing.
     * @param command program and arguments, given to no shell
     * @throws Fault("vault_locked") when the command fails, and what `setPassphrase` throws
     */
    setPassphraseCommand: async (command: readonly string[]): Promise<void> => {
      await refresh();
      await protection.setPassphraseCommand(command);
      await refresh();
    },
    /** Opens and checks every entry, and looks at the files around the vault. No secret is in what it returns. */
    verify: async (): Promise<VaultCheck> => {
      await ensureOpen();
      return checkVault({ ...held, ...files, problems, key });
    },
    /**
     * Writes entries with their secrets into a new age file.
     * @throws Fault("usage") when there is nothing to export, Fault("bad_input") for an unusable recipient, Fault("storage")
     */
    exportAge: async (
      target: string,
      to: AgeRecipients,
      { armored, ids }: ExportOptions = {},
    ): Promise<VaultExport> => {
      await ensureOpen();
      const chosen = ids === undefined ? held.entries : ids.map(find);
      if (chosen.length === 0) {
        throw usage`The vault is empty: there is nothing to export.`;
      }
      const opened = chosen.map((entry): OpenedEntry => ({ ...describe(entry), secret: open(entry) }));
      await writeExport(target, opened, to, { armored, at: clock.wall(), fs: files.fs });
      return { entries: chosen.map(describe) };
    },
    /**
     * Opens an age file that `exportAge` made, and checks every entry as on receipt. Nothing is changed before `apply`.
     * @throws Fault("bad_input") for a file that does not open, or holds something else
     */
    importAge: async (bytes: Uint8Array, from: AgeIdentity): Promise<VaultImport> => {
      const plain = await openAge(bytes, from);
      const incoming = readEntries(plain);
      plain.fill(0);
      await ensureOpen();
      return planImport(incoming, {
        look: (look) =>
          key.isOpen ? key.use((dataKey) => look(held.entries, dataKey)) : look(held.entries, null),
        update,
        put: (data, dataKey, given) => {
          for (const entry of given) putInto(data, dataKey, entry);
        },
      });
    },
  };
}

interface Placed {
  readonly id: string;
  readonly former: FormerEntry | null;
}

/** Makes an entry the one that signs for its owner. The one before it is kept where it opens. */
function place(data: VaultData, dataKey: Buffer, next: StoredEntry, now: number): Placed {
  const before = data.entries.find((entry) => isSameOwner(entry, next));
  data.entries = [...data.entries.filter((entry) => !isSameOwner(entry, next)), next];
  if (before === undefined || before === next || openEntry(dataKey, before) === null) {
    return { id: next.id, former: null };
  }
  const former: FormerEntry = { ...before, replacedAt: now };
  data.former = [...data.former, former];
  return { id: next.id, former };
}

/** @throws Fault("usage") when no former entry has this id, Fault("corrupt") when it does not open */
function placeAgain(data: VaultData, dataKey: Buffer, id: string, now: number): Placed {
  const kept = data.former.find((entry) => entry.id === id);
  if (kept === undefined) {
    throw usage`The vault has no former entry "${id}"; list them with "verdict vault list".`;
  }
  if (openEntry(dataKey, kept) === null) throw damagedEntryFault(id);
  data.former = data.former.filter((entry) => entry !== kept);
  const { replacedAt: _, ...entry } = kept;
  return place(data, dataKey, entry, now);
}
