// The commands tour, check, sweep and project in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { SHOWN } from "#src/cli/option-specs.ts";
import { EXIT_NOTES } from "#src/cli/topics.ts";
import { TOUR, CHECK, SWEEP, PROJECT_REGISTER, PROJECT_CREDENTIAL } from "./check-options.ts";

export const CHECK_COMMANDS: readonly CommandSpec[] = [
  command({
    name: "tour",
    summary: "the whole job, printed from a temporary sandbox; on a terminal, the console on your sandbox",
    options: TOUR,
    examples: [
      ["verdict tour", "the plain text without a terminal, else the console with everything prepared"],
    ],
    load: async () => (await import("#src/cli/demo/tour.ts")).tour,
  }),
  command({
    name: "check",
    summary: "send one transaction check; the exit code tells the verdict",
    arguments: [
      [
        "[file]",
        "the request body as JSON, or an envelope {name, expect, tags, request}; the name of a saved payload; - for standard input",
      ],
    ],
    options: CHECK,
    notes:
      "Exit codes: 0 for a trustworthy pass and nothing else, 10 to block, 11 for 3-D Secure,\n" +
      '6 for an unknown outcome; "verdict help exit-codes" lists all.',
    details: EXIT_NOTES,
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
  }),
  command({
    name: "sweep",
    summary: "vary one field of a payment over a range or a list, and see where the verdict changes",
    arguments: [
      [
        "[file]",
        "the request body as JSON, or an envelope; the name of a saved payload; - for standard input",
      ],
    ],
    options: SWEEP,
    notes:
      "On the sandbox nothing is sent, and its counters and decisions do not change.\n" +
      "Any other profile receives real checks, at most 60, four per second. This requires\n" +
      "the name of the profile, typed or given with --confirm.\n" +
      "Exits 6 when a value got no trustworthy verdict.",
    details:
      "Some values of a range are tried, and each\n" +
      "change between two of them is narrowed down to the exact number; a change back\n" +
      "and forth between two of them is missed, so use a smaller range or more --steps.\n" +
      "Without --range and --list, typical values of the field are tried.\n" +
      "A real check is recorded in the history, counts at the service, and has its own\n" +
      "order id.\n" +
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
  }),
];

export const PROJECT_COMMAND: CommandSpec = {
  name: "project",
  aliases: ["projects"],
  summary: "projects of merchants: register them, fetch their credentials, list them",
  children: [
    command({
      name: "register",
      summary: "register a project for a merchant (the first of the two registration requests)",
      asks: true,
      options: PROJECT_REGISTER,
      examples: [
        [
          "verdict project register --merchant-id demo-shop --name Demo --currency UAH --risk-level medium --wait",
          "registers, waits the recommended time, and puts the credential into the vault",
        ],
      ],
      load: async () => (await import("./register.ts")).register,
    }),
    command({
      name: "credential",
      summary:
        "fetch the credential of a registered project (the second registration request, within 24 hours)",
      options: PROJECT_CREDENTIAL,
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
    }),
    command({
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
    }),
  ],
};
