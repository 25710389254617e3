// The service itself: the three calls of the spec, /health and /ready on one port.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { requiredPaths } from "#src/contract/fields/validate.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { ENDPOINTS, HEADER, PROBES, type Call } from "#src/contract/wire/wire.ts";
import { requireJsonBody } from "#src/sandbox/http/body.ts";
import { createHttpServer, sendJson } from "#src/sandbox/http/http-server.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { DISK_MS, Patience, WAIT_MS } from "#src/sandbox/state/patience.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import { CallRoute, createTenantService, type ServiceOptions, type TenantService } from "./call-route.ts";

/** Required fields of a check, which the spec leaves open; `--require` replaces them. */
export const REQUIRED_CHECK_FIELDS: readonly string[] = requiredPaths(CHECK_FIELDS);

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

/** The service, not listening yet. */
export function createService(options: ServiceOptions): FastifyInstance {
  const { tenants, limits } = options;
  const services = new WeakMap<Tenant, TenantService>();
  const app = createHttpServer({
    ...options,
    tenant: tenants.default,
    admit(request) {
      const call = callOf(request);
      if (call === null) return undefined;
      request.trace.entry.call = call;
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

  app
    .decorateRequest("service")
    .decorateRequest("patience")
    .decorateRequest("turn")
    .decorateRequest("mayBeDecided");
  for (const call of CALLS) {
    const { method, path } = ENDPOINTS[call];
    const route = new CallRoute(call, options);
    app.route({ method, url: path, handler: (request, reply) => route.answer(request, reply) });
  }
  for (const path of PROBES) {
    const handler = (_: FastifyRequest, reply: FastifyReply): FastifyReply => {
      requireHealth(path, options);
      return sendJson(reply, { status: "success" });
    };
    app.route({ method: ["GET", "HEAD"], url: path, handler });
  }
  return app;
}

/**
 * A state that cannot be written needs a restart, so liveness and readiness differ before an end alone, and where the
 * state is a server's, which no restart of a worker brings back.
 * @throws Refusal `unavailable`
 */
function requireHealth(
  path: (typeof PROBES)[number],
  { onServer, isLeaving, tenants }: ServiceOptions,
): void {
  if (path === "/ready" && isLeaving()) {
    throw new Refusal("unavailable", "The sandbox is about to stop; send requests to another one.", {
      retryAfterS: 1,
    });
  }
  if ((path === "/health" && onServer) || tenants.default.state.isWritable()) return;
  throw new Refusal(
    "unavailable",
    onServer
      ? "The server of the sandbox's state cannot be written; the sandbox continues when it can."
      : "The sandbox could not write its state; see its log, then start it again.",
  );
}

function callOf(request: FastifyRequest): Call | null {
  return CALL_OF.get(request.raw.url) ?? CALL_OF.get(request.routeOptions.url) ?? null;
}
