// The administrative plane ("administrative panel" of the spec): its own port on loopback, behind a bearer token.

import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  ADMIN,
  DEFAULT_TENANT,
  type ClockChange,
  type SandboxStatus,
  type SandboxSwitches,
} from "#src/contract/wire/sandbox-wire.ts";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { whatIfRoutes } from "./what-if.ts";
import { requireJsonBody } from "#src/sandbox/http/body.ts";
import { createHttpServer, sendJson, type HttpServerOptions } from "#src/sandbox/http/http-server.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import type { ServedTenant } from "#src/sandbox/http/request-trace.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import type { Tenants } from "#src/sandbox/state/tenants.ts";
import { ADMIN_BODY_BYTES, addRoutes, DONE, readObject, wrongRequest } from "./admin-body.ts";
import { tenantRoutes } from "./admin-tenants.ts";
import { testingRoutes } from "./admin-testing.ts";
import type { Leases } from "./leases.ts";
import type { WholeReading } from "./metrics.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** That an administrative call is about. */
    tenant: Tenant;
  }
}

export interface AdminPlaneOptions extends Omit<HttpServerOptions, "admit" | "tenant"> {
  readonly tenants: Tenants;
  readonly leases: Leases;
  /** Each reaches every tenant; a tenant also has its own, which reaches it alone. */
  readonly tokens: readonly string[];
  /** Whether its callers are on this machine, whose files they may name. */
  readonly isLocal: boolean;
  /** Read at every status request. */
  readonly describe: () => WholeReading &
    Pick<SandboxStatus, "instance" | "port" | "ephemeral"> & {
      readonly switches: Omit<SandboxSwitches, "magic" | "seeded">;
    };
  /** Drains and exits, after the answer to this request. */
  readonly onStop: () => void;
}

/** Paths whose POST has no body. */
const WITHOUT_BODY: ReadonlySet<string> = new Set([ADMIN.reloadRules, ADMIN.stop]);

/** Paths that are about the sandbox as a whole. */
const WHOLE: ReadonlySet<string> = new Set([
  ADMIN.lease,
  ADMIN.stop,
  ADMIN.tenants,
  `${ADMIN.tenants}/:name`,
  ADMIN.metrics,
]);

const COUNTS_WAIT = "What was counted after this time does not count until it is reached again.";

/** Latest time that a Date can hold. */
const LAST_TIME = 8.64e15;

export function createAdminPlane(options: AdminPlaneOptions): FastifyInstance {
  const { tenants, leases, tokens } = options;
  const limits = { ...options.limits, bodyBytes: ADMIN_BODY_BYTES };
  /** Administrative calls are in no journal. */
  const unjournaled = ({ name, clock }: Tenant): ServedTenant => ({ name, clock });
  const app = createHttpServer({
    ...options,
    limits,
    tenant: unjournaled(tenants.default),
    async admit(request) {
      const path = request.routeOptions.url ?? "";
      if (path !== ADMIN.proof) {
        request.tenant = await tenantOf(request, tenants, tokens, WHOLE.has(path));
        request.trace.tenant = unjournaled(request.tenant);
      }
      if (request.method === "POST" && !WITHOUT_BODY.has(path))
        requireJsonBody(request.raw, ADMIN_BODY_BYTES);
    },
  });
  app.decorateRequest("tenant");

  addRoutes(app, {
    [`GET ${ADMIN.status}`]: ({ tenant }) => statusOf(tenant, options),
    [`GET ${ADMIN.clock}`]: ({ tenant }) => tenant.clock.reading(),
    [`POST ${ADMIN.clock}`]: (request) => changeClock(request.tenant, readObject(request)),
    async [`GET ${ADMIN.decisions}/:id`]({ tenant, params }) {
      const explanation = await tenant.shared(() => tenant.state.decision(params["id"]!));
      if (explanation === null) throw new Refusal("not_found", "No decision has this id.");
      return explanation;
    },
    ...testingRoutes(options.isLocal),
    ...whatIfRoutes(() => options.describe().switches),
    ...tenantRoutes(tenants),
  });

  app.get(ADMIN.lease, (request, reply) => {
    const release = leases.take();
    reply.hijack();
    const { raw } = reply;
    raw.once("close", () => {
      release();
      logLeases();
    });
    logLeases();
    raw.writeHead(200, { [HEADER.contentType]: JSON_MEDIA_TYPE, ...request.trace.headers(200) });
    // The first bytes confirm the lease; the body is never completed.
    raw.write(`{"status":"success",`);
    request.raw.socket.setKeepAlive(true, 10_000);
  });

  app.get(ADMIN.metrics, async (request, reply) => {
    const { exposition, formatFor, MEDIA_TYPE, readMetrics } = await import("./metrics.ts");
    const format = formatFor(request.headers.accept);
    const text = exposition(await readMetrics(options.describe(), await tenants.list()), format);
    return reply.header(HEADER.contentType, MEDIA_TYPE[format]).send(text);
  });

  app.post(ADMIN.stop, (_request, reply) => {
    reply.raw.once("close", options.onStop);
    return sendJson(reply.header("connection", "close"), DONE);
  });

  function logLeases(): void {
    tenants.default.note("lease", { leases: leases.count });
  }

  return app;
}

async function statusOf(tenant: Tenant, options: AdminPlaneOptions): Promise<SandboxStatus> {
  const { tenants, leases } = options;
  const { clock, rules, faults, journal, state, shared } = tenant;
  const { switches, certificateExpiry, ...described } = options.describe();
  const { virtualTime, frozen } = clock.reading();
  const held = await shared(async () => ({
    projects: (await state.accounts.projects()).length,
    decisions: await state.decisionCount(),
    signatures: { remembered: await state.signatureCount(), capacity: tenant.signatureCapacity },
  }));
  return {
    ...described,
    ...held,
    tls: certificateExpiry !== null,
    switches: { ...switches, magic: tenant.magic, seeded: tenant.seeded },
    tenant: tenant.name,
    otherTenants: tenants.count - 1,
    pid: process.pid,
    virtualTime,
    clockFrozen: frozen,
    leases: leases.count,
    ruleSetHash: rules.current.hash,
    rules: rules.current.rules.length,
    ruleFile: rules.fromFile,
    ruleError: rules.error?.message ?? null,
    faults: await faults.list(),
    writable: state.isWritable(),
    requests: journal.counts.total,
    members: await tenants.members(tenant.name),
  };
}

/** @throws Refusal `invalid_request` */
async function changeClock(
  { clock, state, shared, note }: Tenant,
  wanted: Record<string, unknown>,
): Promise<object> {
  const change = readClockChange(wanted);
  const before = clock.now();
  const next = clock.plan(change);
  if (next.highWater > LAST_TIME || next.highWater < 0) throw wrongRequest("The time is out of range.");
  const wentBack = next.highWater < before;
  const ages =
    change.do === "reset"
      ? ({ do: "forget" } as const)
      : wentBack
        ? ({ do: "keep", from: before } as const)
        : undefined;
  await shared(async () => {
    await state.accounts.saveClock(next, ages);
    clock.apply(next);
  });
  note("clock_changed", {
    virtual_time: new Date(clock.now()).toISOString(),
    ...(wentBack ? { reason: COUNTS_WAIT } : {}),
  });
  return { ...clock.reading(), ...(wentBack ? { note: COUNTS_WAIT } : {}) };
}

/**
 * The tenant that a call names and its token may reach. Both refusals are the same for a tenant that is not there and for
 * another's, so that nobody learns who else is there.
 * @param isWhole whether the call is about the sandbox as a whole, which only the sandbox's own token may
 */
async function tenantOf(
  request: FastifyRequest,
  tenants: Tenants,
  tokens: readonly string[],
  isWhole: boolean,
): Promise<Tenant> {
  const given = request.headers.authorization ?? "";
  const name = request.headers[HEADER.tenant];
  const isToken = (token: string): boolean =>
    timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", `Bearer ${token}`, "buffer"));
  if (tokens.some(isToken)) {
    const found = await tenants.named(name === undefined ? DEFAULT_TENANT : String(name));
    if (found !== null) return found;
    throw wrongRequest(
      'There is no tenant of this name; "verdict sandbox tenant list" shows those there are.',
    );
  }
  const own = given.startsWith("Bearer ") ? await tenants.ofToken(given.slice(7)) : null;
  if (own === null) throw new Refusal("unauthorized", "The administrative plane needs its bearer token.");
  if (isWhole)
    throw new Refusal("forbidden", "This needs the token of the sandbox, not the token of a tenant.");
  if (name !== undefined && name !== own.name) {
    throw new Refusal("forbidden", "This token is for another tenant.");
  }
  return own;
}

/** @throws Refusal `invalid_request` */
function readClockChange(change: Record<string, unknown>): ClockChange {
  switch (change["do"]) {
    case "freeze":
    case "resume":
    case "reset":
      return { do: change["do"] };
    case "set":
      return { do: "set", at: milliseconds(change["at"], "at") };
    case "advance":
      return { do: "advance", byMs: milliseconds(change["byMs"], "byMs") };
    default:
      throw wrongRequest('The field "do" must be freeze, resume, reset, set or advance.');
  }
}

function milliseconds(value: unknown, name: string): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw wrongRequest(`The field "${name}" must be an integer of milliseconds.`);
}
