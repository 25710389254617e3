// The address of a service for display: a host outside ASCII is shown with its Punycode form, so that it cannot imitate another.

import { safe, type SafeOptions } from "./safe.ts";

/** The address as typed, followed by the host that is actually resolved where that differs (RFC 3492). */
export function shownAddress(address: string, options: SafeOptions = {}): string {
  const shown = safe(address, options);
  const host = URL.canParse(address) ? new URL(address).host : "";
  return address.toLowerCase().includes(host) ? shown : `${shown} (${safe(host, options)})`;
}
