// Connections to the service, direct or through a proxy, opened on first use.

import type { buildConnector, Dispatcher } from "undici";
import { Fault } from "#src/contract/fault.ts";
import type { Refusal } from "./address.ts";
import { type ConnectionLimits, openAgent } from "./exchange.ts";
import { type Proxy, proxyFor, type ProxySettings } from "./proxy.ts";

/** Network settings from the environment and the profile. */
export interface NetworkSettings {
  /** Null where no proxy is configured. */
  readonly proxy: ProxySettings | null;
  /** PEM file of additional authorities; null for none. */
  readonly authorityFile: string | null;
  /** Certificate checks are off (`NODE_TLS_REJECT_UNAUTHORIZED=0`), so nothing is sent. */
  readonly tlsCheckOff: boolean;
  /** See `ConnectionLimits`. */
  readonly freshConnections?: boolean;
}

export const PLAIN_NETWORK: NetworkSettings = { proxy: null, authorityFile: null, tlsCheckOff: false };

export interface Routes {
  /** The dispatcher for an address, or why nothing may be sent to it. */
  to(url: URL): Promise<Dispatcher | Refusal>;
  /** Ends all connections; the next call opens new ones. */
  close(): Promise<void>;
}

/** @param connect replaces the connector of direct connections */
export function createRoutes(
  network: NetworkSettings,
  timeouts: Omit<ConnectionLimits, "freshConnections">,
  connect?: buildConnector.connector,
): Routes {
  const limits = { ...timeouts, freshConnections: network.freshConnections === true };
  const opened = new Map<string, Dispatcher>();

  async function open(secure: boolean, proxy: Proxy | null): Promise<Dispatcher> {
    const trust =
      secure && network.authorityFile !== null
        ? (await import("./authorities.ts")).trustAlso(network.authorityFile)
        : null;
    if (proxy === null) return openAgent(limits, trust, connect);
    const { openProxyAgent } = await import("./proxy-agent.ts");
    return openProxyAgent(proxy, limits, trust);
  }

  return {
    async to(url) {
      const proxy = proxyFor(url, network.proxy);
      if (proxy !== null && "reason" in proxy) return proxy;
      const secure = url.protocol === "https:";
      const key = `${secure} ${proxy?.url.href ?? ""}`;
      const known = opened.get(key);
      if (known !== undefined) return known;
      try {
        const dispatcher = await open(secure, proxy);
        // A concurrent call may have opened it.
        const first = opened.get(key);
        if (first === undefined) opened.set(key, dispatcher);
        else void dispatcher.destroy();
        return first ?? dispatcher;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const why = error.message.charAt(0).toLowerCase() + error.message.slice(1);
        return { reason: "bad_authority_file", explanation: `Nothing was sent, because ${why}` };
      }
    },
    async close() {
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
    },
  };
}
