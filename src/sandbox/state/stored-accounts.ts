// Companies, their keys and their projects, as they are stored and as they are in memory.

import { randomBytes } from "node:crypto";
import { usage, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { ISSUED_ALGORITHM, issueKey, type Issuer } from "./issuer.ts";

export interface IssuedKey {
  readonly keyId: string;
  readonly secret: Secret;
  readonly algorithm: string;
}

/** A key and whom it belongs to: a company (registration calls), or one of its projects (checks). */
export interface KeyHolder extends IssuedKey {
  readonly companyId: string;
  readonly projectId: string | null;
}

export interface Company {
  readonly companyId: string;
  readonly integrationKeys: readonly IssuedKey[];
}

export interface SandboxProject {
  readonly projectId: string;
  readonly companyId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly description: string | null;
  /** ISO 4217 numeric code. */
  readonly currency: number;
  readonly riskLevel: RiskLevel;
  /** Virtual time. */
  readonly registeredAt: Milliseconds;
  /** Least age of the registration: setting the virtual clock back does not reopen the credential window. */
  readonly ageFloorMs: Milliseconds;
  readonly credential: IssuedKey;
}

type StoredKey = Omit<IssuedKey, "secret"> & { readonly secret: string };

/** Age floors are stored beside them. */
export interface StoredProject extends Omit<SandboxProject, "credential" | "ageFloorMs"> {
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
export function addStoredKey({ companies }: StoredCompanies, issuer: Issuer, companyId: string | null): void {
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
  company.integrationKeys.push({ ...issued, algorithm: ISSUED_ALGORITHM });
}

export function storedProject(project: Omit<SandboxProject, "ageFloorMs">): StoredProject {
  const { keyId, algorithm, secret } = project.credential;
  return { ...project, credential: { keyId, algorithm, secret: secret.expose() } };
}

export function projectOf(stored: StoredProject, ageFloorMs: Milliseconds = 0): SandboxProject {
  return { ...stored, ageFloorMs, credential: issued(stored.credential) };
}

export function companiesOf({ companies }: StoredCompanies): Company[] {
  return companies.map(({ companyId, integrationKeys }) => ({
    companyId,
    integrationKeys: integrationKeys.map(issued),
  }));
}

function issued({ keyId, algorithm, secret }: StoredKey): IssuedKey {
  return { keyId, algorithm, secret: new Secret(secret) };
}

export function merchantKey(project: Pick<SandboxProject, "companyId" | "merchantId" | "riskLevel">): string {
  return JSON.stringify([project.companyId, project.merchantId, project.riskLevel]);
}

/** Age of a registration in ms of virtual time. */
export function registrationAge(project: SandboxProject, now: Milliseconds): Milliseconds {
  return Math.max(now - project.registeredAt, project.ageFloorMs);
}
