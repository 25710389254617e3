// The vault: integration keys and project credentials, each sealed on its own and bound to its owner and address.

import { usage } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import { changedElsewhere, openDocument } from "#src/storage/documents/document.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { OnProblem, StoreProblem } from "#src/storage/store-problem.ts";
import { openAge, type AgeIdentity, type AgeRecipients } from "./age-file.ts";
import { SCRYPT_LOG_N } from "./data-key.ts";
import { damagedEntryFault, describe, requireValidValues, isSameOwner, ownerOf } from "./entry-details.ts";
import { isSameEntry, openEntry, sealEntry } from "./entry-seal.ts";
import { readEntries, type OpenedEntry } from "./exported-entries.ts";
import { findCredential, findIntegrationKeys } from "./key-lookup.ts";
import { OpenKey, systemClock, type LockState, type VaultClock } from "./open-key.ts";
import type { RunPassphraseCommand } from "./passphrase-command.ts";
import { ProtectionChange } from "./protection-change.ts";
import { Protection, type ProtectionOptions } from "./protection.ts";
import { checkVault, type VaultCheck } from "./vault-check.ts";
import { VaultContents, type VaultEntrySummary } from "./vault-contents.ts";
import { writeExport, type ExportOptions, type VaultExport } from "./vault-export.ts";
import { VAULT } from "./vault-file.ts";
import type { EntryDetails, FormerEntry, StoredEntry, VaultData } from "./vault-file.ts";
import { planImport, type VaultImport } from "./vault-import.ts";
import { openVaultSettings } from "./vault-settings.ts";

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

/** What opens the vault: the key file, or a passphrase that is typed or printed by a command. */
export type VaultProtection = "key_file" | "passphrase" | "passphrase_command";

export interface VaultOptions {
  /** The vault, in the data tree. */
  readonly documentPath: string;
  /** Its key, in the state tree: a copy of the data tree alone opens nothing. */
  readonly keyPath: string;
  /** Its settings, in the configuration tree; without one no passphrase command is used. */
  readonly settingsPath?: string;
  readonly newId: () => string;
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

/**
 * Reading methods answer from what was last read; `refresh` and every writing method read again. Secrets stay sealed
 * in memory until one is asked for. Without a passphrase the vault is always open; with one it locks itself after ten
 * minutes without use and after two hours in any case, and reading a secret then throws Fault("vault_locked").
 */
export interface Vault {
  list(): VaultEntrySummary[];
  /** The entries that were replaced, in that order. None of them signs anything. */
  former(): FormerSummary[];
  /**
   * The integration keys of a profile that are bound to this address, the last one put first.
   * @throws Fault("credential_missing") when all of them are bound to other addresses, Fault("corrupt") for one that does not open
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
   * @param replaces id of the entry that it is meant to replace, null for none: no other one is replaced
   * @throws Fault("bad_input") naming a value that cannot go into a header; Fault("storage") when it was not saved,
   *   or when that entry was changed in another session
   */
  put(entry: NewVaultEntry, replaces?: string | null): Promise<SavedEntry>;
  /**
   * Puts a former entry back; the one in its place becomes a former one in turn.
   * @throws Fault("usage") when no former entry has this id, Fault("corrupt") when it does not open
   */
  restore(id: string): Promise<SavedEntry>;
  /** Removes an entry or a former one. False when there is none. The backup on disk forgets it, too. */
  remove(id: string): Promise<boolean>;
  /** Proves that the vault opens and can be written now. @throws Fault("vault_locked" | "corrupt" | "storage") */
  probe(): Promise<void>;
  refresh(): Promise<void>;
  /** Calls back within a second of a change of the vault, by any process. @returns a function that stops it */
  watch(onChange: () => void): () => void;

  lockState(): LockState;
  /** Time until the vault locks itself unless it is used, in ms; null while it does not. Asking does not count as use. */
  locksIn(): number | null;
  /** Calls back at every change of `lockState`, also by the limits. @returns a function that stops it */
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
  /** Damage that was found since the vault was opened; `onProblem` was called for each. */
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
    fs,
  });
  const key = new OpenKey(clock);
  const parts: ProtectionOptions = {
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
  };
  const protection = new Protection(parts);
  const changes = new ProtectionChange(parts, protection);
  const contents = new VaultContents(parts, protection);
  const open = (entry: StoredEntry): Secret => contents.open(entry);
  const integrationKeys = (profile: string, projectsUrl: string): IntegrationKey[] =>
    findIntegrationKeys(contents.data.entries, open, profile, projectsUrl);
  const formerSummary = (entry: FormerEntry): FormerSummary => ({
    ...contents.summary(entry),
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

  await contents.refresh();
  return {
    problems,
    refresh: () => contents.refresh(),
    watch: (onChange) => document.watch(onChange),
    list: () => contents.data.entries.map((entry) => contents.summary(entry)),
    former: () => contents.data.former.map(formerSummary),
    integrationKeys,
    integrationKey: (profile, projectsUrl) => integrationKeys(profile, projectsUrl)[0] ?? null,
    credential: (profile, projectKey, baseUrl) =>
      findCredential(contents.data.entries, open, profile, projectKey, baseUrl),
    reveal: (id) => open(contents.find(id)),
    put: async (entry, replaces) => {
      requireValidValues(entry, entry.secret);
      const placed = await contents.update((data, dataKey) => {
        const held = data.entries.find((each) => isSameOwner(each, entry));
        if (replaces !== undefined && (held?.id ?? null) !== replaces) {
          throw changedElsewhere(`The key of ${ownerOf(entry)}`);
        }
        return putInto(data, dataKey, entry);
      });
      return saved(placed);
    },
    restore: async (id) =>
      saved(await contents.update((data, dataKey) => placeAgain(data, dataKey, id, clock.wall()))),
    remove: async (id) => {
      const removed = await contents.update((data) => {
        const before = data.entries.length + data.former.length;
        data.entries = data.entries.filter((entry) => entry.id !== id);
        data.former = data.former.filter((entry) => entry.id !== id);
        return data.entries.length + data.former.length < before;
      });
      // A second write without it: after the first one the backup still holds it.
      if (removed) await contents.update(() => {});
      return removed;
    },
    probe: () => contents.update(() => {}),
    lockState: () => (protection.isLocked ? "locked" : "open"),
    locksIn: () => key.locksIn,
    onLockChange: (listener) => key.onChange(listener),
    unlock: async (passphrase) => {
      await protection.unlock(passphrase);
      await contents.refresh();
    },
    ensureOpen: () => contents.ensureOpen(),
    lock: () => {
      if (protection.scheme === "passphrase") key.clear();
    },
    hold: () => key.hold(),
    protection: () => protection.protection(),
    setPassphrase: async (next) => {
      await contents.refresh();
      await changes.setPassphrase(next);
      await contents.refresh();
    },
    setPassphraseCommand: async (command) => {
      await contents.refresh();
      await changes.setPassphraseCommand(command);
      await contents.refresh();
    },
    verify: async () => {
      await contents.ensureOpen();
      return checkVault({ ...contents.data, documentPath, keyPath, problems, key, fs });
    },
    exportAge: async (target, to, { armored, ids } = {}) => {
      await contents.ensureOpen();
      const chosen = ids === undefined ? contents.data.entries : ids.map((id) => contents.find(id));
      if (chosen.length === 0) {
        throw usage`The vault is empty: there is nothing to export.`;
      }
      const opened = chosen.map((entry): OpenedEntry => ({ ...describe(entry), secret: open(entry) }));
      await writeExport(target, opened, to, { armored, at: clock.wall(), fs });
      return { entries: chosen.map(describe) };
    },
    importAge: async (bytes, from) => {
      const plain = await openAge(bytes, from);
      const incoming = readEntries(plain);
      plain.fill(0);
      await contents.ensureOpen();
      return planImport(incoming, {
        look: (look) => {
          const { entries } = contents.data;
          return key.isOpen ? key.use((dataKey) => look(entries, dataKey)) : look(entries, null);
        },
        update: (change) => contents.update(change),
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
