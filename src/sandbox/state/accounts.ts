// Companies, their keys and their projects on disk and in memory; on disk each secret is sealed by itself and bound to its owner.

import { randomBytes } from "node:crypto";
import { corrupt, Fault, usage, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import { ISSUED_ALGORITHM, issueKey, type Issuer } from "./issuer.ts";
import type { Company, IssuedKey, KeyHolder, SandboxProject } from "./sandbox-state.ts";
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

const COUNTING_OWNER = "counters";

export function noAccounts(): StoredAccounts {
  return { companies: [], projects: [], countingSecret: "" };
}

/** Those of the first start. */
export function makeAccounts(issuer: Issuer, companies: number, box: SecretBox): StoredAccounts {
  const secret = new Secret(randomBytes(32).toString("hex"));
  const counting = { keyId: COUNTING_OWNER, algorithm: ISSUED_ALGORITHM, secret };
  return {
    companies: Array.from({ length: companies }, (_, number) => {
      const { companyId, key } = makeKey(issuer, box, number);
      return { companyId, integrationKeys: [key] };
    }),
    projects: [],
    countingSecret: sealKey(counting, COUNTING_OWNER, box).secret,
  };
}

/**
 * An integration key, and the company it belongs to.
 * @param number of the company
 * @param company that it is another key of; absent for a new company
 */
export function makeKey(
  issuer: Issuer,
  box: SecretBox,
  number: number,
  company?: Company,
): { readonly companyId: string; readonly key: StoredKey } {
  const companyId = company?.companyId ?? `com-${issuer.hex(`company ${number} id`, 16)}`;
  const nth = company?.integrationKeys.length ?? 0;
  const issued = issueKey(issuer, `company ${number} integration${nth === 0 ? "" : ` ${nth}`}`);
  const key = { keyId: issued.keyId, algorithm: ISSUED_ALGORITHM, secret: new Secret(issued.secret) };
  return { companyId, key: sealKey(key, companyId, box) };
}

/** What the keys of counters are hashed with. */
export function countingSecret({ countingSecret: secret }: StoredAccounts, box: SecretBox): string {
  const counting = { keyId: COUNTING_OWNER, algorithm: ISSUED_ALGORITHM, secret };
  return openKey(counting, COUNTING_OWNER, box).secret.expose();
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

/** Companies of a tenant, and keys of a company. */
export const MOST_COMPANIES = 20;

/**
 * For another key of a company, or for another company where it is undefined.
 * @throws Fault `usage`
 */
export function requireRoom(
  companies: readonly unknown[],
  company: { readonly integrationKeys: readonly unknown[] } | undefined,
): void {
  if ((company?.integrationKeys ?? companies).length < MOST_COMPANIES) return;
  const [whose, what] = company === undefined ? ["tenant", "companies"] : ["company", "integration keys"];
  throw usage`A ${whose} has at most ${MOST_COMPANIES} ${whole(what)}; use one of them.`;
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

function openCompany(company: StoredAccounts["companies"][number], box: SecretBox): Company {
  const { companyId } = company;
  return { companyId, integrationKeys: company.integrationKeys.map((key) => openKey(key, companyId, box)) };
}

/** The open accounts in memory, by what requests name them by. */
export interface AccountIndex {
  readonly companies: readonly Company[];
  /** By project id. */
  readonly projects: Map<string, SandboxProject>;
  /** By key id: integration keys and the credentials of projects. */
  readonly keys: ReadonlyMap<string, KeyHolder>;
  /** Project ids by `merchantKey`. */
  readonly byMerchant: ReadonlyMap<string, string>;
  add(project: SandboxProject): void;
  /** Adds a key to a company, which is made if it is not there. */
  addCompanyKey(companyId: string, key: IssuedKey): void;
}

/** @throws Fault `corrupt` for a sealed secret that does not open */
export function indexAccounts(accounts: StoredAccounts, box: SecretBox): AccountIndex {
  const companies = accounts.companies.map((company) => openCompany(company, box));
  const projects = new Map(
    accounts.projects.map((project) => [project.projectId, openProject(project, box)] as const),
  );
  const keys = new Map<string, KeyHolder>();
  const byMerchant = new Map<string, string>();

  function addKey(key: IssuedKey, companyId: string, projectId: string | null): void {
    keys.set(key.keyId, { ...key, companyId, projectId });
  }

  function add(project: SandboxProject): void {
    projects.set(project.projectId, project);
    byMerchant.set(merchantKey(project), project.projectId);
    addKey(project.credential, project.companyId, project.projectId);
  }

  function addCompanyKey(companyId: string, key: IssuedKey): void {
    const number = companies.findIndex((company) => company.companyId === companyId);
    const integrationKeys = [...(companies[number]?.integrationKeys ?? []), key];
    companies.splice(number === -1 ? companies.length : number, 1, { companyId, integrationKeys });
    addKey(key, companyId, null);
  }

  for (const company of companies) {
    for (const key of company.integrationKeys) addKey(key, company.companyId, null);
  }
  for (const project of projects.values()) add(project);
  return { companies, projects, keys, byMerchant, add, addCompanyKey };
}

export function merchantKey(project: Pick<SandboxProject, "companyId" | "merchantId" | "riskLevel">): string {
  return JSON.stringify([project.companyId, project.merchantId, project.riskLevel]);
}

/** A document without its key file, or the reverse, is damage and not a first start. */
export function brokenPair(missing: string, there: string): Fault {
  return corrupt`${whole(missing)} is missing beside ${whole(there)}; restore it, or move both away to start with new ones.`;
}
