// Keys under which attempts are counted: what identifies a card, payer or address, normalised and hashed with a secret.

import { hash } from "node:crypto";
import type { CheckRequest } from "#src/contract/wire.ts";
import { readAddress, type Address } from "./address.ts";

/** Keys whose attempts and money are counted. */
export const COUNTED_KEYS = ["card", "email", "ip", "ip_net", "payer", "phone", "terminal"] as const;

/** Keys that are only told apart: as companions of others, or as what others accompany. Snapshots name them by place: append only. */
export const COUNTER_KEYS = [
  ...COUNTED_KEYS,
  "holder",
  "bin_terminal",
  "last_four",
  "order",
  "charge",
] as const;

/**
 * - `card`: BIN, last four and expiry together; weak, because other cards can share all three
 * - `ip_net`: the /24 of an IPv4 address, the /64 of an IPv6 address
 * - `bin_terminal`: the BIN as it is tried at one terminal
 * - `order`: the order id; `charge`: card, amount and currency together, the card only where it is known
 */
export type CounterKey = (typeof COUNTER_KEYS)[number];

/** Hashed keys of one attempt; a key whose fields are missing or unusable is absent or undefined. */
export type CounterKeys = Readonly<Partial<Record<CounterKey, string | undefined>>>;

/** Fields of the check request that each key is made of. */
export const KEY_FIELDS: Readonly<Record<CounterKey, readonly string[]>> = {
  card: ["card.bin_card", "card.cin_card", "card.expiration_month", "card.expiration_year"],
  email: ["payer.email"],
  ip: ["payer.payer_ip"],
  ip_net: ["payer.payer_ip"],
  payer: ["payer.payer_id"],
  phone: ["payer.number_phone"],
  terminal: ["terminal_id"],
  holder: ["card.holder"],
  bin_terminal: ["card.bin_card", "terminal_id"],
  last_four: ["card.cin_card"],
  order: ["order_id"],
  charge: ["amount", "currency"],
};

export function isCounterKey(name: string): name is CounterKey {
  return (COUNTER_KEYS as readonly string[]).includes(name);
}

export function isCountedKey(name: string): boolean {
  return (COUNTED_KEYS as readonly string[]).includes(name);
}

/**
 * Keys of a request within one project: equal for equal normalised values, useless without the secret.
 *
 * SHA-256 over secret and value, cut to 128 bits: the cut is what keeps a prefix key safe from length extension,
 * and it costs a fifth of an HMAC (0.34 us against 1.7 us, a dozen times a decision).
 * @param secret at least 32 random bytes in text form, kept with the counters
 * @param address `payer_ip` as `readAddress` read it
 */
export function counterKeys(
  request: CheckRequest,
  projectId: string,
  secret: string,
  address: Address | null = readAddress(request.payer?.payer_ip),
): CounterKeys {
  const { payer, card, amount, currency } = request;
  const start = `${secret}\0${projectId}\0`;
  const bin = Number.isSafeInteger(card?.bin_card) ? String(card?.bin_card).slice(0, 6) : null;
  const terminal = normalText(request.terminal_id);
  const cardText = normalCard(card);
  const bytes = address?.toByteArray();
  const network = bytes?.slice(0, bytes.length === 4 ? 3 : 8);
  const money = Number.isSafeInteger(amount) && Number.isSafeInteger(currency);
  return {
    card: hashed(start, "card", cardText),
    email: hashed(start, "email", normalEmail(payer?.email)),
    // One way of writing only, whatever the notation.
    ip: hashed(start, "ip", bytes?.join(".") ?? null),
    ip_net: hashed(start, "ip_net", network?.join(".") ?? null),
    payer: hashed(start, "payer", normalText(payer?.payer_id)),
    phone: hashed(start, "phone", normalPhone(payer?.number_phone)),
    terminal: hashed(start, "terminal", terminal),
    holder: hashed(start, "holder", normalHolder(card?.holder)),
    bin_terminal: hashed(
      start,
      "bin_terminal",
      bin === null || terminal === null ? null : `${bin}\0${terminal}`,
    ),
    last_four: hashed(
      start,
      "last_four",
      Number.isSafeInteger(card?.cin_card) ? String(card?.cin_card) : null,
    ),
    order: hashed(start, "order", normalText(request.order_id)),
    charge: hashed(start, "charge", money ? `${amount} ${currency} ${cardText ?? ""}` : null),
  };
}

function hashed(start: string, kind: CounterKey, value: string | null): string | undefined {
  if (value === null) return undefined;
  return hash("sha256", `${start}${kind}\0${value}`, "base64url").slice(0, 22);
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
  return whole ? `${String(bin).slice(0, 6)} ${lastFour} ${month} ${year! % 100}` : null;
}

const ASCII = /^[\x20-\x7e]*$/;

/** Normalising is dear, and nearly every text is plain ASCII. */
function plain(text: string): string {
  const trimmed = text.trim();
  return ASCII.test(trimmed) ? trimmed : trimmed.normalize("NFC");
}

/**
 * One mailbox, one text: lower case, the `+tag` dropped, and for Gmail the dots too (and `googlemail.com` is `gmail.com`).
 * @returns null without exactly one usable local part and domain
 */
export function normalEmail(email: unknown): string | null {
  if (typeof email !== "string") return null;
  const text = plain(email).toLowerCase();
  const at = text.lastIndexOf("@");
  const written = text.slice(at + 1);
  const domain = written.endsWith(".") ? written.slice(0, -1) : written;
  let local = text.slice(0, Math.max(at, 0));
  const plus = local.indexOf("+");
  if (plus > 0) local = local.slice(0, plus);
  const gmail = domain === "gmail.com" || domain === "googlemail.com";
  if (gmail) local = local.replaceAll(".", "");
  return local === "" || domain === "" ? null : `${local}@${gmail ? "gmail.com" : domain}`;
}

/** Digits only; null without one. */
export function normalPhone(phone: unknown): string | null {
  if (typeof phone !== "string") return null;
  const digits = phone.replaceAll(/\D/g, "");
  return digits === "" ? null : digits;
}

const PLAIN_NAME = /^[A-Z]+(?: [A-Z]+)*$/;

/** The name without case, accents and order of its words: `Olena Šyla` and `SYLA OLENA` are one holder. */
export function normalHolder(holder: unknown): string | null {
  if (typeof holder !== "string") return null;
  const upper = holder.toUpperCase();
  if (PLAIN_NAME.test(upper)) return upper.split(" ").sort().join(" ");
  const bare = ASCII.test(holder) ? holder : holder.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const words = bare
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.length === 0 ? null : words.sort().join(" ");
}

export function normalText(text: unknown): string | null {
  if (typeof text !== "string") return null;
  return plain(text) || null;
}
