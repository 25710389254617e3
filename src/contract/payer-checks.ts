// What a payer's addresses must look like (spec 2.2): structure only, as far as the standards are certain.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { FieldValue, Problem } from "./field.ts";

/** IPv4 or IPv6 in text form; the platform's parser decides. A zone (`%eth0`) is of no use outside its machine. */
export function checkIpAddress(value: FieldValue): Problem | null {
  const text = String(value);
  return isIP(text) === 0 || text.includes("%")
    ? { severity: "error", text: "must be an IPv4 or IPv6 address" }
    : null;
}

const RANGES: ReadonlyMap<string, string> = new Map([
  ["unicast", "public"],
  ["private", "private network"],
  ["uniqueLocal", "private network"],
  ["loopback", "loopback"],
  ["linkLocal", "link-local"],
  ["carrierGradeNat", "shared by a carrier"],
  ["multicast", "multicast"],
  ["ipv4Mapped", "IPv4 written as IPv6"],
]);

/** Family and kind of an address: `IPv4, private network`; null for what is no address. */
export function describeIpAddress(value: FieldValue): string | null {
  const text = String(value);
  const version = isIP(text);
  if (version === 0 || !ipaddr.isValid(text)) return null;
  return `IPv${version}, ${RANGES.get(ipaddr.parse(text).range()) ?? "reserved"}`;
}

/**
 * One `@`, a local part of 1 to 64 characters, a domain of labels of 1 to 63 (RFC 5321; letters of any script,
 * RFC 6531). No hyphen begins or ends a label.
 */
export const EMAIL_ADDRESS =
  /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)*[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/** An address that can hardly be reached is only a warning. */
export function checkEmail(value: FieldValue): Problem | null {
  const domain = String(value).split("@")[1] ?? "";
  return domain.includes(".") ? null : { severity: "warning", text: "has a domain without a dot; check it" };
}

/** `+`, a country code and at most 15 digits in all (ITU-T E.164). */
export const E164 = /^\+[1-9][0-9]{1,14}$/;
/** The shortest numbers in use have seven digits with their country code. */
const SHORTEST_PHONE = 8;

/** Whether a number could exist is only a warning. */
export function checkPhone(value: FieldValue): Problem | null {
  return String(value).length < SHORTEST_PHONE
    ? { severity: "warning", text: "is shorter than any telephone number in use; check it" }
    : null;
}
