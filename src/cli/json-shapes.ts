// The JSON that commands print. A change of a shape requires a new `schema`.

import type { Context } from "#src/app/context.ts";
import { VERSION } from "#src/app/version.ts";
import type { Entry } from "#src/cli/vault/vault-entry.ts";
import type { Finding } from "#src/contract/finding.ts";
import {
  acceptedForms,
  type Profile,
  type recipeStatus,
  registrationNumbering,
} from "#src/contract/records/profile.ts";
import { isRegisteredHere, windowStart, type Project } from "#src/contract/records/project.ts";
import type { PayloadRow } from "#src/contract/records/saved-payload.ts";
import type { CredentialResult, RegisterResult } from "#src/contract/wire/outcome.ts";
import type { SandboxPanel, SandboxStatus } from "#src/contract/wire/sandbox-wire.ts";
import type { RiskLevel } from "#src/contract/wire/wire.ts";
import { isoTime } from "#src/display/time.ts";

const SCHEMA = 1;

type Vault = Awaited<ReturnType<Context["vault"]>>;
type ImportItem = Awaited<ReturnType<Vault["importAge"]>>["items"][number];

export function registrationJson(profile: string, project: string, result: RegisterResult) {
  return {
    schema: SCHEMA,
    profile,
    project,
    outcome: result.outcome,
    registered: result.registered,
    message: result.message,
    reason: result.reason,
    explanation: result.explanation,
    http_status: result.httpStatus,
  };
}

export function credentialJson(profile: string, project: string, result: CredentialResult, inVault: boolean) {
  return {
    schema: SCHEMA,
    profile,
    project,
    outcome: result.outcome,
    state: result.state,
    /** False in state `ready`: received, but not saved. True in another state: an earlier one is in the vault. */
    in_vault: inVault,
    key_id: result.credential?.keyId ?? null,
    project_id: result.credential?.projectId ?? null,
    algorithm: result.credential?.algorithm ?? null,
    message: result.message,
    reason: result.reason,
    explanation: result.explanation,
    retry_after_s: result.retryAfterS,
    http_status: result.httpStatus,
  };
}

/** A project; one that is known by its credential alone may have no merchant and risk level. */
export type ListedProject = Omit<Project, "merchantId" | "riskLevel"> & {
  readonly merchantId: string | null;
  readonly riskLevel: RiskLevel | null;
};

/** What `verdict project list --json` prints for one project. */
export function projectJson(project: ListedProject, windowClosesAt: number, credentialInVault: boolean) {
  const isHere = isRegisteredHere(project);
  return {
    schema: SCHEMA,
    profile: project.profile,
    project: project.key,
    merchant_id: project.merchantId,
    risk_level: project.riskLevel,
    name: isHere ? project.name : null,
    description: project.description,
    currency: project.currency,
    company_id: project.companyId === "" ? null : project.companyId,
    project_id: project.projectId,
    state: project.state,
    started_at: isHere ? isoTime(windowStart(project)) : null,
    window_closes_at: isHere ? isoTime(windowClosesAt) : null,
    credential_in_vault: credentialInVault,
  };
}

/** What `verdict vault list --json` and `vault show --json` print for one entry. Never the secret. */
export function vaultEntryJson(entry: Entry) {
  const { id, kind, profile, keyId, algorithm, fingerprint } = entry;
  return {
    schema: SCHEMA,
    id,
    kind,
    profile,
    ...(entry.kind === "integration_key"
      ? { company_id: entry.companyId, bound_to: entry.projectsUrl }
      : { project: entry.projectKey, project_id: entry.projectId, bound_to: entry.baseUrl }),
    key_id: keyId,
    algorithm,
    fingerprint,
    /** When it was replaced, for a former entry; null for an active one. */
    replaced_at: entry.replacedAt === undefined ? null : isoTime(entry.replacedAt),
  };
}

/** What `verdict vault import --json` prints for one entry of the file. */
export function vaultImportJson(item: ImportItem, applied: boolean) {
  return {
    schema: SCHEMA,
    kind: item.kind,
    profile: item.profile,
    ...(item.kind === "integration_key"
      ? { company_id: item.companyId, bound_to: item.projectsUrl }
      : { project: item.projectKey, project_id: item.projectId, bound_to: item.baseUrl }),
    key_id: item.keyId,
    algorithm: item.algorithm,
    fingerprint: item.fingerprint,
    /** new, same as held, or other than held */
    state: item.state,
    imported: applied,
  };
}

/** What `verdict payload list --json` prints for one payload. */
export function payloadJson(row: PayloadRow) {
  const { name, expect, tags, orderId, amount, currency, modifiedAt, problem } = row;
  return {
    schema: SCHEMA,
    name,
    expect,
    tags,
    order_id: orderId,
    amount,
    currency,
    modified_at: modifiedAt === null ? null : isoTime(modifiedAt),
    problem,
  };
}

/** What `verdict doctor --json` prints. */
export function doctorJson(findings: readonly Finding[]) {
  return {
    schema: SCHEMA,
    sound: findings.every(({ state }) => state !== "problem"),
    verdict: VERSION,
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    findings: findings.map(({ area, state, what, next }) => ({ area, state, what, next })),
  };
}

/**
 * What `verdict profile list --json` and `profile show --json` print for one profile.
 * @param status of its recipe; null for the sandbox
 */
export function profileJson(profile: Profile, inUse: boolean, status: ReturnType<typeof recipeStatus>) {
  return {
    schema: SCHEMA,
    name: profile.name,
    environment: profile.environment,
    base_url: profile.baseUrl === "" ? null : profile.baseUrl,
    projects_url: profile.projectsUrl === "" ? null : profile.projectsUrl,
    recipe: profile.recipe,
    recipe_status: status,
    amount_unit: profile.amountUnit,
    currency_numbering: profile.currencyNumbering ?? "iso-4217",
    registration_currency_numbering: registrationNumbering(profile),
    answers: acceptedForms(profile),
    credential_wait_s: profile.credentialWaitS,
    ca: profile.ca ?? null,
    company_id: profile.companyId ?? null,
    proxy: profile.proxy ?? null,
    deadline_s: profile.deadlineS ?? null,
    read_only: profile.readOnly === true,
    in_use: inUse,
  };
}

/** What `verdict sandbox status --json` prints; null for a sandbox that does not run. */
export function sandboxStatusJson(status: SandboxStatus | null) {
  if (status === null) return { schema: SCHEMA, running: false };
  return {
    schema: SCHEMA,
    running: true,
    tenant: status.tenant,
    other_tenants: status.otherTenants,
    version: status.version,
    instance: status.instance,
    pid: status.pid,
    port: status.port,
    tls: status.tls,
    started_at: isoTime(status.startedAt),
    virtual_time: isoTime(status.virtualTime),
    clock_frozen: status.clockFrozen,
    recipe: status.recipe,
    projects: status.projects,
    decisions: status.decisions,
    rules: status.rules,
    rule_set_hash: status.ruleSetHash,
    rule_file: status.ruleFile,
    rule_error: status.ruleError,
    switches: {
      require: status.switches.require,
      currency_numbering: status.switches.currencyNumbering,
      registration_currency_numbering: status.switches.registrationCurrencyNumbering,
      amount_unit: status.switches.amountUnit,
      credential_delay_s: status.switches.credentialDelayS,
      credential_unsigned: status.switches.credentialUnsigned,
      magic: status.switches.magic,
      seeded: status.switches.seeded,
    },
    faults: status.faults,
    writable: status.writable,
    ephemeral: status.ephemeral,
    users: status.leases,
    signatures: status.signatures,
    connections: status.connections,
    requests: status.requests,
    members: status.members.map(({ startedAt, seenAt, ruleSetHash, ...member }) => ({
      ...member,
      started_at: isoTime(startedAt),
      seen_at: isoTime(seenAt),
      rule_set_hash: ruleSetHash,
    })),
  };
}

/** What `verdict sandbox panel --json` prints: keys without their secrets. */
export function sandboxPanelJson(panel: SandboxPanel) {
  return {
    schema: SCHEMA,
    companies: panel.companies.map((company) => ({
      company_id: company.companyId,
      integration_keys: company.integrationKeys.map(({ keyId, algorithm }) => ({ key_id: keyId, algorithm })),
      projects: company.projects.map((project) => ({
        merchant_id: project.merchantId,
        risk_level: project.riskLevel,
        name: project.name,
        registered_at: isoTime(project.registeredAt),
        window_closes_at: isoTime(project.windowClosesAt),
        credential:
          project.credential === null
            ? null
            : {
                key_id: project.credential.keyId,
                project_id: project.credential.projectId,
                algorithm: project.credential.algorithm,
              },
      })),
    })),
  };
}
