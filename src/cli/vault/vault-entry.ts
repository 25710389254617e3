// Finds an entry of the vault by the beginning of its id, and describes it in words.

import type { Context } from "#src/app/context.ts";
import { Fault, whole } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
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
