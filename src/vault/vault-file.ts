// The vault's document and its key file as they lie on disk: every entry in the clear but for its secret.

import { CREDENTIAL_VALUE, Secret } from "#src/contract/secret.ts";
import { asList, asNullable, asObject, asText } from "#src/storage/record-shape.ts";
import { newSealingKey, openSealed, seal, SEALING_KEY_BYTES } from "#src/storage/sealing.ts";
import type { Sealed } from "#src/storage/sealing.ts";

/** An integration key as the vault describes it (spec 1.4). */
export interface IntegrationKeyDetails {
  readonly kind: "integration_key";
  readonly profile: string;
  readonly companyId: string;
  readonly keyId: string;
  readonly algorithm: string;
  /** The only address that it signs for. */
  readonly projectsUrl: string;
}

/** A project credential as the vault describes it (spec 2.8). */
export interface ProjectCredentialDetails {
  readonly kind: "project_credential";
  readonly profile: string;
  /** `<merchant_id>/<risk_level>` */
  readonly projectKey: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly algorithm: string;
  /** The only address that it signs for. */
  readonly baseUrl: string;
}

export type EntryDetails = IntegrationKeyDetails | ProjectCredentialDetails;

export type StoredEntry = EntryDetails & { readonly id: string; readonly sealed: Sealed };

/** How the data key is wrapped; later schemes get names of their own. */
export interface WrappedKey {
  readonly scheme: "key-file";
  readonly sealed: Sealed;
}

export interface VaultData {
  /** Null before the first entry. */
  wrapped: WrappedKey | null;
  entries: StoredEntry[];
}

const WRAP_CONTEXT = JSON.stringify(["verdict/vault-data-key", 1, "key-file"]);

/** Secrets are padded to this length, so that their seals tell nothing about them. Equals the longest credential value. */
const PADDED_BYTES = 256;

export function parseVault(value: unknown): VaultData {
  const { wrapped, entries } = asObject(value);
  return { wrapped: asNullable(wrapped, parseWrapped), entries: asList(entries).map(parseEntry) };
}

function parseWrapped(value: unknown): WrappedKey {
  const { scheme, sealed } = asObject(value);
  if (scheme !== "key-file") throw new TypeError("unknown scheme");
  return { scheme, sealed: asText(sealed) };
}

function parseEntry(value: unknown): StoredEntry {
  const fields = asObject(value);
  const text = (name: string): string => asText(fields[name]);
  const common = {
    id: text("id"),
    profile: text("profile"),
    keyId: text("keyId"),
    algorithm: text("algorithm"),
    sealed: text("sealed"),
  };
  if (fields["kind"] === "integration_key") {
    return {
      kind: "integration_key",
      ...common,
      companyId: text("companyId"),
      projectsUrl: text("projectsUrl"),
    };
  }
  if (fields["kind"] !== "project_credential") throw new TypeError("unknown kind of entry");
  return {
    kind: "project_credential",
    ...common,
    projectKey: text("projectKey"),
    projectId: text("projectId"),
    baseUrl: text("baseUrl"),
  };
}

/** Reads the data of a key file. */
export function parseKey(value: unknown): Buffer {
  const { scheme, key } = asObject(value);
  const bytes = Buffer.from(asText(key), "base64");
  if (scheme !== "key-file" || bytes.length !== SEALING_KEY_BYTES) throw new TypeError("no key");
  return bytes;
}

export function keyData(key: Buffer): { readonly scheme: "key-file"; readonly key: string } {
  return { scheme: "key-file", key: key.toString("base64") };
}

/** A new data key, wrapped by the key of the key file. */
export function wrapNewDataKey(key: Buffer): WrappedKey {
  return { scheme: "key-file", sealed: seal(key, newSealingKey(), WRAP_CONTEXT) };
}

/** Null when the key is not the one that wrapped it. */
export function unwrapDataKey(key: Buffer, wrapped: WrappedKey): Buffer | null {
  return openSealed(key, wrapped.sealed, WRAP_CONTEXT);
}

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

/** Everything in the clear that the seal depends on; a JSON array, so that no two entries give the same text. */
function contextOf(id: string, details: EntryDetails): string {
  const { kind, profile, keyId, algorithm } = details;
  const bound =
    details.kind === "integration_key"
      ? [details.companyId, details.projectsUrl]
      : [details.projectKey, details.projectId, details.baseUrl];
  return JSON.stringify(["verdict/vault-entry", 1, id, kind, profile, keyId, algorithm, ...bound]);
}
