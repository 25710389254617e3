// Lists the projects whose credential is in the vault.

import type { ActionContext } from "#src/actions/action-context.ts";

/**
 * Entries of the profile's project credentials, oldest first, as the vault was last read. They name keys and hold no secret.
 * @throws Fault("vault_locked" | "storage" | "corrupt") when the vault cannot be opened
 */
export async function heldCredentials(context: Pick<ActionContext, "vault" | "profile">) {
  return (await context.vault())
    .list()
    .filter((entry) => entry.kind === "project_credential")
    .filter((entry) => entry.profile === context.profile.name);
}
