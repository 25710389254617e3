// Options of the subcommands of "verdict rules".

import { TARGET } from "#src/cli/sandbox/sandbox-options.ts";
import { inGroup, flag, instant, option, text } from "#src/cli/option.ts";
import {
  FLIP_GATES,
  JSON_OPTION,
  LABELLING,
  OUTCOME_GATES,
  READING,
  REPORTS,
  SHOWN,
  TIMES_AND_LEVEL,
  YES,
} from "#src/cli/option-specs.ts";

export const RULES_LIST = {
  hits: flag("list the current rules of the sandbox with their number of hits since it started"),
  ...TARGET,
  ...SHOWN,
};

export const RULES_USE = { ...TARGET, yes: YES, json: JSON_OPTION };

const OVER = text(
  "<source...>",
  "transactions: history:FILTER, run:ID, a file, a folder, a saved payload, or -",
  { required: true, repeatable: true },
);

/** How the transactions of a back-test are decided, and what became of them. */
const TRANSACTIONS = { ...TIMES_AND_LEVEL, ...LABELLING };

export const RULES_BACKTEST = {
  ...inGroup("Which payments", {
    over: OVER,
    against: text("<rules>", "rules to compare with: a file, starter or current (default: current)"),
  }),
  ...TRANSACTIONS,
  ...FLIP_GATES,
  ...OUTCOME_GATES,
  ...READING,
  ...REPORTS,
  rows: text(
    "<file>",
    "write each payment with key, order id, label and both verdicts to a new .csv or .ndjson",
    { writes: "file" },
  ),
  json: JSON_OPTION,
};

export const RULES_TUNE = {
  ...inGroup("Which payments", { over: OVER }),
  param: text(
    "<name-and-values...>",
    "a parameter and the values to try: BIN_BURST.limit 4..40, 4..40/2 (in steps of 2) or 4,6,10",
    {
      required: true,
      repeatable: true,
    },
  ),
  judgeFrom: option(
    instant,
    "hold out payments from this time on to judge the value (default: the last third of the time)",
  ),
  ...OUTCOME_GATES,
  write: flag("write the proposed value into the rule file, without other changes"),
  ...TRANSACTIONS,
  ...READING,
  yes: YES,
  json: JSON_OPTION,
};
