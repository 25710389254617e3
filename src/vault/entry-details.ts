// The unencrypted fields of an entry: their checks, and its address.

import { badInput, corrupt, Fault } from "#src/contract/fault.ts";
import { ownerOf } from "#src/contract/records/key.ts";
import { CREDENTIAL_VALUE } from "#src/contract/secret.ts";
import type { Secret } from "#src/contract/secret.ts";
import { ENTRY_DETAILS, type EntryDetails } from "./vault-file.ts";

/** Only the fields of an entry, without others that the object may have. */
export function describe(given: EntryDetails): EntryDetails {
  const values: Readonly<Record<string, unknown>> = { ...given };
  const keys = Object.keys(ENTRY_DETAILS[given.kind]);
  return Object.fromEntries(keys.map((key) => [key, values[key]])) as unknown as EntryDetails;
}

/** Name of the first value that cannot go into a header (control characters, blanks, anything outside ASCII); null when all can. */
export function unusableValue(details: EntryDetails, secret: Secret): string | null {
  const values: Readonly<Record<string, string>> = {
    "key id": details.keyId,
    algorithm: details.algorithm,
    ...(details.kind === "integration_key"
      ? { "company id": details.companyId }
      : { "project id": details.projectId }),
    secret: secret.expose(),
  };
  return Object.entries(values).find(([, value]) => !CREDENTIAL_VALUE.test(value))?.[0] ?? null;
}

/** Checks the values that go into headers. @throws Fault("bad_input") naming the value */
export function requireValidValues(details: EntryDetails, secret: Secret): void {
  const name = unusableValue(details, secret);
  if (name === null) return;
  throw badInput`The ${name} was not saved because it is not 1 to 256 printable ASCII characters without blanks; copy it again.`;
}

/** True for two entries of one owner: the second replaces the first. */
export function isSameOwner(a: EntryDetails, b: EntryDetails): boolean {
  return a.profile === b.profile && a.kind === b.kind && ownerOf(a) === ownerOf(b);
}

/** The only address that the entry signs for. */
export function addressOf(details: EntryDetails): string {
  return details.kind === "integration_key" ? details.projectsUrl : details.baseUrl;
}

/** An entry does not open. */
export function damagedEntryFault(id: string): Fault {
  return corrupt`The vault entry ${id} does not open: it was changed after it was sealed; remove it and enter the key again.`;
}
