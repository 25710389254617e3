// The service itself: the three calls of the spec on one port, and the two questions of whoever watches over it.

import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CHECK_FIELDS, checkFields } from "#src/contract/fields/check-fields.ts";
import { CREDENTIAL_FIELDS } from "#src/contract/fields/credential-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { registrationFields } from "#src/contract/fields/registration-fields.ts";
import { requiredPaths } from "#src/contract/fields/validate.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import {
  ENDPOINTS,
  HEADER,
  JSON_MEDIA_TYPE,
  type Call,
  type CheckRequest,
  type CredentialRequest,
  type RegistrationRequest,
} from "#src/contract/wire/wire.ts";
import { decideForRecord, previewForRecord } from "#src/rules/decision/decision-record.ts";
import type { FaultOrders } from "#src/sandbox/admin/fault-orders.ts";
import { checkFacts, type NumberSwitches } from "#src/sandbox/decisions/check-facts.ts";
import { forced, magicOf } from "#src/sandbox/decisions/magic.ts";
import type { WatchedRules } from "#src/sandbox/decisions/watched-rules.ts";
import { createAuthenticator } from "#src/sandbox/http/authenticate.ts";
import { requireJsonBody } from "#src/sandbox/http/body.ts";
import { closedOr, faultBody, sendDeformed } from "#src/sandbox/http/deform-answer.ts";
import { commonHeaders, createHttpServer, type HttpServerOptions } from "#src/sandbox/http/http-server.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { readDocument } from "#src/sandbox/http/request-document.ts";
import { keptStringToSign } from "#src/sandbox/http/request-journal.ts";
import type { ExchangeableState } from "#src/sandbox/state/exchangeable-state.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import type { KeyHolder } from "#src/sandbox/state/sandbox-state.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { claimedKeyId, type Received } from "#src/signing/verify.ts";
import { createRegistration } from "./registration.ts";

/** What a check must have where the spec does not say; `--require` replaces it. */
export const REQUIRED_CHECK_FIELDS: readonly string[] = requiredPaths(CHECK_FIELDS);

export interface ServiceOptions extends Omit<HttpServerOptions, "admit">, NumberSwitches {
  readonly exchangeable: ExchangeableState;
  readonly issuer: Issuer;
  readonly recipe: Recipe;
  readonly rules: WatchedRules;
  readonly faults: FaultOrders;
  /** Whether order ids of MAGIC_VALUES force answers. */
  readonly magic: boolean;
  readonly credentialDelayS: number;
  readonly credentialUnsigned: boolean;
  /** Dotted paths of the fields that a check must have. */
  readonly require: readonly string[];
}

/** By the path, as it is written in most requests and as the route has it. */
const CALLS: ReadonlyMap<string | undefined, Call> = new Map(
  (Object.keys(ENDPOINTS) as Call[]).map((call) => [ENDPOINTS[call].path, call]),
);

/** What a call is answered with, and how the answer is to be deformed where somebody asked for that. */
interface Answered {
  readonly body: object;
  readonly effect?: FaultEffect;
}

/** The service, not listening yet. */
export function createService(options: ServiceOptions): FastifyInstance {
  const { clock, rules, faults, limits, currencyNumbering } = options;
  const { state, through } = options.exchangeable;
  const authenticate = createAuthenticator({ ...options, state });
  const registration = createRegistration({ ...options, state });
  const requiredOf: Readonly<Record<Call, readonly string[]>> = {
    check: options.require,
    register: requiredPaths(registrationFields()),
    credential: requiredPaths(CREDENTIAL_FIELDS),
  };
  const fieldsOf: Readonly<Record<Call, readonly Field[]>> = {
    check: checkFields(currencyNumbering, options.amountUnit),
    register: registrationFields(currencyNumbering),
    credential: CREDENTIAL_FIELDS,
  };

  const app = createHttpServer({
    ...options,
    admit(request) {
      const call = callOf(request);
      if (call === null) return;
      request.trace.call = call;
      requireJsonBody(request.raw, limits.bodyBytes);
    },
  });

  /** Whether the key that is claimed is one: what has none must not use up the faults that a test has ordered. */
  async function isKnown(received: Received): Promise<boolean> {
    const keyId = claimedKeyId(received);
    return keyId !== null && (await state.key(keyId)) !== null;
  }

  /** A call: authenticated, read, answered; its signature is durable before the answer leaves. */
  function route(
    call: Call,
    answer: (
      holder: KeyHolder,
      document: unknown,
      body: Buffer,
      request: FastifyRequest,
    ) => Promise<Answered>,
  ): void {
    const { method, path } = ENDPOINTS[call];

    async function settle(request: FastifyRequest, received: Received, body: Buffer): Promise<Answered> {
      const principal = await authenticate(received, call, (stringToSign, claimed) => {
        request.trace.stringToSign = keptStringToSign(stringToSign, body, claimed?.secret.expose() ?? null);
        if (claimed !== null) request.trace.keyId = claimed.keyId;
      });
      request.trace.keyId = principal.holder.keyId;
      if (principal.holder.projectId !== null) request.trace.projectId = principal.holder.projectId;
      const document = readDocument(body, fieldsOf[call], requiredOf[call], clock.now(), limits.bodyBytes);
      const answered = await answer(principal.holder, document, body, request);
      await principal.durable;
      return answered;
    }

    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
        request.trace.bodyBytes = body.length;
        const received = receivedOf(request, body);
        const met = faults.isEmpty || !(await through(() => isKnown(received))) ? null : faults.meet(call);
        if (met !== null) {
          request.trace.faults = met.ids;
          if (met.delayMs > 0) await closedOr(reply.raw, met.delayMs);
          // These come before anything is decided, from whatever stands in front of a service.
          if (met.effect?.do === "status" || met.effect?.do === "reset") {
            return sendFault(met.effect, request, reply);
          }
        }
        const answered = await through(() => settle(request, received, body));
        const effect = answered.effect ?? met?.effect ?? null;
        if (effect === null || effect.do === "latency") {
          // A text that is returned is sent; a reply that is returned is waited for once more.
          reply.header(HEADER.contentType, JSON_MEDIA_TYPE);
          return JSON.stringify(answered.body);
        }
        return sendFault(effect, request, reply, answered.body);
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
    const { decision } = request.trace;
    const headers = {
      ...commonHeaders(clock),
      ...(decision === undefined ? {} : { [HEADER.decision]: decision }),
    };
    await sendDeformed(effect, request, reply, headers, JSON.stringify(body));
    return reply;
  }

  route("register", async (holder, document) => ({
    body: await registration.register(holder.companyId, document as RegistrationRequest),
  }));
  route("credential", async (holder, document) => ({
    body: await registration.credential(holder.companyId, document as CredentialRequest),
  }));

  route("check", async (holder, document, body, request) => {
    const check = document as CheckRequest;
    const project = holder.projectId === null ? null : await state.projectById(holder.projectId);
    if (project === null) throw new Error("a project key without its project");
    const { projectId, riskLevel, currency } = project;
    const magic = options.magic ? magicOf(check.order_id) : null;
    if (magic !== null) request.trace.magic = magic.prefix;
    const effect = magic !== null && "effect" in magic ? magic.effect : undefined;
    if (effect?.do === "status") return { body: {}, effect };
    const now = clock.now();
    const facts = checkFacts({ request: check, project: { projectId, riskLevel, currency }, now }, options);
    const settled = await state.settle(
      { projectId, orderId: check.order_id ?? null, bodyDigest: hash("sha256", body, "base64url"), at: now },
      (counters) => {
        const ruleSet = rules.current;
        if (magic !== null && "recommendation" in magic) {
          const { record } = previewForRecord(ruleSet, facts, counters);
          return { record: forced(record, magic.recommendation, magic.prefix), ruleSet };
        }
        const { record, outcomes } = decideForRecord(ruleSet, facts, counters);
        rules.note(ruleSet, outcomes);
        return { record, ruleSet };
      },
    );
    const { trace } = request;
    trace.decision = settled.decisionId;
    trace.recommendation = settled.recommendation;
    trace.repeat = settled.repeat;
    const answer = { status: "success", code: settled.recommendation, message: settled.message };
    return effect === undefined ? { body: answer } : { body: answer, effect };
  });

  // One answer for both: what cannot write any more is helped by nothing but a new start.
  for (const path of ["/health", "/ready"]) {
    app.get(path, (_request, reply) => {
      if (state.isWritable()) return sendJson(reply, { status: "success" });
      throw new Refusal(
        "unavailable",
        "The sandbox could not write its state; see its log, then start it again.",
      );
    });
  }
  return app;
}

function callOf(request: FastifyRequest): Call | null {
  return CALLS.get(request.raw.url) ?? CALLS.get(request.routeOptions.url) ?? null;
}

function receivedOf(request: FastifyRequest, body: Buffer): Received {
  const { method = "", url = "", rawHeaders } = request.raw;
  return { method, path: url, headers: new HeaderTable(rawHeaders), body };
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.header(HEADER.contentType, JSON_MEDIA_TYPE).send(JSON.stringify(body));
}
