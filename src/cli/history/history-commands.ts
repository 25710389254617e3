// The rows of the command table below "verdict history".

import type { CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION } from "#src/cli/option-specs.ts";
import { FILTER_NOTES } from "#src/cli/topics.ts";

export const HISTORY_COMMAND: CommandSpec = {
  name: "history",
  summary: "what was checked and what became of it",
  options: [
    { flags: "--where <expression>", help: 'filter, e.g. "verdict:block amount>100000 since:2d"' },
    { flags: "--limit <n>", help: "newest entries to show (default: 20)" },
    JSON_OPTION,
  ],
  notes: FILTER_NOTES,
  examples: [
    ["verdict history --where 'verdict:3ds_or_block amount>100000'", "large payments that need 3-D Secure"],
  ],
  load: async () => (await import("./history.ts")).list,
  children: [
    {
      name: "show",
      summary: "everything about one entry: request, answer, explanation",
      arguments: [["<id>", "id of the entry, or the beginning of it"]],
      options: [JSON_OPTION],
      load: async () => (await import("./history.ts")).show,
    },
    {
      name: "verify",
      summary: "read every page and entry of the history, and compare the checksums",
      options: [JSON_OPTION],
      notes: "Changes nothing. Exits 0 when everything is whole, else 74, with the entries that are not.",
      load: async () => (await import("./history-upkeep.ts")).verify,
    },
    {
      name: "salvage",
      summary: "keep what can be read of a damaged history in a new one",
      options: [{ flags: "--yes", help: "do not ask" }, JSON_OPTION],
      notes:
        "The damaged file is set aside beside the new one and never removed. Other sessions\n" +
        "notice it at their next check, which is not sent; start them again.",
      load: async () => (await import("./history-upkeep.ts")).salvage,
    },
    {
      name: "prune",
      summary: "remove entries that are older than a day or age, for good",
      options: [
        {
          flags: "--before <date>",
          help: "entries made before this go: 2026-01-31, 2026-01-31T09:30, or an age such as 90d",
          required: true,
        },
        { flags: "--dry-run", help: "count what would be removed; change nothing" },
        { flags: "--yes", help: "do not ask" },
        JSON_OPTION,
      ],
      notes:
        "The oldest first, in short steps: other sessions go on checking, and what a stopped\n" +
        "command has removed stays removed. Nothing of it can be read in the file any more.",
      examples: [["verdict history prune --before 90d --dry-run", "how much is older than 90 days"]],
      load: async () => (await import("./history-upkeep.ts")).prune,
    },
    {
      name: "export",
      summary: "write the history as JSON or CSV, oldest first",
      options: [
        { flags: "--format <kind>", help: "json or csv", required: true, choices: ["json", "csv"] },
        { flags: "--where <expression>", help: "only the entries that match this filter" },
        {
          flags: "--output <file>",
          help: "write to this new file, readable by you alone; never overwrites",
        },
      ],
      notes:
        "Holds the personal data of payers as it was sent: addresses, e-mail, phone,\n" +
        "holder, BIN and last four; never a card number or a secret. In CSV, cells that a\n" +
        "spreadsheet would run as a formula are neutralised by a leading ', and characters\n" +
        "that a terminal would obey or hide are written as \\u{1b}; a replay reads both back.",
      examples: [
        [
          "verdict history export --format csv --where 'verdict:block since:30d' --output blocks.csv",
          "for a spreadsheet",
        ],
      ],
      load: async () => (await import("./history-export.ts")).exportHistory,
    },
  ],
};
