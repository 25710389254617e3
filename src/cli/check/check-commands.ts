// The commands tour, check, sweep and project in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { SHOWN } from "#src/cli/option-specs.ts";
import { EXIT_NOTES } from "#src/cli/topics.ts";
import { TOUR, CHECK, SWEEP, PROJECT_REGISTER, PROJECT_CREDENTIAL } from "./check-options.ts";

export const CHECK_COMMANDS: readonly CommandSpec[] = [
  command({
    name: "tour",
    summary: "show every step, from registration to verdicts",
    options: TOUR,
    notes:
      "On a terminal, tour opens the console on your own sandbox. Without a terminal,\n" +
      "or with --json, tour prints the steps of a temporary sandbox.",
    examples: [["verdict tour | less", "the steps as plain text"]],
    load: async () => (await import("#src/cli/demo/tour.ts")).tour,
  }),
  command({
    name: "check",
    summary: "send one transaction check and print its verdict",
    arguments: [
      [
        "[file]",
        "file with the request body or an envelope {name, expect, tags, request} as JSON, or name of a saved payload; - for standard input",
      ],
    ],
    options: CHECK,
    notes:
      "Exit codes: 0 for a trustworthy pass (a valid answer pass) and nothing else, 10\n" +
      'for block, 11 for 3ds_or_block, 6 for an unknown outcome; "verdict help\n' +
      'exit-codes" lists all. In an envelope, expect is the expected verdict.',
    details: EXIT_NOTES,
    examples: [
      ["verdict check payload.json && ship-order", "runs ship-order only after a trustworthy pass"],
      [
        `echo '{"operation":"payment","order_id":"o-1","amount":12000,"currency":980}' | verdict check -`,
        '120.00 UAH: minor units, ISO 4217 numbers; "verdict schema payload" has every field',
      ],
      ["verdict check - --set amount=99000 < payload.json", "the same payment with another amount"],
      ["verdict check payload.json --can-force-3ds no", "3ds_or_block becomes a block"],
      ["verdict check --again ID", "the same payload again, after an unknown outcome"],
      ["verdict check repeat-buyer", 'the payload that "verdict payload save repeat-buyer" saved'],
    ],
    load: async () => (await import("./check.ts")).check,
  }),
  command({
    name: "sweep",
    summary: "vary one field and find where the verdict changes",
    arguments: [
      [
        "[file]",
        "file with the request body or an envelope as JSON, or name of a saved payload; - for standard input",
      ],
    ],
    options: SWEEP,
    notes:
      "On the sandbox profile, the sandbox computes the verdicts without a check:\n" +
      "counters and decisions do not change. Through any other profile, verdict sends\n" +
      "at most 60 real checks, four per second; type the name of the profile, or give\n" +
      "--confirm. Without --range and --list, verdict tries typical values of the\n" +
      "field. Exits 6 when a value got no trustworthy verdict.",
    details:
      "A sweep tries some values of a range, and then finds the exact number of each\n" +
      "change. A sweep does not find two changes between two tried values; for these,\n" +
      "use a smaller range or more --steps.\n" +
      "A real check is recorded in the history, counts at the service, and has its own\n" +
      "order id.\n" +
      "Exit codes: 6 when a value got no trustworthy verdict or the sweep was cut\n" +
      "short; the others as for check, regardless of the verdicts.",
    examples: [
      [
        "verdict sweep payment.json --field amount --range 1000..500000",
        "shows the amounts at which the verdict changes",
      ],
      [
        "verdict sweep payment.json --field currency --list UAH,EUR,KWD",
        "the same amount in other currencies",
      ],
      [
        "verdict sweep payment.json --field number_phone",
        "typical values: telephone numbers of several countries",
      ],
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
  summary: "register and list projects, and fetch their credentials",
  children: [
    command({
      name: "register",
      summary: "register a project for a merchant",
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
      summary: "fetch the credential of a registered project",
      options: PROJECT_CREDENTIAL,
      notes:
        "The service gives a credential, and gives it again, for 24 hours after\n" +
        "registration. verdict opens the vault and tests writing before the request. If\n" +
        "saving still fails after the answer, verdict asks whether to save again, write\n" +
        "an age file or show the credential. Without a terminal, --rescue writes the file\n" +
        "and the exit code is 74.",
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
      summary: "list the registered projects and their credential windows",
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
