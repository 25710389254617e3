// The subcommands of "verdict rules" in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { TARGET } from "#src/cli/sandbox/sandbox-options.ts";
import { JSON_OPTION, YES } from "#src/cli/option-specs.ts";
import { RULES_BACKTEST, RULES_LIST, RULES_TUNE, RULES_USE } from "./rules-options.ts";

const RULES_WORDS =
  'a rule file, "current" for the sandbox\'s rules, "starter" for the shipped ones; - for standard input';

export const RULES_COMMANDS: readonly CommandSpec[] = [
  command({
    name: "check",
    summary: "check a rule file: its form, the types in its conditions, its own tests",
    arguments: [["<file>", RULES_WORDS]],
    options: { json: JSON_OPTION },
    notes:
      "Each mistake is shown with line and column, also inside a condition. Exits 2 for\n" +
      "rules that cannot be used.",
    examples: [
      ["verdict rules check rules.yaml", "before it is used anywhere"],
      ["verdict rules check rules.yaml && verdict rules use rules.yaml", "and then use it"],
    ],
    load: async () => (await import("./rules.ts")).check,
  }),
  command({
    name: "list",
    summary:
      "list the rules of a file: what each one does, its weight on every risk level, its reason in words",
    arguments: [["[file]", `${RULES_WORDS} (default: current)`]],
    options: RULES_LIST,
    notes: "--json also has the conditions and their parameters.",
    examples: [
      ["verdict rules list starter", "the shipped rules"],
      ["verdict rules list --hits", "which rules had hits"],
    ],
    load: async () => (await import("./rules.ts")).list,
  }),
  command({
    name: "print",
    summary: "print the rule file that decides, or the shipped one",
    arguments: [["[which]", "current or starter (default: current)"]],
    options: TARGET,
    examples: [["verdict rules print starter > rules.yaml", "a file to start from"]],
    load: async () => (await import("./sandbox-rules.ts")).print,
  }),
  command({
    name: "use",
    summary: "let the sandbox decide by other rules, from the next check on",
    arguments: [
      [
        "<rules>",
        'a rule file; - for standard input; "starter" for the shipped rules; "current" to read the sandbox\'s file again',
      ],
    ],
    options: RULES_USE,
    notes:
      "Keeps a copy of the file; invalid rules, or rules that fail their own tests, change\n" +
      'nothing. "starter" removes the copy, after a question; "verdict rules print > FILE"\n' +
      "keeps it. The sandbox also reads its file again when it changes.",
    examples: [
      ["verdict rules use rules.yaml", "from the next check on"],
      ["verdict rules use starter --yes", "back to the starter rules, without a question"],
    ],
    load: async () => (await import("./sandbox-rules.ts")).use,
  }),
  command({
    name: "edit",
    summary: "edit the rules that decide in your editor; they take effect once they are valid",
    options: { ...TARGET, yes: YES },
    examples: [["verdict rules edit", "in your editor; a mistake changes nothing"]],
    load: async () => (await import("./sandbox-rules.ts")).edit,
  }),
  command({
    name: "explain",
    summary:
      "explain why a check got its recommendation: every rule with the values it compared, and what would flip it",
    arguments: [
      [
        "<id>",
        "id of an entry of the history, or the beginning of it, or a decision of the sandbox (dec-...)",
      ],
    ],
    options: { ...TARGET, json: JSON_OPTION },
    examples: [["verdict rules explain 0mf3", "the entry of the history whose id begins so"]],
    load: async () => (await import("./rules-explain.ts")).explain,
  }),
  command({
    name: "backtest",
    summary: "try a rule file on saved transactions, and see which verdicts it would change",
    arguments: [["<rules>", RULES_WORDS]],
    options: RULES_BACKTEST,
    notes:
      "Nothing is sent. Both rule sets count from zero, in the time of the transactions.\n" +
      "Rules should block fraud and chargeback, and should not block good and refund.\n" +
      "Exits 8 beyond a limit, 2 for wrong rules or bad lines without --rejects.",
    details:
      "The counts of the sandbox do not change. The time of a payment comes from the\n" +
      'history (in the sandbox: its virtual time), from the run, from the "at" of its envelope\n' +
      "or from a column at in CSV; a time without a zone is UTC. Payments without a time\n" +
      "get times at intervals of --step, and the report says so.\n" +
      "Sources that are not in the order of time are sorted first; payments of the same\n" +
      "time stay in the order of the sources. Identical repeats of an order within\n" +
      "60 s are left out, as the service does; their labels still count.\n" +
      'A file of labels is trusted most, then a payment\'s own "outcome", its tags, and what "verdict label" keeps.\n' +
      "Of several labels of an order the latest counts; a label without a time was always\n" +
      "known. --report html and md compare the rule files, json and junit list each\n" +
      "payment.\n" +
      "With --json: a line for each changed verdict, then the summary.",
    examples: [
      [
        "verdict rules backtest rules.yaml --over history:since:30d --max-new-blocks 0.5%",
        "fails when the new rules newly block more than 0.5%",
      ],
      [
        "verdict rules backtest rules.yaml --over day.csv --labels labels.csv --max-good-blocked 0.5% --min-caught 85% --report html=decision.html",
        "judges the change by what became of the payments, as a page to decide by",
      ],
      [
        "verdict rules backtest rules.yaml --over day.csv --against starter --step 10s",
        "a table of payloads, one every ten seconds",
      ],
      [
        "verdict rules backtest current --against starter --over payments/ --report html=rules.html",
        "what the sandbox's own rules change, as a page to decide by",
      ],
    ],
    load: async () => (await import("./rules-backtest.ts")).backtest,
  }),
  command({
    name: "tune",
    summary: "try many values of one number of a rule file on labelled payments, and see which is best",
    arguments: [["<rules>", RULES_WORDS]],
    options: RULES_TUNE,
    notes:
      "Proposes the value that catches most fraud within --max-good-blocked, or blocks\n" +
      "the fewest good payments with --min-caught. Without either, it keeps most money.\n" +
      "--param also takes RULE.score, thresholds.block and thresholds.three_ds.\n" +
      "Exits 8 where no value meets the limits, 2 where no payment has a label.",
    details:
      "Every value, and today's, is tried in one reading of the payments, as a back-test\n" +
      "would. Caught is fraud (or a chargeback) that is blocked; a good payment is\n" +
      "disturbed where it is blocked or sent to 3-D Secure; payments without a label are\n" +
      "counted, but not used for the result. Money kept is blocked fraud minus blocked\n" +
      "good payments, in EUR by the rates of the file. Between equal values, tune proposes\n" +
      "the nearest to today's. A number with a value for each risk level is tried on all\n" +
      "levels, or on the level of --risk-level. --write changes only the levels of the\n" +
      "payments.",
    examples: [
      [
        "verdict rules tune rules.yaml --over day.csv --param BIN_BURST.limit 4..40 --max-good-blocked 0.5%",
        "the limit that catches most fraud and blocks at most one good payment in 200",
      ],
      [
        "verdict rules tune rules.yaml --over day.csv --param thresholds.block 60..120/5 --write",
        "the block mark that keeps most money, written into the file after a question",
      ],
    ],
    load: async () => (await import("./rules-tune.ts")).tune,
  }),
];
