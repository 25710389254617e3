// Options that several commands take in the same words.

import { CURRENCY_NUMBERINGS } from "#src/contract/records/profile.ts";
import { RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { OptionSpec } from "./command.ts";

export const JSON_OPTION: OptionSpec = { flags: "--json", help: "print machine-readable JSON" };
export const MERCHANT: OptionSpec = {
  flags: "--merchant-id <id>",
  help: "merchant in your own system",
  required: true,
};
export const RISK: OptionSpec = {
  flags: "--risk-level <level>",
  help: "how risky the merchant is; high means stricter decisions",
  required: true,
  choices: RISK_LEVELS,
};
export const FRESH_CONNECTIONS: OptionSpec = {
  flags: "--fresh-connections",
  help: "open a connection for each check, so that no late answer is taken for the next one's",
};
/** Where a service may read the numbers of a payment otherwise: a profile and the sandbox say it alike. */
export const NUMBER_READINGS: readonly OptionSpec[] = [
  {
    flags: "--amount-unit <unit>",
    help: "unit of amounts on the wire (default: minor)",
    choices: ["minor", "major"],
  },
  {
    flags: "--currency-numbering <standard>",
    help: "numbers of currency: currencies, or countries (default: iso-4217)",
    choices: CURRENCY_NUMBERINGS,
  },
];
