// Normal forms of cards, telephone numbers, names, identifiers and domains, used for counters and lists.

import { plain } from "#src/contract/text/normal-email.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

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

/** Digits only; null without one. */
export function normalPhone(phone: unknown): string | null {
  return typeof phone === "string" ? phone.replaceAll(/\D/g, "") || null : null;
}

/** The name without case, accents and order of its words: `Olena Šyla` and `SYLA OLENA` are one holder. */
export function normalHolder(holder: unknown): string | null {
  if (typeof holder !== "string") return null;
  const bare = ASCII.test(holder) ? holder : holder.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const words = bare.toUpperCase().match(/[\p{L}\p{N}]+/gu);
  return words?.sort().join(" ") ?? null;
}

export function normalText(text: unknown): string | null {
  if (typeof text !== "string") return null;
  return plain(text) || null;
}

/** The part after the last `@`, in lower case, without a final dot; null when there is none. */
export function emailDomain(email: unknown): string | null {
  if (typeof email !== "string") return null;
  const at = email.lastIndexOf("@");
  if (at < 0) return null;
  const written = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  return (written.endsWith(".") ? written.slice(0, -1) : written) || null;
}

/** The domain or its nearest parent domain in the set, all of them in normal form; null for none. */
export function coveringDomain(domain: string, domains: ReadonlySet<string>): string | null {
  for (let rest = domain; ;) {
    if (domains.has(rest)) return rest;
    const dot = rest.indexOf(".");
    if (dot < 0) return null;
    rest = rest.slice(dot + 1);
  }
}
