// The field table of a check request (spec 2.1-2.3), including the limits that the spec leaves open.

import { schemeOfBin } from "#src/contract/lists/card-schemes.ts";
import {
  countryWords,
  currencyWords,
  likelyCurrencyText,
  notCountryText,
  readCountry,
  readCurrency,
  unreadCurrency,
} from "#src/contract/lists/currency-words.ts";
import {
  COUNTRY_NUMBERS,
  CURRENCY_NUMBERS,
  currencyByNumeric,
  currencyOfNumber,
  moneyText,
} from "#src/contract/lists/currency.ts";
import type { AmountUnit, CurrencyNumbering } from "#src/contract/records/profile.ts";
import { getPath, ownValue } from "./body-path.ts";
import { expiryEnd, expiryText } from "./expiry.ts";
import type { Field, FieldContext, FieldValue, Problem } from "./field.ts";
import {
  checkEmail,
  checkIpAddress,
  checkPhone,
  describeIpAddress,
  describePhone,
  E164,
  emailAddress,
  isUsualEmail,
} from "./payer-checks.ts";

const PAYMENT = "operation";
const OPERATIONS = ["payment", "payout", "recurring", "refund", "verification"];
const PAYER = "payer";
const CARD = "card";
/** The smallest number of six digits. */
const FIRST_BIN = 100_000;

/** Every field of the check, in the order of forms and messages. */
export const CHECK_FIELDS: readonly Field[] = [
  {
    path: "operation",
    label: "Operation",
    group: PAYMENT,
    type: "string",
    required: true,
    maxLength: 64,
    suggestions: OPERATIONS,
    help: "Kind of operation.",
    example: "payment",
    check: (value) =>
      OPERATIONS.includes(String(value))
        ? null
        : { severity: "note", text: `is not one of ${OPERATIONS.join(", ")}; it is sent as it is` },
  },
  {
    path: "order_id",
    label: "Order id",
    group: PAYMENT,
    type: "string",
    required: true,
    maxLength: 128,
    help: "Order identifier in your system.",
    example: "order-1044",
    check: checkId,
  },
  {
    path: "amount",
    label: "Amount",
    group: PAYMENT,
    type: "integer",
    required: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    help: "Transaction amount in minor units of the currency: 12000 is 120.00 UAH.",
    example: 12_000,
    hint: (value, context) => describeAmount(value, context, "iso-4217"),
    unread: (text) =>
      /^\d+[.,]\d+$/.test(text)
        ? "must be a whole number: 12000 for 120.00 where the service takes minor units"
        : null,
  },
  {
    path: "currency",
    label: "Currency",
    group: PAYMENT,
    type: "integer",
    required: true,
    min: 1,
    max: 999,
    digits: 3,
    numbers: CURRENCY_NUMBERS,
    help: "ISO 4217 number of the currency, such as 980, or its letters, such as UAH.",
    sent: "Number of the currency in ISO 4217, such as 980 for UAH.",
    example: 980,
    read: readCurrency,
    unread: unreadCurrency,
    reads: "three letters such as UAH",
    check: checkCurrency,
    hint: (value) => currencyWords(Number(value)),
  },
  {
    path: "description",
    label: "Description",
    group: PAYMENT,
    type: "string",
    required: false,
    maxLength: 1024,
    help: "Free-text description of the payment.",
    example: "Two tickets",
  },
  {
    path: "terminal_id",
    label: "Terminal id",
    group: PAYMENT,
    type: "string",
    required: false,
    maxLength: 128,
    help: "Terminal identifier.",
    example: "terminal-7",
    check: checkId,
  },
  {
    path: "payer.payer_ip",
    label: "IP address",
    group: PAYER,
    type: "string",
    required: false,
    maxLength: 45,
    formats: ["ipv4", "ipv6"],
    help: "IPv4 or IPv6 address of the payer.",
    example: "203.0.113.7",
    check: checkIpAddress,
    hint: describeIpAddress,
  },
  {
    path: "payer.email",
    label: "E-mail",
    group: PAYER,
    type: "string",
    required: false,
    maxLength: 254,
    pattern: {
      get regex() {
        return emailAddress();
      },
      text: "must be an e-mail address such as name@example.com",
      isUsual: isUsualEmail,
    },
    help: "E-mail address of the payer.",
    example: "ann@example.com",
    check: checkEmail,
  },
  {
    path: "payer.number_phone",
    label: "Phone",
    group: PAYER,
    type: "string",
    required: false,
    maxLength: 16,
    pattern: {
      regex: E164,
      text: "must be + and at most 15 digits, country code first, such as +380501234567",
    },
    help: "Telephone number with a leading + and the country code, digits only, such as +380501234567.",
    example: "+380501234567",
    check: checkPhone,
    hint: describePhone,
  },
  {
    path: "payer.payer_id",
    label: "Payer id",
    group: PAYER,
    type: "string",
    required: false,
    maxLength: 128,
    help: "Payer identifier in your system.",
    example: "payer-1",
    check: checkId,
  },
  {
    path: "card.holder",
    label: "Holder",
    group: CARD,
    type: "string",
    required: false,
    maxLength: 128,
    help: "Card holder name.",
    example: "ANN EXAMPLE",
  },
  {
    path: "card.bin_card",
    label: "BIN",
    group: CARD,
    type: "integer",
    required: false,
    min: FIRST_BIN,
    max: 99_999_999,
    gap: { from: 1_000_000, to: 9_999_999, text: "must have six or eight digits, and has seven" },
    help: "Leading six digits of the card number; eight are accepted.",
    example: 411_111,
    check: checkBin,
    hint: describeBin,
  },
  {
    path: "card.cin_card",
    label: "Last four",
    group: CARD,
    type: "integer",
    required: false,
    min: 0,
    max: 9999,
    digits: 4,
    help: "Last four digits of the card number; 0042 is sent as 42.",
    example: 42,
    hint: (value) => (Number(value) < 1000 ? `sent as ${value}` : null),
  },
  {
    path: "card.expiration_month",
    label: "Expiry month",
    group: CARD,
    type: "integer",
    required: false,
    min: 1,
    max: 12,
    digits: 2,
    help: "Month in which the card expires, 1 to 12.",
    example: 12,
  },
  {
    path: "card.expiration_year",
    label: "Expiry year",
    group: CARD,
    type: "integer",
    required: false,
    min: 0,
    max: 9999,
    gap: { from: 100, to: 999, text: "must have two or four digits, and has three" },
    digits: 2,
    help: "Year in which the card expires, two digits such as 27; four are accepted.",
    example: 27,
    check: checkExpiryYear,
    hint: (_year, context) => describeExpiry(context),
  },
];

/** Overrides of the field `currency` for a service that uses country numbers of ISO 3166-1 (spec 2.5). */
export const COUNTRY_FIELD: Pick<
  Field,
  "numbers" | "help" | "sent" | "example" | "read" | "unread" | "reads" | "check" | "hint"
> = {
  numbers: COUNTRY_NUMBERS,
  help: "ISO 3166-1 number of the currency's country, such as 804, or letters, such as UA or UAH.",
  sent: "Number of the currency's country in ISO 3166-1, such as 804 for Ukraine.",
  example: 804,
  read: readCountry,
  unread: () => null,
  reads: "letters of a country or its currency such as UA or UAH",
  check: checkCountry,
  hint: (value) => countryWords(Number(value)),
};

const COUNTRY_CHECK_FIELDS: readonly Field[] = CHECK_FIELDS.map((field) => {
  if (field.path === "currency") return { ...field, ...COUNTRY_FIELD };
  if (field.path !== "amount") return field;
  return { ...field, hint: (value, context) => describeAmount(value, context, "iso-3166-1") };
});

/** CHECK_FIELDS for a currency numbering and an amount unit. */
export function checkFields(
  numbering: CurrencyNumbering = "iso-4217",
  unit: AmountUnit = "minor",
): readonly Field[] {
  const fields = numbering === "iso-4217" ? CHECK_FIELDS : COUNTRY_CHECK_FIELDS;
  if (unit === "minor") return fields;
  const sent = "Transaction amount in whole major units of the currency: 120 is 120.00 UAH.";
  return fields.map((field) => (field.path === "amount" ? { ...field, sent, example: 120 } : field));
}

/** What databases and programs write for an empty value, in lower case. */
const EMPTY_VALUES: ReadonlySet<string> = new Set([
  "null",
  "(null)",
  "\\n",
  "nil",
  "none",
  "nan",
  "n/a",
  "#n/a",
  "undefined",
]);

/** A warning, because rules would take all payments without an id for those of one payer. */
function checkId(value: FieldValue): Problem | null {
  const id = String(value);
  return id.length < 10 && EMPTY_VALUES.has(id.trim().toLowerCase())
    ? { severity: "warning", text: "is a word for an empty value, such as NULL; leave it out" }
    : null;
}

function describeAmount(
  amount: FieldValue,
  { body, amountUnit }: FieldContext,
  numbering: CurrencyNumbering,
): string | null {
  const number = getPath(body, "currency");
  const currency = typeof number === "number" ? currencyOfNumber(number, numbering) : undefined;
  if (currency === undefined) return null;
  return amountUnit === "minor" ? moneyText(Number(amount), currency.numeric) : `${amount} ${currency.alpha}`;
}

function checkCountry(value: FieldValue, { strict = false }: FieldContext): Problem | null {
  const words = countryWords(Number(value));
  if (words !== null) return null;
  return {
    severity: strict ? "error" : "warning",
    text: `is no country number of ISO 3166-1; ${notCountryText(Number(value))}`,
  };
}

/** The numbers are the business of the service: it may know one that was withdrawn, or that is newer than this list. */
function checkCurrency(value: FieldValue, { strict = false }: FieldContext): Problem | null {
  const numeric = Number(value);
  if (currencyByNumeric(numeric) !== undefined) return null;
  const severity = strict ? "error" : "warning";
  return { severity, text: `is no currency number of ISO 4217; ${likelyCurrencyText(numeric)}` };
}

function checkBin(value: FieldValue): Problem | null {
  return String(value).length > 6
    ? { severity: "note", text: "has eight digits (ISO/IEC 7812-1:2017), where the service shows six" }
    : null;
}

function describeBin(value: FieldValue): string | null {
  const bin = Number(value);
  if (!Number.isSafeInteger(bin) || bin < FIRST_BIN) return null;
  return schemeOfBin(bin) ?? "no known card scheme";
}

function checkExpiryYear(value: FieldValue, { body, now }: FieldContext): Problem | null {
  const year = Number(value);
  const month = ownValue(ownValue(body, "card"), "expiration_month");
  if (isMonth(month) && now >= expiryEnd(month, year, now)) {
    return {
      severity: "warning",
      text: "shows an expired card; check year and month",
    };
  }
  return year > 99 ? { severity: "note", text: "has four digits, where the service shows two" } : null;
}

function describeExpiry({ body, now }: FieldContext): string | null {
  const month = getPath(body, "card.expiration_month");
  const year = getPath(body, "card.expiration_year");
  if (!isMonth(month) || typeof year !== "number" || !Number.isInteger(year)) return null;
  if (year < 0 || year > 9999 || (year > 99 && year < 1000)) return null;
  return expiryText(month, year, now);
}

function isMonth(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 12;
}
