// Stand-ins of IP addresses: a /24 or /64 for each /24 or /64, within the same special-purpose and named networks.

import ipaddr from "ipaddr.js";
import { isInNetwork, type Address, type Network } from "#src/rules/values/address.ts";
import { walkWithin, type KeyedDraws } from "./keyed-draws.ts";

/** Hexadecimal digits of an address, bits of the network that is counted as one, and addresses in that. */
const SIZES = {
  ipv4: { digits: 8, bits: 24, hosts: 1n << 8n },
  ipv6: { digits: 32, bits: 64, hosts: 1n << 64n },
} as const;

/**
 * A permutation of all addresses that keeps whether two are in one /24 or /64, and in which of the special-purpose networks
 * and of those that rules name an address is. A /24 with a finer named one in it stays, but for its hosts; a /64 stays.
 * Where on earth an address is, is not kept.
 */
export function createAddressStandIns(
  draws: KeyedDraws,
  named: readonly Network[],
): (address: Address) => Address {
  // What is routed of IPv6 is no special range of the library.
  const known = [...specialNetworks(), ipaddr.IPv6.parseCIDR("2000::/3"), ...named];
  const networksOf = {
    ipv4: known.filter(([base]) => base.kind() === "ipv4"),
    ipv6: known.filter(([base]) => base.kind() === "ipv6"),
  };
  return (address) => {
    const kind = address.kind();
    const networks = networksOf[kind];
    const { digits, bits, hosts } = SIZES[kind];
    const [own, host] = [numberOf(address) / hosts, numberOf(address) % hosts];
    const addressOf = (network: bigint, at: bigint): Address =>
      ipaddr.fromByteArray([
        ...Buffer.from((network * hosts + at).toString(16).padStart(digits, "0"), "hex"),
      ]);
    const isFine = (network: bigint): boolean =>
      networks.some(([base, length]) => length > bits && numberOf(base) / hosts === network);
    const around = networks.filter((network) => isInNetwork(address, network));
    const isAlike = (other: Address): boolean =>
      networks.every((network) => isInNetwork(other, network) === around.includes(network));
    const permuted = (at: bigint): bigint => draws.permuted(`host ${kind} ${own}`, hosts, at);
    if (isFine(own)) {
      // The 256 hosts of a /24 are walked through to the end.
      return kind === "ipv6"
        ? address
        : addressOf(
            own,
            walkWithin(host, permuted, (at) => isAlike(addressOf(own, at))),
          );
    }
    // All that is alike lies within the smallest network around it.
    const length = Math.max(0, ...around.map(([, each]) => each));
    const size = 1n << BigInt(bits - length);
    const first = own - (own % size);
    const standIn = walkWithin(
      own,
      (from) => first + draws.permuted(`network ${kind} ${first} ${length}`, size, from - first),
      (other) => !isFine(other) && isAlike(addressOf(other, 0n)),
    );
    return addressOf(standIn, permuted(host));
  };
}

/** The library's own, by which rules tell public addresses; its types leave them out. */
function specialNetworks(): readonly Network[] {
  return [ipaddr.IPv4, ipaddr.IPv6].flatMap(({ prototype }) => {
    const { SpecialRanges } = prototype as unknown as {
      readonly SpecialRanges: Readonly<Record<string, Network | readonly Network[]>>;
    };
    return Object.values(SpecialRanges).flatMap((each) =>
      typeof each[1] === "number" ? [each as Network] : (each as readonly Network[]),
    );
  });
}

function numberOf(address: Address): bigint {
  return BigInt(`0x${Buffer.from(address.toByteArray()).toString("hex")}`);
}
