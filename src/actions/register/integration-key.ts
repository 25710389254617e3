// The integration key that signs the two registration requests (spec 5.3, 5.4).

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import { credentialMissing, whole } from "#src/contract/fault.ts";
import { ADD_COMMAND } from "#src/contract/records/key.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { IntegrationKey } from "#src/contract/wire/credential.ts";

/**
 * The profile's integration key. Keys that the service hands out itself (the embedded sandbox) are put into the vault first.
 * @throws Fault("credential_missing") when there is none, Fault("vault_locked")
 */
export async function integrationKey(context: ActionContext, service: Service): Promise<IntegrationKey> {
  const vault = await context.vault();
  await vault.ensureOpen();
  const profile = context.profile.name;
  const { projectsUrl } = context.addresses();
  const { companyId } = context.profile;
  const held = heldKey(vault.integrationKeys(profile, projectsUrl), companyId);
  const offered = (await service.offeredKeys())[0];
  if (offered !== undefined && offered.keyId !== held?.keyId) {
    await vault.put({
      kind: "integration_key",
      profile,
      projectsUrl,
      ...offered,
    });
    return offered;
  }
  if (held === null) {
    const company = companyId === undefined ? "" : ` of the company ${escapeText(companyId, 60)}`;
    throw credentialMissing`Profile ${profile} has no integration key${company}; take one from the administrative panel and enter it with "${whole(ADD_COMMAND.integration_key)}".`;
  }
  return held;
}

/** The key of the profile's company, else the one that was entered last. */
function heldKey(keys: readonly IntegrationKey[], companyId: string | undefined): IntegrationKey | null {
  return keys.find((key) => companyId === undefined || key.companyId === companyId) ?? null;
}
