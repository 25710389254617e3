// Plans the import of an age file: names every entry that would be replaced before anything is written.

import { badInput } from "#src/contract/fault.ts";
import { describe, isSameOwner } from "./entry-details.ts";
import { isSameEntry } from "./entry-seal.ts";
import type { OpenedEntry } from "./exported-entries.ts";
import type { EntryDetails, StoredEntry, VaultData } from "./vault-file.ts";

/**
 * - `new`: nothing is held for this owner
 * - `same`: the very same entry is held
 * - `other`: another one is held for this owner, and would be replaced
 */
type ImportState = "new" | "same" | "other";

export type ImportItem = EntryDetails & { readonly state: ImportState; readonly fingerprint: string };

export interface VaultImport {
  readonly items: readonly ImportItem[];
  /**
   * Adds new entries in one write; with `replace`, also replaces others. Compares again with what the vault holds then.
   * @returns how many were added or replaced
   */
  apply(options: { readonly replace: boolean }): Promise<number>;
}

interface Target {
  /** Gives access to the current entries. */
  look<R>(look: (entries: readonly StoredEntry[], dataKey: Buffer | null) => R): R;
  update<R>(change: (data: VaultData, dataKey: Buffer) => R): Promise<R>;
  put(data: VaultData, dataKey: Buffer, entries: readonly OpenedEntry[]): void;
}

/** @throws Fault("bad_input") when two entries of the file have the same owner */
export function planImport(incoming: readonly OpenedEntry[], vault: Target): VaultImport {
  const twice = incoming.findIndex((entry, index) =>
    incoming.slice(0, index).some((earlier) => isSameOwner(earlier, entry)),
  );
  if (twice >= 0) {
    throw badInput`Entry ${twice + 1} of the export has the same owner as an earlier one; nothing was imported.`;
  }
  return {
    items: vault.look((entries, dataKey) =>
      incoming.map((entry): ImportItem => {
        const { secret } = entry;
        return {
          ...describe(entry),
          state: stateOf(entry, entries, dataKey),
          fingerprint: secret.fingerprint,
        };
      }),
    ),
    apply: ({ replace }) =>
      vault.update((data, dataKey) => {
        const chosen = incoming.filter((entry) => {
          const state = stateOf(entry, data.entries, dataKey);
          return state === "new" || (replace && state === "other");
        });
        vault.put(data, dataKey, chosen);
        return chosen.length;
      }),
  };
}

/** A held entry that does not open counts as another one: it is replaced only at the wish of the user. */
function stateOf(entry: OpenedEntry, held: readonly StoredEntry[], dataKey: Buffer | null): ImportState {
  const found = held.find((each) => isSameOwner(each, entry));
  if (found === undefined || dataKey === null) return "new";
  return isSameEntry(dataKey, found, entry) ? "same" : "other";
}
