// An entry of the vault, found by the beginning of its id and described in words, and one that options describe.

import type { NewKey } from "#src/actions/profiles/make-profile.ts";
import type { Context } from "#src/app/context.ts";
import type { KEY_LABELS } from "#src/cli/option-specs.ts";
import type { Values } from "#src/cli/option.ts";
import type { KEY } from "#src/cli/profiles/profile-options.ts";
import { Fault, whole, usage } from "#src/contract/fault.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { Secret } from "#src/contract/secret.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";
import { safe } from "#src/display/safe.ts";

type Vault = Awaited<ReturnType<Context["vault"]>>;
/** An entry; a former one has `replacedAt`, in ms since the epoch. */
export type Entry = ReturnType<Vault["list"]>[number] & { readonly replacedAt?: number };
type Former = ReturnType<Vault["former"]>[number];

/**
 * An entry, or a former one, by the beginning of its id.
 * @throws Fault("usage") for none or several
 */
export function findEntry(vault: Pick<Vault, "list" | "former">, wanted: string): Entry {
  const found = [...vault.list(), ...vault.former()].filter((entry) => entry.id.startsWith(wanted));
  if (found.length === 1) return found[0]!;
  throw new Fault(
    "usage",
    whole(
      found.length === 0
        ? `The vault has no entry "${escapeText(wanted, 40)}"; "verdict vault list" shows the ids.`
        : `${found.length} entries begin with "${escapeText(wanted, 40)}"; give more of the id.`,
    ),
  );
}

/** A sentence about the entry that was replaced; untrusted text in it is escaped. */
export function formerText({ id, keyId }: Former): string {
  return `It took the place of the key id ${safe(keyId)}, which stays in the vault: "verdict vault restore ${id}" puts it back.`;
}

export function kindOf({ kind }: Pick<Entry, "kind">): string {
  return kind === "integration_key" ? "integration key" : "credential";
}

type Owned =
  | { readonly kind: "integration_key"; readonly companyId: string }
  | { readonly kind: "project_credential"; readonly projectKey: string };

/** The company or the project; untrusted text. */
export function ownerOf(entry: Owned): string {
  return entry.kind === "integration_key" ? entry.companyId : entry.projectKey;
}

/** Merchant and risk level; null where neither is given. */
export function labelOf(
  options: Values<typeof KEY_LABELS>,
): Pick<Project, "merchantId" | "riskLevel"> | null {
  const { merchantId, riskLevel } = options;
  return merchantId === undefined || riskLevel === undefined ? null : { merchantId, riskLevel };
}

/**
 * The key that options name, of a project (--project-id) or of a company (--company-id), to be completed by its secret; null
 * where none is named.
 * @throws Fault("usage") for a part of a key
 */
export function namedKey(
  options: Values<typeof KEY> & { readonly companyId: string | undefined },
): ((secret: Secret) => NewKey) | null {
  const { keyId, projectId, companyId } = options;
  if (keyId === undefined) {
    const { merchantId, riskLevel, algorithm, secretStdin } = options;
    if ((projectId ?? merchantId ?? riskLevel ?? algorithm) === undefined && !secretStdin) return null;
    throw usage`A key has a key id, which goes into the header x-key-id; add --key-id.`;
  }
  const shared = { keyId, algorithm: options.algorithm ?? DEFAULT_ALGORITHM };
  if (projectId !== undefined) {
    const label = labelOf(options);
    return (secret) => ({ kind: "credential", key: { ...shared, label, projectId, secret } });
  }
  if (companyId !== undefined) {
    return (secret) => ({ kind: "integration-key", key: { ...shared, companyId, secret } });
  }
  throw usage`A key has an owner; add --project-id for the credential of a project, or --company-id for an integration key.`;
}
