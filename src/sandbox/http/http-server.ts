// The HTTP server under both planes: limits, common headers, one shape of errors, one log line per request.

import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { REASONS, storageFault, systemCode } from "#src/storage/write-fault.ts";
import { acceptBodies } from "./body.ts";
import { guardConnections, type Connections } from "./connections.ts";
import { OutsideAnswers, UNREADABLE, type OutsideOptions } from "./outside-answers.ts";
import { Refusal } from "./refusal.ts";
import { keptPath } from "#src/sandbox/state/request-journal.ts";
import { RequestTrace, type ServedTenant } from "./request-trace.ts";
import type { TlsPair } from "./certificate.ts";

declare module "fastify" {
  interface FastifyRequest {
    trace: RequestTrace;
  }
  interface FastifyInstance {
    connections: Connections;
  }
}

export interface HttpServerOptions extends OutsideOptions {
  /** Plain HTTP when absent. */
  readonly tls?: TlsPair | undefined;
  /** While true, every request is answered 503 and its connection ends. */
  readonly isDraining: () => boolean;
  /** Runs when only the headers have been read; throws a Refusal, or rejects with one. */
  readonly admit?: (request: FastifyRequest) => Promise<void> | undefined;
}

/**
 * Requests are checked by the field tables of the contract. Without this Fastify loads its compilers for JSON schemas,
 * a tenth of the whole bundle, at each start; the build leaves them out.
 */
const noSchemas = (): never => {
  throw new Error("A route has a schema, and there is no compiler for it.");
};
const NO_SCHEMAS = { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } };

export function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.header(HEADER.contentType, JSON_MEDIA_TYPE).send(JSON.stringify(body));
}

/** A server without routes. Bodies arrive as a Buffer with the very bytes that were sent. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { limits, tenant, tls } = options;
  const outside = new OutsideAnswers(options);
  const http = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    // Checked below, so that the refusal has the service's own shape.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.max(50, Math.min(1000, limits.headersMs / 4)),
  };
  const app = fastify({
    http,
    ...(tls === undefined ? {} : { https: { ...http, ...tls, handshakeTimeout: limits.headersMs } }),
    requestTimeout: limits.requestMs,
    exposeHeadRoutes: false,
    schemaController: NO_SCHEMAS,
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    // An undecodable URL: Fastify runs no hooks for it.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      request.trace = traceOf(request, tenant);
      const refusal = new Refusal("not_found", "There is nothing at this address.");
      outside.noteEnd(request.trace, reply.raw);
      void answerRefusal(refusal, request, reply.headers(request.trace.headers(refusal.httpStatus)));
    },
    clientErrorHandler: (error, socket) => outside.broken(error, socket, connections.answerOn(socket)),
  });
  app.server.maxHeadersCount = 10 * limits.headerCount;
  const connections = guardConnections(app.server, limits.connections);
  app.decorate("connections", connections);
  app.server.on("connect", (request, socket: Socket) => outside.connect(request, socket));
  app.server.on("checkExpectation", (request, response) => outside.expectation(request, response));
  app.decorateRequest("trace");
  acceptBodies(app, limits.bodyBytes);
  addHooks(app, options, outside);
  return app;
}

/** What every request goes through before and after its route. */
function addHooks(app: FastifyInstance, options: HttpServerOptions, outside: OutsideAnswers): void {
  const { limits, tenant } = options;
  const methods = new Map<string, string[]>();

  app.addHook("onRoute", (route) => {
    methods.set(route.url, [...(methods.get(route.url) ?? []), ...[route.method].flat()]);
  });

  app.addHook("onRequest", (request, reply, done) => {
    request.trace = traceOf(request, tenant);
    outside.noteEnd(request.trace, reply.raw);
    if (options.isDraining()) {
      throw new Refusal("unavailable", "The sandbox is stopping; start it again and repeat the request.", {
        close: true,
        retryAfterS: 1,
      });
    }
    if (request.raw.rawHeaders.length / 2 > limits.headerCount) {
      throw new Refusal(
        "headers_too_large",
        `The request has more than ${limits.headerCount} headers; send fewer.`,
      );
    }
    refuseFraming(request.raw);
    if (request.is404) throw unknownAddress(request, methods);
    // Most need not wait, and waiting takes a part of each request.
    const admitted = options.admit?.(request);
    if (admitted === undefined) done();
    else void whenAdmitted(admitted, done);
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    reply.headers(request.trace.headers(reply.statusCode));
    if (options.isDraining()) reply.header("connection", "close");
    done(null, payload);
  });

  app.setErrorHandler((error: FastifyError | Refusal | Fault | Error, request, reply) =>
    answerRefusal(asRefusal(error), request, reply),
  );
  app.setNotFoundHandler((request) => {
    throw unknownAddress(request, methods);
  });
}

async function whenAdmitted(admitted: Promise<void>, done: (error?: Error) => void): Promise<void> {
  try {
    await admitted;
  } catch (error) {
    return done(error as Error);
  }
  done();
}

/**
 * What Node's parser accepts and RFC 9112 does not: other versions (section 2.3), no Host (3.2), and transfer codings
 * other than a single `chunked`, or any in HTTP/1.0 (6.1).
 */
function refuseFraming({ httpVersion, headers }: IncomingMessage): void {
  const coding = headers["transfer-encoding"];
  const known = httpVersion === "1.1" || (httpVersion === "1.0" && coding === undefined);
  if (known && (coding === undefined || coding.toLowerCase() === "chunked")) {
    if (headers.host !== undefined || httpVersion === "1.0") return;
    throw new Refusal("invalid_request", "The header Host is missing; send it.", { close: true });
  }
  throw new Refusal("invalid_request", UNREADABLE, { close: true });
}

function traceOf(request: FastifyRequest, tenant: ServedTenant): RequestTrace {
  return new RequestTrace(request.id, tenant, request.method, keptPath(request.raw.url));
}

function unknownAddress(request: FastifyRequest, methods: ReadonlyMap<string, string[]>): Refusal {
  const path = request.raw.url?.split("?", 1)[0] ?? "";
  const allowed = methods.get(path);
  return allowed === undefined
    ? new Refusal("not_found", "There is nothing at this address.")
    : new Refusal("method_not_allowed", `This address accepts only ${allowed.join(" and ")}.`, {
        allow: allowed.join(", "),
      });
}

/** What a caller is told of a state that cannot be written, or not in time. */
export const NOT_STORED = "The sandbox could not store what it must remember; this request decided nothing.";

function asRefusal(error: FastifyError | Refusal | Fault | Error): Refusal {
  if (error instanceof Refusal) return error;
  // Of the disk, where nothing has said which file.
  if (!(error instanceof Fault) && REASONS[systemCode(error) ?? ""] !== undefined) {
    return asRefusal(storageFault(error, "its state") as Fault);
  }
  if (error instanceof Fault && (error.code === "storage" || error.code === "corrupt")) {
    return new Refusal("unavailable", NOT_STORED, { reason: escapeText(error.message, 200) });
  }
  const status = "statusCode" in error ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) {
    return new Refusal("invalid_request", "The request cannot be read; check the client.", {
      reason: escapeText(error.message, 200),
    });
  }
  return new Refusal("internal_error", "The sandbox failed on this request; its log says where.", {
    reason: escapeText(`${error.name}: ${error.message}`, 200),
  });
}

function answerRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { entry } = request.trace;
  entry.error = refusal.slug;
  entry.reason = refusal.details.reason ?? entry.reason;
  return sendJson(reply.code(refusal.httpStatus).headers(refusal.headers), refusal.body(entry.request_id));
}
