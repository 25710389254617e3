// Options of the subcommands of "verdict history" and "verdict label".

import { JSON_OPTION, OUTPUT, REJECTS, SHOWN, YES } from "#src/cli/option-specs.ts";
import { flag, oneOf, option, text, whole, instant } from "#src/cli/option.ts";

export const HISTORY = {
  where: text("<expression>", 'filter, e.g. "verdict:block amount>100000 since:2d"'),
  limit: option(whole(1, 1_000_000), "number of newest entries to show (default: 20)"),
  ...SHOWN,
};

export const HISTORY_SHOW = {
  exchange: flag("also show the last request and answer (saved for checks without a verdict)"),
  ...SHOWN,
};

export const HISTORY_PRUNE = {
  before: text(
    "<date>",
    "remove entries before this date, time or age: 2026-01-31, 2026-01-31T09:30 or 90d",
    { required: true },
  ),
  dryRun: flag("count what would be removed; change nothing", { short: "n" }),
  yes: YES,
  json: JSON_OPTION,
};

export const HISTORY_EXPORT = {
  format: option(oneOf("<kind>", ["json", "csv"]), "json or csv", { required: true }),
  where: text("<expression>", "only the entries that match this filter"),
  output: OUTPUT,
};

export const LABEL_SET = {
  at: option(instant, "when the label became known, in ISO 8601 (default: now)"),
  json: JSON_OPTION,
};

export const LABEL_IMPORT = {
  map: text(
    "<column=field>",
    "use a column for order_id, outcome or at, and ignore unmapped ones: Reason=outcome:1=fraud,0=good",
    { repeatable: true },
  ),
  rejects: REJECTS,
  json: JSON_OPTION,
};

export const LABEL_LIST = {
  limit: option(whole(1, 1_000_000), "number of orders to show (default: 100; with --json all)"),
  ...SHOWN,
};
