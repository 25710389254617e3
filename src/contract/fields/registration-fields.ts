// The field tables of a project registration (spec 2.5) and of a credential request (spec 2.7).

import {
  bothReadings,
  likelyCurrencyText,
  readCurrency,
  unreadCurrency,
} from "#src/contract/lists/currency-words.ts";
import { CURRENCY_NUMBERS, currencyByNumeric } from "#src/contract/lists/currency.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import { COUNTRY_FIELD } from "./check-fields.ts";
import type { Field, FieldValue, Problem } from "./field.ts";

const PROJECT = "project";

export const MERCHANT_ID_FIELD: Field = {
  path: "merchant_id",
  label: "Merchant id",
  group: PROJECT,
  type: "string",
  required: true,
  maxLength: 128,
  help: "Merchant identifier in your system.",
  example: "shop-1",
};

export const RISK_LEVEL_FIELD: Field = {
  path: "risk_level",
  label: "Risk level",
  group: PROJECT,
  type: "string",
  required: true,
  choices: RISK_LEVELS,
  help: "Risk of the merchant; high makes decisions stricter.",
  example: "medium",
};

/** Every field of a registration, in the order of forms and messages. */
export const REGISTRATION_FIELDS: readonly Field[] = [
  MERCHANT_ID_FIELD,
  {
    path: "name",
    label: "Project name",
    group: PROJECT,
    type: "string",
    required: true,
    maxLength: 128,
    help: "Name of the project.",
    example: "Ticket shop",
  },
  {
    path: "description",
    label: "Description",
    group: PROJECT,
    type: "string",
    required: false,
    maxLength: 1024,
    help: "Description of the project.",
    example: "Tickets for concerts",
  },
  {
    path: "currency",
    label: "Currency",
    group: PROJECT,
    type: "integer",
    required: true,
    min: 1,
    max: 999,
    digits: 3,
    numbers: CURRENCY_NUMBERS,
    help: "ISO 4217 number of the project's currency, such as 980, or its letters, such as UAH.",
    sent: "Number of the project's currency in ISO 4217, such as 980 for UAH.",
    example: 980,
    read: readCurrency,
    unread: unreadCurrency,
    reads: "three letters such as UAH",
    check: checkRegistrationCurrency,
    hint: (value) => bothReadings(Number(value)),
  },
  RISK_LEVEL_FIELD,
];

/** Every field of a credential request; together they identify a registered project. */
export const CREDENTIAL_FIELDS: readonly Field[] = [MERCHANT_ID_FIELD, RISK_LEVEL_FIELD];

const COUNTRY_REGISTRATION_FIELDS: readonly Field[] = REGISTRATION_FIELDS.map((field) =>
  field.path === "currency"
    ? {
        ...field,
        ...COUNTRY_FIELD,
        check: (value, context) => COUNTRY_FIELD.check!(value, { ...context, strict: true }),
      }
    : field,
);

/** REGISTRATION_FIELDS for a currency numbering. */
export function registrationFields(numbering: CurrencyNumbering = "iso-4217"): readonly Field[] {
  return numbering === "iso-4217" ? REGISTRATION_FIELDS : COUNTRY_REGISTRATION_FIELDS;
}

/** An error, unlike in a check: a project cannot be registered a second time with the right currency. */
function checkRegistrationCurrency(value: FieldValue): Problem | null {
  const numeric = Number(value);
  if (currencyByNumeric(numeric) !== undefined) return null;
  return {
    severity: "error",
    text: `must be a currency number of ISO 4217; ${likelyCurrencyText(numeric)}`,
  };
}
