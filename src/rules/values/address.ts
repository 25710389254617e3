// IP addresses: parsing, public or special-purpose, and membership in networks.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { memoize } from "./memoize.ts";

/** Parsed address; an IPv4-mapped IPv6 address is the IPv4 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** @returns null unless it is an IPv4 or IPv6 address in the usual notation */
export function readAddress(text: unknown): Address | null {
  if (typeof text !== "string") return null;
  // Node's isIP is stricter than ipaddr.js, which accepts `0x7f.1`.
  const version = isIP(text);
  if (version === 4) return new ipaddr.IPv4(text.split(".").map(Number));
  return version === 6 && ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/** A network in CIDR notation; a bare address is a network of one. */
export type Network = readonly [base: Address, bits: number];

/** @returns null unless it is an address or a network */
export function readNetwork(text: string): Network | null {
  const [written = "", length, ...rest] = text.split("/");
  const base = readAddress(written);
  if (base === null || rest.length > 0) return null;
  const whole = base.kind() === "ipv4" ? 32 : 128;
  if (length === undefined) return [base, whole];
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Infinity;
  return bits <= whole ? [base, bits] : null;
}

export function isInNetwork(address: Address, [base, bits]: Network): boolean {
  return base.kind() === address.kind() && address.match(base, bits);
}

const networksOf = memoize((list: readonly string[]): readonly Network[] =>
  list.map((text) => {
    const network = readNetwork(text);
    if (network === null) throw new Error(`"${text}" is not a network`);
    return network;
  }),
);

/** First octets under 224 with special-purpose blocks (IANA IPv4 registry); all others are public (fast path). */
const WITH_EXCEPTIONS: readonly number[] = [0, 10, 100, 127, 169, 172, 192, 198, 203];

/**
 * True for non-public addresses: private, loopback, link-local, multicast, reserved ...
 * @param except networks in CIDR notation that count as public
 * @throws Error when a network is not in CIDR notation
 */
export function isBogon(address: Address, except: readonly string[]): boolean {
  const first = (address as Partial<ipaddr.IPv4>).octets?.[0];
  if (first !== undefined && first < 224 && !WITH_EXCEPTIONS.includes(first)) return false;
  if (address.range() === "unicast") return false;
  return !networksOf(except).some((network) => isInNetwork(address, network));
}
