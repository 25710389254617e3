// Connections through a proxy. Loaded only when one is configured.

import { isIP } from "node:net";
import type { SecureContext } from "node:tls";
import { type Dispatcher, Pool, ProxyAgent } from "undici";
import { type ConnectionLimits, requestOptions, tlsOptions } from "./exchange.ts";
import { type Proxy, ProxyFault } from "./proxy.ts";
import { type Connector, readingStatusLines } from "./status-line.ts";

/**
 * A tunnel for each connection (CONNECT, RFC 9110 section 9.3.6) with end-to-end TLS: the proxy sees neither requests nor
 * answers, and no request is written before TLS is established.
 * @param secureContext authorities that are trusted; null for the default ones
 */
export function openProxyAgent(
  proxy: Proxy,
  limits: ConnectionLimits,
  secureContext: SecureContext | null,
): Dispatcher {
  const tls = tlsOptions(secureContext);
  return new ProxyAgent({
    uri: proxy.url.href,
    proxyTunnel: true,
    connectTimeout: limits.connectTimeoutMs,
    requestTls: tls,
    proxyTls: tls,
    ...requestOptions(limits),
    factory: (origin, options) => throughTunnel(origin, options),
    clientFactory: (origin, options) => toProxy(openPool(origin, options, limits), proxy),
  });
}

/** Connections to the service, each in its own tunnel. */
function throughTunnel(origin: string | URL, options: object): Pool {
  const { connect } = options as { readonly connect: Connector };
  return new Pool(origin, { ...options, connect: readingStatusLines(connect) });
}

function openPool(origin: URL, options: object, limits: ConnectionLimits): Pool {
  const { connect } = options as { readonly connect: Connector };
  // undici sends the proxy's host as TLS server name, and Node refuses an IP address there.
  const unnamed: Connector = (target, done) => connect({ ...target, servername: "" }, done);
  return new Pool(origin, {
    ...options,
    connect: isIP(origin.hostname.replace(/^\[|\]$/g, "")) === 0 ? connect : unnamed,
    headersTimeout: limits.connectTimeoutMs,
    bodyTimeout: 0,
  });
}

/** Connections to the proxy, whose failures are marked as failures of the proxy. */
function toProxy(pool: Pool, proxy: Proxy): Pool {
  const open = pool.connect.bind(pool);
  const connect = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const opened = await open(options).catch((cause: unknown) => {
      throw new ProxyFault(proxy, null, cause);
    });
    if (opened.statusCode === 200) return opened;
    opened.socket.on("error", () => undefined).destroy();
    throw new ProxyFault(proxy, opened.statusCode);
  };
  return Object.assign(pool, { connect });
}
