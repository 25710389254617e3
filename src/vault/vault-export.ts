// Writes entries of the vault into an age file.

import { storage, usage } from "#src/contract/fault.ts";
import { createDurably } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem, type FileSystem } from "#src/storage/file-system.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { sealAge, type AgeRecipients } from "./age-file.ts";
import { renderEntries, type OpenedEntry } from "./exported-entries.ts";
import type { EntryDetails } from "./vault-file.ts";

export interface ExportOptions {
  /** ASCII text instead of binary. */
  readonly armored?: boolean;
  /** Ids of the entries; all of them when it is not given. */
  readonly ids?: readonly string[];
}

export interface VaultExport {
  /** What the file holds, without the secrets. */
  readonly entries: readonly EntryDetails[];
}

/** @throws Fault("usage") when a file of that name is there, Fault("storage") when it could not be written: then nothing is left of it */
export async function writeExport(
  target: string,
  entries: readonly OpenedEntry[],
  to: AgeRecipients,
  {
    armored = false,
    at,
    fs = nodeFileSystem,
  }: {
    readonly armored?: boolean | undefined;
    /** When it is exported, in ms since the epoch. */
    readonly at: number;
    readonly fs?: FileSystem;
  },
): Promise<void> {
  const plain = renderEntries(entries, at);
  try {
    const sealed = await sealAge(plain, to, armored);
    await withStorageFaults(target, () => createDurably(target, sealed, fs));
  } catch (error) {
    if (systemCode(error) === "EEXIST") {
      throw usage`${target} exists already and is not overwritten; use another file name, or move the existing file.`;
    }
    if (systemCode(error) !== "ENOENT") throw error;
    throw storage`The folder of ${target} is not there; create it or name another file.`.causedBy(error);
  } finally {
    plain.fill(0);
  }
}
