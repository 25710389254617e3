// Counts of a decision in plain words, for sentences of the rules and for both front ends.

/** What is counted beside attempts, by its name in front of `per`; others are words already. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ["card", "cards"],
  ["email", "e-mails"],
  ["ip", "addresses"],
  ["ip_net", "networks"],
  ["payer", "payers"],
  ["phone", "telephones"],
  ["terminal", "terminals"],
  ["holder", "holders"],
  ["bin_terminal", "BINs at terminals"],
  ["last_four", "last fours"],
  ["order", "orders"],
  ["charge", "charges"],
  ["spent", "EUR"],
]);

/** Whose count it is, by the key of the counter. */
export const OWNERS = {
  card: "with this card",
  email: "with this e-mail",
  ip: "from this address",
  ip_net: "from this network",
  payer: "by this payer",
  phone: "with this telephone",
  terminal: "at this terminal",
  holder: "of this holder",
  bin_terminal: "of this BIN at this terminal",
  last_four: "with these last four",
  order: "for this order",
  charge: "of this card and amount",
} as const;

/** True for a count of attempts alone. */
export function isOwner(key: string): key is keyof typeof OWNERS {
  return Object.hasOwn(OWNERS, key);
}

/** Counts that the parts would say badly. */
const WHOLE: ReadonlyMap<string, string> = new Map([
  ["charge per order", "ways to pay this order"],
  ["amounts in a row per card", "amounts in a row"],
]);

/**
 * A `CounterReading.key` in words: `card` is `attempts with this card`, `card per payer` is `cards by this payer`, `tiny
 * amounts per ip or payer` is `tiny amounts from this address or by this payer`; an unknown key stays as it is.
 */
export function countWords(key: string): string {
  const whole = WHOLE.get(key);
  if (whole !== undefined) return whole;
  const [counted, owners = ""] = key.includes(" per ") ? key.split(" per ", 2) : ["attempts", key];
  const whose = owners.split(" or ").map((owner) => (isOwner(owner) ? OWNERS[owner] : undefined));
  return whose.includes(undefined) ? key : `${COUNTED.get(counted!) ?? counted} ${whose.join(" or ")}`;
}

/** A window in words: `1h` is `1 h`, `90m` is `90 min`, `30d` is `30 days`; anything else stays as it is. */
export function windowWords(window: string): string {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(window) ?? [];
  if (count === undefined) return window;
  return `${count} ${unit === "m" ? "min" : unit === "h" ? "h" : count === "1" ? "day" : "days"}`;
}
