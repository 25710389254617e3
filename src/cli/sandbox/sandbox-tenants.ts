// verdict sandbox tenant and company: separate parts of one sandbox for teams and test runs, and keys of several companies.

import { resolve } from "node:path";
import { createWhole, expectNewFile } from "#src/actions/whole-file.ts";
import { readRuleText } from "#src/app/named-rules.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { declined, sayDone } from "#src/cli/done.ts";
import { Fault, noSuch } from "#src/contract/fault.ts";
import {
  requireTenantName,
  type TenantCreated,
  type TenantFacts,
  type TenantRequest,
} from "#src/contract/wire/sandbox-wire.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { formatZoned, isoTime } from "#src/display/time.ts";
import { withSandbox, type Targeted } from "./sandbox-session.ts";
import type { Asking } from "#src/cli/option-specs.ts";
import type { SANDBOX_TENANT_CREATE } from "./sandbox-options.ts";

/** In place of what a tenant holds while its state cannot be read; the sandbox's log says why. */
const UNREADABLE = "unreadable";

export const createTenant: CommandRun<typeof SANDBOX_TENANT_CREATE> = async (invocation) => {
  const order = await readOrder(invocation);
  const given = invocation.options.output;
  const out = given === undefined ? null : resolve(given);
  if (out !== null) expectNewFile(out);
  return withSandbox(invocation, async ({ admin }) => {
    const created = await admin.createTenant(order);
    const { tenant, companies } = created;
    if (out !== null) {
      try {
        await createWhole(out, [`${JSON.stringify(keysOf(created), null, 2)}\n`]);
      } catch (error) {
        // The token is nowhere else, and the same command must work once the file can be written.
        await admin.removeTenant(tenant.name);
        throw error;
      }
    }
    const end =
      tenant.expiresAt === null ? "it stays until it is removed" : `it ends ${formatZoned(tenant.expiresAt)}`;
    sayDone(
      invocation,
      { created: tenantJson(tenant), keys_file: out },
      `Tenant ${tenant.name} is ready, with ${counted(companies.length, "company", "companies")}; ${end}.`,
      out === null
        ? `To show its integration keys, run "verdict sandbox panel --tenant ${tenant.name}". Its administrative token was not saved; use --output to save both.`
        : `Integration keys and administrative token: ${safe(out)} (readable by you alone).`,
    );
  });
};

export const listTenants: CommandRun<Targeted> = (invocation) =>
  withSandbox(invocation, async ({ admin }) => {
    const { args, options, output } = invocation;
    if (args[0] !== undefined) return showTenant(invocation, await admin.tenant(args[0]));
    const { tenants, damaged } = await admin.tenants();
    if (options.json) return output.json({ schema: 1, tenants: tenants.map(tenantJson), damaged });
    output.table(
      ["TENANT", "ENDS", "VIRTUAL TIME", "PROJECTS", "DECISIONS", "REQUESTS", "FAULTS", "RULES"],
      tenants.map((tenant) => [
        tenant.name,
        endOf(tenant),
        clockOf(tenant),
        ...[tenant.projects, tenant.decisions].map((count) => String(count ?? UNREADABLE)),
        ...[tenant.requests, tenant.faults].map(String),
        tenant.ownRules ? "own" : "starter",
      ]),
    );
    for (const { problem } of damaged) output.line(safe(problem));
  });

function showTenant({ args, options, output }: Invocation<Targeted>, tenant: TenantFacts | null): void {
  if (tenant === null) throw unknown(args[0]!);
  if (options.json) return output.json({ schema: 1, tenant: tenantJson(tenant) });
  const { quota } = tenant;
  const rows = [
    ["created", tenant.createdAt === null ? "with the sandbox" : formatZoned(tenant.createdAt)],
    ["ends", endOf(tenant)],
    ["virtual time", clockOf(tenant)],
    ["companies", String(tenant.companies ?? UNREADABLE)],
    ["projects", ofQuota(tenant.projects, quota?.projects)],
    ["decisions", ofQuota(tenant.decisions, quota?.decisions)],
    ["requests", `${tenant.requests} since the sandbox started`],
    ["faults", String(tenant.faults)],
    ["rules", `${tenant.ownRules ? "own" : "starter set"}, ${tenant.ruleSetHash.slice(0, 12)}`],
    ["ids and secrets", tenant.seeded ? "from a seed" : "random"],
  ];
  output.table(["tenant", tenant.name], rows);
}

export const removeTenant: CommandRun<Targeted & Asking> = async (invocation) => {
  const name = invocation.args[0]!;
  const what = `Remove the tenant ${safe(name)} with its projects, keys, decisions and snapshots?`;
  if (!(await confirm(invocation, what))) return declined(invocation, { tenant: name, removed: false });
  return withSandbox(invocation, async ({ admin }) => {
    if (!(await admin.removeTenant(name))) throw unknown(name);
    sayDone(
      invocation,
      { tenant: name, removed: true },
      `Tenant ${safe(name)} is removed; the sandbox no longer accepts its keys.`,
    );
  });
};

export const addCompany: CommandRun<Targeted> = (invocation) =>
  withSandbox(invocation, async ({ admin }) => {
    const [companyId] = invocation.args;
    const { companies } = await admin.addKey(companyId === undefined ? {} : { companyId });
    const company =
      companyId === undefined ? companies.at(-1)! : companies.find((each) => each.companyId === companyId)!;
    const { keyId } = company.integrationKeys.at(-1)!;
    sayDone(
      invocation,
      { company_id: company.companyId, key_id: keyId },
      `Company ${company.companyId} has the integration key ${keyId}.`,
      `Its secret goes to a pipe: "verdict sandbox panel --secret ${keyId} | verdict vault add --key-id ${keyId} --company-id ${shellWord(company.companyId)} --secret-stdin".`,
    );
  });

async function readOrder(invocation: Invocation<typeof SANDBOX_TENANT_CREATE>): Promise<TenantRequest> {
  const { args, options } = invocation;
  const name = args[0]!;
  requireTenantName(name);
  const { rules } = options;
  return {
    name,
    ttlMs: options.ttl,
    seed: options.seed,
    rules: rules === undefined ? undefined : (await readRuleText(invocation, rules)).text,
    companies: options.companies,
    startAt: options.startAt,
    magic: options.magic,
    quota: { projects: options.mostProjects, decisions: options.mostDecisions },
  };
}

/** As `integration-keys.json` of the sandbox, with what else a test run of the tenant needs. */
function keysOf({ tenant, adminToken, companies }: TenantCreated): object {
  return {
    tenant: tenant.name,
    expires_at: isoOrNull(tenant.expiresAt),
    admin_token: adminToken,
    companies: companies.map(({ companyId, integrationKeys }) => ({
      company_id: companyId,
      integration_keys: integrationKeys.map(({ keyId, ...key }) => ({ key_id: keyId, ...key })),
    })),
  };
}

function tenantJson(tenant: TenantFacts) {
  const { createdAt, expiresAt, virtualTime, clockFrozen, ruleSetHash, ownRules, ...same } = tenant;
  return {
    ...same,
    created_at: isoOrNull(createdAt),
    expires_at: isoOrNull(expiresAt),
    virtual_time: isoTime(virtualTime),
    clock_frozen: clockFrozen,
    rule_set: ruleSetHash,
    own_rules: ownRules,
  };
}

function ofQuota(count: number | null, most: number | undefined): string {
  return `${count ?? UNREADABLE}${most === undefined ? "" : ` of ${most}`}`;
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

function endOf({ expiresAt }: TenantFacts): string {
  return expiresAt === null ? "never" : formatZoned(expiresAt);
}

function clockOf({ virtualTime, clockFrozen }: TenantFacts): string {
  return `${formatZoned(virtualTime)}${clockFrozen ? " (frozen)" : ""}`;
}

function unknown(name: string): Fault {
  return noSuch("tenant", name, "verdict sandbox tenant list");
}
