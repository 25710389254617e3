// One entry of the vault on the command line: found by the beginning of its id, named in words.

import type { Context } from "#src/app/context.ts";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";

export type Entry = ReturnType<Awaited<ReturnType<Context["vault"]>>["list"]>[number];

/** @throws Fault("usage") for none or several */
export function findEntry(entries: readonly Entry[], wanted: string): Entry {
  const found = entries.filter((entry) => entry.id.startsWith(wanted));
  if (found.length === 1) return found[0]!;
  throw new Fault(
    "usage",
    found.length === 0
      ? `The vault has no entry "${escapeText(wanted, 40)}"; "verdict vault list" shows the ids.`
      : `${found.length} entries begin with "${escapeText(wanted, 40)}"; give more of the id.`,
  );
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
