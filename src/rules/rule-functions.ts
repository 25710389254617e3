// The functions that conditions may call: counts, money, expiry, addresses, lists and patterns.

import { RE2JS } from "@bufbuild/re2";
import { countriesOfPhone } from "#src/contract/calling-codes.ts";
import { minorUnits as minorUnitsOf, moneyText } from "#src/contract/currency.ts";
import { fullYear, monthsToExpiry } from "#src/contract/expiry.ts";
import { isBogon } from "./address.ts";
import { normalEmail } from "./counter-keys.ts";
import { coveringDomain, emailDomain } from "./email-domain.ts";
import type { HostFunction } from "./expression.ts";
import {
  NO_IP_COUNTRY,
  fieldNumber,
  missingCurrency,
  missingEur,
  missingExpiry,
  missingFields,
} from "./missing.ts";
import { amountLimit } from "./amount-limit.ts";
import { holderOddity, localRandomness } from "./oddities.ts";
import { phoneProblem } from "./phone.ts";
import { fieldValue, type Situation } from "./situation.ts";

/** Every function of rules but those of counts. A missing field or missing data is found by `missing` before anything is called. */
export const RULE_FUNCTIONS: readonly HostFunction<Situation>[] = [
  {
    name: "amount_eur",
    parameters: [],
    result: "double",
    missing: missingEur,
    call: ({ eur }) => eur ?? 0,
  },
  {
    // The amount as people write it: `120.00 UAH`.
    name: "money",
    parameters: [],
    result: "string",
    missing: missingCurrency,
    call: (situation) =>
      moneyText(fieldNumber(situation, "amount"), fieldNumber(situation, "currency")) ?? "?",
  },
  {
    // The amount in major units of its currency.
    name: "amount_major",
    parameters: [],
    result: "double",
    missing: (situation) => missingFields(situation, ["amount"]) ?? missingCurrency(situation),
    call: (situation) => fieldNumber(situation, "amount") / 10 ** minorUnits(situation),
  },
  {
    // Minor units in one major unit of the currency: 100 for UAH, 1 for JPY.
    name: "minor_unit",
    parameters: [],
    result: "int",
    missing: missingCurrency,
    call: (situation) => 10 ** minorUnits(situation),
  },
  {
    // The limit for this project and currency, in major units: the closest of lines such as `* UAH 490000`.
    name: "amount_limit",
    parameters: ["list<string>"],
    result: "double",
    missing: (situation) => missingEur(situation) ?? missingCurrency(situation),
    call: (situation, [lines]) => amountLimit(situation, lines as readonly string[]),
  },
  {
    name: "months_to_expiry",
    parameters: [],
    result: "int",
    missing: missingExpiry,
    call: (situation) =>
      monthsToExpiry(
        fieldNumber(situation, "card.expiration_month"),
        fieldNumber(situation, "card.expiration_year"),
        situation.facts.now,
      ),
  },
  {
    // The card's month as people write it: `01/2027`.
    name: "expiry",
    parameters: [],
    result: "string",
    missing: missingExpiry,
    call(situation) {
      const month = String(fieldNumber(situation, "card.expiration_month")).padStart(2, "0");
      return `${month}/${fullYear(fieldNumber(situation, "card.expiration_year"), situation.facts.now)}`;
    },
  },
  {
    name: "email_domain",
    parameters: [],
    result: "string",
    missing: (situation) =>
      missingFields(situation, ["payer.email"]) ??
      (domainOf(situation) === null ? "payer.email has no domain" : null),
    call: (situation) => domainOf(situation) ?? "",
  },
  {
    // Whether the domain or one of its parents is in the list.
    name: "domain_in",
    parameters: ["string", "list<string>"],
    result: "bool",
    call: (_, [domain, list]) =>
      coveringDomain(domain as string, domainSet(list as readonly string[])) !== null,
  },
  {
    // How much the mailbox's name looks like drawn by lot, 0 to 100.
    name: "email_randomness",
    parameters: [],
    result: "int",
    missing: (situation) =>
      missingFields(situation, ["payer.email"]) ??
      (mailboxOf(situation) === null ? "payer.email is not an address" : null),
    call: (situation) => localRandomness(mailboxOf(situation) ?? ""),
  },
  {
    // What is odd about the holder's name, in words; empty when nothing is.
    name: "holder_oddity",
    parameters: [],
    result: "string",
    missing: (situation) => missingFields(situation, ["card.holder"]),
    call: (situation) => holderOddity(fieldValue(situation, "card.holder") as string),
  },
  {
    // What is impossible about the telephone number, in words; empty when it could exist.
    name: "phone_problem",
    parameters: [],
    result: "string",
    missing: (situation) => missingFields(situation, ["payer.number_phone"]),
    call: (situation) => phoneProblem(fieldValue(situation, "payer.number_phone") as string),
  },
  {
    // Country of payer_ip, ISO 3166-1 alpha-2, where something outside tells it.
    name: "ip_country",
    parameters: [],
    result: "string",
    missing: (situation) =>
      situation.facts.outside === undefined
        ? NO_IP_COUNTRY
        : (missingAddress(situation) ??
          (ipCountry(situation) === null ? "the country of payer.payer_ip is not known" : null)),
    call: (situation) => ipCountry(situation) ?? "",
  },
  {
    // Whether the telephone number can belong to the country, by its calling code.
    name: "phone_in",
    parameters: ["string"],
    result: "bool",
    missing: (situation) =>
      missingFields(situation, ["payer.number_phone"]) ??
      (phoneCountries(situation).length === 0 ? "the number belongs to no country" : null),
    call: (situation, [country]) => phoneCountries(situation).includes(country as string),
  },
  {
    // Whether payer_ip is an address that nobody on the public Internet has; the list names networks to let through.
    name: "ip_bogon",
    parameters: ["list<string>"],
    result: "bool",
    missing: missingAddress,
    call: ({ address }, [except]) => address !== null && isBogon(address, except as readonly string[]),
  },
  {
    // Whether the BIN begins like one of the listed ranges, each `4` or `51-55` or `2221-2720`.
    name: "bin_in",
    parameters: ["list<string>"],
    result: "bool",
    missing: (situation) => missingFields(situation, ["card.bin_card"]),
    call: (situation, [ranges]) =>
      isInRanges(fieldNumber(situation, "card.bin_card"), ranges as readonly string[]),
  },
  {
    // The entry of the named list that the attempt is under, e.g. `email fraud@example.com`; empty when it is under none.
    name: "list_entry",
    parameters: ["string"],
    result: "string",
    literals: [0],
    missing(situation, [name]) {
      const list = situation.data.lists.get(name!);
      return list === undefined || list.find(situation) !== null ? null : list.missing(situation);
    },
    call: (situation, [name]) => situation.data.lists.get(name as string)?.find(situation) ?? "",
  },
  {
    // RE2 finds the pattern anywhere in the text, in time linear to it.
    name: "regex",
    parameters: ["string", "string"],
    result: "bool",
    literals: [1],
    check([pattern]) {
      try {
        compiledPattern(pattern!);
        return null;
      } catch (error) {
        return `the pattern is not valid: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    call: (_, [text, pattern]) => compiledPattern(pattern as string).test(text as string),
  },
];

function minorUnits(situation: Situation): number {
  return minorUnitsOf(fieldNumber(situation, "currency")) ?? 0;
}

function missingAddress(situation: Situation): string | null {
  return (
    missingFields(situation, ["payer.payer_ip"]) ??
    (situation.address ? null : "payer.payer_ip is not an IP address")
  );
}

function ipCountry({ address, facts }: Situation): string | null {
  return address === null ? null : (facts.outside?.ipCountry(address.toString()) ?? null);
}

function phoneCountries(situation: Situation): readonly string[] {
  const phone = fieldValue(situation, "payer.number_phone") as string;
  return countriesOfPhone(phone.replaceAll(/\D/g, "")) ?? [];
}

function domainOf(situation: Situation): string | null {
  return emailDomain(fieldValue(situation, "payer.email"));
}

/** The part before the `@`, without its tag. */
function mailboxOf(situation: Situation): string | null {
  const email = normalEmail(fieldValue(situation, "payer.email"));
  return email === null ? null : email.slice(0, email.lastIndexOf("@"));
}

// Lists are parameters of rules, which stay the same arrays: each becomes a lookup once.
const domainSets = new WeakMap<readonly string[], ReadonlySet<string>>();
const rangeLists = new WeakMap<readonly string[], readonly [from: number, to: number, digits: number][]>();

function domainSet(list: readonly string[]): ReadonlySet<string> {
  let set = domainSets.get(list);
  if (!set) domainSets.set(list, (set = new Set(list.map((entry) => entry.toLowerCase()))));
  return set;
}

function isInRanges(bin: number, list: readonly string[]): boolean {
  let ranges = rangeLists.get(list);
  if (!ranges) rangeLists.set(list, (ranges = list.map(readRange)));
  const text = String(bin);
  return ranges.some(([from, to, digits]) => {
    const prefix = Number(text.slice(0, digits));
    return prefix >= from && prefix <= to;
  });
}

function readRange(text: string): [from: number, to: number, digits: number] {
  const match = /^(\d{1,8})(?:-(\d{1,8}))?$/.exec(text);
  const [from, to = from] = [match?.[1], match?.[2]];
  if (from === undefined || to === undefined || from.length !== to.length) {
    throw new Error(`"${text}" is not a range of leading digits`);
  }
  return [Number(from), Number(to), from.length];
}

const patterns = new Map<string, RE2JS>();

function compiledPattern(pattern: string): RE2JS {
  let compiled = patterns.get(pattern);
  if (!compiled) patterns.set(pattern, (compiled = new RE2JS(pattern)));
  return compiled;
}
