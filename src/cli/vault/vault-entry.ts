// An entry of the vault, found by the beginning of its id, and the key that options name.

import type { Context } from "#src/app/context.ts";
import type { Values } from "#src/cli/option.ts";
import { Fault, whole, usage } from "#src/contract/fault.ts";
import type { Key } from "#src/contract/records/key.ts";
import { projectKey } from "#src/contract/records/project.ts";
import type { Secret } from "#src/contract/secret.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { safe } from "#src/display/safe.ts";
import type { KEY } from "./vault-options.ts";

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

/**
 * The key that options name, to be completed by its secret.
 * @param options with a key id, which "vault add" requires and "init" asks for
 * @throws Fault("usage") for a key without an owner
 */
export function namedKey(options: Values<typeof KEY>): (secret: Secret) => Key {
  const { projectId, companyId, merchantId, riskLevel, algorithm } = options;
  const shared = { keyId: options.keyId!, algorithm };
  if (companyId !== undefined) {
    return (secret) => ({ kind: "integration_key", ...shared, companyId, secret });
  }
  if (projectId === undefined) {
    throw usage`A key has an owner; add --project-id for the credential of a project, or --company-id for an integration key.`;
  }
  const isNamed = merchantId !== undefined && riskLevel !== undefined;
  const named = isNamed ? projectKey(merchantId, riskLevel) : projectId;
  return (secret) => ({ kind: "project_credential", ...shared, projectId, projectKey: named, secret });
}
