// IP addresses: one parsed form, and whether an address can be met on the public Internet.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Parsed address; an IPv4 address inside an IPv6 one is the IPv4 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** @returns null unless it is an IPv4 or IPv6 address in the usual notation */
export function readAddress(text: unknown): Address | null {
  // The range library alone would accept `0x7f.1`; Node decides what an address is.
  return typeof text === "string" && isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/**
 * True for addresses that no payer on the public Internet has: private, loopback, link-local, multicast, reserved ...
 * @param except networks in CIDR notation that count as public all the same
 * @throws Error when a network is not in CIDR notation
 */
export function isBogon(address: Address, except: readonly string[]): boolean {
  if (address.range() === "unicast") return false;
  return !except.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === address.kind() && address.match(base, bits);
  });
}
