// Finds the entry that signs a request: only one that is bound to the address of that request.

import { credentialMissing, Fault, whole } from "#src/contract/fault.ts";
import { ADD_COMMAND } from "#src/contract/records/key.ts";
import type { Secret } from "#src/contract/secret.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import type { StoredEntry } from "./vault-file.ts";

type Open = (entry: StoredEntry) => Secret;

/** @throws Fault("credential_missing") when all keys of the profile are bound to other addresses */
export function findIntegrationKeys(
  entries: readonly StoredEntry[],
  open: Open,
  profile: string,
  projectsUrl: string,
): IntegrationKey[] {
  const held = entries
    .filter((entry) => entry.kind === "integration_key")
    .filter((entry) => entry.profile === profile);
  const bound = held.filter((entry) => entry.projectsUrl === projectsUrl);
  const elsewhere = held.at(-1);
  if (bound.length === 0 && elsewhere !== undefined) {
    throw addressFault("integration key", profile, elsewhere.projectsUrl, projectsUrl);
  }
  return bound
    .map((entry) => ({
      keyId: entry.keyId,
      companyId: entry.companyId,
      algorithm: entry.algorithm,
      secret: open(entry),
    }))
    .toReversed();
}

/** @throws Fault("credential_missing") when there is none, or when it is bound to another address */
export function findCredential(
  entries: readonly StoredEntry[],
  open: Open,
  profile: string,
  projectKey: string,
  baseUrl: string,
): ProjectCredential {
  const entry = entries
    .filter((each) => each.kind === "project_credential")
    .find((each) => each.profile === profile && each.projectKey === projectKey);
  if (entry === undefined) {
    throw credentialMissing`The vault has no credential for the project "${projectKey}" in the profile "${profile}"; fetch it with "verdict project credential".`;
  }
  if (entry.baseUrl !== baseUrl) {
    throw addressFault(`credential of ${escapeText(projectKey, 80)}`, profile, entry.baseUrl, baseUrl);
  }
  const { keyId, projectId, algorithm } = entry;
  return { keyId, projectId, algorithm, secret: open(entry) };
}

function addressFault(what: string, profile: string, bound: string, wanted: string): Fault {
  const kind = what.startsWith("credential") ? "project_credential" : "integration_key";
  return credentialMissing`The ${whole(what)} in the profile "${profile}" is bound to ${bound} and is not used for ${wanted}; correct the profile, or enter the key again for this address with "${whole(ADD_COMMAND[kind])}".`;
}
