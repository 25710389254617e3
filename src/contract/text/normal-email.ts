// The normal form of a mailbox and of its domain, in which their spellings are one: for counters, lists and masks.

import { domainToASCII } from "node:url";

const BLANK = 0x20;

/** Fast path: printable ASCII without a space at either end needs no normalisation. */
export function plain(text: string): string {
  return isPlain(text) ? text : text.trim().normalize("NFC");
}

function isPlain(text: string): boolean {
  if (text.charCodeAt(0) === BLANK || text.charCodeAt(text.length - 1) === BLANK) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < BLANK || code > 0x7e) return false;
  }
  return true;
}

/**
 * Normal form of a mailbox: lower case, the domain in its ASCII form, without `+tag`; for Gmail also without dots (and `googlemail.com` is `gmail.com`).
 * @returns null without exactly one usable local part and domain
 */
export function normalEmail(email: unknown): string | null {
  if (typeof email !== "string") return null;
  if (isNormalEmail(email)) return email;
  const text = plain(email).toLowerCase();
  const at = text.lastIndexOf("@");
  const written = text.slice(at + 1);
  const domain = normalDomain(written.endsWith(".") ? written.slice(0, -1) : written);
  let local = text.slice(0, Math.max(at, 0));
  const plus = local.indexOf("+");
  if (plus > 0) local = local.slice(0, plus);
  const gmail = domain === "gmail.com" || domain === "googlemail.com";
  if (gmail) local = local.replaceAll(".", "");
  return local === "" || domain === "" ? null : `${local}@${gmail ? "gmail.com" : domain}`;
}

/** Fast path: whether the mailbox is in normal form already, as nearly all are. */
function isNormalEmail(text: string): boolean {
  const last = text.length - 1;
  let at = 0;
  for (let i = 0; i <= last; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x40) at = i;
    // Blank, +, capital letter, beyond ASCII
    else if (code <= BLANK || code === 0x2b || (code >= 0x41 && code <= 0x5a) || code > 0x7e) return false;
  }
  if (at === 0 || at === last || text.endsWith(".") || text.endsWith("@googlemail.com")) return false;
  return !text.endsWith("@gmail.com") || text.indexOf(".") > at;
}

/**
 * A domain in the one form by which domains are compared: the ASCII form, `xn--...`, of an internationalised one (UTS #46).
 * @param domain in lower case
 */
export function normalDomain(domain: string): string {
  for (let i = 0; i < domain.length; i++) {
    // Empty for what is not a domain.
    if (domain.charCodeAt(i) > 0x7f) return domainToASCII(domain) || domain;
  }
  return domain;
}
