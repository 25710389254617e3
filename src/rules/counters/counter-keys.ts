// Keys under which attempts are counted: normalised identifiers of card, payer, address and so on, hashed with a secret.

import { hash } from "node:crypto";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { readAddress, type Address } from "#src/rules/values/address.ts";
import { normalEmail } from "#src/contract/text/normal-email.ts";
import {
  firstSix,
  normalCard,
  normalHolder,
  normalPhone,
  normalText,
} from "#src/rules/values/normal-forms.ts";

/** Keys whose attempts and money are counted. */
export const COUNTED_KEYS = ["card", "email", "ip", "ip_net", "payer", "phone", "terminal"] as const;

/** All keys, including those that are only counted as distinct values. Files on disk hold their indexes: append only. */
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

/** Indexes of the keys in COUNTER_KEYS. */
export const KIND = Object.fromEntries(COUNTER_KEYS.map((key, kind) => [key, kind])) as Readonly<
  Record<CounterKey, number>
>;

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

/** The keys by index, in the order of COUNTER_KEYS. */
export function keysByIndex(keys: CounterKeys): (string | undefined)[] {
  return COUNTER_KEYS.map((key) => keys[key]);
}

export function isCounterKey(name: string): name is CounterKey {
  return (COUNTER_KEYS as readonly string[]).includes(name);
}

export function isCountedKey(name: string): boolean {
  return (COUNTED_KEYS as readonly string[]).includes(name);
}

/**
 * Keys of a request within one project: equal for equal normalised values, useless without the secret.
 *
 * SHA-256 over secret and value, truncated to 128 bits, which rules out length extension; it takes a fifth of the time of an
 * HMAC (0.34 us and 1.7 us, a dozen times a decision).
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
  // join() makes a flat string; a concatenated one is flattened for each of the 12 hashes (7.1 us in all, 9.1 concatenated).
  const start = [secret, projectId, ""].join("\0");
  const bin = Number.isSafeInteger(card?.bin_card) ? firstSix(card!.bin_card!) : null;
  const terminal = normalText(request.terminal_id);
  const cardText = normalCard(card);
  const bytes = address?.toByteArray();
  const networkBytes = bytes?.length === 4 ? 3 : 8;
  const network = bytes === undefined ? null : dotted(bytes, 0, networkBytes);
  const host = bytes === undefined ? "" : dotted(bytes, networkBytes, bytes.length);
  const money = Number.isSafeInteger(amount) && Number.isSafeInteger(currency);
  return {
    card: hashed(start, "card\0", cardText),
    email: hashed(start, "email\0", normalEmail(payer?.email)),
    // Canonical, so that all notations of an address give the same key.
    ip: hashed(start, "ip\0", network === null ? null : network + host),
    ip_net: hashed(start, "ip_net\0", network),
    payer: hashed(start, "payer\0", normalText(payer?.payer_id)),
    phone: hashed(start, "phone\0", normalPhone(payer?.number_phone)),
    terminal: hashed(start, "terminal\0", terminal),
    holder: hashed(start, "holder\0", normalHolder(card?.holder)),
    bin_terminal: hashed(
      start,
      "bin_terminal\0",
      bin === null || terminal === null ? null : `${bin}\0${terminal}`,
    ),
    last_four: hashed(
      start,
      "last_four\0",
      Number.isSafeInteger(card?.cin_card) ? String(card?.cin_card) : null,
    ),
    order: hashed(start, "order\0", normalText(request.order_id)),
    charge: hashed(start, "charge\0", money ? `${amount} ${currency} ${cardText ?? ""}` : null),
  };
}

function hashed(start: string, kind: `${CounterKey}\0`, value: string | null): string | undefined {
  if (value === null) return undefined;
  return hash("sha256", start + (kind + value), DIGEST).slice(0, 22);
}

/** Without a length, Node checks at every hash whether the algorithm needs one. */
const DIGEST = { outputEncoding: "base64url", outputLength: 32 } as const;

/** Bytes in decimal, separated by dots; a part that does not start at 0 begins with a dot. */
function dotted(bytes: readonly number[], from: number, until: number): string {
  let text = "";
  for (let i = from; i < until; i++) text += i === 0 ? bytes[i]! : `.${bytes[i]!}`;
  return text;
}
