// The administrative plane ("administrative panel" of the spec): its own port on loopback, behind a bearer token.

import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import {
  ADMIN,
  type ClockChange,
  type SandboxPanel,
  type SandboxStatus,
} from "#src/contract/wire/sandbox-wire.ts";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { registrationAge } from "#src/sandbox/credential-window.ts";
import { addWhatIfRoute } from "#src/sandbox/decisions/what-if.ts";
import { requireJsonBody } from "#src/sandbox/http/body.ts";
import { commonHeaders, createHttpServer, type HttpServerOptions } from "#src/sandbox/http/http-server.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import type { IssuedKey } from "#src/sandbox/state/sandbox-state.ts";
import { readObject, sendJson, wrongRequest } from "./admin-body.ts";
import { addTestingRoutes, TESTING_BODIES, type TestingOptions } from "./admin-testing.ts";
import type { Leases } from "./leases.ts";

export interface AdminPlaneOptions extends Omit<HttpServerOptions, "admit" | "journal"> {
  /** The part for testers. */
  readonly testing: TestingOptions;
  readonly leases: Leases;
  readonly token: string;
  /** Read at every status request. */
  readonly describe: () => Pick<
    SandboxStatus,
    "version" | "instance" | "port" | "startedAt" | "recipe" | "ephemeral" | "switches" | "connections"
  >;
  /** Drains and exits, after the answer to this request. */
  readonly onStop: () => void;
}

/** Paths whose POST has a body. */
const WITH_BODY: ReadonlySet<string> = new Set([ADMIN.clock, ADMIN.whatIf, ...TESTING_BODIES]);

const COUNTS_WAIT = "What was counted after this time does not count until it is reached again.";

/** Latest time that a Date can hold. */
const LAST_TIME = 8.64e15;

export function createAdminPlane(options: AdminPlaneOptions): FastifyInstance {
  const { clock, leases, token, limits, testing } = options;
  const { rules, faults, journal } = testing;
  const { state, shared } = testing.swappable;
  const app = createHttpServer({
    ...options,
    admit(request) {
      if (request.routeOptions.url !== ADMIN.proof) requireToken(request, token);
      if (request.method === "POST" && WITH_BODY.has(request.routeOptions.url ?? "")) {
        requireJsonBody(request.raw, limits.bodyBytes);
      }
    },
  });

  app.get(ADMIN.status, async (_request, reply) => {
    const { virtualTime, frozen } = clock.reading();
    const held = await shared(async () => ({
      projects: (await state.projects()).length,
      decisions: await state.decisionCount(),
      remembered: await state.signatureCount(),
    }));
    const status: SandboxStatus = {
      ...options.describe(),
      pid: process.pid,
      virtualTime,
      clockFrozen: frozen,
      projects: held.projects,
      decisions: held.decisions,
      leases: leases.count,
      ruleSetHash: rules.current.hash,
      rules: rules.current.rules.length,
      ruleFile: rules.fromFile,
      ruleError: rules.error?.message ?? null,
      faults: faults.list,
      writable: state.isWritable(),
      signatures: { remembered: held.remembered, capacity: limits.replayCapacity },
      requests: journal.count,
    };
    return sendJson(reply, status);
  });

  addTestingRoutes(app, testing);
  addWhatIfRoute(app, { ...testing, clock, switches: () => options.describe().switches });

  app.get(ADMIN.panel, async (_request, reply) => sendJson(reply, await shared(panel)));

  app.get(ADMIN.clock, (_request, reply) => sendJson(reply, clock.reading()));
  app.post(ADMIN.clock, async (request, reply) => {
    const change = readClockChange(readObject(request, limits.bodyBytes));
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
      await state.saveClock(next, ages);
      clock.apply(next);
    });
    options.log({
      at: new Date(clock.realNow()).toISOString(),
      event: "clock_changed",
      virtual_time: new Date(clock.now()).toISOString(),
      ...(wentBack ? { reason: COUNTS_WAIT } : {}),
    });
    return sendJson(reply, { ...clock.reading(), ...(wentBack ? { note: COUNTS_WAIT } : {}) });
  });

  app.get<{ Params: { id: string } }>(`${ADMIN.decisions}/:id`, async (request, reply) => {
    const explanation = await shared(() => state.decision(request.params.id));
    if (explanation === null) throw new Refusal("not_found", "No decision has this id.");
    return sendJson(reply, explanation);
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
    raw.writeHead(200, { [HEADER.contentType]: JSON_MEDIA_TYPE, ...commonHeaders(clock) });
    // The first bytes confirm the lease; the body is never completed.
    raw.write(`{"status":"success",`);
    request.raw.socket.setKeepAlive(true, 10_000);
  });

  app.post(ADMIN.stop, (_request, reply) => {
    reply.raw.once("close", options.onStop);
    return sendJson(reply.header("connection", "close"), { status: "success" });
  });

  function logLeases(): void {
    options.log({ at: new Date(clock.realNow()).toISOString(), event: "lease", leases: leases.count });
  }

  /** Integration keys always; a credential only once it can no longer be fetched (spec section 3). */
  async function panel(): Promise<SandboxPanel> {
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
  }

  return app;
}

function exposed(key: IssuedKey): { keyId: string; algorithm: string; secret: string } {
  return { keyId: key.keyId, algorithm: key.algorithm, secret: key.secret.expose() };
}

function requireToken(request: FastifyRequest, token: string): void {
  const given = request.headers.authorization ?? "";
  const equal = timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", `Bearer ${token}`, "buffer"));
  if (!equal) throw new Refusal("unauthorized", "The administrative plane needs its bearer token.");
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
