// Removes from the disk, after a change of the protection, everything that the former key opens.

import { basename, dirname, join } from "node:path";
import type { Document } from "#src/storage/documents/document.ts";
import { removeOrphans } from "#src/storage/documents/durable-file.ts";
import { withLock } from "#src/storage/documents/file-lock.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { overwrite, retireKey } from "./key-file.ts";
import type { VaultData } from "./vault-file.ts";

export interface VaultFiles {
  readonly document: Document<VaultData>;
  readonly documentPath: string;
  readonly keyPath: string;
  readonly fs: FileSystem;
}

/** Serializes changes of the keys, across processes too. */
export function withKeysLocked(
  { keyPath, fs }: Pick<VaultFiles, "keyPath" | "fs">,
  action: () => Promise<void>,
): Promise<void> {
  return withLock(`${keyPath}.lock`, fs, action);
}

/** Completes a change of the protection that a crash or a full disk has interrupted. Never rejects: the next write tries again. */
export async function retireOlder(files: VaultFiles, { outdated }: VaultData): Promise<void> {
  if (outdated !== true) return;
  await withKeysLocked(files, () => removeOlder(files)).catch(() => {});
}

/** Each step is idempotent; the mark is removed last. */
export async function removeOlder({ document, documentPath, keyPath, fs }: VaultFiles): Promise<void> {
  const { outdated, wrapped } = await document.read();
  if (outdated !== true) return;
  // A second write moves the former generation out of the backup.
  await document.update(() => {});
  for (const path of await asideFiles(documentPath, fs)) {
    await withStorageFaults(path, async () => {
      await overwrite(path, fs);
      await fs.unlink(path);
    });
  }
  if (wrapped?.scheme === "passphrase") await retireKey(keyPath, fs);
  // A key that was being written when a process was killed.
  await withStorageFaults(keyPath, () => removeOrphans(keyPath, fs));
  await document.update((data) => {
    delete data.outdated;
  });
}

/** Files beside a document that hold earlier generations of it: damaged ones, and those of an older schema. */
export async function asideFiles(documentPath: string, fs: FileSystem): Promise<string[]> {
  const prefixes = ["corrupt-", "schema-"].map((kind) => `${basename(documentPath)}.${kind}`);
  const names = await fs.readdir(dirname(documentPath)).catch((error: unknown) => {
    // No vault was written there.
    if (systemCode(error) === "ENOENT") return [];
    throw storageFault(error, documentPath);
  });
  return names
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .map((name) => join(dirname(documentPath), name));
}
