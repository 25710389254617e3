// The functions that conditions may call: counts, money, expiry, addresses and patterns.

import { RE2JS } from "@bufbuild/re2";
import { currencyByNumeric, moneyText } from "#src/contract/currency.ts";
import { isBogon } from "./address.ts";
import { COUNTER_KEYS, KEY_FIELDS, isCounterKey, type CounterKey } from "./counter-keys.ts";
import { amountInEur } from "./eur-rates.ts";
import type { HostFunction, Value } from "./expression.ts";
import { expiryYear, monthsToExpiry } from "./expiry.ts";
import { fieldValue, type Situation } from "./situation.ts";
import { WINDOW_FORMS, parseWindow, type Window } from "./window.ts";

/** Every function of rules. A missing field or missing data is found by `missing` before anything is called. */
export const RULE_FUNCTIONS: readonly HostFunction<Situation>[] = [
  {
    // Attempts with the same key within the window, this one included.
    name: "velocity",
    parameters: ["string", "string"],
    result: "int",
    literals: [0, 1],
    check: ([key, window]) => keyProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!),
    call: ({ counts }, [key, window]) => BigInt(counts.velocity(key as CounterKey, knownWindow(window))),
  },
  {
    // How many different `of` came with the same key within the window, this one included.
    name: "distinct",
    parameters: ["string", "string", "string"],
    result: "int",
    literals: [0, 1, 2],
    check: ([of, key, window]) => keyProblem(of!) ?? keyProblem(key!) ?? windowProblem(window!),
    missing: (situation, [of, key]) => missingKey(situation, key!) ?? missingKey(situation, of!),
    call: ({ counts }, [of, key, window]) =>
      BigInt(counts.distinct(of as CounterKey, key as CounterKey, knownWindow(window))),
  },
  {
    // EUR within the window with the same key, this attempt included.
    name: "spent",
    parameters: ["string", "string"],
    result: "double",
    literals: [0, 1],
    check: ([key, window]) => keyProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    call: ({ counts }, [key, window]) => counts.spent(key as CounterKey, knownWindow(window)) / 100,
  },
  {
    name: "amount_eur",
    parameters: [],
    result: "double",
    missing: missingEur,
    call: (situation) => eurOf(situation)!,
  },
  {
    // The amount as people write it: `120.00 UAH`.
    name: "money",
    parameters: [],
    result: "string",
    missing: missingCurrency,
    call: (situation) => moneyText(number(situation, "amount"), number(situation, "currency")) ?? "?",
  },
  {
    // Minor units in one major unit of the currency: 100 for UAH, 1 for JPY.
    name: "minor_unit",
    parameters: [],
    result: "int",
    missing: missingCurrency,
    call: (situation) => 10n ** BigInt(currencyByNumeric(number(situation, "currency"))?.minorUnits ?? 0),
  },
  {
    name: "months_to_expiry",
    parameters: [],
    result: "int",
    missing: missingExpiry,
    call: (situation) =>
      BigInt(
        monthsToExpiry(
          number(situation, "card.expiration_month"),
          number(situation, "card.expiration_year"),
          situation.facts.now,
        ),
      ),
  },
  {
    // The card's month as people write it: `01/2027`.
    name: "expiry",
    parameters: [],
    result: "string",
    missing: missingExpiry,
    call(situation) {
      const month = String(number(situation, "card.expiration_month")).padStart(2, "0");
      return `${month}/${expiryYear(number(situation, "card.expiration_year"), situation.facts.now)}`;
    },
  },
  {
    name: "email_domain",
    parameters: [],
    result: "string",
    missing: (situation) =>
      missingFields(situation, ["payer.email"]) ??
      (emailDomain(situation) === "" ? "payer.email has no domain" : null),
    call: emailDomain,
  },
  {
    // Whether the domain or one of its parents is in the list.
    name: "domain_in",
    parameters: ["string", "list<string>"],
    result: "bool",
    call: (_, [domain, list]) => isInDomains(domain as string, list as readonly string[]),
  },
  {
    // Whether payer_ip is an address that nobody on the public Internet has; the list names networks to let through.
    name: "ip_bogon",
    parameters: ["list<string>"],
    result: "bool",
    missing: (situation) =>
      missingFields(situation, ["payer.payer_ip"]) ??
      (situation.address ? null : "payer.payer_ip is not an IP address"),
    call: ({ address }, [except]) => address !== null && isBogon(address, except as readonly string[]),
  },
  {
    // Whether the BIN begins like one of the listed ranges, each `4` or `51-55` or `2221-2720`.
    name: "bin_in",
    parameters: ["list<string>"],
    result: "bool",
    missing: (situation) => missingFields(situation, ["card.bin_card"]),
    call: (situation, [ranges]) =>
      isInRanges(number(situation, "card.bin_card"), ranges as readonly string[]),
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

function keyProblem(key: string): string | null {
  return isCounterKey(key) ? null : `"${key}" is not counted; counted are ${COUNTER_KEYS.join(", ")}`;
}

function windowProblem(window: string): string | null {
  return parseWindow(window) ? null : `"${window}" is not a window; write ${WINDOW_FORMS}`;
}

const windows = new Map<string, Window>();

/** Windows come from rule files only, so there are few, and each is read once. */
function knownWindow(text: Value | undefined): Window {
  let window = windows.get(text as string);
  if (!window) {
    window = parseWindow(text as string)!;
    windows.set(window.text, window);
  }
  return window;
}

/** Why nothing can be counted under a key; null when it can. */
export function missingKey(situation: Situation, key: string): string | null {
  if (!isCounterKey(key) || situation.keys[key] !== undefined) return null;
  return missingFields(situation, KEY_FIELDS[key]) ?? `${KEY_FIELDS[key].join(", ")} cannot be used`;
}

/** Which of the fields are missing, as one reason; null when all are there. */
export function missingFields(situation: Situation, fields: readonly string[]): string | null {
  let missing: string[] | null = null;
  for (const field of fields) if (fieldValue(situation, field) === undefined) (missing ??= []).push(field);
  return missing && `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`;
}

function number(situation: Situation, field: string): number {
  return Number(fieldValue(situation, field));
}

function eurOf(situation: Situation): number | null {
  return amountInEur(number(situation, "amount"), number(situation, "currency"), situation.rates);
}

function missingEur(situation: Situation): string | null {
  const missing = missingFields(situation, ["amount", "currency"]);
  if (missing !== null || eurOf(situation) !== null) return missing;
  const code = number(situation, "currency");
  return `no EUR rate for ${currencyByNumeric(code)?.alpha ?? `currency ${code}`}`;
}

function missingCurrency(situation: Situation): string | null {
  const missing = missingFields(situation, ["currency"]);
  if (missing !== null) return missing;
  return currencyByNumeric(number(situation, "currency")) ? null : "currency is not in ISO 4217";
}

function missingExpiry(situation: Situation): string | null {
  const missing = missingFields(situation, ["card.expiration_month", "card.expiration_year"]);
  if (missing !== null) return missing;
  const month = number(situation, "card.expiration_month");
  const year = number(situation, "card.expiration_year");
  return month >= 1 && month <= 12 && year >= 0 && year <= 9999 ? null : "the expiry is not a month";
}

function emailDomain(situation: Situation): string {
  const email = fieldValue(situation, "payer.email") as string;
  const at = email.lastIndexOf("@");
  return at < 0
    ? ""
    : email
        .slice(at + 1)
        .trim()
        .toLowerCase()
        .replace(/\.$/, "");
}

// Lists are parameters of rules, which stay the same arrays: each becomes a lookup once.
const domainSets = new WeakMap<readonly string[], ReadonlySet<string>>();
const rangeLists = new WeakMap<readonly string[], readonly [from: number, to: number, digits: number][]>();

function isInDomains(domain: string, list: readonly string[]): boolean {
  let set = domainSets.get(list);
  if (!set) domainSets.set(list, (set = new Set(list.map((entry) => entry.toLowerCase()))));
  for (let rest = domain; ;) {
    if (set.has(rest)) return true;
    const dot = rest.indexOf(".");
    if (dot < 0) return false;
    rest = rest.slice(dot + 1);
  }
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
