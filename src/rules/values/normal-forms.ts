// Normal forms of cards, e-mail addresses, telephone numbers, names and identifiers, used for counters and lists.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { normalDomain } from "./email-domain.ts";

/** The six digits that every BIN has; longer ones begin with those of ISO/IEC 7812-1. */
export function firstSix(bin: number): string {
  return String(bin).slice(0, 6);
}

/** The first six digits of the BIN, the last four, month and two-digit year, so that `30` and `2030` are one card. */
export function normalCard(card: CheckRequest["card"]): string | null {
  const bin = card?.bin_card;
  const lastFour = card?.cin_card;
  const month = card?.expiration_month;
  const year = card?.expiration_year;
  const whole =
    Number.isSafeInteger(bin) &&
    Number.isSafeInteger(lastFour) &&
    Number.isSafeInteger(month) &&
    Number.isSafeInteger(year);
  return whole ? `${firstSix(bin!)} ${lastFour} ${month} ${year! % 100}` : null;
}

const ASCII = /^[\x20-\x7e]*$/;
const BLANK = 0x20;

/** Fast path: printable ASCII without a blank at either end needs no normalisation. */
function plain(text: string): string {
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

/** Digits only; null without one. */
export function normalPhone(phone: unknown): string | null {
  if (typeof phone !== "string") return null;
  const start = phone.charCodeAt(0) === 0x2b ? 1 : 0;
  for (let i = start; i < phone.length; i++) {
    const code = phone.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return phone.replaceAll(/\D/g, "") || null;
  }
  return phone.slice(start) || null;
}

/** The name without case, accents and order of its words: `Olena Šyla` and `SYLA OLENA` are one holder. */
export function normalHolder(holder: unknown): string | null {
  if (typeof holder !== "string") return null;
  if (isPlainName(holder)) return sortedWords(holder.toUpperCase());
  const bare = ASCII.test(holder) ? holder : holder.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const words = bare
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.length === 0 ? null : words.sort().join(" ");
}

/** Words of A to Z, in either case, with one blank between them. */
function isPlainName(text: string): boolean {
  let before = BLANK;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 0x20;
    const isLetter = lower >= 0x61 && lower <= 0x7a;
    if (!isLetter && (code !== BLANK || before === BLANK)) return false;
    before = code;
  }
  return before !== BLANK;
}

/** Fast path for two words, which most names have. */
function sortedWords(name: string): string {
  const blank = name.indexOf(" ");
  if (blank < 0) return name;
  if (name.includes(" ", blank + 1)) return name.split(" ").sort().join(" ");
  const [first, second] = [name.slice(0, blank), name.slice(blank + 1)];
  return first <= second ? name : `${second} ${first}`;
}

export function normalText(text: unknown): string | null {
  if (typeof text !== "string") return null;
  return plain(text) || null;
}
