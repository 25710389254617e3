// Companies, their keys and their projects on disk: secrets sealed one by one, each bound to whom it belongs.

import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import type { Company, IssuedKey, SandboxProject } from "./sandbox-state.ts";
import type { SecretBox } from "./secret-box.ts";

export interface StoredKey {
  keyId: string;
  algorithm: string;
  /** Sealed. */
  secret: string;
}

export interface StoredProject {
  projectId: string;
  companyId: string;
  merchantId: string;
  name: string;
  description: string | null;
  currency: number;
  riskLevel: RiskLevel;
  registeredAt: Milliseconds;
  ageFloorMs: Milliseconds;
  credential: StoredKey;
}

/** Body of the accounts document; empty before the first start. */
export interface StoredAccounts {
  companies: { companyId: string; integrationKeys: StoredKey[] }[];
  projects: StoredProject[];
  /** Sealed: what the keys of counters are hashed with. */
  countingSecret: string;
}

export const COUNTING_OWNER = "counters";

export function noAccounts(): StoredAccounts {
  return { companies: [], projects: [], countingSecret: "" };
}

/** @throws TypeError when the data is not of this shape */
export function parseAccounts(data: unknown): StoredAccounts {
  const accounts = data as StoredAccounts;
  const isKey = (key: StoredKey): boolean => [key.keyId, key.algorithm, key.secret].every(isText);
  const good =
    isText(accounts.countingSecret) &&
    accounts.companies.every(
      ({ companyId, integrationKeys }) => isText(companyId) && integrationKeys.every(isKey),
    ) &&
    accounts.projects.every(
      (project) =>
        [project.projectId, project.companyId, project.merchantId, project.name].every(isText) &&
        [project.currency, project.registeredAt, project.ageFloorMs].every(Number.isFinite) &&
        RISK_LEVELS.includes(project.riskLevel) &&
        isKey(project.credential),
    );
  if (!good) throw new TypeError("not the accounts of a sandbox");
  return accounts;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function sealKey(key: IssuedKey, owner: string, box: SecretBox): StoredKey {
  const { keyId, algorithm } = key;
  return { keyId, algorithm, secret: box.seal(key.secret, binding(key, owner)) };
}

/** @throws Fault `corrupt` when the sealed secret is not this key's */
export function openKey(key: StoredKey, owner: string, box: SecretBox): IssuedKey {
  const { keyId, algorithm } = key;
  return { keyId, algorithm, secret: box.open(key.secret, binding(key, owner)) };
}

/** What a sealed secret is bound to: it opens under no other key id, algorithm or owner. */
function binding(key: { keyId: string; algorithm: string }, owner: string): string {
  return JSON.stringify(["sandbox key", key.keyId, key.algorithm, owner]);
}

export function storedProject(project: SandboxProject, box: SecretBox): StoredProject {
  return { ...project, credential: sealKey(project.credential, project.projectId, box) };
}

export function openProject(project: StoredProject, box: SecretBox): SandboxProject {
  return { ...project, credential: openKey(project.credential, project.projectId, box) };
}

export function openCompany(company: StoredAccounts["companies"][number], box: SecretBox): Company {
  const { companyId } = company;
  return { companyId, integrationKeys: company.integrationKeys.map((key) => openKey(key, companyId, box)) };
}

/** The state of one directory belongs together: a document without its key, or the reverse, is no new start. */
export function brokenPair(missing: string, there: string): Fault {
  return new Fault(
    "corrupt",
    `${missing} is missing beside ${there}; restore it, or move both away to start anew.`,
  );
}
