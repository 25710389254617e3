// Stand-ins of IP addresses: a /24 or /64 for each /24 or /64, within the same special-purpose and named networks.

import ipaddr from "ipaddr.js";
import { isInNetwork, type Address, type Network } from "#src/rules/values/address.ts";
import { walkWithin, type KeyedDraws } from "./keyed-draws.ts";

type Kind = "ipv4" | "ipv6";

/** Bits of an address, and of the network that is counted as one. */
const BITS = { ipv4: { all: 32n, network: 24n }, ipv6: { all: 128n, network: 64n } } as const;

/** Networks that lie in the same named ones, as ranges of their numbers. */
interface Group {
  readonly name: string;
  readonly ranges: { readonly from: bigint; readonly size: bigint }[];
  size: bigint;
  /** A named network is finer than these, so that hosts are told apart as well. */
  readonly isFine: boolean;
}

/**
 * A permutation of all addresses that keeps whether two are in one /24 or /64, and in which of the special-purpose networks
 * and of those that rules name an address is. A /24 with a finer named one in it stays, but for its hosts; a /64 stays.
 * Where on earth an address is, is not kept.
 */
export function createAddressStandIns(
  draws: KeyedDraws,
  named: readonly Network[],
): (address: Address) => Address {
  const kinds = {
    ipv4: groupsOf("ipv4", [...specialNetworks("ipv4"), ...named]),
    ipv6: groupsOf("ipv6", [...specialNetworks("ipv6"), ...named]),
  };
  return (address) => {
    const kind = address.kind();
    const { groups, networks } = kinds[kind];
    const hostBits = BITS[kind].all - BITS[kind].network;
    const [network, own] = [numberOf(address) >> hostBits, numberOf(address) & ((1n << hostBits) - 1n)];
    const group = groups.find(({ ranges }) => ranges.some((range) => isIn(range, network)))!;
    const standIn = permutedIn(group, draws, network) << hostBits;
    const permuted = (host: bigint): bigint => draws.permuted(`host ${network}`, 1n << hostBits, host);
    if (!group.isFine) return addressOf(kind, standIn | permuted(own));
    if (kind === "ipv6") return address;
    // The 256 hosts of a /24 are walked through to the end.
    const places = placesOf(address, networks);
    const isAlike = (host: bigint): boolean => placesOf(addressOf(kind, standIn | host), networks) === places;
    return addressOf(kind, standIn | walkWithin(own, permuted, isAlike));
  };
}

function isIn({ from, size }: Group["ranges"][number], network: bigint): boolean {
  return network >= from && network < from + size;
}

function permutedIn({ name, ranges, size }: Group, draws: KeyedDraws, network: bigint): bigint {
  let before = 0n;
  for (const range of ranges) {
    if (isIn(range, network)) {
      before += network - range.from;
      break;
    }
    before += range.size;
  }
  let rest = draws.permuted(`network ${name}`, size, before);
  for (const range of ranges) {
    if (rest < range.size) return range.from + rest;
    rest -= range.size;
  }
  return network;
}

/** Every network of the kind, by the special-purpose and named ones it lies in. */
function groupsOf(
  kind: Kind,
  known: readonly Network[],
): { readonly groups: readonly Group[]; readonly networks: readonly Network[] } {
  const { all, network } = BITS[kind];
  const networks = known.filter(([base]) => base.kind() === kind);
  const cuts = new Set([0n, 1n << network]);
  const fine = new Set<bigint>();
  for (const [base, length] of networks) {
    const below = BigInt(length) < network ? network - BigInt(length) : 0n;
    const first = ((numberOf(base) >> (all - network)) >> below) << below;
    cuts.add(first);
    cuts.add(first + (1n << below));
    if (BigInt(length) > network) fine.add(first);
  }
  const sorted = [...cuts].sort((a, b) => (a < b ? -1 : 1));
  const groups = new Map<string, Group>();
  for (const [at, from] of sorted.slice(0, -1).entries()) {
    const size = sorted[at + 1]! - from;
    const places = placesOf(addressOf(kind, from << (all - network)), networks);
    const isFine = fine.has(from);
    const name = isFine ? `${kind} ${from}` : `${kind} in ${places}`;
    const group = groups.get(name) ?? { name, ranges: [], size: 0n, isFine };
    group.ranges.push({ from, size });
    group.size += size;
    groups.set(name, group);
  }
  return { groups: [...groups.values()], networks };
}

/** The library's own, by which rules tell public addresses; its types leave them out. And what is routed of IPv6. */
function specialNetworks(kind: Kind): readonly Network[] {
  const { prototype } = kind === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  const { SpecialRanges } = prototype as unknown as {
    readonly SpecialRanges: Readonly<Record<string, Network | readonly Network[]>>;
  };
  const networks = Object.values(SpecialRanges).flatMap((each) => (isNetwork(each) ? [each] : each));
  return kind === "ipv4" ? networks : [...networks, ipaddr.IPv6.parseCIDR("2000::/3")];
}

function isNetwork(value: Network | readonly Network[]): value is Network {
  return typeof value[1] === "number";
}

/** The networks that an address is in, by their numbers in the list. */
function placesOf(address: Address, networks: readonly Network[]): string {
  return networks.flatMap((network, at) => (isInNetwork(address, network) ? at : [])).join();
}

function numberOf(address: Address): bigint {
  return BigInt(`0x${Buffer.from(address.toByteArray()).toString("hex")}`);
}

function addressOf(kind: Kind, number: bigint): Address {
  const hex = number.toString(16).padStart(Number(BITS[kind].all / 4n), "0");
  return ipaddr.fromByteArray([...Buffer.from(hex, "hex")]);
}
