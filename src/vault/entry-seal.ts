// Seals the secret of an entry, bound to its id, owner, algorithm and address (additional authenticated data).

import { CREDENTIAL_VALUE, Secret } from "#src/contract/secret.ts";
import { openSealed, seal } from "#src/storage/documents/sealing.ts";
import { describe } from "./entry-details.ts";
import type { EntryDetails, StoredEntry } from "./vault-file.ts";

/** Secrets are padded to this length, so that the size of a seal reveals nothing. Equals the longest credential value. */
const PADDED_BYTES = 256;

/** Seals a secret into an entry that cannot be given another id, owner, algorithm or address. */
export function sealEntry(dataKey: Buffer, id: string, details: EntryDetails, secret: Secret): StoredEntry {
  const padded = Buffer.alloc(PADDED_BYTES);
  padded.write(secret.expose(), "latin1");
  return { id, ...details, sealed: seal(dataKey, padded, contextOf(id, details)) };
}

/** Null when the entry is not the one that was sealed. */
export function openEntry(dataKey: Buffer, entry: StoredEntry): Secret | null {
  const padded = openSealed(dataKey, entry.sealed, contextOf(entry.id, entry));
  if (padded === null) return null;
  const value = padded.toString("latin1").replace(/\0+$/, "");
  return CREDENTIAL_VALUE.test(value) ? new Secret(value) : null;
}

/** True when a sealed entry has the same fields and the same secret as an open one. */
export function isSameEntry(
  dataKey: Buffer,
  sealed: StoredEntry,
  open: EntryDetails & { readonly secret: Secret },
): boolean {
  return (
    JSON.stringify(describe(sealed)) === JSON.stringify(describe(open)) &&
    openEntry(dataKey, sealed)?.expose() === open.secret.expose()
  );
}

/** The additional authenticated data; a JSON array, so that different entries have different texts. */
function contextOf(id: string, details: EntryDetails): string {
  const { kind, profile, keyId, algorithm } = details;
  const bound =
    details.kind === "integration_key"
      ? [details.companyId, details.projectsUrl]
      : [details.projectKey, details.projectId, details.baseUrl];
  return JSON.stringify(["verdict/vault-entry", 1, id, kind, profile, keyId, algorithm, ...bound]);
}
