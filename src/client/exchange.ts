// Sends one HTTP request and reads the raw answer.

import type { SecureContext } from "node:tls";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { BODY_LIMIT_BYTES, OLDEST_TLS } from "#src/contract/wire/wire.ts";
import { readingStatusLines } from "./status-line.ts";

export interface Outgoing {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** An answer whose status line and headers are complete. */
export interface Answer {
  readonly status: number;
  /** every header line; names in lower case, values as Latin-1 */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /**
   * - `complete`: as long as announced
   * - `unframed`: no announced length, so that only the closed connection ended it
   * - `too_large`: reading stopped at the limit
   */
  readonly ending: "complete" | "unframed" | "too_large";
}

export type Exchange =
  | { readonly kind: "answer"; readonly answer: Answer; readonly latencyMs: number }
  | {
      readonly kind: "failure";
      /** False: not one byte of the request was written. */
      readonly written: boolean;
      /** True once status line and headers had arrived. */
      readonly answering: boolean;
      readonly cause: unknown;
      readonly latencyMs: number | null;
    };

export interface ConnectionLimits {
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /**
   * True: a connection for each request. On a reused one, an unsolicited answer that arrives after the next request was
   * written is indistinguishable from that request's answer (RFC 9112 section 9.2).
   */
  readonly freshConnections: boolean;
}

/** undici options of every request to the service, direct or through a proxy. */
export function requestOptions({ headersTimeoutMs, freshConnections }: ConnectionLimits) {
  return {
    allowH2: false,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: 0,
    pipelining: freshConnections ? 0 : 1,
  };
}

/** @param secureContext authorities that are trusted; null for the default ones */
export function tlsOptions(secureContext: SecureContext | null) {
  const trust = secureContext === null ? ({ minVersion: OLDEST_TLS } as const) : { secureContext };
  return { rejectUnauthorized: true, allowH2: false, ...trust };
}

/**
 * Connections that always check certificates, and never follow redirects, decompress, pipeline or retry.
 * @param secureContext authorities that are trusted; null for the default ones
 * @param connect replaces the default connector
 */
export function openAgent(
  limits: ConnectionLimits,
  secureContext: SecureContext | null = null,
  connect?: buildConnector.connector,
): Agent {
  return new Agent({
    ...requestOptions(limits),
    connect: readingStatusLines(
      connect ?? buildConnector({ ...tlsOptions(secureContext), timeout: limits.connectTimeoutMs }),
    ),
  });
}

/**
 * Sends one request and reads one answer. Never rejects.
 * `onRequestStart` runs synchronously before the first byte is handed to a connected socket, and an abort in it
 * prevents the write, so `written` can err only towards true.
 * @param signal ends the exchange at once; its reason becomes the failure's cause
 * @param onFirstByte called just before the first byte
 */
export function exchange(
  dispatcher: Dispatcher,
  outgoing: Outgoing,
  signal: AbortSignal,
  onFirstByte: () => void,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let startedAt: number | null = null;
    let status: number | null = null;
    let headers: (readonly [string, string])[] = [];
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;

    const latency = (): number | null => (startedAt === null ? null : performance.now() - startedAt);
    const settle = (result: Exchange): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener("abort", abort);
      resolve(result);
    };
    const fail = (cause: unknown): void => {
      const written = startedAt !== null;
      settle({ kind: "failure", written, answering: status !== null, cause, latencyMs: latency() });
    };
    const finish = (ending: Answer["ending"]): void => {
      const answer = { status: status!, headers, body: Buffer.concat(chunks), ending };
      settle({ kind: "answer", answer, latencyMs: latency()! });
    };
    const stop = (): void => controller?.abort(new Error("cancelled"));
    const abort = (): void => {
      fail(signal.reason);
      stop();
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        // A second start would send the same signed bytes again.
        if (settled || startedAt !== null) {
          started.abort(new Error("cancelled"));
          return;
        }
        controller = started;
        onFirstByte();
        startedAt = performance.now();
      },
      onResponseStart(running, statusCode) {
        status = statusCode;
        headers = headerLines(running.rawHeaders);
      },
      onResponseData(_, chunk) {
        if (settled) return;
        size += chunk.length;
        if (size <= BODY_LIMIT_BYTES) {
          chunks.push(chunk);
          return;
        }
        finish("too_large");
        stop();
      },
      onResponseEnd() {
        finish(isFramed(status!, headers) ? "complete" : "unframed");
      },
      onResponseError(_, error) {
        fail(error);
      },
    };

    if (signal.aborted) return fail(signal.reason);
    signal.addEventListener("abort", abort);
    try {
      dispatcher.dispatch(
        {
          origin: outgoing.url.origin,
          path: outgoing.url.pathname + outgoing.url.search,
          method: outgoing.method,
          headers: { ...outgoing.headers },
          body: outgoing.body,
        },
        handler,
      );
    } catch (error) {
      fail(error);
    }
  });
}

/** Names in lower case with their values, in their order. */
export function headerLines(
  raw: Dispatcher.DispatchController["rawHeaders"] | readonly string[],
): (readonly [string, string])[] {
  if (!Array.isArray(raw)) return [];
  const text = (part: Buffer | string): string => (typeof part === "string" ? part : part.toString("latin1"));
  const lines: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    lines.push([text(raw[index]!).toLowerCase(), text(raw[index + 1]!)]);
  }
  return lines;
}

/** Whether the end of the body was announced, RFC 9112 section 6.3. */
export function isFramed(status: number, headers: readonly (readonly [string, string])[]): boolean {
  if (status === 204 || status === 304) return true;
  const value = (wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1];
  const coding = value("transfer-encoding");
  return coding === undefined ? value("content-length") !== undefined : coding.toLowerCase() === "chunked";
}
