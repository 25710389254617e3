// The part of the administrative plane about tenants, and about the companies and keys of one.

import type { FastifyInstance, FastifyRequest } from "fastify";
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
  type TenantOrder,
} from "#src/contract/wire/sandbox-wire.ts";
import { registrationAge } from "#src/sandbox/credential-window.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { MOST_COMPANIES } from "#src/sandbox/state/accounts.ts";
import type { IssuedKey } from "#src/sandbox/state/sandbox-state.ts";
import { holdings, type Tenant } from "#src/sandbox/tenants/tenant.ts";
import type { Tenants } from "#src/sandbox/tenants/tenants.ts";
import { readObject, sendJson, withWords, wrongRequest } from "./admin-body.ts";

/** @param bodyBytes most of a body */
export function addTenantRoutes(app: FastifyInstance, tenants: Tenants, bodyBytes: number): void {
  app.get(ADMIN.tenants, async (_request, reply) =>
    sendJson(reply, {
      tenants: await Promise.all((await tenants.list()).map((tenant) => factsOf(tenant, tenants))),
    }),
  );
  app.get<{ Params: { name: string } }>(`${ADMIN.tenants}/:name`, async (request, reply) => {
    const tenant = await tenants.named(request.params.name);
    if (tenant === null) throw unknownTenant();
    return sendJson(reply, await factsOf(tenant, tenants));
  });
  app.post(ADMIN.tenants, async (request, reply) => {
    const order = readOrder(readObject(request, bodyBytes));
    const { tenant, token } = await withWords(() => tenants.create(order));
    tenants.default.note("tenant_created", { tenant: tenant.name });
    const created: TenantCreated = {
      tenant: await factsOf(tenant, tenants),
      adminToken: token,
      companies: (await panelOf(tenant)).companies,
    };
    return sendJson(reply, created);
  });
  app.delete<{ Params: { name: string } }>(`${ADMIN.tenants}/:name`, async (request, reply) => {
    const { name } = request.params;
    if (name === tenants.default.name)
      throw wrongRequest("Every sandbox has the default tenant; reset it instead.");
    if (!(await withWords(() => tenants.remove(name)))) throw unknownTenant();
    tenants.default.note("tenant_removed", { tenant: name });
    return sendJson(reply, { status: "success" });
  });

  app.post(ADMIN.companies, async (request, reply) => {
    const { companyId } = readObject(request, bodyBytes);
    await withWords(() => addCompany(request, companyId));
    return sendJson(reply, await panelOf(request.tenant));
  });
}

/** @throws Refusal `invalid_request` for an unknown company, Fault `usage` beyond MOST_COMPANIES */
async function addCompany({ tenant }: FastifyRequest, companyId: unknown): Promise<void> {
  const { state, shared } = tenant.swappable;
  await shared(async () => {
    const companies = await state.companies();
    const company = companies.find((each) => each.companyId === companyId);
    if (companyId !== undefined && company === undefined) {
      throw wrongRequest("The tenant has no company of this id.");
    }
    await state.addKey(company?.companyId ?? null);
  });
}

function unknownTenant(): Refusal {
  return new Refusal("not_found", "There is no tenant of this name.");
}

async function factsOf(tenant: Tenant, tenants: Tenants): Promise<TenantFacts> {
  const { clock, journal, faults, rules, seeded, quota, name } = tenant;
  const record = await tenants.record(name);
  const { virtualTime, frozen } = clock.reading();
  const held = await holdings(tenant);
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
    requests: journal.count,
    faults: (await faults.list()).length,
    ruleSetHash: rules.current.hash,
    ownRules: rules.fromFile !== null,
    seeded,
  };
}

/** Integration keys always; a credential only once it can no longer be fetched (spec section 3). */
export function panelOf({ swappable, clock }: Tenant): Promise<SandboxPanel> {
  const { state, shared } = swappable;
  return shared(async () => {
    const now = clock.now();
    const projects = await state.projects();
    return {
      companies: (await state.companies()).map((company) => ({
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
  if (typeof magic !== "boolean") throw wrongRequest('The field "magic" must be true or false.');
  const whole = (field: string, value: unknown, min: number, max: number): number => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    throw wrongRequest(`The field "${field}" must be a whole number from ${min} to ${max}.`);
  };
  const orNull = (field: string, min: number, max: number): number | null =>
    body[field] == null ? null : whole(field, body[field], min, max);
  return {
    name,
    ttlMs: orNull("ttlMs", TENANT_TTL_MS.min, TENANT_TTL_MS.max),
    seed: orNull("seed", 0, Number.MAX_SAFE_INTEGER),
    rules,
    companies: whole("companies", body["companies"] ?? 1, 1, MOST_COMPANIES),
    startAt: orNull("startAt", 0, 8.64e15),
    magic,
    quota: {
      projects: whole("quota.projects", quota["projects"] ?? TENANT_QUOTA.projects, 1, MOST_QUOTA.projects),
      decisions: whole(
        "quota.decisions",
        quota["decisions"] ?? TENANT_QUOTA.decisions,
        1,
        MOST_QUOTA.decisions,
      ),
    },
  };
}
