// What a payer's addresses must look like (spec 2.2): structure only, as far as the standards are certain.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";
import { countryByAlpha } from "#src/contract/lists/currency.ts";
import type { FieldValue, Problem } from "./field.ts";

/** IPv4 or IPv6 in text form; the platform's parser decides. A zone (`%eth0`) is of no use outside its machine. */
export function checkIpAddress(value: FieldValue): Problem | null {
  const text = String(value);
  return isIP(text) === 0 || text.includes("%")
    ? { severity: "error", text: "must be an IPv4 or IPv6 address" }
    : null;
}

/** Names of the ranges that the library tells apart (IANA special-purpose registries). */
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

/** Examples in texts; nobody has them (RFC 5737, RFC 3849, RFC 9637). The library counts them among all that is reserved. */
const DOCUMENTATION: readonly string[] = [
  "192.0.2.0/24",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "2001:db8::/32",
  "3fff::/20",
];

/**
 * Family and kind of an address: `IPv4, private network`, `IPv6, documentation`; an IPv4 address that is written as an IPv6
 * one is classed as what it is. Null for what is no address.
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
 * RFC 6531). No hyphen begins or ends a label. Made when it is first asked for: with Unicode's tables of letters that takes
 * 4 ms, an eighth of a bare start of Node.
 */
export function emailAddress(): RegExp {
  address ??=
    /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)*[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
  return address;
}

/** An address in ASCII with the signs that are usual in one. */
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
    // Behind the end stands one dot more, so that the last label ends like the others.
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

/** An address that can hardly be reached is only a warning. */
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

/** Whose number it is, by its country code: `Ukraine`, `Italy or Vatican City`; null for what is no number. */
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

/** Kosovo has a calling code, and no entry in ISO 3166. What stands behind a comma or in brackets tells states apart, not numbers. */
function nameOf(alpha: string): string {
  if (alpha === "XK") return "Kosovo";
  return countryByAlpha(alpha)?.name.replace(/(?:,| \().*$/, "") ?? alpha;
}

/** Whether a number could exist is only a warning. */
export function checkPhone(value: FieldValue): Problem | null {
  return String(value).length < SHORTEST_PHONE
    ? { severity: "warning", text: "is shorter than any telephone number in use; check it" }
    : null;
}
