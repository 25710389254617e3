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

const EMAIL = /^[^\s@"(),:;<>[\\\]]+@[^\s@]+$/u;
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;
const LOCAL_PART_MAX = 64;

/** One `@`, a local part of 1 to 64 characters, a domain of labels (RFC 5321; letters of any script, RFC 6531). */
export function checkEmail(value: FieldValue): Problem | null {
  const text = String(value);
  const [local = "", domain = ""] = text.split("@");
  const labels = domain.split(".");
  const fits =
    EMAIL.test(text) && local.length <= LOCAL_PART_MAX && labels.every((label) => DOMAIN_LABEL.test(label));
  if (!fits) return { severity: "error", text: "must be an e-mail address such as name@example.com" };
  return labels.length < 2 ? { severity: "warning", text: "has a domain without a dot; check it" } : null;
}

const E164 = /^\+[1-9][0-9]{1,14}$/;
/** The shortest numbers in use have seven digits with their country code. */
const SHORTEST_PHONE = 8;

/** `+`, a country code and at most 15 digits in all (ITU-T E.164). Whether it could exist is only a warning. */
export function checkPhone(value: FieldValue): Problem | null {
  const text = String(value);
  if (!E164.test(text)) {
    return {
      severity: "error",
      text: "must be + and at most 15 digits, country code first, such as +380501234567",
    };
  }
  return text.length < SHORTEST_PHONE
    ? { severity: "warning", text: "is shorter than any telephone number in use; check it" }
    : null;
}
