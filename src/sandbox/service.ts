// The service itself: the three calls of the spec on one port, and the two questions of whoever watches over it.

import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CHECK_FIELDS } from "#src/contract/check-fields.ts";
import { CREDENTIAL_FIELDS } from "#src/contract/credential-fields.ts";
import type { Field } from "#src/contract/field.ts";
import { REGISTRATION_FIELDS } from "#src/contract/registration-fields.ts";
import {
  ENDPOINTS,
  HEADER,
  JSON_MEDIA_TYPE,
  type Call,
  type CheckRequest,
  type CredentialRequest,
  type RegistrationRequest,
} from "#src/contract/wire.ts";
import { decide } from "#src/rules/decide.ts";
import type { RuleSet } from "#src/rules/rule-set.ts";
import type { Recipe } from "#src/signing/recipe.ts";
import type { Received } from "#src/signing/verify.ts";
import { createAuthenticator } from "./authenticate.ts";
import { requireJsonBody } from "./body.ts";
import { createHttpServer } from "./http-server.ts";
import type { Issuer } from "./issuer.ts";
import { Refusal } from "./refusal.ts";
import { createRegistration } from "./registration.ts";
import { readDocument } from "./request-document.ts";
import type { SandboxClock } from "./sandbox-clock.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import type { SandboxLog } from "./sandbox-log.ts";
import type { KeyHolder, SandboxState } from "./sandbox-state.ts";

/** What a check must have where the spec does not say; `--require` replaces it. */
const REQUIRED_CHECK_FIELDS: readonly string[] = ["operation", "order_id", "amount", "currency"];

export interface ServiceOptions {
  readonly state: SandboxState;
  readonly clock: SandboxClock;
  readonly issuer: Issuer;
  readonly recipe: Recipe;
  readonly ruleSet: RuleSet;
  readonly limits: SandboxLimits;
  readonly instance: string;
  readonly log: SandboxLog;
  readonly isDraining: () => boolean;
  readonly credentialDelayS: number;
  readonly credentialUnsigned: boolean;
  /** Dotted paths; empty for REQUIRED_CHECK_FIELDS. */
  readonly require: readonly string[];
}

/** The service, not listening yet. */
export function createService(options: ServiceOptions): FastifyInstance {
  const { state, clock, ruleSet, limits } = options;
  const authenticate = createAuthenticator(options);
  const registration = createRegistration(options);
  const requiredOf: Readonly<Record<Call, readonly string[]>> = {
    check: options.require.length > 0 ? options.require : REQUIRED_CHECK_FIELDS,
    register: requiredPaths(REGISTRATION_FIELDS),
    credential: requiredPaths(CREDENTIAL_FIELDS),
  };
  const fieldsOf: Readonly<Record<Call, readonly Field[]>> = {
    check: CHECK_FIELDS,
    register: REGISTRATION_FIELDS,
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

  /** A call: authenticated, read, answered; its signature is durable before the answer leaves. */
  function route(
    call: Call,
    answer: (holder: KeyHolder, document: unknown, body: Buffer, request: FastifyRequest) => Promise<object>,
  ): void {
    const { method, path } = ENDPOINTS[call];
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
        const principal = await authenticate(receivedOf(request, body), call);
        request.trace.keyId = principal.holder.keyId;
        const document = readDocument(body, fieldsOf[call], requiredOf[call], clock.now(), limits.bodyBytes);
        const [result] = await Promise.all([
          answer(principal.holder, document, body, request),
          principal.durable,
        ]);
        return sendJson(reply, result);
      },
    });
  }

  route("register", (holder, document) =>
    registration.register(holder.companyId, document as RegistrationRequest),
  );
  route("credential", (holder, document) =>
    registration.credential(holder.companyId, document as CredentialRequest),
  );

  route("check", async (holder, document, body, request) => {
    const check = document as CheckRequest;
    const project = holder.projectId === null ? null : await state.projectById(holder.projectId);
    if (project === null) throw new Error("a project key without its project");
    const { projectId, riskLevel, currency } = project;
    const now = clock.now();
    const settled = await state.settle(
      { projectId, orderId: check.order_id ?? null, bodyDigest: hash("sha256", body, "base64url"), at: now },
      (counters) =>
        decide(ruleSet, { request: check, project: { projectId, riskLevel, currency }, now }, counters),
    );
    Object.assign(request.trace, {
      decision: settled.decisionId,
      recommendation: settled.recommendation,
      repeat: settled.repeat,
    });
    return { status: "success", code: settled.recommendation, message: settled.message };
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    if (request.trace.decision !== undefined && reply.statusCode === 200) {
      reply.header(HEADER.decision, request.trace.decision);
    }
    done(null, payload);
  });

  app.get("/health", (_request, reply) => sendJson(reply, { status: "success" }));
  app.get("/ready", (_request, reply) => {
    if (!state.isWritable()) {
      throw new Refusal(
        "unavailable",
        "The sandbox could not write its state; see its log, then start it again.",
      );
    }
    return sendJson(reply, { status: "success" });
  });
  return app;
}

function callOf(request: FastifyRequest): Call | null {
  const path = request.routeOptions.url;
  for (const call of ["check", "register", "credential"] as const)
    if (ENDPOINTS[call].path === path) return call;
  return null;
}

function requiredPaths(fields: readonly Field[]): readonly string[] {
  return fields.filter((field) => field.required).map((field) => field.path);
}

function receivedOf(request: FastifyRequest, body: Buffer): Received {
  const raw = request.raw.rawHeaders;
  const headers: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) headers.push([raw[at]!, raw[at + 1]!]);
  return { method: request.raw.method ?? "", path: request.raw.url ?? "", headers, body };
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.header(HEADER.contentType, JSON_MEDIA_TYPE).send(JSON.stringify(body));
}
