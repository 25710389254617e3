// Reads the options of a key that is entered by hand.

import type { NewKey } from "#src/actions/profiles/make-profile.ts";
import type { Project } from "#src/contract/records/project.ts";
import type { Options } from "#src/cli/command.ts";
import { usage } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";

/** Merchant and risk level; null where neither is given. @throws Fault("usage") for one without the other */
export function labelOf(options: Options): Pick<Project, "merchantId" | "riskLevel"> | null {
  const merchantId = options.text("merchantId");
  const riskLevel = RISK_LEVELS.find((level) => level === options.text("riskLevel"));
  if (merchantId === undefined && riskLevel === undefined) return null;
  if (merchantId !== undefined && riskLevel !== undefined) return { merchantId, riskLevel };
  throw usage`--merchant-id and --risk-level name a project together; give both, or none for the project id.`;
}

/**
 * The key that options name, of a project (--project-id) or of a company (--company-id), to be completed by its secret; null
 * where none is named.
 * @throws Fault("usage") for a part of a key
 */
export function namedKey(options: Options): ((secret: Secret) => NewKey) | null {
  const keyId = options.text("keyId");
  const projectId = options.text("projectId");
  const companyId = options.text("companyId");
  if (keyId === undefined) {
    const part = ["projectId", "merchantId", "riskLevel", "algorithm"].some(
      (name) => options.text(name) !== undefined,
    );
    if (!part && !options.flag("secretStdin")) return null;
    throw usage`A key has a key id, which goes into the header x-key-id; add --key-id.`;
  }
  const shared = { keyId, algorithm: options.text("algorithm") ?? DEFAULT_ALGORITHM };
  if (projectId !== undefined) {
    const label = labelOf(options);
    return (secret) => ({ kind: "credential", key: { ...shared, label, projectId, secret } });
  }
  if (companyId !== undefined) {
    return (secret) => ({ kind: "integration-key", key: { ...shared, companyId, secret } });
  }
  throw usage`A key has an owner; add --project-id for the credential of a project, or --company-id for an integration key.`;
}
