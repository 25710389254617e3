// Checks and hints for a payer's IP address, e-mail and phone (spec 2.2): structure only.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";
import { countryByAlpha } from "#src/contract/lists/currency.ts";
import type { FieldValue, Problem } from "./field.ts";

/** IPv4 or IPv6 in text form. A zone (`%eth0`) is refused, because it has a meaning on one machine only. */
export function checkIpAddress(value: FieldValue): Problem | null {
  const text = String(value);
  return isIP(text) === 0 || text.includes("%")
    ? { severity: "error", text: "must be an IPv4 or IPv6 address" }
    : null;
}

/** Words for the address ranges of the library (IANA special-purpose registries). */
const RANGES: ReadonlyMap<string, string> = new Map([
  ["unicast", "public"],
  ["private", "private network"],
  ["uniqueLocal", "private network"],
  ["loopback", "loopback"],
  ["linkLocal", "link-local"],
  ["carrierGradeNat", "shared by a carrier"],
  ["multicast", "multicast"],
  ["broadcast", "broadcast"],
  ["unspecified", "no address yet"],
]);

/** Addresses for documentation (RFC 5737, RFC 3849, RFC 9637), which the library calls reserved. */
const DOCUMENTATION: readonly string[] = [
  "192.0.2.0/24",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "2001:db8::/32",
  "3fff::/20",
];

/**
 * Family and kind of an address: `IPv4, private network`, `IPv6, documentation`; an IPv4-mapped IPv6 address is classed as
 * IPv4. Null for an invalid address.
 */
export function describeIpAddress(value: FieldValue): string | null {
  const text = String(value);
  const version = isIP(text);
  if (version === 0 || !ipaddr.isValid(text)) return null;
  const written = ipaddr.parse(text);
  const address = ipaddr.process(text);
  const family = written.kind() === address.kind() ? `IPv${version}` : "IPv4 written as IPv6";
  return `${family}, ${kindOf(address)}`;
}

function kindOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const isExample = DOCUMENTATION.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === address.kind() && address.match(base, bits);
  });
  return isExample ? "documentation" : (RANGES.get(address.range()) ?? "reserved");
}

let address: RegExp | null = null;

/**
 * One `@`, a local part of 1 to 64 characters, a domain of labels of 1 to 63 (RFC 5321; letters of any script,
 * RFC 6531). No hyphen begins or ends a label. Compiled on first use, which takes 4 ms (tables of Unicode letters).
 */
export function emailAddress(): RegExp {
  address ??=
    /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)*[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
  return address;
}

/** True for an ASCII address of letters, digits, dots, hyphens, pluses and underscores. */
export function isUsualEmail(text: string): boolean {
  const split = text.indexOf("@");
  if (split < 1 || split > 64) return false;
  for (let at = 0; at < split; at++) {
    const code = text.charCodeAt(at);
    if (!isLetterOrDigit(code) && code !== DOT && code !== HYPHEN && code !== PLUS && code !== UNDERLINE) {
      return false;
    }
  }
  let start = split + 1;
  for (let at = start; at <= text.length; at++) {
    // A virtual dot after the end closes the last label like the others.
    const code = at < text.length ? text.charCodeAt(at) : DOT;
    if (isLetterOrDigit(code)) continue;
    if (code === HYPHEN && at > start) continue;
    if (code !== DOT || at === start || at - start > 63 || text.charCodeAt(at - 1) === HYPHEN) return false;
    start = at + 1;
  }
  return true;
}

const PLUS = 0x2b;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const UNDERLINE = 0x5f;

function isLetterOrDigit(code: number): boolean {
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** A warning for a domain without a dot, which can hardly be reached. */
export function checkEmail(value: FieldValue): Problem | null {
  const text = String(value);
  return text.includes(".", text.indexOf("@"))
    ? null
    : { severity: "warning", text: "has a domain without a dot; check it" };
}

/** `+`, a country code and at most 15 digits in all (ITU-T E.164). */
export const E164 = /^\+[1-9][0-9]{1,14}$/;

/** The shortest numbers in use have seven digits with their country code. */
const SHORTEST_PHONE = 8;

/** Country of a phone number by its calling code: `Ukraine`, `Italy or Vatican City`; null for an invalid number. */
export function describePhone(value: FieldValue): string | null {
  const text = String(value);
  if (!E164.test(text)) return null;
  const codes = countriesOfPhone(text.slice(1));
  if (codes === null) return "no country has this code";
  if (codes.length === 0) return "an international service";
  const [first = "", second = ""] = codes.map(nameOf);
  if (codes.length <= 2) return codes.length === 1 ? first : `${first} or ${second}`;
  return `${first} or ${codes.length - 1} more`;
}

/** Short name of a country, without the part behind a comma or in brackets. Kosovo has a calling code, but no ISO 3166 entry. */
function nameOf(alpha: string): string {
  if (alpha === "XK") return "Kosovo";
  return countryByAlpha(alpha)?.name.replace(/(?:,| \().*$/, "") ?? alpha;
}

/** A warning for a number that is too short to exist. */
export function checkPhone(value: FieldValue): Problem | null {
  return String(value).length < SHORTEST_PHONE
    ? { severity: "warning", text: "is shorter than any telephone number in use; check it" }
    : null;
}
