// The service itself: the three calls of the spec, /health and /ready on one port.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "#src/contract/fault.ts";
import { CHECK_FIELDS, checkFields } from "#src/contract/fields/check-fields.ts";
import { CREDENTIAL_FIELDS, registrationFields } from "#src/contract/fields/registration-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { requiredPaths } from "#src/contract/fields/validate.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import {
  ENDPOINTS,
  HEADER,
  JSON_MEDIA_TYPE,
  PROBES,
  type Call,
  type CredentialRequest,
  type RegistrationRequest,
} from "#src/contract/wire/wire.ts";
import { askedTime, askedTurn, createCheck, type Answered, type CallHandler } from "./check-call.ts";
import type { NumberSwitches } from "./decision-input.ts";
import { createAuthenticator, type Authenticate, type Principal } from "./authenticate.ts";
import { requireJsonBody } from "#src/sandbox/http/body.ts";
import { closedOr, faultBody, sendDeformed } from "#src/sandbox/http/deform-answer.ts";
import { createHttpServer, sendJson, type HttpServerOptions } from "#src/sandbox/http/http-server.ts";
import { DISK_MS, Patience, WAIT_MS } from "#src/sandbox/state/patience.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { readDocument } from "#src/sandbox/http/request-document.ts";
import { keptStringToSign } from "#src/sandbox/state/request-journal.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import type { Tenants } from "#src/sandbox/state/tenants.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { claimedKeyId, type Received } from "#src/signing/verify.ts";
import { createRegistration } from "./registration.ts";
import { RunOrders, type Turn } from "./run-order.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of the three calls only. */
    service: TenantService;
    /** Of the three calls only. */
    patience: Patience;
    /** Of the checks of a run, once they are authenticated. */
    turn: Turn | undefined;
  }
}

/** Required fields of a check, which the spec leaves open; `--require` replaces them. */
export const REQUIRED_CHECK_FIELDS: readonly string[] = requiredPaths(CHECK_FIELDS);

export interface ServiceOptions extends Omit<HttpServerOptions, "admit" | "tenant">, NumberSwitches {
  readonly tenants: Tenants;
  readonly recipe: Recipe;
  /** While true, /ready is refused and everything else is answered. */
  readonly isLeaving: () => boolean;
  /** The state is a server's: it is not waited for longer than callers wait, and is back without a restart. */
  readonly onServer: boolean;
  readonly credentialDelayS: number;
  readonly credentialUnsigned: boolean;
  /** Dotted paths of the fields that a check must have. */
  readonly require: readonly string[];
}

const CALLS = Object.keys(ENDPOINTS) as Call[];

/** By path, as most requests write it and as the route has it. */
const CALL_OF: ReadonlyMap<string | undefined, Call> = new Map(
  CALLS.map((call) => [ENDPOINTS[call].path, call]),
);

/** How long each call waits for a server; a registration for its disk, too, where others may be before it. */
const PATIENCE_MS: Readonly<Record<Call, Milliseconds>> = {
  check: WAIT_MS,
  credential: WAIT_MS,
  register: WAIT_MS + 2 * DISK_MS,
};

/** Most of the connections that the requests of one tenant may be answered on, where there are others. */
const TENANT_SHARE = 1 / 4;

/** The service as the keys of one tenant meet it. */
interface TenantService extends Readonly<Record<Call, CallHandler>> {
  readonly tenant: Tenant;
  readonly authenticate: Authenticate;
  readonly orders: RunOrders;
  /** Requests that are being answered. */
  running: number;
}

/** The service, not listening yet. */
export function createService(options: ServiceOptions): FastifyInstance {
  const { tenants, limits, currencyNumbering } = options;
  const services = new WeakMap<Tenant, TenantService>();
  const requiredOf: Readonly<Record<Call, readonly string[]>> = {
    check: options.require,
    register: requiredPaths(registrationFields()),
    credential: requiredPaths(CREDENTIAL_FIELDS),
  };
  const fieldsOf: Readonly<Record<Call, readonly Field[]>> = {
    check: checkFields(currencyNumbering, options.amountUnit),
    register: registrationFields(registrationNumbering(options)),
    credential: CREDENTIAL_FIELDS,
  };

  const app = createHttpServer({
    ...options,
    tenant: tenants.default,
    admit(request) {
      const call = callOf(request);
      if (call === null) return undefined;
      request.trace.call = call;
      request.patience = new Patience(options.onServer ? PATIENCE_MS[call] : Infinity);
      const found = tenants.of(request.headers[HEADER.keyId] as string | undefined);
      if (found instanceof Promise)
        return request.patience.wait(found).then((tenant) => serve(request, tenant));
      serve(request, found);
      return undefined;
    },
  });

  function serve(request: FastifyRequest, tenant: Tenant): void {
    let service = services.get(tenant);
    if (service === undefined) services.set(tenant, (service = createTenantService(tenant, options)));
    request.trace.tenant = tenant;
    request.service = service;
    requireJsonBody(request.raw, limits.bodyBytes);
  }

  app.decorateRequest("service").decorateRequest("patience").decorateRequest("turn");

  /** Whether the claimed key exists: requests without one do not use up injected faults. */
  async function isKnown(state: SandboxState, received: Received): Promise<boolean> {
    const keyId = claimedKeyId(received);
    return keyId !== null && (await state.accounts.key(keyId)) !== null;
  }

  /** Serves one call: authenticate, wait for its turn, read, answer; the signature is durable before the answer is sent. */
  function route(call: Call): void {
    const { method, path } = ENDPOINTS[call];

    async function admit(request: FastifyRequest, received: Received, body: Buffer): Promise<Principal> {
      const principal = await request.service.authenticate(received, call, (stringToSign, claimed) => {
        request.trace.stringToSign = keptStringToSign(stringToSign, body, claimed?.secret.expose() ?? null);
        if (claimed !== null) request.trace.keyId = claimed.keyId;
      });
      request.trace.keyId = principal.holder.keyId;
      if (principal.holder.projectId !== null) request.trace.projectId = principal.holder.projectId;
      return principal;
    }

    async function settle(
      request: FastifyRequest,
      received: Received,
      body: Buffer,
      { holder, durable }: Principal,
    ): Promise<Answered> {
      const { tenant, [call]: answer } = request.service;
      const asked = call === "check" ? askedTime(received) : undefined;
      request.trace.virtualTime = asked;
      const now = asked ?? tenant.clock.now();
      const document = readDocument(body, fieldsOf[call], requiredOf[call], now, limits.bodyBytes);
      request.patience.require();
      const answered = await answer(holder, document, body, request);
      await durable;
      return answered;
    }

    /** Undefined for a call that belongs to no run. */
    function turnOf({ service }: FastifyRequest, received: Received, keyId: string): Turn | undefined {
      const asked = call === "check" ? askedTurn(received) : null;
      return asked === null ? undefined : service.orders.turn(keyId, asked);
    }

    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const { service, patience } = request;
        if (service.running >= limits.connections * TENANT_SHARE && tenants.count > 1) {
          service.orders.letGo();
          throw new Refusal("too_many_requests", "Too many requests of this tenant are being answered.", {
            retryAfterS: 1,
          });
        }
        service.running += 1;
        try {
          const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
          request.trace.bodyBytes = body.length;
          const received = receivedOf(request, body);
          const { faults, swappable } = service.tenant;
          const { state, shared } = swappable;
          const inTime = <R>(work: () => Promise<R>): Promise<R> =>
            patience.wait(shared(work), () => swappable.isHeld === true);
          const isMet = !faults.isEmpty && (await inTime(() => isKnown(state, received)));
          const fault = isMet ? await patience.wait(faults.take(call)) : null;
          if (fault !== null) {
            request.trace.faults = fault.ids;
            if (fault.delayMs > 0) await closedOr(reply.raw, fault.delayMs);
            // Faults of a gateway in front of the service: nothing is decided.
            if (fault.effect?.do === "status" || fault.effect?.do === "reset") {
              const isAgain = fault.effect.do === "status" && fault.effect.retryAfterS !== null;
              if (!isAgain) request.turn = turnOf(request, received, claimedKeyId(received)!);
              return await sendFault(fault.effect, request, reply);
            }
          }
          const principal = await inTime(() => admit(request, received, body));
          request.turn = turnOf(request, received, principal.holder.keyId);
          // Whoever swaps the state waits for those who use it, and not for their turn.
          await request.turn?.come(reply.raw);
          const answered = await inTime(() => settle(request, received, body, principal));
          // An answer that is sent slowly holds up nobody.
          request.turn?.end();
          const effect = answered.effect ?? fault?.effect ?? null;
          if (effect === null || effect.do === "latency") {
            // Fastify sends a returned string at once, and waits for a returned reply.
            reply.header(HEADER.contentType, JSON_MEDIA_TYPE);
            return JSON.stringify(answered.body);
          }
          return await sendFault(effect, request, reply, answered.body);
        } catch (error) {
          // Its state was closed under the call.
          if (!(error instanceof Fault)) throw error;
          if ((await tenants.named(service.tenant.name)) === service.tenant) throw error;
          throw new Refusal("unauthorized", "The tenant of this key has ended; nothing was decided.");
        } finally {
          request.turn?.end();
          service.running -= 1;
        }
      },
    });
  }

  async function sendFault(
    effect: Exclude<FaultEffect, { do: "latency" }>,
    request: FastifyRequest,
    reply: FastifyReply,
    body: object = {},
  ): Promise<FastifyReply> {
    if (effect.do === "status") {
      const error = faultBody(effect.status, request.trace.id);
      request.trace.error = error.error;
      if (effect.retryAfterS !== null) reply.header("retry-after", String(effect.retryAfterS));
      return sendJson(reply.code(effect.status), error);
    }
    await sendDeformed(effect, request, reply, request.trace.headers(200), JSON.stringify(body));
    return reply;
  }

  for (const call of CALLS) route(call);

  // A state that cannot be written needs a restart, so liveness and readiness differ before an end alone, and where the
  // state is a server's, which no restart of a worker brings back.
  for (const path of PROBES) {
    app.route({
      method: ["GET", "HEAD"],
      url: path,
      handler: (_request, reply) => {
        if (path === "/ready" && options.isLeaving()) {
          throw new Refusal("unavailable", "The sandbox is about to stop; send requests to another one.", {
            retryAfterS: 1,
          });
        }
        if ((path === "/health" && options.onServer) || tenants.default.swappable.state.isWritable())
          return sendJson(reply, { status: "success" });
        throw new Refusal(
          "unavailable",
          options.onServer
            ? "The server of the sandbox's state cannot be written; the sandbox continues when it can."
            : "The sandbox could not write its state; see its log, then start it again.",
        );
      },
    });
  }
  return app;
}

function createTenantService(tenant: Tenant, options: ServiceOptions): TenantService {
  const { clock, swappable } = tenant;
  const { state } = swappable;
  const registration = createRegistration({ ...tenant, ...options, state });
  return {
    tenant,
    orders: new RunOrders(),
    running: 0,
    authenticate: createAuthenticator({ ...options, state, clock }),
    register: async ({ companyId }, document) => ({
      body: await registration.register(companyId, document as RegistrationRequest),
    }),
    credential: async ({ companyId }, document) => ({
      body: await registration.credential(companyId, document as CredentialRequest),
    }),
    check: createCheck(tenant, options),
  };
}

function callOf(request: FastifyRequest): Call | null {
  return CALL_OF.get(request.raw.url) ?? CALL_OF.get(request.routeOptions.url) ?? null;
}

function receivedOf(request: FastifyRequest, body: Buffer): Received {
  const { method = "", url = "", rawHeaders } = request.raw;
  return { method, path: url, headers: new HeaderTable(rawHeaders), body };
}
