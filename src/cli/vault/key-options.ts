// Reads the options of a key that is entered by hand.

import type { NewKey } from "#src/actions/profiles/make-profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { KEY_LABELS } from "#src/cli/option-specs.ts";
import type { Values } from "#src/cli/option.ts";
import type { KEY } from "#src/cli/profiles/profile-options.ts";
import { usage } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";

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
