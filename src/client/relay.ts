// Relays calls of an integration to its service, and shows each check with its answer once that has ended.

import { once } from "node:events";
import * as plain from "node:http";
import * as secure from "node:https";
import type { AddressInfo } from "node:net";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { isLoopbackHost } from "#src/contract/wire/service-url.ts";
import { BODY_LIMIT_BYTES, type Call, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { TLS_CHECK_OFF } from "./address.ts";
import { type Answer, type Exchange, headerLines, isFramed, tlsOptions } from "./exchange.ts";
import { CANCELLED } from "./failure.ts";
import { proxyFor } from "./proxy.ts";
import type { NetworkSettings } from "./routes.ts";
import { UnreadableAnswer } from "./status-line.ts";

const MOST_CONNECTIONS = 512;
const CONNECT_MS: Milliseconds = 5_000;
/** Below the 5 s after which many servers close an idle connection. */
const IDLE_MS: Milliseconds = 4_000;
const SWEEP_MS: Milliseconds = 50;
/** Headers of one connection (RFC 9110 section 7.6.1). */
const OF_CONNECTION = ["connection", "keep-alive", "proxy-connection", "te", "upgrade"];
/** Headers that no connection may take away, because they tell where a message ends and whose it is. */
const OF_MESSAGE = ["host", "content-length", "transfer-encoding", "authorization"];
const NOTHING = (): null => null;
const UNREADABLE = "the answer was not HTTP that can be read";

export interface Endpoint {
  readonly call: Call;
  readonly url: URL;
}

/** A check that was forwarded. */
export interface SeenCheck {
  readonly at: Milliseconds;
  /** Null for one larger than the limit of the service. */
  readonly body: Buffer | null;
  readonly exchange: Exchange;
}

/** A request that the relay answered itself. */
export interface NotForwarded {
  readonly status: number;
  /** Continues "the request"; untrusted text in it is escaped. */
  readonly why: string;
}

export interface RelayOptions {
  readonly host: string;
  readonly port: number;
  readonly endpoints: readonly Endpoint[];
  readonly network: NetworkSettings;
  now(): Milliseconds;
  onCheck(seen: SeenCheck): void;
  /** Another call of the service was forwarded; nothing of it is kept. */
  onOther(): void;
  onNotForwarded(what: NotForwarded): void;
}

export interface Relay {
  readonly port: number;
  /** Accepts nothing more, waits for running calls at most so long, and closes all connections. */
  end(waitMs: Milliseconds): Promise<void>;
}

type Open = (words: plain.RequestOptions) => plain.ClientRequest;

/**
 * Lines of headers, targets and bodies go on as they arrive; the connections of both sides are independent.
 * @throws Fault("not_sent") for what a client would not send through, Fault("bad_input") for a wrong authority file, and Node's
 * error where it cannot listen
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const ways = await Promise.all(
    options.endpoints.map(async (endpoint) => ({ ...endpoint, open: await wayTo(endpoint.url, options) })),
  );
  const known = ways.map(({ url }) => url.pathname).join(", ");

  function relayOne(request: plain.IncomingMessage, response: plain.ServerResponse): void {
    const what = endpointOf(request);
    if ("status" in what) refuse(response, what);
    else forward(request, response, what);
  }

  function endpointOf({
    url: target = "",
    headers,
  }: plain.IncomingMessage): (typeof ways)[number] | NotForwarded {
    const [path = ""] = target.split("?", 1);
    const endpoint = ways.find(({ url }) => url.pathname === path);
    // A whole address may hold a password, a query anything, and a path the number of a card.
    const isShown = path.startsWith("/") && findCardData(path) === null;
    const shown = isShown ? escapeText(path, 80) : "another address";
    if (endpoint === undefined)
      return { status: 404, why: `is for ${shown}, which is not an endpoint of the profile (${known})` };
    const { url } = endpoint;
    const host = (headers.host ?? "").toLowerCase();
    if (isOwnHost(host) || host === url.host || host === `${url.hostname}:443`) return endpoint;
    return { status: 421, why: `has a Host header that names neither this machine nor ${url.host}` };
  }

  function refuse(response: plain.ServerResponse, what: NotForwarded): void {
    options.onNotForwarded(what);
    response.shouldKeepAlive = false;
    response.writeHead(what.status, { "content-type": JSON_MEDIA_TYPE }).end(bodyOf(what));
  }

  function forward(
    request: plain.IncomingMessage,
    response: plain.ServerResponse,
    { call, url, open }: (typeof ways)[number],
  ): void {
    const isCheck = call === "check" && request.method === "POST";
    // Other calls hold secrets.
    const sent = isCheck ? copyOf(request) : NOTHING;
    let received: () => Buffer | null = NOTHING;
    const [at, startedAt] = [options.now(), performance.now()];
    let answer: plain.IncomingMessage | null = null;
    let [isWritten, hasLeft, isSettled] = [false, false, false];
    const settle = (cause: unknown): void => {
      if (isSettled) return;
      isSettled = true;
      if (!isCheck) return options.onOther();
      const latencyMs = performance.now() - startedAt;
      const failure = { kind: "failure", written: true, answering: answer !== null, latencyMs } as const;
      const exchange: Exchange =
        cause === null
          ? { kind: "answer", answer: readAnswer(answer!, received()), latencyMs }
          : { ...failure, cause: hasLeft ? CANCELLED : cause };
      // The answer and the next request go first.
      setImmediate(() => options.onCheck({ at, body: sent(), exchange }));
    };
    const fail = (error: Error & { readonly code?: string }): void => {
      clearTimeout(late);
      const code = error.code ?? error.name;
      if (!isWritten && !hasLeft)
        return refuse(response, {
          status: 502,
          why: `cannot be delivered, because ${url.host} cannot be reached (${escapeText(code, 60)})`,
        });
      // The integration sees what the service did: it gave no answer, or a part of one.
      response.destroy();
      settle(code.startsWith("HPE_") ? new UnreadableAnswer(UNREADABLE) : error);
    };

    const { host = "" } = request.headers;
    // A service elsewhere gets its own name, as virtual hosts need it; one on this machine what the integration said.
    const isRenamed = isOwnHost(host) && !isLoopbackHost(url.hostname);
    const headers = endToEnd(request, isRenamed ? url.host : host);
    const outgoing = open({ method: request.method!, path: request.url!, headers });
    const noConnection = Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" });
    const late = setTimeout(() => outgoing.destroy(noConnection), CONNECT_MS);
    const written = (): void => {
      isWritten = true;
      clearTimeout(late);
    };
    outgoing.on("socket", (socket) => {
      if (!socket.connecting) written();
      else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", written);
    });
    outgoing.on("error", fail).on("continue", () => response.writeContinue());
    outgoing.on("response", (given) => {
      answer = given;
      if (isCheck) received = copyOf(given);
      given.on("error", fail).on("end", () => settle(null));
      if (request.method !== "HEAD" && !isFramed(given.statusCode!, headerLines(given.rawHeaders))) {
        // Its end is that of the connection, there as here.
        response.shouldKeepAlive = false;
        response.removeHeader("transfer-encoding");
      }
      response.sendDate = false;
      try {
        // A client of HTTP/1.0 knows no chunks.
        const lines = endToEnd(given, null, request.httpVersion === "1.0");
        response.writeHead(given.statusCode!, given.statusMessage, lines);
        pour(given, response);
      } catch {
        // Node's server does not send all that its client reads.
        given.destroy(new UnreadableAnswer(UNREADABLE));
      }
    });
    response.on("close", () => {
      hasLeft = !response.writableFinished;
      if (hasLeft) outgoing.destroy();
    });
    pour(request, outgoing);
  }

  const server = plain.createServer({ requestTimeout: 0 }, relayOne).on("checkContinue", relayOne);
  server.maxConnections = MOST_CONNECTIONS;
  server.on("drop", () =>
    options.onNotForwarded({ status: 503, why: "came when all connections were in use" }),
  );
  server.on("connect", (_request, socket) => {
    const what = { status: 405, why: "asks for a tunnel to another address (CONNECT)" };
    options.onNotForwarded(what);
    const lines = ["HTTP/1.1 405 Not Forwarded", `content-type: ${JSON_MEDIA_TYPE}`, "connection: close"];
    socket.on("error", () => undefined).end([...lines, "", bodyOf(what)].join("\r\n"));
  });
  try {
    server.listen({ host: options.host, port: options.port });
    await once(server, "listening");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "it is in use" : `the system refuses it (${code})`;
    const where = `${options.host}:${options.port}`;
    throw usage`verdict cannot listen on ${where}: ${whole(why)}; choose another port.`.causedBy(error);
  }
  return {
    port: (server.address() as AddressInfo).port,
    async end(waitMs) {
      const closed = once(server, "close");
      const cut = setTimeout(() => server.closeAllConnections(), waitMs);
      // One that has just had its answer would be kept for some seconds.
      const swept = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      server.close();
      await closed;
      clearTimeout(cut);
      clearInterval(swept);
    },
  };
}

/** @throws Fault */
async function wayTo(url: URL, { network }: RelayOptions): Promise<Open> {
  const proxy = proxyFor(url, network.proxy);
  if (network.tlsCheckOff) throw new Fault("not_sent", whole(TLS_CHECK_OFF.explanation));
  if (proxy !== null && "reason" in proxy) throw new Fault("not_sent", whole(proxy.explanation));
  const place = { host: url.hostname.replace(/^\[|\]$/g, ""), port: url.port };
  const kept = { keepAlive: true, timeout: IDLE_MS };
  if (url.protocol === "http:") {
    const agent = new plain.Agent(kept);
    return (words) => plain.request({ ...place, agent, ...words });
  }
  const { authorityFile } = network;
  const trust = authorityFile === null ? null : (await import("./authorities.ts")).trustAlso(authorityFile);
  const proxyEnv = proxy === null ? {} : { HTTPS_PROXY: proxy.url.href };
  const agent = new secure.Agent({ ...kept, ...tlsOptions(trust), ALPNProtocols: ["http/1.1"], proxyEnv });
  return (words) => secure.request({ ...place, agent, ...words });
}

/** What a client that was given the address of the relay says, or of any service on this machine. */
function isOwnHost(host: string): boolean {
  return isLoopbackHost(host.replace(/:\d{1,5}$/, ""));
}

/**
 * The lines that are not of one connection alone, in their order and case.
 * @param host null to leave it as it is
 */
function endToEnd({ rawHeaders }: plain.IncomingMessage, host: string | null, isOld = false): string[] {
  const lines = headerLines(rawHeaders);
  const named = lines.flatMap(([name, value]) =>
    name === "connection" ? value.toLowerCase().split(/[\s,]+/) : [],
  );
  const dropped = new Set([...OF_CONNECTION, ...named.filter((name) => !OF_MESSAGE.includes(name))]);
  if (isOld) dropped.add("transfer-encoding");
  return lines.flatMap(([name, value], at) => {
    if (dropped.has(name)) return [];
    return [rawHeaders[2 * at]!, name === "host" && host !== null ? host : value];
  });
}

/** Passes a body on as fast as it is taken. One that was cut does not end. */
function pour(from: plain.IncomingMessage, to: plain.OutgoingMessage): void {
  from.pipe(to, { end: false });
  from.on("end", () => {
    if (!from.complete) return;
    const { rawTrailers: raw } = from;
    if (raw.length > 0)
      to.addTrailers(headerLines(raw).map(([, value], at) => [raw[2 * at]!, value] as const));
    to.end();
  });
}

/** Copies a body; what it returns is null for one above the limit of the service. */
function copyOf(message: plain.IncomingMessage): () => Buffer | null {
  const pieces: Buffer[] = [];
  let size = 0;
  message.on("data", (data: Buffer) => {
    size += data.length;
    if (size <= BODY_LIMIT_BYTES) pieces.push(data);
    else pieces.length = 0;
  });
  return () => (size <= BODY_LIMIT_BYTES ? Buffer.concat(pieces) : null);
}

/** An answer as the service's client would have read it. */
function readAnswer({ statusCode, rawHeaders }: plain.IncomingMessage, bytes: Buffer | null): Answer {
  const headers = headerLines(rawHeaders);
  const ending = bytes === null ? "too_large" : isFramed(statusCode!, headers) ? "complete" : "unframed";
  return { status: statusCode!, headers, body: bytes ?? new Uint8Array(), ending };
}

/** It has no field of an answer of the service that could be taken for a verdict. */
function bodyOf({ why }: NotForwarded): string {
  const message = `verdict capture did not forward this request, because it ${why}.`;
  return JSON.stringify({ status: "error", error: "not_forwarded", message });
}
