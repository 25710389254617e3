// The subcommands of "verdict rules" in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { TARGET } from "#src/cli/sandbox/sandbox-options.ts";
import { JSON_OPTION, YES } from "#src/cli/option-specs.ts";
import { RULES_BACKTEST, RULES_LIST, RULES_TUNE, RULES_USE } from "./rules-options.ts";

const RULES_WORDS =
  'a rule file, "current" for the rules of the sandbox, or "starter" for the starter rules; - for standard input';

export const RULES_COMMANDS: readonly CommandSpec[] = [
  command({
    name: "check",
    summary: "validate a rule file and run its tests",
    arguments: [["<file>", RULES_WORDS]],
    options: { json: JSON_OPTION },
    notes:
      "Validates the format and the types in conditions, and runs the tests in the\n" +
      "file. Each mistake is shown with line and column. Exits 2 for invalid rules.",
    examples: [
      ["verdict rules check rules.yaml", "before you use the file"],
      ["verdict rules check rules.yaml && verdict rules use rules.yaml", "loads only valid rules"],
    ],
    load: async () => (await import("./rules.ts")).check,
  }),
  command({
    name: "list",
    summary: "list rules with effect, scores and reason",
    arguments: [["[file]", `${RULES_WORDS} (default: current)`]],
    options: RULES_LIST,
    notes: "Each rule has a score for each risk level. --json also has the conditions and\ntheir parameters.",
    examples: [
      ["verdict rules list starter", "the starter rules"],
      ["verdict rules list --hits", "the current rules, with their number of hits"],
    ],
    load: async () => (await import("./rules.ts")).list,
  }),
  command({
    name: "print",
    summary: "print the current or the starter rules",
    arguments: [["[which]", "current (rules of the sandbox) or starter (default: current)"]],
    options: TARGET,
    examples: [["verdict rules print starter > rules.yaml", "a rule file to start from"]],
    load: async () => (await import("./sandbox-rules.ts")).print,
  }),
  command({
    name: "use",
    summary: "load other rules into the sandbox",
    arguments: [
      [
        "<rules>",
        'a rule file; - for standard input; "starter" for the starter rules; "current" to read the rules of the sandbox again',
      ],
    ],
    options: RULES_USE,
    notes:
      "The sandbox stores a copy of the file and uses the rules from the next check on.\n" +
      'Invalid rules, or rules that fail their own tests, change nothing. "starter"\n' +
      'removes the copy after a question; "verdict rules print > FILE" saves the rules\n' +
      "before. The sandbox reads its copy again when that copy changes.",
    examples: [
      ["verdict rules use rules.yaml", "uses your rules from the next check on"],
      ["verdict rules use starter --yes", "returns to the starter rules, without a question"],
    ],
    load: async () => (await import("./sandbox-rules.ts")).use,
  }),
  command({
    name: "edit",
    summary: "open the rules of the sandbox in your editor",
    options: { ...TARGET, yes: YES },
    notes: "Valid rules take effect when you save them.",
    examples: [["verdict rules edit", "opens your editor; invalid rules change nothing"]],
    load: async () => (await import("./sandbox-rules.ts")).edit,
  }),
  command({
    name: "explain",
    summary: "explain the rules and values behind a recommendation",
    arguments: [
      ["<id>", "id of a history entry, the beginning of such an id, or id of a sandbox decision (dec-...)"],
    ],
    options: { ...TARGET, json: JSON_OPTION },
    notes: "Also shows which change of a value would change the recommendation.",
    examples: [["verdict rules explain 0mf3", "the history entry whose id begins with 0mf3"]],
    load: async () => (await import("./rules-explain.ts")).explain,
  }),
  command({
    name: "backtest",
    summary: "try rules on saved transactions, and show changed verdicts",
    arguments: [["<rules>", RULES_WORDS]],
    options: RULES_BACKTEST,
    notes:
      "verdict sends nothing. For both rule sets the counters start at zero and use the\n" +
      "times of the transactions. Good rules block fraud and chargeback, not good and\n" +
      "refund. Exits 8 when a gate fails, 2 for invalid rules or bad lines without\n" +
      "--rejects.",
    details:
      "The counts of the sandbox do not change. The time of a payment comes from the\n" +
      'history (in the sandbox: its virtual time), from the run, from the "at" of its envelope\n' +
      "or from a column at in CSV; a time without a zone is UTC. Payments without a time\n" +
      "get times at intervals of --step, and the report says so.\n" +
      "Sources that are not in the order of time are sorted first; payments of the same\n" +
      "time stay in the order of the sources. Identical repeats of an order within\n" +
      "60 s are skipped, because the service does not count them; their labels still count.\n" +
      'A label comes from the file of --labels, else from the "outcome" of the payment, else\n' +
      'from its tags, else from "verdict label". The latest label of an order is used; a\n' +
      "label without a time was always known. Net money has one figure for 3-D Secure that\n" +
      "stops no fraud and one for 3-D Secure that stops all, or one for --3ds-stops. --report html and md compare the rule files,\n" +
      "json and junit list each payment.\n" +
      "With --json: a line for each changed verdict, then the summary.",
    examples: [
      [
        "verdict rules backtest rules.yaml --over history:since:30d --max-new-blocks 0.5%",
        "fails when the new rules block more than 0.5% that were not blocked before",
      ],
      [
        "verdict rules backtest rules.yaml --over day.csv --labels labels.csv --max-good-blocked 0.5% --min-caught 85% --report html=decision.html",
        "judges the new rules by labels, and writes an HTML report for the decision",
      ],
      [
        "verdict rules backtest rules.yaml --over day.csv --against starter --step 10s",
        "a CSV file, with one payment every ten seconds",
      ],
      [
        "verdict rules backtest current --against starter --over payments/ --report html=rules.html",
        "compares the rules of the sandbox with the starter rules, as an HTML report",
      ],
    ],
    load: async () => (await import("./rules-backtest.ts")).backtest,
  }),
  command({
    name: "tune",
    summary: "find the best value of a rule parameter",
    arguments: [["<rules>", RULES_WORDS]],
    options: RULES_TUNE,
    notes:
      "tune proposes a value by labelled payments, and judges it by the last third of\n" +
      "the time. With --max-good-blocked, the value blocks the most fraud within that\n" +
      "limit; with --min-caught, the fewest good payments; with neither, it keeps the\n" +
      "most money. --param also takes RULE.score, thresholds.block and\n" +
      "thresholds.three_ds. Exits 8 when no value meets the limits, 2 without labels.",
    details:
      "tune tries every value and the present value in one pass, like a back-test. Another\n" +
      "time than the last third is --judge-from. No payments are held out if fraud and good\n" +
      "payments are not both known before and after this time. Exits 8, and writes nothing,\n" +
      "if the proposed value does not keep the limits on the held-out payments. Caught is\n" +
      "blocked fraud or a blocked chargeback. A good payment is disturbed if it is blocked or\n" +
      "sent to 3-D Secure. Payments without a label are counted, but not used for the result.\n" +
      "Money kept is stopped fraud minus blocked good payments, in EUR by the rates of the\n" +
      "file. Blocked fraud is stopped; of fraud sent to 3-D Secure the share of --3ds-stops\n" +
      "is, and without this option none. The output says which value would be best if\n" +
      "3-D Secure stopped all of this fraud. If several values are equally good, tune proposes the value nearest to the\n" +
      "present value. A number with a value for each risk level is tried on all levels, or on\n" +
      "the level of --risk-level. --write changes only the levels of the payments.",
    examples: [
      [
        "verdict rules tune rules.yaml --over day.csv --param BIN_BURST.limit 4..40 --max-good-blocked 0.5%",
        "the limit that blocks the most fraud, and at most one good payment in 200",
      ],
      [
        "verdict rules tune rules.yaml --over day.csv --param thresholds.block 60..120/5 --write",
        "the block threshold that saves the most money; asks before writing the file",
      ],
    ],
    load: async () => (await import("./rules-tune.ts")).tune,
  }),
];
