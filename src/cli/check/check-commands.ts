// The rows of the command table for the main job: register, fetch the credential, check, and see where a verdict tips.

import type { CommandSpec, OptionSpec } from "#src/cli/command.ts";
import { FRESH_CONNECTIONS, JSON_OPTION, MERCHANT, RISK } from "#src/cli/option-specs.ts";
import { EXIT_NOTES } from "#src/cli/topics.ts";

const WAIT: OptionSpec = { flags: "--wait", help: "wait until the credential is ready, asking politely" };
/** For a credential that comes and cannot be saved. */
const RESCUE: readonly OptionSpec[] = [
  {
    flags: "--rescue <file>",
    help: "an age file for a credential that came and could not be saved, e.g. on a full disk",
  },
  {
    flags: "--recipient <age1...>",
    help: "who can open that file (default: whoever knows a passphrase that is asked for)",
    repeatable: true,
  },
];

export const CHECK_COMMANDS: readonly CommandSpec[] = [
  {
    name: "tour",
    summary:
      "show the whole way on a sandbox of its own: register, fetch the credential, check, see the verdicts",
    load: async () => (await import("#src/cli/demo/tour.ts")).tour,
  },
  {
    name: "check",
    summary: "send one transaction check and exit by its verdict",
    arguments: [
      [
        "[file]",
        "the request body as JSON, or an envelope {name, expect, tags, request}; the name of a saved payload; - for standard input",
      ],
    ],
    options: [
      {
        flags: "--set <path=value>",
        help: "change one field, e.g. amount=12000 or payer.email=a@b.example",
        repeatable: true,
      },
      { flags: "--project <key>", help: "the project, as merchant/risk-level or project id" },
      {
        flags: "--can-force-3ds <answer>",
        help: "whether 3-D Secure can be forced for this payment",
        choices: ["yes", "no"],
      },
      {
        flags: "--again <id>",
        help: "send a check of the history again that got no verdict, as another attempt",
      },
      { flags: "--dry-run", help: "validate and show what would be sent; send nothing" },
      { flags: "--no-history", help: "send even if the attempt cannot be recorded" },
      JSON_OPTION,
    ],
    notes: EXIT_NOTES,
    examples: [
      ["verdict check payload.json && ship-order", "goes on only after a trustworthy pass"],
      ["verdict check - --set amount=99000 < payload.json", "the same payment with another amount"],
      ["verdict check payload.json --can-force-3ds no", "3ds_or_block becomes a block"],
      ["verdict check --again ID", "the same payload once more, where the outcome is unknown"],
      ["verdict check repeat-buyer", 'the payload that "verdict payload save repeat-buyer" keeps'],
    ],
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "sweep",
    summary: "change one field of a payment over a range or a list, and see where the verdict tips",
    arguments: [
      [
        "[file]",
        "the request body as JSON, or an envelope; the name of a saved payload; - for standard input",
      ],
    ],
    options: [
      {
        flags: "--field <name>",
        help: "the field to change: its dotted path or the last part of it, e.g. amount or bin_card",
        required: true,
      },
      { flags: "--range <from..to>", help: "whole numbers, both ends included, e.g. 1000..500000" },
      { flags: "--list <values>", help: "values with commas between them, e.g. UAH,EUR,USD" },
      {
        flags: "--steps <n>",
        help: "values of a range that are tried before the changes are narrowed down (default: 48; 12 where checks are sent)",
      },
      {
        flags: "--set <path=value>",
        help: "change another field first, e.g. currency=978",
        repeatable: true,
      },
      { flags: "--project <key>", help: "the project, as merchant/risk-level or project id" },
      {
        flags: "--confirm <profile>",
        help: "send real checks through the profile of this name without being asked",
      },
      FRESH_CONNECTIONS,
      JSON_OPTION,
    ],
    notes:
      "On the sandbox nothing is sent: it is asked what it would answer now, and neither\n" +
      "its counters nor its decisions change. A range is tried at some values, and each\n" +
      "change between two of them is narrowed down to the exact number; a change and back\n" +
      "between two of them is not seen, so take a smaller range or more --steps. Without\n" +
      "--range and --list, values that are worth trying for the field are taken.\n" +
      "Any other profile gets real checks, 60 at most and 4 in a second: each is recorded\n" +
      "in the history, counts at the service, and has an order id of its own. That takes\n" +
      "the name of the profile, typed or with --confirm.\n" +
      "Exit codes: 6 when a value got no trustworthy verdict or the sweep was cut short;\n" +
      "the others as for check, whatever the verdicts are.",
    examples: [
      [
        "verdict sweep payment.json --field amount --range 1000..500000",
        "from which amount on it is 3-D Secure",
      ],
      ["verdict sweep payment.json --field currency --list UAH,EUR,KWD", "the same number in other money"],
      ["verdict sweep payment.json --field number_phone", "telephone numbers of several countries"],
      [
        "verdict sweep payment.json --field amount --json | jq '.stretches[].from'",
        "the tipping points for a program",
      ],
    ],
    load: async () => (await import("./sweep.ts")).sweep,
  },
  {
    name: "register",
    summary: "register a project for a merchant (the first of the two registration requests)",
    options: [
      MERCHANT,
      { flags: "--name <name>", help: "name of the project", required: true },
      {
        flags: "--currency <code>",
        help: "ISO 4217, as letters or number: UAH or 980; a country where the profile has those",
        required: true,
      },
      RISK,
      { flags: "--description <text>", help: "what the project is for" },
      {
        flags: "--again",
        help: "register although an earlier attempt with an unknown outcome may have arrived",
      },
      WAIT,
      ...RESCUE,
      JSON_OPTION,
    ],
    examples: [
      [
        "verdict register --merchant-id demo-shop --name Demo --currency UAH --risk-level medium --wait",
        "registers, waits the recommended time, and puts the credential into the vault",
      ],
    ],
    load: async () => (await import("./register.ts")).register,
  },
  {
    name: "credential",
    summary:
      "fetch the credential of a registered project (the second registration request, within 24 hours)",
    options: [MERCHANT, RISK, WAIT, ...RESCUE, JSON_OPTION],
    notes:
      "Nothing is asked for before the vault is open and can be written. Should saving\n" +
      "fail all the same once the answer is here, a terminal offers to save it again, to\n" +
      "write it into an age file or to show it; without a terminal --rescue writes the\n" +
      "file, and the exit code is 74. The service gives the same answer again until its\n" +
      "24 hours are over.",
    examples: [
      [
        "verdict credential --merchant-id demo-shop --risk-level medium --wait",
        "counts down to the recommended moment, then asks politely until it is there",
      ],
    ],
    load: async () => (await import("./credential.ts")).credential,
  },
  {
    name: "projects",
    summary: "list the projects registered from here, and how long their windows are open",
    options: [JSON_OPTION],
    load: async () => (await import("./projects.ts")).projects,
  },
];
