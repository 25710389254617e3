// The part of the administrative plane about tenants, and about the companies and keys of one.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import {
  ADMIN,
  MOST_QUOTA,
  TENANT_NAME,
  TENANT_QUOTA,
  TENANT_TTL_MS,
  type SandboxPanel,
  type TenantCreated,
  type TenantFacts,
  type TenantListing,
  type TenantOrder,
  type TenantQuota,
} from "#src/contract/wire/sandbox-wire.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { MOST_COMPANIES, type IssuedKey, registrationAge } from "#src/sandbox/state/stored-accounts.ts";
import { holdings, type Tenant } from "#src/sandbox/state/tenant.ts";
import type { Tenants } from "#src/sandbox/state/tenants.ts";
import { DONE, readObject, requireTenantRules, wrongRequest, type AdminRoutes } from "./admin-body.ts";

export function tenantRoutes(tenants: Tenants): AdminRoutes {
  function unknownTenant(): never {
    throw new Refusal("not_found", "There is no tenant of this name.");
  }

  return {
    async [`GET ${ADMIN.tenants}`](): Promise<TenantListing> {
      const listed = (await tenants.list()).map((tenant) => factsOf(tenant, tenants));
      const damaged = Array.from(tenants.damaged, ([name, problem]) => ({ name, problem }));
      return { tenants: await Promise.all(listed), damaged };
    },
    async [`GET ${ADMIN.tenants}/:name`]({ params }) {
      const name = params["name"]!;
      const problem = tenants.damaged.get(name);
      if (problem !== undefined) throw new Refusal("unavailable", problem);
      return await factsOf((await tenants.named(name)) ?? unknownTenant(), tenants);
    },
    async [`POST ${ADMIN.tenants}`](request): Promise<TenantCreated> {
      const { tenant, token } = await tenants.create(readOrder(readObject(request)));
      tenants.default.note("tenant_created", { tenant: tenant.name });
      // Whoever asked for it is gone, and its token is nowhere else.
      if (request.socket.destroyed && (await tenants.remove(tenant.name)))
        tenants.default.note("tenant_removed", { tenant: tenant.name });
      const [{ companies }, facts] = await Promise.all([panelOf(tenant), factsOf(tenant, tenants)]);
      return { tenant: facts, adminToken: token, companies };
    },
    async [`DELETE ${ADMIN.tenants}/:name`]({ params }) {
      const name = params["name"]!;
      if (name === tenants.default.name)
        throw wrongRequest("Every sandbox has the default tenant; reset it instead.");
      if (!(await tenants.remove(name))) unknownTenant();
      tenants.default.note("tenant_removed", { tenant: name });
      return DONE;
    },

    [`GET ${ADMIN.panel}`]: ({ tenant }) => panelOf(tenant),
    async [`POST ${ADMIN.companies}`](request) {
      const { state, shared } = request.tenant;
      const { companyId } = readObject(request);
      await shared(async () => {
        const company = (await state.accounts.companies()).find((each) => each.companyId === companyId);
        if (companyId !== undefined && company === undefined)
          throw wrongRequest("The tenant has no company of this id.");
        await state.accounts.addKey(company?.companyId ?? null);
      });
      return await panelOf(request.tenant);
    },
  };
}

async function factsOf(tenant: Tenant, tenants: Tenants): Promise<TenantFacts> {
  const { clock, journal, faults, rules, seeded, quota, name } = tenant;
  const record = tenants.record(name);
  const { virtualTime, frozen } = clock.reading();
  const [held, ordered] = await Promise.all([holdings(tenant), faults.list()]);
  return {
    name,
    createdAt: record?.createdAt ?? null,
    expiresAt: record?.expiresAt ?? null,
    quota,
    virtualTime,
    clockFrozen: frozen,
    companies: held?.companies ?? null,
    projects: held?.projects ?? null,
    decisions: held?.decisions ?? null,
    requests: journal.counts.total,
    faults: ordered.length,
    ruleSetHash: rules.current.hash,
    ownRules: rules.fromFile !== null,
    seeded,
  };
}

/** Integration keys always; a credential only once it can no longer be fetched (spec section 3). */
function panelOf({ state, shared, clock }: Tenant): Promise<SandboxPanel> {
  return shared(async () => {
    const now = clock.now();
    const { accounts } = state;
    const [projects, companies] = await Promise.all([accounts.projects(), accounts.companies()]);
    return {
      companies: companies.map((company) => ({
        companyId: company.companyId,
        integrationKeys: company.integrationKeys.map(exposed),
        projects: projects
          .filter((project) => project.companyId === company.companyId)
          .map((project) => ({
            merchantId: project.merchantId,
            riskLevel: project.riskLevel,
            name: project.name,
            registeredAt: project.registeredAt,
            windowClosesAt: project.registeredAt + CREDENTIAL_WINDOW_MS,
            credential:
              registrationAge(project, now) < CREDENTIAL_WINDOW_MS
                ? null
                : { ...exposed(project.credential), projectId: project.projectId },
          })),
      })),
    };
  });
}

function exposed(key: IssuedKey): { keyId: string; algorithm: string; secret: string } {
  return { keyId: key.keyId, algorithm: key.algorithm, secret: key.secret.expose() };
}

/** @throws Refusal `invalid_request` for other fields: one that is misspelt would be a limit that is not there */
function requireKnown(value: unknown, fields: readonly string[]): asserts value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw wrongRequest('The field "quota" must be an object.');
  const other = Object.keys(value).find((field) => !fields.includes(field));
  if (other !== undefined) {
    throw wrongRequest(`There is no field "${escapeText(other, 60)}"; there are ${fields.join(", ")}.`);
  }
}

/** @throws Refusal `invalid_request` */
function readOrder(body: Record<string, unknown>): TenantOrder {
  requireKnown(body, ["name", "ttlMs", "seed", "rules", "companies", "startAt", "magic", "quota"]);
  const { name, rules = null, magic = true } = body;
  const quota = body["quota"] ?? {};
  requireKnown(quota, ["projects", "decisions"]);
  if (typeof name !== "string" || !TENANT_NAME.test(name)) {
    throw wrongRequest("A tenant has a name of lower-case letters, digits and dashes, at most 63.");
  }
  if (rules !== null && typeof rules !== "string")
    throw wrongRequest('The field "rules" must be the text of a rule file.');
  if (rules !== null) requireTenantRules(rules);
  if (typeof magic !== "boolean") throw wrongRequest('The field "magic" must be true or false.');
  const whole = <O>(field: string, value: unknown, otherwise: O, min: number, max: number): number | O => {
    if (value == null) return otherwise;
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    throw wrongRequest(`The field "${field}" must be a whole number from ${min} to ${max}.`);
  };
  const limit = (field: keyof TenantQuota): number =>
    whole(`quota.${field}`, quota[field], TENANT_QUOTA[field], 1, MOST_QUOTA[field]);
  return {
    name,
    ttlMs: whole("ttlMs", body["ttlMs"], null, TENANT_TTL_MS.min, TENANT_TTL_MS.max),
    seed: whole("seed", body["seed"], null, 0, Number.MAX_SAFE_INTEGER),
    rules,
    companies: whole("companies", body["companies"], 1, 1, MOST_COMPANIES),
    startAt: whole("startAt", body["startAt"], null, 0, 8.64e15),
    magic,
    quota: { projects: limit("projects"), decisions: limit("decisions") },
  };
}
