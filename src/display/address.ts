// The address of a service as it may be shown: a host in other letters than ASCII looks like any name it wants to.

import { safe, type SafeOptions } from "./safe.ts";

/** The address as it was typed, and behind it the host that is really asked for where that one is written otherwise (RFC 3492). */
export function shownAddress(address: string, options: SafeOptions = {}): string {
  const shown = safe(address, options);
  const host = URL.canParse(address) ? new URL(address).host : "";
  return address.toLowerCase().includes(host) ? shown : `${shown} (${safe(host, options)})`;
}
