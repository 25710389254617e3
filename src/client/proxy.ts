// Chooses the proxy of a call from HTTPS_PROXY and NO_PROXY. Pure.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { isLoopbackHost } from "#src/contract/wire/service-url.ts";
import type { Refusal } from "./address.ts";

export interface ProxySettings {
  /** Address of the proxy for https, from `HTTPS_PROXY`; its user name and password are secret. */
  readonly https: string;
  /** Hosts without proxy, in the syntax of `NO_PROXY`. */
  readonly none: string;
}

export interface Proxy {
  /** With user name and password: must not be printed. */
  readonly url: URL;
  /** Host and port, for people. */
  readonly host: string;
}

/** A failed connection to the proxy, or a refusal by it. */
export class ProxyFault extends Error {
  readonly code = "VERDICT_PROXY";
  readonly host: string;
  /** The proxy's answer to CONNECT; null when there was none. */
  readonly status: number | null;
  readonly knowsUser: boolean;

  constructor(proxy: Proxy, status: number | null, cause?: unknown) {
    super("the proxy did not open a tunnel to the service", { cause });
    this.name = "ProxyFault";
    this.host = proxy.host;
    this.status = status;
    this.knowsUser = proxy.url.username !== "";
  }
}

/**
 * The proxy of an address, or null for none: only https is proxied, because http is allowed on loopback only, and loopback
 * is never proxied.
 */
export function proxyFor(url: URL, settings: ProxySettings | null): Proxy | Refusal | null {
  if (settings === null || settings.https === "" || url.protocol !== "https:") return null;
  if (isLoopbackHost(url.hostname) || isExempt(url, settings.none)) return null;
  // Like curl: an address without a scheme is http.
  const text = settings.https.includes("://") ? settings.https : `http://${settings.https}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (proxy === null || proxy.hostname === "")
    return badProxy("names no proxy that can be read as an address");
  if (proxy.protocol !== "http:" && proxy.protocol !== "https:") {
    return badProxy(`names a proxy of the kind ${escapeText(proxy.protocol, 20)}//`);
  }
  if (!isDecodable(proxy.username) || !isDecodable(proxy.password)) {
    return badProxy("holds a user name or password with a % that is not an escape");
  }
  return { url: proxy, host: escapeText(proxy.host) };
}

function badProxy(what: string): Refusal {
  return {
    reason: "bad_proxy",
    explanation: `Nothing was sent, because HTTPS_PROXY ${what}: write it as http://proxy.example:3128, or unset it.`,
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * True for a host in `NO_PROXY`: entries separated by commas or blanks; `host` includes its subdomains, `*.host` is the
 * subdomains only, `*` is all; `:port` limits an entry to that port.
 */
function isExempt(url: URL, none: string): boolean {
  const host = plainHost(url.hostname);
  const port = url.port === "" ? 443 : Number(url.port);
  return none
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const named = readExemption(entry);
      if (named.port !== null && named.port !== port) return false;
      if (named.host === "*") return true;
      return host.endsWith(`.${named.host}`) || (host === named.host && !named.below);
    });
}

function readExemption(entry: string): { host: string; port: number | null; below: boolean } {
  // An IPv6 address contains colons, so it is in brackets when a port follows.
  const parts = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry);
  const name = parts?.[1] ?? entry;
  return {
    host: plainHost(name.replace(/^\*?\./, "")),
    port: parts === null ? null : Number(parts[2]),
    below: name.startsWith("*."),
  };
}

function plainHost(name: string): string {
  const bare = name.replace(/^\[(.+)\]$/, "$1").toLowerCase();
  return bare.length > 1 ? bare.replace(/\.$/, "") : bare;
}
