// The integration key that signs the two registration requests (spec 5.3, 5.4).

import type { IntegrationKey } from "#src/contract/credential.ts";
import { Fault } from "#src/contract/fault.ts";
import type { ActionContext, Service } from "./action-context.ts";

/**
 * The profile's integration key. Keys that the service hands out itself (the embedded sandbox) are put into the vault first.
 * @throws Fault("credential_missing") when there is none, Fault("vault_locked")
 */
export async function integrationKey(context: ActionContext, service: Service): Promise<IntegrationKey> {
  const vault = await context.vault();
  await vault.ensureOpen();
  const profile = context.profile.name;
  const { projectsUrl } = context.addresses();
  const held = vault.integrationKey(profile, projectsUrl);
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
    throw new Fault(
      "credential_missing",
      `Profile ${profile} has no integration key; take one from the administrative panel and enter it with "verdict vault add integration-key".`,
    );
  }
  return held;
}
