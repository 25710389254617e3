// Reading and answering JSON on the administrative plane, and its proof.

import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import { Fault } from "#src/contract/fault.ts";
import { hasMoreTokens } from "#src/contract/text/yaml-source.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { RULE_FILE_LIMIT } from "#src/rules/rule-file/rule-file.ts";
import { parseBody } from "#src/sandbox/http/body.ts";
import { sendJson } from "#src/sandbox/http/http-server.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import type { MaybePromise } from "#src/sandbox/state/turns.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { CHALLENGE, type ProofKey, sandboxProof } from "#src/signing/sandbox-proof.ts";

/** Limit of a body: large enough for a rule file as JSON, with escapes and letters of two or three bytes. */
export const ADMIN_BODY_BYTES = 4 * RULE_FILE_LIMIT;

/** Three times the starter rules. */
const TENANT_RULES_LIMIT = 128 * 1024;
/** Two and a half times the starter rules, or some 2,000 entries of lists: read in some 60 ms. Twelve times as many fit into the characters. */
export const TENANT_RULES_TOKENS = 30_000;

export type AdminRequest = FastifyRequest<{
  Params: Readonly<Record<string, string>>;
  Querystring: Readonly<Record<string, unknown>>;
}>;

/** What is answered, by method and path: `GET /_sandbox/status`. Faults are answered as refusals with their sentence. */
export type AdminRoutes = Readonly<Record<string, (request: AdminRequest) => MaybePromise<object>>>;

export const DONE = { status: "success" } as const;

export function addRoutes(app: FastifyInstance, routes: AdminRoutes): void {
  for (const [route, answer] of Object.entries(routes)) {
    const [method, url] = route.split(" ") as [HTTPMethods, string];
    app.route({
      method,
      url,
      async handler(request, reply) {
        try {
          return sendJson(reply, await answer(request as AdminRequest));
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          const isOurs = error.code === "storage" || error.code === "corrupt";
          throw isOurs ? new Refusal("unavailable", error.message) : wrongRequest(error.message);
        }
      },
    });
  }
}

/**
 * The body as an object; anything else counts as an empty one.
 * @throws Refusal `invalid_json`
 */
export function readObject(request: Pick<FastifyRequest, "body">): Record<string, unknown> {
  const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  const { value } = parseBody(body, { maxBytes: ADMIN_BODY_BYTES });
  return (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
}

export function wrongRequest(message: string): Refusal {
  return new Refusal("invalid_request", message);
}

/**
 * For a tenant beside others, who wait while its rules are read.
 * @throws Refusal `invalid_request`
 */
export function requireTenantRules(text: string): void {
  if (text.length <= TENANT_RULES_LIMIT && !hasMoreTokens(text, TENANT_RULES_TOKENS)) return;
  throw wrongRequest(
    `The rules of a tenant have at most ${TENANT_RULES_LIMIT} characters and ${TENANT_RULES_TOKENS} tokens of YAML; take out what is old, or give them to a sandbox of its own.`,
  );
}

/** Route by which either plane proves to a client that it serves the state directory the client has read. */
export function addProofRoute(app: FastifyInstance, key: ProofKey): void {
  app.get(ADMIN.proof, (request, reply) => {
    const challenge = request.headers[HEADER.challenge];
    const port = request.socket.localPort;
    if (typeof challenge !== "string" || !CHALLENGE.test(challenge) || port === undefined) {
      throw wrongRequest(`The header ${HEADER.challenge} must hold 32 bytes in base64url.`);
    }
    return reply
      .code(204)
      .header(HEADER.proof, sandboxProof(key, port, challenge))
      .send();
  });
}
