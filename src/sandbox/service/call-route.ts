// How one call of the service is answered: authenticate, wait for its turn, read, answer.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import { CREDENTIAL_FIELDS, registrationFields } from "#src/contract/fields/registration-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { requiredPaths } from "#src/contract/fields/validate.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import type { SandboxSwitches } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER, JSON_MEDIA_TYPE, type Call } from "#src/contract/wire/wire.ts";
import { closedOr, faultBody, sendDeformed } from "#src/sandbox/http/deform-answer.ts";
import { sendJson, type HttpServerOptions } from "#src/sandbox/http/http-server.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { readDocument } from "#src/sandbox/http/body.ts";
import type { Patience } from "#src/sandbox/state/patience.ts";
import { keptStringToSign } from "#src/sandbox/state/request-journal.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import type { Tenants } from "#src/sandbox/state/tenants.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import { claimedKeyId, type Received } from "#src/signing/verify.ts";
import { createAuthenticator, type Authenticate, type Principal } from "./authenticate.ts";
import { askedTime, askedTurn, createCheck, type Answered, type CallHandler } from "./check-call.ts";
import { createRegistration } from "./registration.ts";
import { RunOrders, type Turn } from "./run-order.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of the three calls only, as the next. */
    service: TenantService;
    patience: Patience;
    /** Of the checks of a run, once they are authenticated. */
    turn: Turn | undefined;
    /** Of a check that is not to be sent again unasked: it is stored, or was given to a server to store. */
    mayBeDecided: boolean | undefined;
  }
}

/** What the service is made of, and its settings. */
export interface ServiceOptions
  extends Omit<HttpServerOptions, "admit" | "tenant">, Omit<SandboxSwitches, "magic" | "seeded"> {
  readonly tenants: Tenants;
  readonly recipe: Recipe;
  /** While true, /ready is refused and everything else is answered. */
  readonly isLeaving: () => boolean;
  /** The state is a server's: it is not waited for longer than callers wait, and is back without a restart. */
  readonly onServer: boolean;
}

/** For a check that a server was asked to store, and did not say whether it has; see `internal_error`. */
export const UNKNOWN_DECISION =
  "It is not known whether this check was decided; send it again within a minute, until it is answered, to get that decision.";

/** Most of the connections that the requests of one tenant may be answered on, where there are others. */
const TENANT_SHARE = 1 / 4;

/** The service as the keys of one tenant meet it. */
export interface TenantService extends Readonly<Record<Call, CallHandler>> {
  readonly tenant: Tenant;
  readonly authenticate: Authenticate;
  readonly orders: RunOrders;
  /** Requests that are being answered. */
  running: number;
}

export function createTenantService(tenant: Tenant, options: ServiceOptions): TenantService {
  return {
    tenant,
    orders: new RunOrders(),
    running: 0,
    authenticate: createAuthenticator({ ...options, ...tenant }),
    ...createRegistration({ ...options, ...tenant }),
    check: createCheck(tenant, options),
  };
}

/** One call, for the requests of all tenants. */
export class CallRoute {
  readonly #call: Call;
  readonly #options: ServiceOptions;
  readonly #fields: readonly Field[];
  readonly #required: readonly string[];

  constructor(call: Call, options: ServiceOptions) {
    this.#call = call;
    this.#options = options;
    [this.#fields, this.#required] = documentOf(call, options);
  }

  /** The signature is durable before the answer is sent. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | string> {
    const { service } = request;
    this.#requireShare(service);
    service.running += 1;
    try {
      return await this.#served(request, reply);
    } catch (error) {
      // Its state was closed under the call.
      if (!(error instanceof Fault)) throw error;
      if ((await this.#options.tenants.named(service.tenant.name)) !== service.tenant) {
        throw new Refusal("unauthorized", "The tenant of this key has ended; nothing was decided.");
      }
      if (request.mayBeDecided !== true) throw error;
      throw new Refusal("internal_error", UNKNOWN_DECISION, { reason: escapeText(error.message, 200) });
    } finally {
      request.turn?.end();
      service.running -= 1;
    }
  }

  #requireShare({ running, orders }: TenantService): void {
    const { tenants, limits } = this.#options;
    if (running < limits.connections * TENANT_SHARE || tenants.count === 1) return;
    orders.letGo();
    throw new Refusal("too_many_requests", "Too many requests of this tenant are being answered.", {
      retryAfterS: 1,
    });
  }

  async #served(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | string> {
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    request.trace.entry.body_bytes = body.length;
    const received = receivedOf(request, body);
    const { faults } = request.service.tenant;
    // Requests without a key that exists do not use up injected faults.
    const isMet = !faults.isEmpty && (await inTime(request, () => isKnown(request, received)));
    const fault = isMet ? await request.patience.wait(faults.take(this.#call)) : null;
    if (fault !== null) {
      request.trace.entry.faults = fault.ids;
      if (fault.delayMs > 0) await closedOr(reply.raw, fault.delayMs);
      // Faults of a gateway in front of the service: nothing is decided.
      if (fault.effect?.do === "status" || fault.effect?.do === "reset") {
        const isAgain = fault.effect.do === "status" && fault.effect.retryAfterS !== null;
        if (!isAgain) request.turn = this.#turnOf(request, received, claimedKeyId(received)!);
        return await sendFault(fault.effect, request, reply);
      }
    }
    const principal = await inTime(request, () => this.#admit(request, received, body));
    request.turn = this.#turnOf(request, received, principal.holder.keyId);
    // Whoever swaps the state waits for those who use it, and not for their turn.
    await request.turn?.come(reply.raw);
    const answered = await inTime(request, () => this.#settle(request, received, body, principal));
    // A slow client must not delay the next turn.
    request.turn?.end();
    const effect = answered.effect ?? fault?.effect ?? null;
    if (effect !== null && effect.do !== "latency") {
      return await sendFault(effect, request, reply, answered.body);
    }
    // Fastify sends a returned string at once, and waits for a returned reply.
    reply.header(HEADER.contentType, JSON_MEDIA_TYPE);
    return JSON.stringify(answered.body);
  }

  async #admit(request: FastifyRequest, received: Received, body: Buffer): Promise<Principal> {
    const { service } = request;
    const { entry } = request.trace;
    const principal = await service.authenticate(received, this.#call, (stringToSign, claimed) => {
      entry.string_to_sign = keptStringToSign(stringToSign, body, claimed?.secret.expose() ?? null);
      if (claimed !== null) entry.key_id = claimed.keyId;
    });
    entry.key_id = principal.holder.keyId;
    if (principal.holder.projectId !== null) entry.project_id = principal.holder.projectId;
    return principal;
  }

  async #settle(
    request: FastifyRequest,
    received: Received,
    body: Buffer,
    { holder, durable }: Principal,
  ): Promise<Answered> {
    const { tenant, [this.#call]: answer } = request.service;
    const asked = this.#call === "check" ? askedTime(received) : undefined;
    request.trace.virtualTime = asked;
    const now = asked ?? tenant.clock.now();
    const { bodyBytes } = this.#options.limits;
    const document = readDocument(body, this.#fields, this.#required, now, bodyBytes);
    request.patience.require();
    const answered = await answer(holder, document, body, request);
    await durable;
    return answered;
  }

  /** Undefined for a call that belongs to no run. */
  #turnOf({ service }: FastifyRequest, received: Received, keyId: string): Turn | undefined {
    const asked = this.#call === "check" ? askedTurn(received) : null;
    return asked === null ? undefined : service.orders.turn(keyId, asked);
  }
}

/** Fields of its body, and the dotted paths of those that it must have. */
function documentOf(call: Call, options: ServiceOptions): [readonly Field[], readonly string[]] {
  switch (call) {
    case "check":
      return [checkFields(options.currencyNumbering, options.amountUnit), options.require];
    case "register":
      return [registrationFields(registrationNumbering(options)), requiredPaths(registrationFields())];
    case "credential":
      return [CREDENTIAL_FIELDS, requiredPaths(CREDENTIAL_FIELDS)];
  }
}

/** Work with the state, which is not waited for longer than the caller waits. */
function inTime<R>({ service, patience }: FastifyRequest, work: () => Promise<R>): Promise<R> {
  return patience.wait(service.tenant.shared(work), service.tenant.isHeld);
}

async function isKnown({ service }: FastifyRequest, received: Received): Promise<boolean> {
  const keyId = claimedKeyId(received);
  return keyId !== null && (await service.tenant.state.accounts.key(keyId)) !== null;
}

async function sendFault(
  effect: Exclude<FaultEffect, { do: "latency" }>,
  request: FastifyRequest,
  reply: FastifyReply,
  body: object = {},
): Promise<FastifyReply> {
  if (effect.do === "status") {
    const error = faultBody(effect.status, request.trace.entry.request_id);
    request.trace.entry.error = error.error;
    if (effect.retryAfterS !== null) reply.header("retry-after", String(effect.retryAfterS));
    return sendJson(reply.code(effect.status), error);
  }
  await sendDeformed(effect, request, reply, request.trace.headers(200), JSON.stringify(body));
  return reply;
}

function receivedOf(request: FastifyRequest, body: Buffer): Received {
  const { method = "", url = "", rawHeaders } = request.raw;
  return { method, path: url, headers: new HeaderTable(rawHeaders), body };
}
