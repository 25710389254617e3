// The fields of a project registration (spec 2.5).

import { currencyByNumeric } from "./currency.ts";
import { bothReadings, likelyCurrencyText, readCurrency } from "./currency-words.ts";
import type { Field, FieldValue, Problem } from "./field.ts";
import { RISK_LEVELS } from "./wire.ts";

const PROJECT = "project";

/** Merchant, the first half of what a credential request names (spec 2.5, 2.7). */
export const MERCHANT_ID_FIELD: Field = {
  path: "merchant_id",
  label: "Merchant id",
  group: PROJECT,
  type: "string",
  required: true,
  maxLength: 128,
  help: "Merchant identifier in your system.",
};

/** Risk level, the other half. */
export const RISK_LEVEL_FIELD: Field = {
  path: "risk_level",
  label: "Risk level",
  group: PROJECT,
  type: "string",
  required: true,
  choices: RISK_LEVELS,
  help: "Risk of the merchant; high makes decisions stricter.",
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
  },
  {
    path: "description",
    label: "Description",
    group: PROJECT,
    type: "string",
    required: false,
    maxLength: 1024,
    help: "Description of the project.",
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
    help: "ISO 4217 number of the project's currency, such as 980, or its letters, such as UAH.",
    read: readCurrency,
    check: checkRegistrationCurrency,
    hint: (value) => bothReadings(Number(value)),
  },
  RISK_LEVEL_FIELD,
];

/** An error, unlike in a check: a project cannot be registered a second time with the right currency. */
function checkRegistrationCurrency(value: FieldValue): Problem | null {
  const numeric = Number(value);
  if (currencyByNumeric(numeric) !== undefined) return null;
  return {
    severity: "error",
    text: `must be a currency number of ISO 4217; ${likelyCurrencyText(numeric)}`,
  };
}
