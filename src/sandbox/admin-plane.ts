// The administrative plane: on loopback, on its own port, behind a bearer token. Also the "administrative panel" of the spec.

import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/clock.ts";
import {
  ADMIN,
  type ClockChange,
  type SandboxPanel,
  type SandboxStatus,
} from "#src/contract/sandbox-wire.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/strict-json.ts";
import { HEADER, JSON_DEPTH_LIMIT, JSON_MEDIA_TYPE } from "#src/contract/wire.ts";
import { requireJsonBody } from "./body.ts";
import { registrationAge } from "./credential-window.ts";
import { createHttpServer, type HttpServerOptions } from "./http-server.ts";
import type { Leases } from "./leases.ts";
import { Refusal } from "./refusal.ts";
import type { IssuedKey, SandboxState } from "./sandbox-state.ts";

export interface AdminPlaneOptions extends Omit<HttpServerOptions, "admit"> {
  readonly state: SandboxState;
  readonly leases: Leases;
  readonly token: string;
  /** Asked for at every status. */
  readonly describe: () => Pick<
    SandboxStatus,
    "version" | "port" | "startedAt" | "recipe" | "ephemeral" | "ruleSetHash" | "rules"
  >;
  /** Drain and exit; the answer to the request goes out first. */
  readonly onStop: () => void;
}

/** Latest time that a Date can hold. */
const LAST_TIME = 8.64e15;

export function createAdminPlane(options: AdminPlaneOptions): FastifyInstance {
  const { state, clock, leases, token, limits } = options;
  const app = createHttpServer({
    ...options,
    admit(request) {
      requireToken(request, token);
      if (request.method === "POST" && request.routeOptions.url === ADMIN.clock) {
        requireJsonBody(request.raw, limits.bodyBytes);
      }
    },
  });

  app.get(ADMIN.status, async (_request, reply) => {
    const { virtualTime, frozen } = clock.reading();
    const status: SandboxStatus = {
      ...options.describe(),
      instance: options.instance,
      pid: process.pid,
      virtualTime,
      clockFrozen: frozen,
      projects: (await state.projects()).length,
      decisions: await state.decisionCount(),
      leases: leases.count,
    };
    return sendJson(reply, status);
  });

  app.get(ADMIN.panel, async (_request, reply) => sendJson(reply, await panel()));

  app.get(ADMIN.clock, (_request, reply) => sendJson(reply, clock.reading()));
  app.post(ADMIN.clock, async (request, reply) => {
    const change = readClockChange((request.body as Buffer | undefined) ?? Buffer.alloc(0), limits.bodyBytes);
    const before = clock.now();
    const next = clock.plan(change);
    if (next.highWater > LAST_TIME || next.highWater < 0) throw wrongChange("The time is out of range.");
    const ages =
      change.do === "reset"
        ? ({ do: "forget" } as const)
        : next.highWater < before
          ? ({ do: "keep", from: before } as const)
          : undefined;
    await state.saveClock(next, ages);
    clock.apply(next);
    options.log({
      at: new Date(clock.realNow()).toISOString(),
      event: "clock_changed",
      virtual_time: new Date(clock.now()).toISOString(),
    });
    return sendJson(reply, clock.reading());
  });

  app.get<{ Params: { id: string } }>(`${ADMIN.decisions}/:id`, async (request, reply) => {
    const explanation = await state.decision(request.params.id);
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
    raw.writeHead(200, {
      [HEADER.contentType]: JSON_MEDIA_TYPE,
      [HEADER.instance]: options.instance,
      [HEADER.sandbox]: "1",
      [HEADER.virtualTime]: new Date(clock.now()).toISOString(),
    });
    // The first bytes tell the user that the lease is held; the rest never comes.
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

/** @throws Refusal `invalid_json` or `invalid_request` */
function readClockChange(body: Buffer, maxBytes: number): ClockChange {
  let value: unknown;
  try {
    ({ value } = parseStrictJson(body, { maxBytes, maxDepth: JSON_DEPTH_LIMIT }));
  } catch (error) {
    if (error instanceof StrictJsonError) throw new Refusal("invalid_json", error.message);
    throw error;
  }
  const change = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
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
      throw wrongChange('The field "do" must be freeze, resume, reset, set or advance.');
  }
}

function milliseconds(value: unknown, name: string): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw wrongChange(`The field "${name}" must be an integer of milliseconds.`);
}

function wrongChange(message: string): Refusal {
  return new Refusal("invalid_request", message);
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.header(HEADER.contentType, JSON_MEDIA_TYPE).send(JSON.stringify(body));
}
