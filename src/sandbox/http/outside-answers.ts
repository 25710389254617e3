// Answers to requests that never reach a route, and the record of the end of every request.

import { randomUUID } from "node:crypto";
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { keptPath } from "#src/sandbox/state/request-journal.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxLog } from "#src/sandbox/state/sandbox-log.ts";
import { Refusal } from "./refusal.ts";
import { logLine, RequestTrace, type ServedTenant } from "./request-trace.ts";

export const UNREADABLE = "The request is not valid HTTP/1.1; check the client.";

export interface OutsideOptions {
  readonly limits: SandboxLimits;
  /** Whom a request belongs to until another one is found. */
  readonly tenant: ServedTenant;
  readonly log: SandboxLog;
}

export class OutsideAnswers {
  readonly #options: OutsideOptions;

  constructor(options: OutsideOptions) {
    this.#options = options;
  }

  /** Logs a request once its answer is sent or its connection is gone. */
  noteEnd(trace: RequestTrace, response: ServerResponse): void {
    response.on("close", () => this.#note(trace, response.headersSent ? response.statusCode : null));
  }

  /** A request to a proxy, which has no response object. */
  connect({ method }: IncomingMessage, socket: Socket): void {
    socket.on("error", () => socket.destroy());
    const sentence = "This service is not a proxy; send the request itself.";
    const refusal = new Refusal("method_not_allowed", sentence, { allow: "GET, POST" });
    this.#answerOnSocket(refusal, this.#traceOf(method, null), socket);
  }

  /** One with an expectation other than `100-continue` (RFC 9110 section 10.1.1). */
  expectation({ method, url }: IncomingMessage, response: ServerResponse): void {
    const refusal = new Refusal(
      "invalid_request",
      "The expectation in the header Expect is not supported; send the request without it.",
    );
    const trace = this.#traceOf(method, keptPath(url));
    trace.entry.error = refusal.slug;
    this.noteEnd(trace, response);
    response.writeHead(refusal.httpStatus, rawHeaders(refusal, trace));
    response.end(JSON.stringify(refusal.body(trace.entry.request_id)));
  }

  /**
   * One that Node could not parse: malformed, too slow, or with too large headers.
   * @param answer that is being sent on its connection
   */
  broken(error: NodeJS.ErrnoException, socket: Socket, answer: ServerResponse | undefined): void {
    // Without a common TLS there is no way to say anything.
    const isUnheard = /^(?:ECONNRESET|EPROTO|ERR_(?:SSL|TLS)_.*)$/.test(error.code ?? "");
    if (!socket.writable || isUnheard || answer?.headersSent) socket.destroy();
    else
      this.#answerOnSocket(
        brokenRequest(error.code, this.#options.limits),
        this.#traceOf(undefined, null),
        socket,
      );
  }

  #traceOf(method: string | undefined, path: string | null): RequestTrace {
    return new RequestTrace(randomUUID(), this.#options.tenant, method ?? null, path);
  }

  #note(trace: RequestTrace, status: number | null): void {
    const entry = trace.end(status);
    this.#options.log(logLine(entry, trace.tenant));
    trace.tenant.journal?.write(entry);
  }

  /** Writes to the socket, as there is no request object to answer. */
  #answerOnSocket(refusal: Refusal, trace: RequestTrace, socket: Socket): void {
    trace.entry.error = refusal.slug;
    const body = JSON.stringify(refusal.body(trace.entry.request_id));
    const lines = Object.entries({
      ...rawHeaders(refusal, trace),
      date: new Date(trace.tenant.clock.realNow()).toUTCString(),
      "content-length": String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = `HTTP/1.1 ${refusal.httpStatus} ${STATUS_CODES[refusal.httpStatus]}`;
    socket.end(`${status}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
    this.#note(trace, refusal.httpStatus);
  }
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

/** Headers of a refusal that bypasses Fastify. */
function rawHeaders(refusal: Refusal, trace: RequestTrace): Record<string, string> {
  return {
    ...trace.headers(refusal.httpStatus),
    [HEADER.contentType]: JSON_MEDIA_TYPE,
    ...refusal.headers,
    connection: "close",
  };
}
