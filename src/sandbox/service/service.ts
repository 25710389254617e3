// The service itself: the three calls of the spec, /health and /ready on one port.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "#src/contract/fault.ts";
import { CHECK_FIELDS, checkFields } from "#src/contract/fields/check-fields.ts";
import { CREDENTIAL_FIELDS, registrationFields } from "#src/contract/fields/registration-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { requiredPaths } from "#src/contract/fields/validate.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { magicOf } from "#src/contract/wire/magic-order.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import {
  ENDPOINTS,
  HEADER,
  JSON_MEDIA_TYPE,
  PROBES,
  type Call,
  type CheckRequest,
  type CredentialRequest,
  type RegistrationRequest,
} from "#src/contract/wire/wire.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { decideCounted } from "#src/rules/decision/decision-record.ts";
import { decisionInput, type NumberSwitches } from "./decision-input.ts";
import { forced } from "./magic.ts";
import { answerDigest } from "#src/sandbox/state/stored-answers.ts";
import { createAuthenticator, type Authenticate } from "./authenticate.ts";
import { requireJsonBody } from "#src/sandbox/http/body.ts";
import { closedOr, faultBody, sendDeformed } from "#src/sandbox/http/deform-answer.ts";
import { createHttpServer, sendJson, type HttpServerOptions } from "#src/sandbox/http/http-server.ts";
import { DISK_MS, Patience, WAIT_MS } from "#src/sandbox/state/patience.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { readDocument } from "#src/sandbox/http/request-document.ts";
import { keptStringToSign } from "#src/sandbox/state/request-journal.ts";
import {
  ClockMoved,
  QuotaReached,
  type KeyHolder,
  type SandboxState,
} from "#src/sandbox/state/sandbox-state.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import type { Tenants } from "#src/sandbox/state/tenants.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { parseTime } from "#src/signing/recipes/time-format.ts";
import { claimedKeyId, type Received } from "#src/signing/verify.ts";
import { createRegistration, overQuota } from "./registration.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of the three calls only. */
    service: TenantService;
    /** Of the three calls only. */
    patience: Patience;
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

/** The answer to a call, and the fault to inject into it, if any. */
interface Answered {
  readonly body: object;
  readonly effect?: FaultEffect;
}

/** Answers one call of an authenticated key. */
type CallHandler = (
  holder: KeyHolder,
  document: unknown,
  body: Buffer,
  request: FastifyRequest,
) => Promise<Answered>;

/** The service as the keys of one tenant meet it. */
interface TenantService extends Readonly<Record<Call, CallHandler>> {
  readonly tenant: Tenant;
  readonly authenticate: Authenticate;
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

  app.decorateRequest("service").decorateRequest("patience");

  /** Whether the claimed key exists: requests without one do not use up injected faults. */
  async function isKnown(state: SandboxState, received: Received): Promise<boolean> {
    const keyId = claimedKeyId(received);
    return keyId !== null && (await state.key(keyId)) !== null;
  }

  /** Serves one call: authenticate, read, answer; the signature is durable before the answer is sent. */
  function route(call: Call): void {
    const { method, path } = ENDPOINTS[call];

    async function settle(request: FastifyRequest, received: Received, body: Buffer): Promise<Answered> {
      const { tenant, authenticate, [call]: answer } = request.service;
      const principal = await authenticate(received, call, (stringToSign, claimed) => {
        request.trace.stringToSign = keptStringToSign(stringToSign, body, claimed?.secret.expose() ?? null);
        if (claimed !== null) request.trace.keyId = claimed.keyId;
      });
      request.trace.keyId = principal.holder.keyId;
      if (principal.holder.projectId !== null) request.trace.projectId = principal.holder.projectId;
      const asked = call === "check" ? askedTime(received) : undefined;
      request.trace.virtualTime = asked;
      const now = asked ?? tenant.clock.now();
      const document = readDocument(body, fieldsOf[call], requiredOf[call], now, limits.bodyBytes);
      request.patience.require();
      const answered = await answer(principal.holder, document, body, request);
      await principal.durable;
      return answered;
    }

    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const { service, patience } = request;
        if (service.running >= limits.connections * TENANT_SHARE && tenants.count > 1) {
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
              return await sendFault(fault.effect, request, reply);
            }
          }
          const answered = await inTime(() => settle(request, received, body));
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

/** Answers the check call: forced by its order id, or decided by the current rules. */
function createCheck(tenant: Tenant, options: ServiceOptions): CallHandler {
  const { clock, rules, swappable, quota } = tenant;
  const { state } = swappable;

  const answer: CallHandler = async (holder, document, body, request) => {
    const check = document as CheckRequest;
    const project = holder.projectId === null ? null : await state.projectById(holder.projectId);
    // Another worker has reset the sandbox since the key was found.
    if (project === null) {
      throw new Refusal("unavailable", "The sandbox was reset during the call; send it again.");
    }
    const { projectId, riskLevel, currency } = project;
    const magic = tenant.magic ? magicOf(check.order_id) : null;
    if (magic !== null) request.trace.magic = magic.prefix;
    const effect = magic !== null && "effect" in magic ? magic.effect : undefined;
    if (effect?.do === "status") return { body: {}, effect };
    if (quota !== null && (await state.decisionCount()) >= quota.decisions) {
      throw overQuota(`${quota.decisions} decisions`);
    }
    const now = request.trace.virtualTime ?? clock.now();
    const input = decisionInput(
      { request: check, project: { projectId, riskLevel, currency }, now },
      options,
    );
    const ruleSet = rules.current;
    const bodyDigest = answerDigest(body, ruleSet);
    const keyed = attemptOf(ruleSet, input, state);
    const force = magic !== null && "recommendation" in magic ? magic : null;
    const settling = state.settle(
      { projectId, orderId: check.order_id ?? null, bodyDigest, at: now },
      keyed.attempt,
      force === null ? "count" : "peek",
      (view) => {
        const { record, outcomes, basis } = decideCounted(ruleSet, input, keyed, view);
        if (force !== null)
          return { record: forced(record, force.recommendation, force.prefix), basis: null, ruleSet };
        rules.note(ruleSet, outcomes);
        return { record, basis, ruleSet };
      },
      quota?.decisions,
    );
    let settled;
    try {
      settled = await settling;
    } catch (error) {
      if (error instanceof ClockMoved) return answer(holder, document, body, request);
      // Others were decided since it was asked.
      if (error instanceof QuotaReached) throw overQuota(`${quota?.decisions} decisions`);
      throw error;
    }
    const { trace } = request;
    trace.decision = settled.decisionId;
    trace.recommendation = settled.recommendation;
    trace.repeat = settled.repeat;
    trace.basis = settled.basis;
    const success = { status: "success", code: settled.recommendation, message: settled.message };
    return effect === undefined ? { body: success } : { body: success, effect };
  };

  return answer;
}

function callOf(request: FastifyRequest): Call | null {
  return CALL_OF.get(request.raw.url) ?? CALL_OF.get(request.routeOptions.url) ?? null;
}

/** @throws Refusal `invalid_request` for a header that is no time */
function askedTime({ headers }: Received): Milliseconds | undefined {
  const text = headers.get(HEADER.virtualTime);
  if (text === undefined) return undefined;
  const at = parseTime("iso8601", text);
  if (at !== null) return at;
  throw new Refusal(
    "invalid_request",
    `The header ${HEADER.virtualTime} is not a time; send one such as 2026-03-16T12:00:00.000Z.`,
  );
}

function receivedOf(request: FastifyRequest, body: Buffer): Received {
  const { method = "", url = "", rawHeaders } = request.raw;
  return { method, path: url, headers: new HeaderTable(rawHeaders), body };
}
