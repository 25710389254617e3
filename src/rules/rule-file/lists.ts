// Named lists of a rule file: typed entries, some for a time, matched against the fields of an attempt; a missing field leaves it
// open.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { KEY_FIELDS } from "#src/rules/counters/counter-keys.ts";
import type { NamedList, Situation } from "#src/rules/decision/situation.ts";
import { isInNetwork, readNetwork, type Network } from "#src/rules/values/address.ts";
import { normalDomain, normalEmail } from "#src/contract/text/normal-email.ts";
import { normalCard, normalPhone, normalText, coveringDomain } from "#src/rules/values/normal-forms.ts";

/** Types of entries. */
export const LIST_TYPES = ["card", "bin", "email", "domain", "ip", "phone", "payer", "terminal"] as const;

export type ListType = (typeof LIST_TYPES)[number];

/** An entry as it stands in the file, e.g. `{ ip: 203.0.113.0/24 }`. */
export interface ListEntry {
  readonly type: ListType;
  readonly text: string;
  /** It holds for payments at from <= time < until; always without these. */
  readonly from?: Milliseconds;
  readonly until?: Milliseconds;
}

/** Format of an entry, in words. */
export const LIST_FORMS: Readonly<Record<ListType, string>> = {
  card: "BIN, last four and expiry, such as 411111 0042 12/29",
  bin: "6 to 8 digits, the first of them not 0",
  email: "an e-mail address",
  domain: "a domain such as example.com, which includes those below it",
  ip: "an address or a network such as 203.0.113.0/24",
  phone: "a telephone number such as +380501234567",
  payer: "a payer_id",
  terminal: "a terminal_id",
};

/** Fields of the request that each type is matched against. */
const TYPE_FIELDS: Readonly<Record<ListType, readonly string[]>> = {
  card: KEY_FIELDS.card,
  bin: ["card.bin_card"],
  email: KEY_FIELDS.email,
  domain: KEY_FIELDS.email,
  ip: KEY_FIELDS.ip,
  phone: KEY_FIELDS.phone,
  payer: KEY_FIELDS.payer,
  terminal: KEY_FIELDS.terminal,
};

/** Normal form of an entry, the same as for values of attempts; null for invalid text. */
export function normalEntry({ type, text }: ListEntry): string | null {
  switch (type) {
    case "card": {
      const parts = /^(\d{6,8})[ -]+(\d{4})[ -]+(\d{1,2})\/(\d{2}|\d{4})$/.exec(text.trim());
      if (parts === null) return null;
      const [bin_card, cin_card, expiration_month, expiration_year] = parts.slice(1).map(Number);
      return normalCard({ bin_card, cin_card, expiration_month, expiration_year });
    }
    case "bin":
      return /^[1-9]\d{5,7}$/.test(text) ? text : null;
    case "email":
      return normalEmail(text);
    case "domain":
      return /^[^\s@./]+(?:\.[^\s@./]+)+$/.test(text) ? normalDomain(text.toLowerCase()) : null;
    case "ip":
      return readNetwork(text) === null ? null : text;
    case "phone":
      return normalPhone(text);
    case "payer":
    case "terminal":
      return normalText(text);
  }
}

type Lookup = (situation: Situation) => string | null | undefined;

interface TypeLookup {
  readonly type: ListType;
  readonly find: Lookup;
}

function compiled(entries: readonly ListEntry[]): readonly TypeLookup[] {
  return LIST_TYPES.flatMap((type) => {
    const own = entries.filter((entry) => entry.type === type);
    return own.length === 0 ? [] : [{ type, find: lookupOf(type, own) }];
  });
}

/** A compiled list. Every entry must have a normal form. */
export function createList(entries: readonly ListEntry[]): NamedList {
  let lookups: readonly TypeLookup[] = [];
  let [since, before] = [Infinity, -Infinity];

  /** Compiled at first, and when the time passes the beginning or the end of an entry, so that dates cost nothing in between. */
  function lookupsAt(now: Milliseconds): readonly TypeLookup[] {
    if (now >= since && now < before) return lookups;
    [since, before] = [-Infinity, Infinity];
    for (const { from = -Infinity, until = Infinity } of entries) {
      for (const edge of [from, until]) {
        if (edge <= now) since = Math.max(since, edge);
        else before = Math.min(before, edge);
      }
    }
    lookups = compiled(
      entries.filter(({ from = -Infinity, until = Infinity }) => from <= now && now < until),
    );
    return lookups;
  }

  return {
    entries,
    find(situation) {
      for (const { type, find } of lookupsAt(situation.input.now)) {
        const found = find(situation);
        if (found != null) return `${type} ${found}`;
      }
      return null;
    },
    missing(situation) {
      let unknown: string[] | null = null;
      for (const { type, find } of lookupsAt(situation.input.now)) {
        const found = find(situation);
        if (found === null) continue;
        if (found !== undefined) return null;
        (unknown ??= []).push(...TYPE_FIELDS[type]);
      }
      if (unknown === null) return null;
      return `the list has entries for ${[...new Set(unknown)].join(", ")}, which the attempt lacks`;
    },
  };
}

/** @returns the entry's text, null when none fits, undefined when the attempt has nothing to look up */
function lookupOf(type: ListType, entries: readonly ListEntry[]): Lookup {
  const byForm = new Map(entries.map((entry) => [normalEntry(entry)!, entry.text]));
  const look = (value: string | null): string | null | undefined =>
    value === null ? undefined : (byForm.get(value) ?? null);
  switch (type) {
    case "card":
      return ({ input }) => look(normalCard(input.request.card));
    case "bin":
      return ({ input: { request } }) => {
        const bin = request.card?.bin_card;
        if (!Number.isSafeInteger(bin)) return undefined;
        const digits = String(bin);
        for (const length of [8, 7, 6]) {
          const found = digits.length >= length ? byForm.get(digits.slice(0, length)) : undefined;
          if (found !== undefined) return found;
        }
        // A longer entry with this BIN as its prefix may or may not match.
        return entries.some(({ text }) => text.length > digits.length && text.startsWith(digits))
          ? undefined
          : null;
      };
    case "email":
      return ({ input }) => look(normalEmail(input.request.payer?.email));
    case "domain": {
      const domains = new Set(byForm.keys());
      return ({ domain }) => {
        if (domain === null) return undefined;
        const covering = coveringDomain(normalDomain(domain), domains);
        return covering === null ? null : byForm.get(covering)!;
      };
    }
    case "ip": {
      const networks = entries.map(({ text }): [Network, string] => [readNetwork(text)!, text]);
      return ({ address }) => {
        if (address === null) return undefined;
        return networks.find(([network]) => isInNetwork(address, network))?.[1] ?? null;
      };
    }
    case "phone":
      return ({ input }) => look(normalPhone(input.request.payer?.number_phone));
    case "payer":
      return ({ input }) => look(normalText(input.request.payer?.payer_id));
    case "terminal":
      return ({ input }) => look(normalText(input.request.terminal_id));
  }
}
