// The commands history and label in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, YES } from "#src/cli/option-specs.ts";
import { LABEL_CHOICE } from "#src/contract/records/label.ts";
import { FILTER_NOTES } from "#src/display/filter-notes.ts";
import {
  HISTORY,
  HISTORY_SHOW,
  HISTORY_PRUNE,
  HISTORY_EXPORT,
  LABEL_IMPORT,
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
      summary: "show one entry: request, answer and explanation",
      arguments: [["<id>", "id of the entry, or the beginning of the id"]],
      options: HISTORY_SHOW,
      notes:
        "An exchange (request and answer) is saved only for checks without a verdict,\n" +
        "without secrets and signature, and with 4 KiB of the answer's body. For other\n" +
        'checks, use "verdict check --verbose" while sending.',
      examples: [
        ["verdict history show 0mf3", "the entry whose id begins with 0mf3"],
        ["verdict history show ID --exchange", "also the last request and the answer of the service"],
      ],
      load: async () => (await import("./history.ts")).show,
    }),
    command({
      name: "salvage",
      summary: "copy the readable entries of a damaged history",
      options: { yes: YES, json: JSON_OPTION },
      notes:
        "verdict writes a new history, keeps the damaged file in the same folder and\n" +
        "never removes it. Other open sessions do not send their next check and report\n" +
        "the change; start these sessions again.",
      examples: [["verdict history salvage", "a new history with all readable entries"]],
      load: async () => (await import("./history-upkeep.ts")).salvage,
    }),
    command({
      name: "prune",
      summary: "permanently remove the entries before a date",
      options: HISTORY_PRUNE,
      notes:
        "verdict removes the oldest entries first, in short steps, so that other sessions\n" +
        "keep working. Entries removed before an interruption stay removed. Removed\n" +
        "entries cannot be read from the file any more.",
      examples: [["verdict history prune --before 90d --dry-run", "how many entries are older than 90 days"]],
      load: async () => (await import("./history-upkeep.ts")).prune,
    }),
    command({
      name: "export",
      summary: "write the history as JSON or CSV, oldest first",
      options: HISTORY_EXPORT,
      notes:
        "The file contains the personal data of payers as it was sent: addresses, e-mail,\n" +
        "phone, holder, BIN and last four; never a card number or a secret. In CSV, a\n" +
        "cell that starts like a formula gets an apostrophe (') in front. Control and\n" +
        "hidden characters are written as escapes such as \\u{1b}. A replay restores the\n" +
        "original cells.",
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
  "The label with the latest time is used; a label without a time is the earliest.\n" +
  "With equal times, the label that was set last is used. verdict keeps all labels.\n" +
  "Back-tests judge rules by labels. The filter label:fraud finds labelled checks\n" +
  "in the history. Labels are never sent to a service.";

export const LABEL_COMMAND: CommandSpec = {
  name: "label",
  aliases: ["labels"],
  summary: "set, import and list labels: fraud, chargeback, refund, good",
  children: [
    command({
      name: "set",
      summary: "set the label of an order",
      arguments: [
        ["<order>", "order id, exactly as it was sent"],
        ["<label>", LABEL_CHOICE],
      ],
      options: LABEL_SET,
      notes: RULE,
      examples: [
        ["verdict label set order-1044 chargeback", "known now"],
        ["verdict label set order-1044 good --at 2026-03-01", "known since that date"],
      ],
      load: async () => (await import("./label.ts")).set,
    }),
    command({
      name: "import",
      summary: "import labels from a CSV or NDJSON file",
      arguments: [
        [
          "<file>",
          "CSV or NDJSON with order_id, outcome (the label) and optionally at (since when); also .gz",
        ],
      ],
      options: LABEL_IMPORT,
      notes: `${RULE}\nBad lines are reported and skipped; without --rejects they exit 2.`,
      examples: [
        ["verdict label import chargebacks.csv", "importing the same file again changes nothing"],
        [
          'verdict label import disputes.csv --map Payment=order_id --map "Reason=outcome:stolen=fraud,*=chargeback"',
          "a file with columns and words of its own",
        ],
      ],
      load: async () => (await import("./label.ts")).importFile,
    }),
    command({
      name: "list",
      summary: "list the orders that have a label",
      options: LABEL_LIST,
      examples: [["verdict label list --json", "each order with all its labels"]],
      load: async () => (await import("./label.ts")).list,
    }),
    command({
      name: "remove",
      summary: "remove all labels of an order",
      arguments: [["<order>", "order id, exactly as it was sent"]],
      options: { yes: YES, json: JSON_OPTION },
      examples: [["verdict label remove order-1044", "asks before it removes"]],
      load: async () => (await import("./label.ts")).remove,
    }),
  ],
};
