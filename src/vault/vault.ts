// The vault: integration keys and project credentials, each sealed alone and bound to its owner and its address.

import { Fault } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import { changedElsewhere, openDocument } from "#src/storage/documents/document.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { OnProblem, StoreProblem } from "#src/storage/store-problem.ts";
import { openAge, type AgeIdentity, type AgeRecipients } from "./age-file.ts";
import { SCRYPT_LOG_N } from "./data-key.ts";
import { damagedEntryFault, describe, insistOnValues, isSameOwner, ownerOf } from "./entry-details.ts";
import { isSameEntry, openEntry, sealEntry } from "./entry-seal.ts";
import { readEntries, type OpenedEntry } from "./exported-entries.ts";
import { findCredential, findIntegrationKeys } from "./key-lookup.ts";
import { LOCKED, OpenKey, systemClock, type LockState, type VaultClock } from "./open-key.ts";
import type { RunPassphraseCommand } from "./passphrase-command.ts";
import { Protection } from "./protection.ts";
import { checkVault, type VaultCheck } from "./vault-check.ts";
import { writeExport, type ExportOptions, type VaultExport, type VaultImport } from "./vault-export.ts";
import { parseVault } from "./vault-file.ts";
import type { EntryDetails, FormerEntry, StoredEntry, VaultData } from "./vault-file.ts";
import { planImport } from "./vault-import.ts";
import { openVaultSettings } from "./vault-settings.ts";

/**
 * What may be shown of an entry. `fingerprint` tells two secrets apart; null when the vault is locked, and when the entry
 * does not open.
 */
export type VaultEntrySummary = EntryDetails & { readonly id: string; readonly fingerprint: string | null };

/** What may be shown of an entry that another one has taken the place of. */
export type FormerSummary = VaultEntrySummary & {
  /** ms since the epoch */
  readonly replacedAt: number;
};

export interface SavedEntry {
  readonly id: string;
  /** The entry whose place it took: it stays in the vault, signs nothing and can be put back. Null where there was none. */
  readonly former: FormerSummary | null;
}

export type NewVaultEntry = EntryDetails & { readonly secret: Secret };

/** What opens the vault. With a command, the passphrase is what that command gives. */
export type VaultProtection = "key_file" | "passphrase" | "passphrase_command";

export interface VaultOptions {
  /** The vault, in the data tree. */
  readonly documentPath: string;
  /** Its key, in the state tree: a copy of the data tree alone opens nothing. */
  readonly keyPath: string;
  /** Its settings, in the configuration tree; without one no passphrase command is used. */
  readonly settingsPath?: string;
  readonly newId: () => string;
  /** Hears of damage to the vault and to its settings. */
  readonly onProblem: OnProblem;
  /** Runs the passphrase command; a vault without it only takes typed passphrases. */
  readonly runCommand?: RunPassphraseCommand;
  /**
   * Asks the user for the passphrase; `problem` says what was wrong with the last one. Rejects with Fault("vault_locked")
   * where nobody can be asked. Without it, `unlock` is the only way.
   */
  readonly askPassphrase?: (problem: string | null) => Promise<Secret>;
  readonly clock?: VaultClock;
  /** Base-2 logarithm of the cost of new passphrases; 17 unless told. */
  readonly scryptLogN?: number;
  readonly fs?: FileSystem;
}

/**
 * Reading methods answer from what was last read; `refresh` and every writing method read again. Secrets stay sealed
 * in memory until one is asked for. Without a passphrase the vault is always open; with one it locks itself after ten
 * minutes without use and after two hours in any case, and whatever needs a secret then throws Fault("vault_locked").
 */
export interface Vault {
  list(): VaultEntrySummary[];
  /** The entries that others have taken the place of, the last one replaced last. None of them signs anything. */
  former(): FormerSummary[];
  /**
   * The integration keys of a profile that are bound to this address, the last one put first.
   * @throws Fault("credential_missing") when all it has are bound to others, Fault("corrupt") for one that does not open
   */
  integrationKeys(profile: string, projectsUrl: string): IntegrationKey[];
  /** The first of `integrationKeys`; null when there is none. */
  integrationKey(profile: string, projectsUrl: string): IntegrationKey | null;
  /**
   * The credential of a project.
   * @throws Fault("credential_missing") when there is none, or when it is bound to another address; Fault("corrupt") when it does not open
   */
  credential(profile: string, projectKey: string, baseUrl: string): ProjectCredential;
  /** The secret of one entry, for an explicit reveal. @throws Fault("usage") for an unknown id, Fault("corrupt") */
  reveal(id: string): Secret;
  /**
   * Seals an entry and saves it, in place of the one for the same profile and company, or profile and project. That one is
   * kept as a former entry, unless it is the very same one or does not open.
   * @param replaces id of the entry that it is meant to take the place of, null for none: no other one gives way
   * @throws Fault("bad_input") naming a value that cannot go into a header; Fault("storage") when it was not saved,
   *   or when that entry was changed in another session
   */
  put(entry: NewVaultEntry, replaces?: string | null): Promise<SavedEntry>;
  /**
   * Puts a former entry back; the one in its place becomes a former one in turn.
   * @throws Fault("usage") when no former entry has this id, Fault("corrupt") when it does not open
   */
  restore(id: string): Promise<SavedEntry>;
  /** Removes an entry or a former one. False when there is none. The previous generation on disk forgets it, too. */
  remove(id: string): Promise<boolean>;
  /** Proves that the vault opens and can be written now. @throws Fault("vault_locked" | "corrupt" | "storage") */
  probe(): Promise<void>;
  refresh(): Promise<void>;
  /** Calls back within a second of a change of the vault, by whomever. @returns to be called when it is enough */
  watch(onChange: () => void): () => void;

  lockState(): LockState;
  /** Time until the vault locks itself unless it is used, in ms; null while it does not. Asking is no use of it. */
  locksIn(): number | null;
  /** Hears of every change of `lockState`, also by the limits. @returns to be called when it is enough */
  onLockChange(listener: (state: LockState) => void): () => void;
  /**
   * Opens a locked vault with its passphrase: one derivation, kept until the vault is locked again.
   * @throws Fault("vault_locked") when it is wrong
   */
  unlock(passphrase: Secret): Promise<void>;
  /**
   * Opens a locked vault by the passphrase command or by asking; nothing when it is open.
   * @throws Fault("vault_locked") where there is neither, or neither helps
   */
  ensureOpen(): Promise<void>;
  /** Forgets the data key; its memory is overwritten. Nothing with a key file, where a lock would protect nothing. */
  lock(): void;
  /** The limits do not lock the vault before the returned function is called: for a request whose answer must be kept. */
  hold(): () => void;
  protection(): Promise<VaultProtection>;
  /**
   * Protects the vault by another passphrase, or by a key file again (null). There is a new data key then, and no older
   * generation on disk opens any more. The passphrase is typed from now on: a command is forgotten.
   * @throws Fault("bad_input") for a passphrase that is too short, Fault("usage") when there is none to remove, Fault("storage")
   */
  setPassphrase(next: Secret | null): Promise<void>;
  /**
   * Protects the vault by the passphrase that a command gives. The command is run at once, so that one that fails changes nothing.
   * @param command program and arguments, given to no shell
   * @throws Fault("vault_locked") when the command fails, and what `setPassphrase` throws
   */
  setPassphraseCommand(command: readonly string[]): Promise<void>;
  /** Opens and checks every entry, and looks at the files around the vault. No secret is in what it returns. */
  verify(): Promise<VaultCheck>;
  /**
   * Writes entries with their secrets into a new age file.
   * @param ids which; all of them when it is not given
   * @throws Fault("usage") when there is nothing to export, Fault("bad_input") for an unusable recipient, Fault("storage")
   */
  exportAge(target: string, to: AgeRecipients, options?: ExportOptions): Promise<VaultExport>;
  /**
   * Opens an age file that `exportAge` made, and checks every entry as on receipt. Nothing is changed before `apply`.
   * @throws Fault("bad_input") for a file that does not open, or holds something else
   */
  importAge(bytes: Uint8Array, from: AgeIdentity): Promise<VaultImport>;
  /** Damage to the vault that was found since it was opened; `onProblem` has heard of it. */
  readonly problems: readonly StoreProblem[];
}

/**
 * Opens the vault; creates nothing before the first `put` or `probe`. One with a passphrase is locked at first.
 * @throws Fault("vault_locked") when the key file is missing or another one; Fault("corrupt") when the vault is missing
 *   beside its key, or damaged together with its previous generation
 */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { documentPath, keyPath, newId, fs = nodeFileSystem, clock = systemClock } = options;
  const problems: StoreProblem[] = [];
  const document = openDocument<VaultData>({
    path: documentPath,
    format: "verdict/vault",
    schema: 1,
    initial: () => ({ wrapped: null, entries: [], former: [] }),
    parse: parseVault,
    onProblem: (problem) => {
      problems.push(problem);
      options.onProblem(problem);
    },
    fs,
  });
  const key = new OpenKey(clock);
  const protection = new Protection({
    document,
    documentPath,
    keyPath,
    key,
    settings:
      options.settingsPath === undefined
        ? null
        : openVaultSettings(options.settingsPath, options.onProblem, fs),
    runCommand: options.runCommand ?? null,
    askPassphrase: options.askPassphrase ?? null,
    scryptLogN: options.scryptLogN ?? SCRYPT_LOG_N,
    fs,
  });
  let entries: readonly StoredEntry[] = [];
  let former: readonly FormerEntry[] = [];
  let wrapped: VaultData["wrapped"] = null;

  const refresh = async (): Promise<void> => {
    const data = await document.read();
    await protection.adopt(data);
    ({ entries, former, wrapped } = data);
  };

  const ensureOpen = async (): Promise<void> => {
    await refresh();
    if (!protection.isLocked) return;
    await protection.ensureOpen();
    // Typing takes time, in which other processes may have changed the vault.
    await refresh();
  };

  /** Changes the vault as it is on disk now, with the data key that belongs to it now. */
  const updateOpen = async <R>(change: (data: VaultData, key: Buffer) => R): Promise<R> => {
    if (!key.isOpen && !protection.isLocked) await protection.initialise();
    let after: VaultData | null = null;
    const result = await document.update(async (data) => {
      if (!(await protection.adopt(data))) {
        throw new Fault(
          "vault_locked",
          `The vault ${escapeText(documentPath)} lost its key just now; try again.`,
        );
      }
      after = data;
      return key.use((dataKey) => change(data, dataKey));
    });
    await protection.retireOlder(after!);
    await refresh();
    return result;
  };

  const update = async <R>(change: (data: VaultData, key: Buffer) => R): Promise<R> => {
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

  const open = (entry: StoredEntry): Secret => {
    if (protection.isLocked) throw new Fault("vault_locked", LOCKED);
    const secret = key.isOpen ? key.use((dataKey) => openEntry(dataKey, entry)) : null;
    if (secret !== null) return secret;
    throw damagedEntryFault(entry.id);
  };

  const integrationKeys = (profile: string, projectsUrl: string): IntegrationKey[] =>
    findIntegrationKeys(entries, open, profile, projectsUrl);

  const find = (id: string): StoredEntry => {
    const entry = [...entries, ...former].find((each) => each.id === id);
    if (entry !== undefined) return entry;
    throw new Fault(
      "usage",
      `The vault has no entry "${escapeText(id, 40)}"; list them with "verdict vault list".`,
    );
  };

  const opened = (entry: StoredEntry): OpenedEntry => ({ ...describe(entry), secret: open(entry) });

  const summary = (entry: StoredEntry): VaultEntrySummary => {
    const secret = key.isOpen ? key.use((dataKey) => openEntry(dataKey, entry), false) : null;
    return { id: entry.id, ...describe(entry), fingerprint: secret?.fingerprint ?? null };
  };

  const formerSummary = (entry: FormerEntry): FormerSummary => ({
    ...summary(entry),
    replacedAt: entry.replacedAt,
  });

  /** Makes an entry the one that signs for its owner. The one before it is kept if it can be of use. */
  const install = (data: VaultData, dataKey: Buffer, next: StoredEntry): SavedEntry => {
    const before = data.entries.find((entry) => isSameOwner(entry, next));
    data.entries = [...data.entries.filter((entry) => !isSameOwner(entry, next)), next];
    if (before === undefined || before === next || openEntry(dataKey, before) === null) {
      return { id: next.id, former: null };
    }
    const kept: FormerEntry = { ...before, replacedAt: clock.wall() };
    data.former = [...data.former, kept];
    return { id: next.id, former: formerSummary(kept) };
  };

  const putInto = (data: VaultData, dataKey: Buffer, { secret, ...rest }: NewVaultEntry): SavedEntry => {
    const details = describe(rest);
    const same = data.entries.find((entry) => isSameEntry(dataKey, entry, { ...details, secret }));
    return install(data, dataKey, same ?? sealEntry(dataKey, newId(), details, secret));
  };

  await refresh();
  return {
    problems,
    refresh,
    watch: (onChange) => document.watch(onChange),
    list: () => entries.map(summary),
    former: () => former.map(formerSummary),
    integrationKeys,
    integrationKey: (profile, projectsUrl) => integrationKeys(profile, projectsUrl)[0] ?? null,
    credential: (profile, projectKey, baseUrl) => findCredential(entries, open, profile, projectKey, baseUrl),
    reveal: (id) => open(find(id)),
    put: async (entry, replaces) => {
      insistOnValues(entry, entry.secret);
      return await update((data, dataKey) => {
        const held = data.entries.find((each) => isSameOwner(each, entry));
        if (replaces !== undefined && (held?.id ?? null) !== replaces) {
          throw changedElsewhere(`The key of ${ownerOf(entry)}`);
        }
        return putInto(data, dataKey, entry);
      });
    },
    restore: (id) =>
      update((data, dataKey) => {
        const kept = data.former.find((entry) => entry.id === id);
        if (kept === undefined) {
          throw new Fault(
            "usage",
            `The vault has no former entry "${escapeText(id, 40)}"; list them with "verdict vault list".`,
          );
        }
        if (openEntry(dataKey, kept) === null) throw damagedEntryFault(id);
        data.former = data.former.filter((entry) => entry !== kept);
        const { replacedAt: _, ...entry } = kept;
        return install(data, dataKey, entry);
      }),
    remove: async (id) => {
      const removed = await update((data) => {
        const before = data.entries.length + data.former.length;
        data.entries = data.entries.filter((entry) => entry.id !== id);
        data.former = data.former.filter((entry) => entry.id !== id);
        return data.entries.length + data.former.length < before;
      });
      // A second generation without it, because the first one kept it in the backup.
      if (removed) await update(() => {});
      return removed;
    },
    probe: () => update(() => {}),
    lockState: () => (protection.isLocked ? "locked" : "open"),
    locksIn: () => key.locksIn,
    onLockChange: (listener) => key.onChange(listener),
    unlock: async (passphrase) => {
      await protection.unlock(passphrase);
      await refresh();
    },
    ensureOpen,
    lock: () => {
      if (protection.scheme === "passphrase") key.clear();
    },
    hold: () => key.hold(),
    protection: () => protection.protection(),
    setPassphrase: async (next) => {
      await refresh();
      await protection.setPassphrase(next);
      await refresh();
    },
    setPassphraseCommand: async (command) => {
      await refresh();
      await protection.setPassphraseCommand(command);
      await refresh();
    },
    verify: async () => {
      await ensureOpen();
      return checkVault({ documentPath, keyPath, problems, entries, former, wrapped, key, fs });
    },
    exportAge: async (target, to, { armored, ids } = {}) => {
      await ensureOpen();
      const chosen = ids === undefined ? entries : ids.map(find);
      if (chosen.length === 0) {
        throw new Fault("usage", "The vault is empty: there is nothing to export.");
      }
      await writeExport(target, chosen.map(opened), to, { armored, at: clock.wall(), fs });
      return { entries: chosen.map(describe) };
    },
    importAge: async (bytes, from) => {
      const plain = await openAge(bytes, from);
      const incoming = readEntries(plain);
      plain.fill(0);
      await ensureOpen();
      return planImport(incoming, {
        look: (look) => (key.isOpen ? key.use((dataKey) => look(entries, dataKey)) : look(entries, null)),
        update,
        put: (data, dataKey, given) => {
          for (const entry of given) putInto(data, dataKey, entry);
        },
      });
    },
  };
}
