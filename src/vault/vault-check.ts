// Checks the whole vault: opens every entry, and looks at the files around it. Changes nothing.

import { ownerOf } from "#src/contract/records/key.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { jsonPlace } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { readWhole } from "#src/storage/documents/durable-file.ts";
import { parseGeneration } from "#src/storage/documents/generation.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { isSameOwner, unusableValue } from "./entry-details.ts";
import { openEntry } from "./entry-seal.ts";
import { asideFiles } from "./older-generations.ts";
import type { OpenKey } from "./open-key.ts";
import { VAULT } from "./vault-file.ts";
import type { EntryDetails, StoredEntry, WrappedKey } from "./vault-file.ts";

export interface CheckedEntry {
  readonly id: string;
  readonly kind: EntryDetails["kind"];
  readonly profile: string;
  /** The company, or the project. Untrusted text. */
  readonly owner: string;
  /** The end of a sentence; null when the entry is valid. */
  readonly problem: string | null;
}

export interface VaultCheck {
  readonly entries: readonly CheckedEntry[];
  /** One sentence each: what is wrong with an entry or its protection, and what to do. */
  readonly problems: readonly string[];
  /** The same of the files around the vault, and of what reading it has repaired. */
  readonly fileProblems: readonly string[];
}

interface Checked {
  readonly documentPath: string;
  readonly keyPath: string;
  /** What reading the document has found. */
  readonly problems: readonly StoreProblem[];
  readonly entries: readonly StoredEntry[];
  readonly former: readonly StoredEntry[];
  readonly wrapped: WrappedKey | null;
  readonly key: OpenKey;
  readonly fs: FileSystem;
}

/** @throws Fault("storage") when a file cannot be looked at */
export async function checkVault(vault: Checked): Promise<VaultCheck> {
  const all = [...vault.entries, ...vault.former];
  const entries = all.map((entry, index): CheckedEntry => {
    const { id, kind, profile } = entry;
    const isCurrent = index < vault.entries.length;
    const problem =
      problemOf(entry, all.slice(0, index), vault.key) ??
      (isCurrent && vault.entries.slice(0, index).some((each) => isSameOwner(each, entry))
        ? "has the same owner as another entry"
        : null);
    return { id, kind, profile, owner: ownerOf(entry), problem };
  });
  const damaged = entries
    .filter(({ problem }) => problem !== null)
    .map(({ id, problem }) => `The entry ${escapeText(id)} ${problem}; remove it and enter the key again.`);
  return {
    entries,
    problems: [...damaged, ...(await protectionProblems(vault))],
    fileProblems: [...vault.problems.map(({ message }) => message), ...(await fileProblems(vault))],
  };
}

function problemOf(entry: StoredEntry, earlier: readonly StoredEntry[], key: OpenKey): string | null {
  if (earlier.some(({ id }) => id === entry.id)) return "is in the vault twice";
  const secret = key.isOpen ? key.use((dataKey) => openEntry(dataKey, entry)) : null;
  if (secret === null) return "cannot be decrypted, because it was changed on disk";
  const unusable = unusableValue(entry, secret);
  return unusable === null ? null : `has a ${unusable} that cannot go into a header`;
}

async function protectionProblems({ documentPath, wrapped, fs }: Checked): Promise<string[]> {
  const backup = `${documentPath}.bak`;
  if (!(await isOlderProtection(backup, wrapped, fs))) return [];
  return [
    `The former passphrase or key file still opens ${escapeText(backup)}; set the protection again with "verdict vault passphrase".`,
  ];
}

async function fileProblems({ documentPath, keyPath, fs }: Checked): Promise<string[]> {
  const problems: string[] = [];
  for (const path of [documentPath, `${documentPath}.bak`, keyPath]) {
    if (await isOpenToOthers(path, fs)) {
      problems.push(`${escapeText(path)} may be read by other accounts; make it private with chmod 600.`);
    }
  }
  for (const path of await asideFiles(documentPath, fs)) {
    problems.push(
      `${escapeText(path)} is an earlier version of the vault that verdict moved; remove it when you do not need it.`,
    );
  }
  return problems;
}

async function isOpenToOthers(path: string, fs: FileSystem): Promise<boolean> {
  if (process.platform === "win32") return false;
  try {
    return ((await withStorageFaults(path, () => fs.stat(path))).mode & 0o077) !== 0;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Whether the previous generation has another wrapping than the present one. */
async function isOlderProtection(
  backup: string,
  wrapped: WrappedKey | null,
  fs: FileSystem,
): Promise<boolean> {
  const bytes = await withStorageFaults(backup, () => readWhole(backup, fs));
  const generation = bytes === null ? null : parseGeneration("verdict/vault", bytes);
  if (generation === null) return false;
  try {
    const before = readShape(VAULT, jsonPlace(generation.data), "the vault").wrapped;
    return before !== null && before.sealed !== wrapped?.sealed;
  } catch {
    // No known key opens another format.
    return false;
  }
}
