// The format of the vault's document: the fields of an entry in the clear, its secret sealed.

import type { Sealed } from "#src/storage/documents/sealing.ts";
import { asList, asNullable, asNumber, asObject, asText } from "#src/storage/record-shape.ts";

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

/** An entry that was replaced: it signs nothing, and can be put back. */
export type FormerEntry = StoredEntry & {
  /** ms since the epoch */
  readonly replacedAt: number;
};

/** Cost of the key derivation (RFC 7914); `salt` in base64. */
export interface ScryptParameters {
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
}

/** How the data key is wrapped: by the key of the key file, or by a key that is derived from a passphrase. */
export type WrappedKey =
  | { readonly scheme: "key-file"; readonly sealed: Sealed }
  | { readonly scheme: "passphrase"; readonly scrypt: ScryptParameters; readonly sealed: Sealed };

export interface VaultData {
  /** Null before the first entry. */
  wrapped: WrappedKey | null;
  /** True from a change of the protection until nothing on disk opens with what protected it before. */
  outdated?: boolean;
  entries: StoredEntry[];
  /** In the order in which they were replaced. */
  former: FormerEntry[];
}

export function parseVault(value: unknown): VaultData {
  const { wrapped, outdated, entries, former } = asObject(value);
  return {
    wrapped: asNullable(wrapped, parseWrapped),
    ...(outdated === true ? { outdated } : {}),
    entries: asList(entries).map(parseEntry),
    // A vault from before former entries were kept has none.
    former: asList(former ?? []).map(parseFormer),
  };
}

function parseWrapped(value: unknown): WrappedKey {
  const { scheme, sealed, scrypt } = asObject(value);
  if (scheme === "key-file") return { scheme, sealed: asText(sealed) };
  if (scheme !== "passphrase") throw new TypeError("unknown scheme");
  const { n, r, p, salt } = asObject(scrypt);
  return {
    scheme,
    scrypt: { n: asNumber(n), r: asNumber(r), p: asNumber(p), salt: asText(salt) },
    sealed: asText(sealed),
  };
}

function parseFormer(value: unknown): FormerEntry {
  return { ...parseEntry(value), replacedAt: asNumber(asObject(value)["replacedAt"]) };
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
