// The vault: integration keys and project credentials, each sealed alone and bound to its owner and its address.

import type { IntegrationKey, ProjectCredential } from "#src/contract/credential.ts";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { CREDENTIAL_VALUE } from "#src/contract/secret.ts";
import type { Secret } from "#src/contract/secret.ts";
import { openDocument } from "#src/storage/document.ts";
import { withLock } from "#src/storage/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { newSealingKey } from "#src/storage/sealing.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { createKey, readKey } from "./key-file.ts";
import { openEntry, parseVault, sealEntry, unwrapDataKey, wrapNewDataKey } from "./vault-file.ts";
import type {
  EntryDetails,
  IntegrationKeyDetails,
  ProjectCredentialDetails,
  StoredEntry,
  VaultData,
} from "./vault-file.ts";

/** What may be shown of an entry. `fingerprint` tells two secrets apart; null when the entry does not open. */
export type VaultEntrySummary = EntryDetails & { readonly id: string; readonly fingerprint: string | null };

export type NewVaultEntry = EntryDetails & { readonly secret: Secret };

export interface VaultOptions {
  /** The vault, in the data tree. */
  readonly documentPath: string;
  /** Its key, in the state tree: a copy of the data tree alone opens nothing. */
  readonly keyPath: string;
  readonly newId: () => string;
  readonly fs?: FileSystem;
}

/**
 * Reading methods answer from what was last read; `refresh` and every writing method read again. Secrets stay sealed
 * in memory until one is asked for.
 */
export interface Vault {
  list(): VaultEntrySummary[];
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
   * Seals an entry and saves it, in place of the one for the same profile and company, or profile and project.
   * @returns its id
   * @throws Fault("bad_input") naming a value that cannot go into a header; Fault("storage") when it was not saved
   */
  put(entry: NewVaultEntry): Promise<string>;
  /** False when there is none. The previous generation on disk forgets it, too. */
  remove(id: string): Promise<boolean>;
  /** Proves that the vault opens and can be written now. @throws Fault("vault_locked" | "corrupt" | "storage") */
  probe(): Promise<void>;
  refresh(): Promise<void>;
  readonly problems: readonly StoreProblem[];
}

/**
 * Opens the vault; creates nothing before the first `put` or `probe`.
 * @throws Fault("vault_locked") when the key is missing or another one; Fault("corrupt") when the vault is missing beside
 *   its key, or damaged together with its previous generation
 */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { documentPath, keyPath, newId, fs = nodeFileSystem } = options;
  const document = openDocument<VaultData>({
    path: documentPath,
    format: "verdict/vault",
    schema: 1,
    initial: () => ({ wrapped: null, entries: [] }),
    parse: parseVault,
    fs,
  });
  let entries: readonly StoredEntry[] = [];
  let dataKey: Buffer | null = null;

  /** The data key, or null for a vault that holds nothing and has no key: it may start anew. */
  const unlock = async (data: VaultData): Promise<Buffer | null> => {
    const key = await readKey(keyPath, fs);
    if (data.wrapped === null) {
      if (key === null) return null;
      throw new Fault(
        "corrupt",
        `The vault ${escapeText(documentPath)} is missing beside its key; restore it from a backup of yours, or move the key ${escapeText(keyPath)} away to start anew.`,
      );
    }
    if (key === null) {
      if (data.entries.length === 0) return null;
      throw new Fault(
        "vault_locked",
        `The key of the vault, ${escapeText(keyPath)}, is missing; restore it from a backup of yours.`,
      );
    }
    const unwrapped = unwrapDataKey(key, data.wrapped);
    if (unwrapped !== null) return unwrapped;
    throw new Fault(
      "vault_locked",
      `${escapeText(keyPath)} is not the key of the vault ${escapeText(documentPath)}; restore the right one from a backup of yours.`,
    );
  };

  const refresh = async (): Promise<void> => {
    const data = await document.read();
    dataKey = await unlock(data);
    entries = data.entries;
  };

  /**
   * Gives a vault that holds nothing its keys. The vault is written before its key, so that a crash in between leaves an
   * empty vault without a key, which starts anew, and never a key whose vault seems lost.
   */
  const initialise = (): Promise<void> =>
    withLock(`${keyPath}.lock`, fs, async () => {
      if ((await unlock(await document.read())) !== null) return;
      const key = newSealingKey();
      await document.update((data) => {
        data.wrapped = wrapNewDataKey(key);
      });
      await createKey(keyPath, key, fs);
    });

  /** Changes the vault as it is on disk now, with the data key that belongs to it now. */
  const update = async <R>(change: (data: VaultData, key: Buffer) => R): Promise<R> => {
    if ((await unlock(await document.read())) === null) await initialise();
    const result = await document.update(async (data) => {
      const key = await unlock(data);
      if (key === null) {
        throw new Fault(
          "vault_locked",
          `The vault ${escapeText(documentPath)} lost its key just now; try again.`,
        );
      }
      return change(data, key);
    });
    await refresh();
    return result;
  };

  const open = (entry: StoredEntry): Secret => {
    const secret = dataKey === null ? null : openEntry(dataKey, entry);
    if (secret !== null) return secret;
    throw new Fault(
      "corrupt",
      `The vault entry ${escapeText(entry.id)} does not open: it was changed after it was sealed; remove it and enter the key again.`,
    );
  };

  const integrationKeys = (profile: string, projectsUrl: string): IntegrationKey[] => {
    const held = entries
      .filter((entry) => entry.kind === "integration_key")
      .filter((entry) => entry.profile === profile);
    const bound = held.filter((entry) => entry.projectsUrl === projectsUrl);
    const elsewhere = held.at(-1);
    if (bound.length === 0 && elsewhere !== undefined) {
      throw addressFault("integration key", profile, elsewhere.projectsUrl, projectsUrl);
    }
    return bound
      .map((entry) => ({
        keyId: entry.keyId,
        companyId: entry.companyId,
        algorithm: entry.algorithm,
        secret: open(entry),
      }))
      .toReversed();
  };

  await refresh();
  return {
    get problems() {
      return document.problems;
    },
    refresh,
    list: () =>
      entries.map(({ sealed, ...details }) => {
        const secret = dataKey === null ? null : openEntry(dataKey, { ...details, sealed });
        return { ...details, fingerprint: secret?.fingerprint ?? null };
      }),
    integrationKeys,
    integrationKey: (profile, projectsUrl) => integrationKeys(profile, projectsUrl)[0] ?? null,
    credential: (profile, projectKey, baseUrl) => {
      const entry = entries
        .filter((each) => each.kind === "project_credential")
        .find((each) => each.profile === profile && each.projectKey === projectKey);
      if (entry === undefined) {
        throw new Fault(
          "credential_missing",
          `The vault has no credential for the project "${escapeText(projectKey, 80)}" in the profile "${escapeText(profile, 64)}"; fetch it with "verdict credential".`,
        );
      }
      if (entry.baseUrl !== baseUrl) {
        throw addressFault(`credential of ${escapeText(projectKey, 80)}`, profile, entry.baseUrl, baseUrl);
      }
      const { keyId, projectId, algorithm } = entry;
      return { keyId, projectId, algorithm, secret: open(entry) };
    },
    reveal: (id) => {
      const entry = entries.find((each) => each.id === id);
      if (entry !== undefined) return open(entry);
      throw new Fault(
        "usage",
        `The vault has no entry "${escapeText(id, 40)}"; list them with "verdict vault list".`,
      );
    },
    put: async ({ secret, ...given }) => {
      const details = describe(given);
      insistOnValues(details, secret);
      const id = newId();
      await update((data, key) => {
        const others = data.entries.filter((entry) => !isSameOwner(entry, details));
        data.entries = [...others, sealEntry(key, id, details, secret)];
      });
      return id;
    },
    remove: async (id) => {
      const removed = await update((data) => {
        const before = data.entries.length;
        data.entries = data.entries.filter((entry) => entry.id !== id);
        return data.entries.length < before;
      });
      // A second generation without it, because the first one kept it in the backup.
      if (removed) await update(() => {});
      return removed;
    },
    probe: () => update(() => {}),
  };
}

/** The fields of an entry and nothing else that the object might carry along. */
function describe(given: EntryDetails): EntryDetails {
  const { profile, keyId, algorithm } = given;
  return given.kind === "integration_key"
    ? ({
        kind: given.kind,
        profile,
        companyId: given.companyId,
        keyId,
        algorithm,
        projectsUrl: given.projectsUrl,
      } satisfies IntegrationKeyDetails)
    : ({
        kind: given.kind,
        profile,
        projectKey: given.projectKey,
        projectId: given.projectId,
        keyId,
        algorithm,
        baseUrl: given.baseUrl,
      } satisfies ProjectCredentialDetails);
}

/** What goes into headers is checked on receipt: no control characters, blanks, or anything outside ASCII. */
function insistOnValues(details: EntryDetails, secret: Secret): void {
  const values: Readonly<Record<string, string>> = {
    "key id": details.keyId,
    algorithm: details.algorithm,
    ...(details.kind === "integration_key"
      ? { "company id": details.companyId }
      : { "project id": details.projectId }),
    secret: secret.expose(),
  };
  for (const [name, value] of Object.entries(values)) {
    if (CREDENTIAL_VALUE.test(value)) continue;
    throw new Fault(
      "bad_input",
      `The ${name} was not saved because it is not 1 to 256 printable ASCII characters without blanks; copy it again.`,
    );
  }
}

function addressFault(what: string, profile: string, bound: string, wanted: string): Fault {
  return new Fault(
    "credential_missing",
    `The ${what} in the profile "${escapeText(profile, 64)}" is bound to ${escapeText(bound)} and is not used for ${escapeText(wanted)}; correct the profile, or enter the key again for this address.`,
  );
}

function isSameOwner(a: EntryDetails, b: EntryDetails): boolean {
  if (a.profile !== b.profile) return false;
  if (a.kind === "integration_key") return b.kind === a.kind && b.companyId === a.companyId;
  return b.kind === a.kind && b.projectKey === a.projectKey;
}
