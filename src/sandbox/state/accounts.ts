// Companies, their keys and their projects: as they are stored, in values that are sealed as a whole, and in memory.

import { randomBytes } from "node:crypto";
import { corrupt, Fault, usage, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { ISSUED_ALGORITHM, issueKey, type Issuer } from "./issuer.ts";
import type { Company, IssuedKey, KeyHolder, SandboxProject } from "./sandbox-state.ts";

interface StoredKey {
  readonly keyId: string;
  readonly algorithm: string;
  readonly secret: string;
}

export interface StoredProject extends Omit<SandboxProject, "credential"> {
  readonly credential: StoredKey;
}

export interface StoredCompanies {
  readonly companies: { readonly companyId: string; readonly integrationKeys: StoredKey[] }[];
  /** What the keys of counters are hashed with. */
  readonly countingSecret: string;
}

/** Those of the first start. */
export function makeCompanies(issuer: Issuer, count: number): StoredCompanies {
  const made: StoredCompanies = { companies: [], countingSecret: randomBytes(32).toString("hex") };
  for (let number = 0; number < count; number += 1) addStoredKey(made, issuer, null);
  return made;
}

/** Companies of a tenant, and keys of a company. */
export const MOST_COMPANIES = 20;

/**
 * Issues an integration key.
 * @param companyId that it is another key of; a new company where it is null or unknown
 * @throws Fault `usage` beyond MOST_COMPANIES
 */
export function addStoredKey(
  { companies }: StoredCompanies,
  issuer: Issuer,
  companyId: string | null,
): { readonly companyId: string; readonly key: StoredKey } {
  const known = companies.findIndex((company) => company.companyId === companyId);
  const number = known === -1 ? companies.length : known;
  if ((companies[number]?.integrationKeys ?? companies).length >= MOST_COMPANIES) {
    const [whose, what] = known === -1 ? ["tenant", "companies"] : ["company", "integration keys"];
    throw usage`A ${whose} has at most ${MOST_COMPANIES} ${whole(what)}; use one of them.`;
  }
  const company = (companies[number] ??= {
    companyId: `com-${issuer.hex(`company ${number} id`, 16)}`,
    integrationKeys: [],
  });
  const nth = company.integrationKeys.length;
  const issued = issueKey(issuer, `company ${number} integration${nth === 0 ? "" : ` ${nth}`}`);
  const key = { ...issued, algorithm: ISSUED_ALGORITHM };
  company.integrationKeys.push(key);
  return { companyId: company.companyId, key };
}

export function storedProject(project: SandboxProject): StoredProject {
  const { keyId, algorithm, secret } = project.credential;
  return { ...project, credential: { keyId, algorithm, secret: secret.expose() } };
}

export function projectOf(stored: StoredProject): SandboxProject {
  return { ...stored, credential: issued(stored.credential) };
}

export function companiesOf({ companies }: StoredCompanies): Company[] {
  return companies.map(({ companyId, integrationKeys }) => ({
    companyId,
    integrationKeys: integrationKeys.map(issued),
  }));
}

/** By key id. */
export function holdersOf(companies: readonly Company[]): Map<string, KeyHolder> {
  return new Map(
    companies.flatMap(({ companyId, integrationKeys }) =>
      integrationKeys.map((key) => [key.keyId, { ...key, companyId, projectId: null }] as const),
    ),
  );
}

export function holderOf({ credential, companyId, projectId }: SandboxProject): KeyHolder {
  return { ...credential, companyId, projectId };
}

function issued({ keyId, algorithm, secret }: StoredKey): IssuedKey {
  return { keyId, algorithm, secret: new Secret(secret) };
}

export function merchantKey(project: Pick<SandboxProject, "companyId" | "merchantId" | "riskLevel">): string {
  return JSON.stringify([project.companyId, project.merchantId, project.riskLevel]);
}

/** A state without the key that seals it is damage and not a first start. */
export function brokenPair(missing: string, there: string): Fault {
  return corrupt`${whole(missing)} is missing beside ${whole(there)}; restore it, or move both away to start with new ones.`;
}
