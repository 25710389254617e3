// When the keys of the vault signed last, and how their last tests went.

import { readTest, type CredentialTest } from "#src/actions/check/credential-test.ts";
import { isCredentialTest, type HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

export type { CredentialTest };

/** When keys signed last, as far as the newest checks of the history tell. */
export interface KeyUses {
  /** By key id. */
  readonly byKey: Readonly<Record<string, KeyUse>>;
  /** True where there are no older checks. */
  readonly whole: boolean;
}

interface KeyUse {
  readonly at: Milliseconds;
  /** The last test; null for none. */
  readonly test: { readonly at: Milliseconds; readonly verdict: CredentialTest["verdict"] } | null;
}

export const NO_USES: KeyUses = { byKey: {}, whole: false };

/** Checks of the history that are read for the last use of keys. */
export const RECENT_CHECKS = 500;

/** The last use and the last test of each key. @param entries the newest checks, newest first */
export function keyUses(entries: readonly HistoryEntry[]): KeyUses {
  const byKey: Record<string, KeyUses["byKey"][string]> = {};
  for (const entry of entries) {
    const { at, signed, result } = entry;
    if (signed === undefined) continue;
    const known = byKey[signed.keyId];
    const isTest = isCredentialTest(entry) && result !== null;
    const test = known?.test ?? (isTest ? { at, verdict: readTest(result).verdict } : null);
    byKey[signed.keyId] = { at: known?.at ?? at, test };
  }
  return { byKey, whole: entries.length < RECENT_CHECKS };
}
