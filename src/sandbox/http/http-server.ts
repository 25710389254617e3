// The HTTP server under both planes: limits, common headers, one shape of errors, one log line per request.

import { randomUUID } from "node:crypto";
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
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
import { arrivedBody, readBody } from "./body.ts";
import { createBatchQueue } from "./request-batch.ts";
import { guardConnections, type Connections } from "./connections.ts";
import { Refusal } from "./refusal.ts";
import { keptPath } from "#src/sandbox/state/request-journal.ts";
import { logLine, RequestTrace, type ServedTenant } from "./request-trace.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxLog } from "#src/sandbox/state/sandbox-log.ts";
import type { TlsPair } from "./tls-files.ts";

declare module "fastify" {
  interface FastifyRequest {
    trace: RequestTrace;
  }
  interface FastifyInstance {
    connections: Connections;
  }
}

export interface HttpServerOptions {
  readonly limits: SandboxLimits;
  /** Plain HTTP when absent. */
  readonly tls?: TlsPair | undefined;
  /** Whom a request belongs to until `admit` finds another one. */
  readonly tenant: ServedTenant;
  readonly log: SandboxLog;
  /** While true, every request is answered 503 and its connection ends. */
  readonly isDraining: () => boolean;
  /** Runs when only the headers have been read; throws a Refusal, or rejects with one. */
  readonly admit?: (request: FastifyRequest) => Promise<void> | undefined;
}

/**
 * Requests are checked by the field tables of the contract. Without this Fastify loads its compilers for JSON schemas,
 * a tenth of the whole bundle, at each start; the build leaves them out.
 */
const NO_SCHEMAS = {
  compilersFactory: {
    buildValidator: () => noSchemas(),
    buildSerializer: () => noSchemas(),
  },
};

function noSchemas(): never {
  throw new Error("A route has a schema, and there is no compiler for it.");
}

const UNREADABLE = "The request is not valid HTTP/1.1; check the client.";

export function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.header(HEADER.contentType, JSON_MEDIA_TYPE).send(JSON.stringify(body));
}

/** A server without routes. Bodies arrive as a Buffer with the very bytes that were sent. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { limits, tenant, log, tls } = options;
  const methods = new Map<string, string[]>();

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
      noteEnd(request.trace, reply.raw);
      void answerRefusal(refusal, request, reply.headers(request.trace.headers(refusal.httpStatus)));
    },
    clientErrorHandler: (error, socket) => answerBroken(error, socket),
  });

  app.server.maxHeadersCount = 10 * limits.headerCount;
  const connections = guardConnections(app.server, limits.connections);
  app.decorate("connections", connections);
  app.server.on("connect", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => socket.destroy());
    const refusal = new Refusal(
      "method_not_allowed",
      "This service is not a proxy; send the request itself.",
      {
        allow: "GET, POST",
      },
    );
    answerOnSocket(refusal, new RequestTrace(randomUUID(), tenant, request.method ?? null, null), socket);
  });
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new Refusal(
      "invalid_request",
      "The expectation in the header Expect is not supported; send the request without it.",
    );
    const trace = new RequestTrace(randomUUID(), tenant, request.method ?? null, keptPath(request.url));
    trace.error = refusal.slug;
    noteEnd(trace, response);
    response.writeHead(refusal.httpStatus, rawHeaders(refusal, trace));
    response.end(JSON.stringify(refusal.body(trace.id)));
  });

  app.decorateRequest("trace");
  acceptBodies(app, limits.bodyBytes);

  app.addHook("onRoute", (route) => {
    methods.set(route.url, [...(methods.get(route.url) ?? []), ...[route.method].flat()]);
  });

  app.addHook("onRequest", (request, reply, done) => {
    request.trace = traceOf(request, tenant);
    noteEnd(request.trace, reply.raw);
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
    const admitted = options.admit?.(request);
    if (admitted === undefined) done();
    else void whenAdmitted(admitted, done);
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    reply.headers(request.trace.headers(reply.statusCode));
    if (options.isDraining()) reply.header("connection", "close");
    done(null, payload);
  });

  /** Logs a request once its answer is sent or its connection is gone. */
  function noteEnd(trace: RequestTrace, response: ServerResponse): void {
    response.on("close", () => note(trace, response.headersSent ? response.statusCode : null));
  }

  function note(trace: RequestTrace, status: number | null): void {
    const entry = trace.entry(status);
    log(logLine(entry, trace.tenant));
    trace.tenant.journal?.write(entry);
  }

  app.setErrorHandler((error: FastifyError | Refusal | Fault | Error, request, reply) =>
    answerRefusal(asRefusal(error), request, reply),
  );
  app.setNotFoundHandler((request) => {
    throw unknownAddress(request, methods);
  });

  /** A request that Node could not parse: malformed, too slow, or with too large headers. */
  function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
    // Without a common TLS there is no way to say anything.
    const isUnheard = /^(?:ECONNRESET|EPROTO|ERR_(?:SSL|TLS)_.*)$/.test(error.code ?? "");
    if (!socket.writable || isUnheard || connections.answerOn(socket)?.headersSent) {
      socket.destroy();
      return;
    }
    answerOnSocket(
      brokenRequest(error.code, limits),
      new RequestTrace(randomUUID(), tenant, null, null),
      socket,
    );
  }

  /** Writes to the socket, as there is no request object to answer. */
  function answerOnSocket(refusal: Refusal, trace: RequestTrace, socket: Socket): void {
    trace.error = refusal.slug;
    const body = JSON.stringify(refusal.body(trace.id));
    const lines = Object.entries({
      ...rawHeaders(refusal, trace),
      date: new Date(trace.tenant.clock.realNow()).toUTCString(),
      "content-length": String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = `HTTP/1.1 ${refusal.httpStatus} ${STATUS_CODES[refusal.httpStatus]}`;
    socket.end(`${status}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
    note(trace, refusal.httpStatus);
  }

  return app;
}

/** Reads bodies as they are, of every media type. */
function acceptBodies(app: FastifyInstance, bodyBytes: number): void {
  app.removeAllContentTypeParsers();
  const inBatch = createBatchQueue();
  // Also by name: Fastify searches for a parser that is found by "*" at every request.
  app.addContentTypeParser([JSON_MEDIA_TYPE, "*"], (_request, payload: IncomingMessage, done) => {
    const late = (body: Buffer): void => inBatch(() => done(null, body));
    inBatch(() => {
      const body = arrivedBody(payload, bodyBytes);
      if (body === null) readBody(payload, bodyBytes).then(late, done);
      else done(null, body);
    });
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

function brokenRequest(code: string | undefined, limits: SandboxLimits): Refusal {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Refusal("request_timeout", "The request took too long to arrive; send it again.");
    case "HPE_HEADER_OVERFLOW":
      return new Refusal(
        "headers_too_large",
        `The headers are larger than ${limits.headerBytes} bytes; send less.`,
      );
    default:
      return new Refusal("invalid_request", UNREADABLE);
  }
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

function asRefusal(error: FastifyError | Refusal | Fault | Error): Refusal {
  if (error instanceof Refusal) return error;
  // Of the disk, where nothing has said which file.
  if (!(error instanceof Fault) && REASONS[systemCode(error) ?? ""] !== undefined) {
    return asRefusal(storageFault(error, "its state") as Fault);
  }
  if (error instanceof Fault && (error.code === "storage" || error.code === "corrupt")) {
    return new Refusal(
      "unavailable",
      "The sandbox could not store what it must remember; nothing was decided.",
      {
        reason: escapeText(error.message, 200),
      },
    );
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
  request.trace.error = refusal.slug;
  if (refusal.details.reason !== undefined) request.trace.reason = refusal.details.reason;
  return sendJson(reply.code(refusal.httpStatus).headers(refusal.headers), refusal.body(request.trace.id));
}

/** Headers of a refusal that bypasses Fastify. */
function rawHeaders(refusal: Refusal, trace: RequestTrace): Record<string, string> {
  return {
    ...trace.headers(refusal.httpStatus),
    [HEADER.contentType]: JSON_MEDIA_TYPE,
    ...refusal.headers,
    connection: "close",
  };
}
