// The HTTP floor of both planes: limits, headers of every answer, one shape of errors, one log line a request.

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
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import type { SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import { arrivedBody, readBody } from "./body.ts";
import { createGathering } from "./cohorts.ts";
import { guardConnections, type Connections } from "./connections.ts";
import { Refusal } from "./refusal.ts";
import { keptPath } from "./request-journal.ts";
import { journalEntry, logLine, newTrace, type NewJournalEntry, type RequestTrace } from "./request-trace.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import type { SandboxLog } from "./sandbox-log.ts";

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
  readonly clock: SandboxClock;
  readonly log: SandboxLog;
  /** Told of every request once it is over; absent for a plane whose requests are nobody's business. */
  readonly journal?: (entry: NewJournalEntry) => void;
  /** While true, every request is answered 503 and its connection ends. */
  readonly isDraining: () => boolean;
  /** Runs before anything of a request is looked at but its headers; throws a Refusal. */
  readonly admit?: (request: FastifyRequest) => void;
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

const UNREADABLE = "The request is not HTTP/1.1 that can be read; check what sends it.";

/** Headers of every answer, also of those that are written past Fastify. */
export function commonHeaders(clock: SandboxClock): Record<string, string> {
  return {
    [HEADER.sandbox]: "1",
    [HEADER.virtualTime]: new Date(clock.now()).toISOString(),
  };
}

/** A server without routes. Bodies arrive as a Buffer with the very bytes that were sent. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { limits, clock, log, journal } = options;
  const methods = new Map<string, string[]>();

  const answerHeaders = (): Record<string, string> => commonHeaders(clock);

  const app = fastify({
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      // Looked at below: Node's own answer would be none of the service's.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.max(50, Math.min(1000, limits.headersMs / 4)),
    },
    requestTimeout: limits.requestMs,
    exposeHeadRoutes: false,
    schemaController: NO_SCHEMAS,
    return503OnClosing: false,
    // In one piece: two lines of JSON are made of it, which takes twice as long with texts that were added up.
    genReqId: () => randomUUID().split("-").join("-"),
    // An address that cannot be decoded: no hook runs for it.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      request.trace = traceOf(request);
      const refusal = new Refusal("not_found", "There is nothing at this address.");
      noteEnd(request.trace, reply.raw);
      void answerRefusal(refusal, request, reply.headers(answerHeaders()));
    },
    clientErrorHandler: (error, socket) => answerBroken(error, socket),
  });

  app.server.maxHeadersCount = 10 * limits.headerCount;
  const connections = guardConnections(app.server, limits.connections);
  app.decorate("connections", connections);
  app.server.on("connect", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => socket.destroy());
    const refusal = new Refusal("method_not_allowed", "This is no proxy; send the request itself.", {
      allow: "GET, POST",
    });
    answerOnSocket(refusal, newTrace(randomUUID(), request.method ?? null, null), socket);
  });
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new Refusal(
      "invalid_request",
      "The header Expect asks for something that is not offered.",
    );
    const trace = newTrace(randomUUID(), request.method ?? null, keptPath(request.url));
    trace.error = refusal.slug;
    noteEnd(trace, response);
    response.writeHead(refusal.httpStatus, rawHeaders(refusal));
    response.end(JSON.stringify(refusal.body(trace.id)));
  });

  app.decorateRequest("trace");
  app.removeAllContentTypeParsers();
  const gathered = createGathering();
  // By its name, too: what is found by "*" alone is searched for anew with every request.
  app.addContentTypeParser([JSON_MEDIA_TYPE, "*"], (_request, payload: IncomingMessage, done) => {
    const late = (body: Buffer): void => gathered(() => done(null, body));
    gathered(() => {
      const body = arrivedBody(payload, limits.bodyBytes);
      if (body === null) readBody(payload, limits.bodyBytes).then(late, done);
      else done(null, body);
    });
  });

  app.addHook("onRoute", (route) => {
    methods.set(route.url, [...(methods.get(route.url) ?? []), ...[route.method].flat()]);
  });

  app.addHook("onRequest", (request, reply, done) => {
    request.trace = traceOf(request);
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
    if (request.is404) throw unknownAddress(request);
    options.admit?.(request);
    done();
  });

  const realTime = timeTexts();
  const virtualTime = timeTexts();

  app.addHook("onSend", (request, reply, payload, done) => {
    reply.header(HEADER.sandbox, "1").header(HEADER.virtualTime, virtualTime(clock.now()));
    const { decision } = request.trace;
    if (decision !== undefined && reply.statusCode === 200) reply.header(HEADER.decision, decision);
    if (options.isDraining()) reply.header("connection", "close");
    done(null, payload);
  });

  /** Writes what is left of a request: once its answer is out, or its connection gone. */
  function noteEnd(trace: RequestTrace, response: ServerResponse): void {
    response.on("close", () => note(trace, response.headersSent ? response.statusCode : null));
  }

  function note(trace: RequestTrace, status: number | null): void {
    const at = realTime(clock.realNow());
    log(logLine(trace, status, at));
    journal?.(journalEntry(trace, status, at, virtualTime(clock.now())));
  }

  app.setErrorHandler((error: FastifyError | Refusal | Fault | Error, request, reply) =>
    answerRefusal(asRefusal(error), request, reply),
  );
  app.setNotFoundHandler((request) => {
    throw unknownAddress(request);
  });

  function unknownAddress(request: FastifyRequest): Refusal {
    const path = request.raw.url?.split("?", 1)[0] ?? "";
    const allowed = methods.get(path);
    return allowed === undefined
      ? new Refusal("not_found", "There is nothing at this address.")
      : new Refusal("method_not_allowed", `This address answers to ${allowed.join(" and ")} alone.`, {
          allow: allowed.join(", "),
        });
  }

  function answerRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    request.trace.error = refusal.slug;
    if (refusal.details.reason !== undefined) request.trace.reason = refusal.details.reason;
    return reply
      .code(refusal.httpStatus)
      .headers({ ...refusal.headers, [HEADER.contentType]: JSON_MEDIA_TYPE })
      .send(JSON.stringify(refusal.body(request.trace.id)));
  }

  function rawHeaders(refusal: Refusal): Record<string, string> {
    return {
      ...answerHeaders(),
      [HEADER.contentType]: JSON_MEDIA_TYPE,
      ...refusal.headers,
      connection: "close",
    };
  }

  /** A request that never became one: unreadable, too slow, headers too large. */
  function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!socket.writable || error.code === "ECONNRESET" || connections.answerOn(socket)?.headersSent) {
      socket.destroy();
      return;
    }
    answerOnSocket(brokenRequest(error.code, limits), newTrace(randomUUID(), null, null), socket);
  }

  /** Past Node's HTTP, where there is no request to answer. */
  function answerOnSocket(refusal: Refusal, trace: RequestTrace, socket: Socket): void {
    trace.error = refusal.slug;
    const body = JSON.stringify(refusal.body(trace.id));
    const lines = Object.entries({
      ...rawHeaders(refusal),
      date: new Date(clock.realNow()).toUTCString(),
      "content-length": String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = `HTTP/1.1 ${refusal.httpStatus} ${STATUS_CODES[refusal.httpStatus]}`;
    socket.end(`${status}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
    note(trace, refusal.httpStatus);
  }

  return app;
}

/** Times in ISO 8601, of which many in a row are the same. */
function timeTexts(): (at: Milliseconds) => string {
  let last = Number.NaN;
  let text = "";
  return (at) => {
    if (at !== last) {
      text = new Date(at).toISOString();
      last = at;
    }
    return text;
  };
}

/**
 * What Node's parser lets pass and RFC 9112 does not: other versions (section 2.3), no Host (3.2), and transfer codings
 * besides or before `chunked`, or in HTTP/1.0 (6.1).
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

function traceOf(request: FastifyRequest): RequestTrace {
  return newTrace(request.id, request.method, keptPath(request.raw.url));
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

function asRefusal(error: FastifyError | Refusal | Fault | Error): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Fault && error.code === "storage") {
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
    return new Refusal("invalid_request", "The request cannot be read; check what sends it.", {
      reason: escapeText(error.message, 200),
    });
  }
  return new Refusal("internal_error", "The sandbox failed on this request; its log says where.", {
    reason: escapeText(`${error.name}: ${error.message}`, 200),
  });
}
