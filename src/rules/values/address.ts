// IP addresses: one parsed form, whether an address can be met on the public Internet, and networks that hold it.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Parsed address; an IPv4 address inside an IPv6 one is the IPv4 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

const DOT = 0x2e;
const DIGIT_ZERO = 0x30;

/** @returns null unless it is an IPv4 or IPv6 address in the usual notation */
export function readAddress(text: unknown): Address | null {
  if (typeof text !== "string") return null;
  // The range library alone would accept `0x7f.1`; Node decides what an address is.
  const version = isIP(text);
  if (version === 4) return new ipaddr.IPv4(octetsOf(text));
  return version === 6 && ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/** @param text four decimal numbers with dots between them: nothing else is an IPv4 address to Node */
function octetsOf(text: string): number[] {
  const octets = [0, 0, 0, 0];
  let place = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) place += 1;
    else octets[place] = octets[place]! * 10 + code - DIGIT_ZERO;
  }
  return octets;
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

/** Lists come from rule files and stay the same arrays: each is read once. */
const networkLists = new WeakMap<readonly string[], readonly Network[]>();

function networksOf(list: readonly string[]): readonly Network[] {
  let networks = networkLists.get(list);
  if (networks === undefined) {
    networks = list.map((text) => {
      const network = readNetwork(text);
      if (network === null) throw new Error(`"${text}" is not a network`);
      return network;
    });
    networkLists.set(list, networks);
  }
  return networks;
}

/** First octets under 224 with anything special below them (IANA IPv4 special-purpose registry): the rest needs no look. */
const WITH_EXCEPTIONS: readonly number[] = [0, 10, 100, 127, 169, 172, 192, 198, 203];

/**
 * True for addresses that no payer on the public Internet has: private, loopback, link-local, multicast, reserved ...
 * @param except networks in CIDR notation that count as public all the same
 * @throws Error when a network is not in CIDR notation
 */
export function isBogon(address: Address, except: readonly string[]): boolean {
  const first = (address as Partial<ipaddr.IPv4>).octets?.[0];
  if (first !== undefined && first < 224 && !WITH_EXCEPTIONS.includes(first)) return false;
  if (address.range() === "unicast") return false;
  return !networksOf(except).some((network) => isInNetwork(address, network));
}
