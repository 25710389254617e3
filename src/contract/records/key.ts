// A key that the user holds: an integration key of a company, or the credential of a project.

import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { Project } from "./project.ts";

interface OfCompany {
  readonly kind: "integration_key";
  readonly companyId: string;
}

interface OfProject {
  readonly kind: "project_credential";
  /** `<merchant_id>/<risk_level>` where both are known, else the project id. */
  readonly projectKey: string;
  readonly projectId: string;
}

export type Key = (OfCompany & IntegrationKey) | (OfProject & ProjectCredential);
export type KeyKind = Key["kind"];

export const KIND_WORD: Readonly<Record<KeyKind, string>> = {
  integration_key: "integration key",
  project_credential: "credential",
};

/** The command that enters a key of each kind, for a sentence. */
export const ADD_COMMAND: Readonly<Record<KeyKind, string>> = {
  integration_key: "verdict vault add --key-id ID --company-id ID",
  project_credential: "verdict vault add --key-id ID --project-id ID",
};

/** The company or the project; untrusted text. */
export function ownerOf(key: OfCompany | OfProject): string {
  return key.kind === "integration_key" ? key.companyId : key.projectKey;
}

/** Merchant and risk level that name the project of a credential; null for a key that has none. */
export function labelOf(key: OfCompany | OfProject): Pick<Project, "merchantId" | "riskLevel"> | null {
  if (key.kind === "integration_key" || key.projectKey === key.projectId) return null;
  const at = key.projectKey.lastIndexOf("/");
  const riskLevel = RISK_LEVELS.find((each) => each === key.projectKey.slice(at + 1));
  return riskLevel === undefined ? null : { merchantId: key.projectKey.slice(0, at), riskLevel };
}
