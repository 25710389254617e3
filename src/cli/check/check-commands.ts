// The commands tour, check, sweep and project in the command table.

import type { CommandSpec, OptionSpec } from "#src/cli/command.ts";
import { FRESH_CONNECTIONS, JSON_OPTION, MERCHANT, RISK, SHOWN, VERBOSE } from "#src/cli/option-specs.ts";
import { EXIT_NOTES } from "#src/cli/topics.ts";

const WAIT: OptionSpec = {
  flags: "--wait",
  help: "wait until the credential is ready, and retry as the service allows",
};
/** For a credential that is received and cannot be saved. */
const RESCUE: readonly OptionSpec[] = [
  {
    flags: "--rescue <file>",
    writes: "file",
    help: "an age file for a credential that was received and could not be saved, e.g. on a full disk",
  },
  {
    flags: "--recipient <age1...>",
    help: "who can open that file (default: anyone who knows the passphrase that is asked for)",
    repeatable: true,
  },
];

export const CHECK_COMMANDS: readonly CommandSpec[] = [
  {
    name: "tour",
    summary: "the whole job, printed from a temporary sandbox; on a terminal, the console on your sandbox",
    options: [{ flags: JSON_OPTION.flags, help: "print its checks as JSON, one a line" }],
    examples: [
      ["verdict tour", "the plain text without a terminal, else the console with everything prepared"],
    ],
    load: async () => (await import("#src/cli/demo/tour.ts")).tour,
  },
  {
    name: "check",
    summary: "send one transaction check; the exit code tells the verdict",
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
        help: "send again a check of the history that got no verdict, as another attempt",
      },
      { flags: "-n, --dry-run", help: "validate and show what would be sent; send nothing" },
      { flags: "--no-history", help: "send even if the attempt cannot be recorded" },
      VERBOSE,
      JSON_OPTION,
    ],
    notes: EXIT_NOTES,
    examples: [
      ["verdict check payload.json && ship-order", "continues only after a trustworthy pass"],
      [
        `echo '{"operation":"payment","order_id":"o-1","amount":12000,"currency":980}' | verdict check -`,
        '120.00 UAH: minor units, ISO 4217 numbers; "verdict schema payload" has every field',
      ],
      ["verdict check - --set amount=99000 < payload.json", "the same payment with another amount"],
      ["verdict check payload.json --can-force-3ds no", "3ds_or_block becomes a block"],
      ["verdict check --again ID", "the same payload again, after an unknown outcome"],
      ["verdict check repeat-buyer", 'the payload that "verdict payload save repeat-buyer" keeps'],
    ],
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "sweep",
    summary: "vary one field of a payment over a range or a list, and see where the verdict changes",
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
        help: "values tried before the changes are narrowed down (default: 48; 12 where checks are sent)",
      },
      {
        flags: "--set <path=value>",
        help: "change another field first, e.g. currency=978",
        repeatable: true,
      },
      { flags: "--project <key>", help: "the project, as merchant/risk-level or project id" },
      {
        flags: "--confirm <profile>",
        help: "send real checks through the profile of this name without a confirmation",
      },
      FRESH_CONNECTIONS,
      JSON_OPTION,
    ],
    notes:
      "On the sandbox nothing is sent: it is asked what it would answer now, and its\n" +
      "counters and decisions do not change. Some values of a range are tried, and each\n" +
      "change between two of them is narrowed down to the exact number; a change back\n" +
      "and forth between two of them is missed, so use a smaller range or more --steps.\n" +
      "Without --range and --list, typical values of the field are tried.\n" +
      "Any other profile receives real checks, at most 60, four per second: each is\n" +
      "recorded in the history, counts at the service, and has its own order id. This\n" +
      "requires the name of the profile, typed or given with --confirm.\n" +
      "Exit codes: 6 when a value got no trustworthy verdict or the sweep was cut\n" +
      "short; the others as for check, regardless of the verdicts.",
    examples: [
      [
        "verdict sweep payment.json --field amount --range 1000..500000",
        "from which amount on it is 3-D Secure",
      ],
      ["verdict sweep payment.json --field currency --list UAH,EUR,KWD", "the same number in other money"],
      ["verdict sweep payment.json --field number_phone", "telephone numbers of several countries"],
      [
        "verdict sweep payment.json --field amount --json | jq '.stretches[].from'",
        "the points where the verdict changes, for a program",
      ],
    ],
    load: async () => (await import("./sweep.ts")).sweep,
  },
];

export const PROJECT_COMMAND: CommandSpec = {
  name: "project",
  aliases: ["projects"],
  summary: "projects of merchants: register them, fetch their credentials, list them",
  children: [
    {
      name: "register",
      summary: "register a project for a merchant (the first of the two registration requests)",
      asks: true,
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
        VERBOSE,
        JSON_OPTION,
      ],
      examples: [
        [
          "verdict project register --merchant-id demo-shop --name Demo --currency UAH --risk-level medium --wait",
          "registers, waits the recommended time, and puts the credential into the vault",
        ],
      ],
      load: async () => (await import("./register.ts")).register,
    },
    {
      name: "credential",
      summary:
        "fetch the credential of a registered project (the second registration request, within 24 hours)",
      options: [MERCHANT, RISK, WAIT, ...RESCUE, VERBOSE, JSON_OPTION],
      notes:
        "The vault is opened and tested for writing before the credential is requested.\n" +
        "If saving still fails after the answer, a terminal offers to save again, to\n" +
        "write an age file or to show the credential; without a terminal, --rescue writes\n" +
        "the file, and the exit code is 74. The service gives the same answer again until\n" +
        "its 24 hours are over.",
      examples: [
        [
          "verdict project credential --merchant-id demo-shop --risk-level medium --wait",
          "counts down to the recommended time, then retries until it is ready",
        ],
      ],
      load: async () => (await import("./credential.ts")).credential,
    },
    {
      name: "list",
      summary: "list the projects registered from here, and how long their credential windows stay open",
      options: SHOWN,
      examples: [
        [
          "verdict project list --fields project,state,window_closes_at",
          "three facts of each project, for a program",
        ],
      ],
      load: async () => (await import("./projects.ts")).projects,
    },
  ],
};
