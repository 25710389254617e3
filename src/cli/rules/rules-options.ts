// Options of the subcommands of "verdict rules".

import { inGroup, flag, text } from "#src/cli/option.ts";
import {
  FLIP_GATES,
  JSON_OPTION,
  LABELLING,
  OUTCOME_GATES,
  READING,
  REPORTS,
  TIMES_AND_LEVEL,
  YES,
} from "#src/cli/option-specs.ts";

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
    against: text("<rules>", "the rules to compare with (default: current)"),
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
  param: text("<name-and-values...>", "a number, then its values: BIN_BURST.limit 4..40, 4..40/2 or 4,6,10", {
    required: true,
    repeatable: true,
  }),
  ...OUTCOME_GATES,
  write: flag("write the proposed value into the rule file; nothing else of it changes"),
  ...TRANSACTIONS,
  ...READING,
  yes: YES,
  json: JSON_OPTION,
};
