// The subcommands of "verdict outcome" in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, REJECTS, YES } from "#src/cli/option-specs.ts";
import { LABEL_CHOICE } from "#src/contract/records/label.ts";
import { OUTCOME_SET, OUTCOME_LIST } from "./outcome-options.ts";

const RULE =
  "The latest outcome of an order counts; an outcome without a time is the earliest. Of\n" +
  "outcomes with the same time, the one that was set last counts. All are kept.\n" +
  "Rules are judged by outcomes, the history finds them by label:fraud, and they are\n" +
  "never sent to a service.";

export const OUTCOME_COMMAND: CommandSpec = {
  name: "outcome",
  aliases: ["outcomes"],
  summary: "what became of payments: set it by order id, import it, list it",
  children: [
    command({
      name: "set",
      summary: "say what became of the payment of an order",
      arguments: [
        ["<order>", "order id, exactly as it was sent"],
        ["<outcome>", LABEL_CHOICE],
      ],
      options: OUTCOME_SET,
      notes: RULE,
      examples: [
        ["verdict outcome set order-1044 chargeback", "as of now"],
        ["verdict outcome set order-1044 good --at 2026-03-01", "what was known before"],
      ],
      load: async () => (await import("./outcome.ts")).set,
    }),
    command({
      name: "import",
      summary: "take the outcomes of a file: CSV with order_id, outcome and at, or NDJSON",
      arguments: [["<file>", "its columns or keys are order_id, outcome and, optionally, at; also with .gz"]],
      options: { rejects: REJECTS, json: JSON_OPTION },
      notes: `${RULE}\nA bad line is named and left out; exits 2 for bad lines that no --rejects takes.`,
      examples: [["verdict outcome import chargebacks.csv", "importing it again changes nothing"]],
      load: async () => (await import("./outcome.ts")).importFile,
    }),
    command({
      name: "list",
      summary: "list the orders whose outcome is known",
      options: OUTCOME_LIST,
      examples: [["verdict outcome list --json", "each with all that was ever set"]],
      load: async () => (await import("./outcome.ts")).list,
    }),
    command({
      name: "remove",
      summary: "remove all outcomes of an order",
      arguments: [["<order>", "order id, exactly as it was sent"]],
      options: { yes: YES, json: JSON_OPTION },
      examples: [["verdict outcome remove order-1044", "asks first"]],
      load: async () => (await import("./outcome.ts")).remove,
    }),
  ],
};
