// The commands history and label in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, YES, REJECTS } from "#src/cli/option-specs.ts";
import { LABEL_CHOICE } from "#src/contract/records/label.ts";
import { FILTER_NOTES } from "#src/display/filter-notes.ts";
import {
  HISTORY,
  HISTORY_SHOW,
  HISTORY_PRUNE,
  HISTORY_EXPORT,
  LABEL_SET,
  LABEL_LIST,
} from "./history-options.ts";

export const HISTORY_COMMAND: CommandSpec = command({
  name: "history",
  summary: "list the checks with their verdicts and final actions",
  options: HISTORY,
  notes: '"verdict help filter" explains the filter language.',
  details: FILTER_NOTES,
  examples: [
    ["verdict history --where 'verdict:3ds_or_block amount>100000'", "large payments that need 3-D Secure"],
  ],
  load: async () => (await import("./history.ts")).list,
  children: [
    command({
      name: "show",
      summary: "everything about one entry: request, answer, explanation",
      arguments: [["<id>", "id of the entry, or the beginning of it"]],
      options: HISTORY_SHOW,
      notes:
        "An exchange is kept without secrets and signature, and with 4 KiB of the answer's\n" +
        'body. Checks with a verdict keep none: "verdict check --verbose" shows theirs.',
      examples: [
        ["verdict history show 0mf3", "the entry whose id begins so"],
        ["verdict history show ID --exchange", "what the service was sent, and what it answered"],
      ],
      load: async () => (await import("./history.ts")).show,
    }),
    command({
      name: "salvage",
      summary: "copy what can be read of a damaged history into a new one",
      options: { yes: YES, json: JSON_OPTION },
      notes:
        "The damaged file is set aside beside the new one and never removed. Other sessions\n" +
        "notice it at their next check, which is not sent; start them again.",
      examples: [["verdict history salvage", "a new history from what can be read"]],
      load: async () => (await import("./history-upkeep.ts")).salvage,
    }),
    command({
      name: "prune",
      summary: "permanently remove entries that are older than a date or age",
      options: HISTORY_PRUNE,
      notes:
        "Removes the oldest entries first, in short steps, so that other sessions keep\n" +
        "working; what a stopped command has removed stays removed. Removed entries\n" +
        "cannot be read from the file any more.",
      examples: [["verdict history prune --before 90d --dry-run", "how much is older than 90 days"]],
      load: async () => (await import("./history-upkeep.ts")).prune,
    }),
    command({
      name: "export",
      summary: "write the history as JSON or CSV, oldest first",
      options: HISTORY_EXPORT,
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
      load: async () => (await import("./history.ts")).exportHistory,
    }),
  ],
});

const RULE =
  "The latest label of an order counts; a label without a time is the earliest. Of\n" +
  "labels with the same time, the one that was set last counts. All are kept.\n" +
  "Rules are judged by labels, the history finds them by label:fraud, and they are\n" +
  "never sent to a service.";

export const LABEL_COMMAND: CommandSpec = {
  name: "label",
  aliases: ["labels"],
  summary: "what became of payments: set it by order id, import it, list it",
  children: [
    command({
      name: "set",
      summary: "say what became of the payment of an order",
      arguments: [
        ["<order>", "order id, exactly as it was sent"],
        ["<label>", LABEL_CHOICE],
      ],
      options: LABEL_SET,
      notes: RULE,
      examples: [
        ["verdict label set order-1044 chargeback", "as of now"],
        ["verdict label set order-1044 good --at 2026-03-01", "what was known before"],
      ],
      load: async () => (await import("./label.ts")).set,
    }),
    command({
      name: "import",
      summary: "take the labels of a file: CSV with order_id, outcome and at, or NDJSON",
      arguments: [["<file>", "its columns or keys are order_id, outcome and, optionally, at; also with .gz"]],
      options: { rejects: REJECTS, json: JSON_OPTION },
      notes: `${RULE}\nA bad line is named and left out; exits 2 for bad lines that no --rejects takes.`,
      examples: [["verdict label import chargebacks.csv", "importing it again changes nothing"]],
      load: async () => (await import("./label.ts")).importFile,
    }),
    command({
      name: "list",
      summary: "list the orders that have a label",
      options: LABEL_LIST,
      examples: [["verdict label list --json", "each with all that was ever set"]],
      load: async () => (await import("./label.ts")).list,
    }),
    command({
      name: "remove",
      summary: "remove all labels of an order",
      arguments: [["<order>", "order id, exactly as it was sent"]],
      options: { yes: YES, json: JSON_OPTION },
      examples: [["verdict label remove order-1044", "asks first"]],
      load: async () => (await import("./label.ts")).remove,
    }),
  ],
};
