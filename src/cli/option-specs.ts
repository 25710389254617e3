// Options that several commands take in the same words.

import { RISK_LEVELS } from "#src/contract/wire.ts";
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
