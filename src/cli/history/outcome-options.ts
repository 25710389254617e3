// Options of the subcommands of "verdict outcome".

import { instant, option, whole } from "#src/cli/option.ts";
import { JSON_OPTION, SHOWN } from "#src/cli/option-specs.ts";

export const OUTCOME_SET = {
  at: option(instant, "when it became known, in ISO 8601 (default: now)"),
  json: JSON_OPTION,
};

export const OUTCOME_LIST = {
  limit: option(whole(1, 1_000_000), "orders to show (default: 100; with --json all)"),
  ...SHOWN,
};
