// The functions that conditions may call: counts, money, expiry, addresses, lists and patterns.

import { RE2JS } from "@bufbuild/re2";
import { fullYear, monthsToExpiry } from "#src/contract/fields/expiry.ts";
import { currencyByNumeric, minorUnits, moneyText } from "#src/contract/lists/currency.ts";
import {
  fieldNumber,
  missingCurrency,
  missingEur,
  missingExpiry,
  missingFields,
  type Missing,
} from "#src/rules/decision/missing.ts";
import { fieldReader, type Situation } from "#src/rules/decision/situation.ts";
import { amountLimit, EUR } from "#src/rules/rule-file/eur-rates.ts";
import { shownResult } from "#src/rules/rule-file/text-template.ts";
import { isBogon } from "#src/rules/values/address.ts";
import { normalDomain } from "#src/contract/text/normal-email.ts";
import { coveringDomain } from "#src/rules/values/normal-forms.ts";
import { holderAnomaly, localRandomness, phoneProblem } from "#src/rules/values/anomalies.ts";
import { memoize } from "#src/rules/values/memoize.ts";
import type { HostFunction, Value, ValueType } from "./host-function.ts";

const holderOf = fieldReader("card.holder");
const phoneOf = fieldReader("payer.number_phone");
const amountOf = fieldNumber("amount");
const currencyOf = fieldNumber("currency");
const binOf = fieldNumber("card.bin_card");
const expiryMonth = fieldNumber("card.expiration_month");
const expiryYear = fieldNumber("card.expiration_year");
const missingAmount = missingFields(["amount"]);
const missingEmail = missingFields(["payer.email"]);
const missingIp = missingFields(["payer.payer_ip"]);

/** All functions of rules except counts. `missing` checks for fields and data before a function is called. */
export const RULE_FUNCTIONS: readonly HostFunction[] = [
  ofPayment("amount_eur", "double", missingEur, ({ eur }) => eur ?? 0),
  // The amount as people write it: `120.00 UAH`.
  ofPayment("money", "string", missingCurrency, money),
  // The same and its worth: `49 000.00 UAH or about 1 000 EUR`; an amount in EUR once.
  ofPayment("money_eur", "string", missingEur, (situation) =>
    currencyOf(situation) === EUR
      ? money(situation)
      : `${money(situation)} or about ${shownResult(situation.eur ?? 0)} EUR`,
  ),
  // The code of the currency: `UAH`.
  ofPayment(
    "currency_code",
    "string",
    missingCurrency,
    (situation) => currencyByNumeric(currencyOf(situation))?.alpha ?? "?",
  ),
  // The amount in major units of its currency.
  ofPayment(
    "amount_major",
    "double",
    (situation) => missingAmount(situation) ?? missingCurrency(situation),
    (situation) => amountOf(situation) / minorUnit(situation),
  ),
  // Minor units in one major unit of the currency: 100 for UAH, 1 for JPY.
  ofPayment("minor_unit", "int", missingCurrency, minorUnit),
  needingMore("months_to_expiry", "int", missingExpiry, (situation) =>
    monthsToExpiry(expiryMonth(situation), expiryYear(situation), situation.input.now),
  ),
  // The card's month as people write it: `01/2027`.
  needingMore("expiry", "string", missingExpiry, (situation) => {
    const month = String(expiryMonth(situation)).padStart(2, "0");
    return `${month}/${fullYear(expiryYear(situation), situation.input.now)}`;
  }),
  needingMore(
    "email_domain",
    "string",
    (situation) =>
      situation.domain === null ? (missingEmail(situation) ?? "payer.email has no domain") : null,
    ({ domain }) => domain ?? "",
  ),
  // How random the name of the mailbox looks, 0 to 100.
  needingMore(
    "email_randomness",
    "int",
    (situation) =>
      situation.mailbox === null ? (missingEmail(situation) ?? "payer.email is not an address") : null,
    ({ mailbox }) => localRandomness(mailbox ?? ""),
  ),
  // Anomaly of the holder's name, in words; empty for none.
  ofPayment("holder_oddity", "string", missingFields(["card.holder"]), (situation) =>
    holderAnomaly(holderOf(situation) as string),
  ),
  // Why the telephone number is impossible, in words; empty if it is possible.
  ofPayment("phone_problem", "string", missingFields(["payer.number_phone"]), (situation) =>
    phoneProblem(phoneOf(situation) as string),
  ),
  // The limit for this project and currency, in major units: the closest of lines such as `* UAH 490000`.
  byList(
    "amount_limit",
    "double",
    (situation) => missingEur(situation) ?? missingCurrency(situation),
    (situation, lines) => {
      const { input, data } = situation;
      return amountLimit(lines, input.project.projectId, currencyOf(situation), data.rates);
    },
  ),
  // Whether payer_ip is a non-public address; the list names networks that are allowed all the same.
  byList(
    "ip_bogon",
    "bool",
    missingAddress,
    ({ address }, except) => address !== null && isBogon(address, except),
  ),
  // Whether the BIN is in one of the listed prefix ranges, each `4` or `51-55` or `2221-2720`.
  byList("bin_in", "bool", missingFields(["card.bin_card"]), (situation, ranges) =>
    isInRanges(binOf(situation), ranges),
  ),
  {
    // Whether the domain or one of its parents is in the list.
    name: "domain_in",
    parameters: ["string", "list<string>"],
    result: "bool",
    call: (_, [domain, list]) =>
      coveringDomain(normalDomain(domain as string), domainSet(list as readonly string[])) !== null,
  },
  {
    // The matching entry of the named list, e.g. `email fraud@example.com`; empty for none.
    name: "list_entry",
    parameters: ["string"],
    result: "string",
    literals: [0],
    needsMore: true,
    missing(situation, [name]) {
      return situation.data.lists.get(name!)?.missing(situation) ?? null;
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

/** A function without arguments: what there is to say of the payment. */
function ofPayment(
  name: string,
  result: ValueType,
  missing: Missing,
  call: (situation: Situation) => Value,
): HostFunction {
  return { name, parameters: [], result, missing, call };
}

function needingMore(...host: Parameters<typeof ofPayment>): HostFunction {
  return { ...ofPayment(...host), needsMore: true };
}

/** A function of one list of texts. */
function byList(
  name: string,
  result: ValueType,
  missing: Missing,
  read: (situation: Situation, list: readonly string[]) => Value,
): HostFunction {
  const call: HostFunction["call"] = (situation, [list]) => read(situation, list as readonly string[]);
  return { name, parameters: ["list<string>"], result, missing, call };
}

function money(situation: Situation): string {
  return moneyText(amountOf(situation), currencyOf(situation)) ?? "?";
}

/** Minor units in one major unit. */
function minorUnit(situation: Situation): number {
  return 10 ** (minorUnits(currencyOf(situation)) ?? 0);
}

function missingAddress(situation: Situation): string | null {
  return missingIp(situation) ?? (situation.address ? null : "payer.payer_ip is not an IP address");
}

const domainSet = memoize(
  (list: readonly string[]) => new Set(list.map((entry) => normalDomain(entry.toLowerCase()))),
);
const rangesOf = memoize((list: readonly string[]) => list.map(readRange).sort((a, b) => b.over - a.over));

function isInRanges(bin: number, list: readonly string[]): boolean {
  const ranges = rangesOf(list);
  let prefix = bin;
  for (let i = 0; i < ranges.length; i++) {
    const { from, to, over } = ranges[i]!;
    while (prefix >= over) prefix = (prefix - (prefix % 10)) / 10;
    if (prefix >= from && prefix <= to) return true;
  }
  return false;
}

/** Prefixes, the longest first; `over` is the smallest number with more digits. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly over: number;
}

function readRange(text: string): Range {
  const match = /^(\d{1,8})(?:-(\d{1,8}))?$/.exec(text);
  const [from, to = from] = [match?.[1], match?.[2]];
  if (from === undefined || to === undefined || from.length !== to.length) {
    throw new Error(`"${text}" is not a range of leading digits`);
  }
  return { from: Number(from), to: Number(to), over: 10 ** from.length };
}

const patterns = new Map<string, RE2JS>();

function compiledPattern(pattern: string): RE2JS {
  let compiled = patterns.get(pattern);
  if (!compiled) patterns.set(pattern, (compiled = new RE2JS(pattern)));
  return compiled;
}
