// State of the Vault screen, and questions about it.

import type { Context } from "#src/app/context.ts";
import type { Sort } from "#src/contract/records/list-sort.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { KIND_WORD, ownerOf } from "#src/contract/records/key.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { EntryForm } from "#src/state/entry-form.ts";
import { sortedRows } from "#src/state/list-selection.ts";
import { matching } from "#src/state/listing.ts";
import type { CredentialTest, KeyUses } from "./key-uses.ts";

/** What may be shown of an entry of the vault. */
export type KeyringEntry = ReturnType<Awaited<ReturnType<Context["vault"]>>["list"]>[number];

type FormerEntry = ReturnType<Awaited<ReturnType<Context["vault"]>>["former"]>[number];

export interface KeyringState {
  /** Entries of the profile, newest first. */
  readonly entries: readonly KeyringEntry[];
  /** Replaced entries of the profile, in the order of replacement. */
  readonly former: readonly FormerEntry[];
  readonly filter: string;
  readonly sort: KeySort;
  /** How many entries belong to other profiles. */
  readonly elsewhere: number;
  /** True once the vault was read. */
  readonly loaded: boolean;
  readonly selectedId: string | null;
  /** The revealed secret, and the seconds until it is hidden. */
  readonly revealed: { readonly id: string; readonly secret: Secret; readonly secondsLeft: number } | null;
  /** The form for a key by hand, while it is open. */
  readonly adding: EntryForm | null;
  /** Id of the entry that is being tested, saved or removed now. */
  readonly working: string | null;
  /** The last test of each entry, by its id. */
  readonly tests: Readonly<Record<string, CredentialTest>>;
  readonly uses: KeyUses;
  /** When each project that was registered here was, by its key, in the service's time: a credential is no older. */
  readonly registered: Readonly<Record<string, Milliseconds>>;
}

/** Seconds for which a secret stays revealed. */
export const REVEAL_SECONDS = 10;

/** At first the newest key is above. */
export const KEY_ORDERS = ["added", "owner", "last"] as const;
type KeySort = Sort<(typeof KEY_ORDERS)[number]>;

/** The entries that the filter lets through, by kind, owner and key id, in their order. */
export function listedKeys({ entries, filter, sort, uses }: KeyringState): readonly KeyringEntry[] {
  const textOf = (entry: KeyringEntry): string => `${KIND_WORD[entry.kind]} ${ownerOf(entry)} ${entry.keyId}`;
  return sortedRows(matching(entries, filter, textOf), sort, (entry) => {
    const last = entry.kind === "integration_key" ? null : uses.byKey[entry.keyId]?.at;
    return { added: entries.indexOf(entry), owner: ownerOf(entry), last }[sort.by];
  });
}

export function selectedKey({ entries, selectedId }: KeyringState): KeyringEntry | null {
  return entries.find((entry) => entry.id === selectedId) ?? null;
}

/** The entry that the selected one replaced last; null for none. */
export function formerKey(state: KeyringState): FormerEntry | null {
  const selected = selectedKey(state);
  if (selected === null) return null;
  return (
    state.former.findLast((entry) => entry.kind === selected.kind && ownerOf(entry) === ownerOf(selected)) ??
    null
  );
}

/** A further sentence on the replaced key. Untrusted. */
export function keptText(former: FormerEntry | null, keyName: KeyName): string {
  return former === null
    ? ""
    : ` The former key (key id ${former.keyId}) stays in the vault; ${keyName("vault.actions")} on Vault restores it.`;
}

/** Why the selected entry cannot be tested; null when it can. */
export function whyNotTest(state: KeyringState): string | null {
  const entry = selectedKey(state);
  if (entry === null) return "No entry is selected.";
  if (entry.kind === "integration_key")
    return "An integration key shows that it works when a project is registered.";
  return state.working === null ? null : "Another vault operation is in progress; wait until it ends.";
}
