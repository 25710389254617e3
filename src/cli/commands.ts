// The command table: syntax, help and code of every command.

import { command, type CommandSpec } from "./command.ts";
import { CHECK_COMMANDS, PROJECT_COMMAND } from "#src/cli/check/check-commands.ts";
import { HISTORY_COMMAND, LABEL_COMMAND } from "#src/cli/history/history-commands.ts";
import { INIT_COMMAND, PROFILE_COMMAND, SIGNING_COMMANDS } from "#src/cli/profiles/profile-commands.ts";
import { REPLAY_COMMANDS } from "#src/cli/replay/replay-commands.ts";
import { RULES_COMMANDS } from "#src/cli/rules/rules-commands.ts";
import { SANDBOX_COMMANDS } from "#src/cli/sandbox/sandbox-commands.ts";
import { VAULT_COMMAND } from "#src/cli/vault/vault-commands.ts";
import { DEMO, DOCTOR, SCHEMA, SERVE } from "./command-options.ts";

export const COMMANDS: readonly CommandSpec[] = [
  INIT_COMMAND,
  ...CHECK_COMMANDS,
  PROJECT_COMMAND,
  VAULT_COMMAND,
  HISTORY_COMMAND,
  LABEL_COMMAND,
  ...REPLAY_COMMANDS,
  {
    name: "rules",
    aliases: ["rule"],
    summary: "validate, explain, test and tune rule files",
    children: RULES_COMMANDS,
  },
  command({
    name: "demo",
    summary: "present a deck: real checks on a temporary sandbox",
    arguments: [["[deck]", "a built-in deck (see --list), or a YAML file; - for standard input"]],
    options: DEMO,
    notes:
      "A deck is a YAML file with title, summary, start, seed, project and steps, each\n" +
      'with say and a payload; "verdict schema deck" describes each key. A sample is\n' +
      'deck.yaml of "verdict examples FOLDER". Personal data is masked. An unexpected\n' +
      "verdict exits 8.",
    details:
      "A deck is a YAML file: title, summary, start, seed, project {merchant, currency,\n" +
      "risk_level} and steps. A step has say, and either a payload or a change of the\n" +
      "previous payload ({path: value}, null removes). Optional in a step: note, repeat, every,\n" +
      "clock (+24h), risk_level or project, same_order, can_force_3ds, seconds, rules,\n" +
      "side_by_side, watch and fault. expect is a verdict, or a list of verdicts for repeat;\n" +
      'stream is a day of payments. "verdict schema deck" says what each key takes. {n} in\n' +
      "an order id is the number of the check.",
    examples: [
      ["verdict demo one-card", "one card, many attempts, on the presenter's screen"],
      ["verdict demo story.yaml --auto 8s", "your own deck, with the next step after eight seconds"],
      ["verdict demo three-levels | less", "a deck as plain text"],
      ["verdict demo --follow", "on a second terminal: the presenter's notes, step by step"],
      ["verdict demo one-card --record talk.cast --size 80x24", "a recording for asciinema players"],
      [
        "verdict demo one-card --export html=one-card.html",
        "a page to give to the audience, which works without a network",
      ],
    ],
    load: async () => (await import("#src/cli/demo/demo.ts")).demo,
  }),
  PROFILE_COMMAND,
  command({
    name: "completion",
    summary: "print a completion script for your shell",
    arguments: [["<shell...>", "bash, zsh or fish; the scripts call: words COMMAND-LINE"]],
    examples: [
      ["source <(verdict completion bash)", "for this shell; put it into ~/.bashrc for every shell"],
      ["verdict completion fish | source", "for fish"],
    ],
    load: async () => (await import("#src/cli/completion/completion.ts")).completionOf(COMMANDS),
  }),
  command({
    name: "doctor",
    summary: "examine the terminal, files, clock and protection of secrets",
    options: DOCTOR,
    notes:
      "Each line is ok, a note or a problem, with the next step. doctor changes and\n" +
      "repairs nothing, and opens secrets only with --verify, which may ask for the\n" +
      "passphrase of the vault. Exit codes: 0 without a problem, 8 with a problem.",
    examples: [
      ["verdict doctor --online", "before the first payment to a live service"],
      ["verdict doctor --verify", "tests that every saved entry is undamaged and can be opened"],
    ],
    load: async () => (await import("./doctor.ts")).doctor,
  }),
  ...SIGNING_COMMANDS,
  command({
    name: "schema",
    summary: "print the JSON Schema of a file or output",
    arguments: [["[name]", "name of the schema, such as rules or output-check (default: list all schemas)"]],
    options: SCHEMA,
    notes:
      "The schemas use JSON Schema draft 2020-12. An output schema describes one line\n" +
      "of the output of a command with --json.",
    examples: [
      ["verdict schema", "lists all schemas"],
      ["verdict schema rules --path", "path of the file, for the setting yaml.schemas of an editor"],
      ["verdict schema output-check", "the format of verdict check --json"],
    ],
    load: async () => (await import("./docs.ts")).schema,
  }),
  command({
    name: "docs",
    aliases: ["doc"],
    summary: "list the documents, or print one of them",
    arguments: [
      ["[page]", "name of the page, such as first-check or commands/check (default: list all pages)"],
    ],
    paged: true,
    notes: "You can also give a link from a page: verdict docs ../how-to/install.md",
    examples: [
      ["verdict docs", "the pages by kind"],
      ["verdict docs first-check", "the page to begin with"],
    ],
    load: async () => (await import("./docs.ts")).docs,
  }),
  command({
    name: "examples",
    summary: "copy the examples of the documents into a folder",
    arguments: [["<folder>", "a new or empty folder; nothing is overwritten"]],
    examples: [["verdict examples trial && cd trial", "run the commands of the documents in this folder"]],
    load: async () => (await import("./docs.ts")).examples,
  }),
  command({
    name: "serve",
    summary: "run the sandbox as a standalone service",
    options: SERVE,
    examples: [
      ["verdict serve --port 8787 --credential-delay 60s", "an integration must wait for its credential"],
      ["verdict serve --ephemeral --seed 1 --port 0", "for a test: a free port, the same ids each time"],
      ["verdict serve --ephemeral --port 0 --json", "the address and the file of keys, for a program"],
    ],
    notes:
      "Each option has an environment variable, e.g. VERDICT_SERVE_ADMIN_PORT=0 or\n" +
      "VERDICT_SERVE_EPHEMERAL=true; an option on the command line takes precedence.\n" +
      "/health and /ready answer 200 or 503; /docs describes the interface.",
    details:
      "With --state valkey://HOST:PORT any number of workers share one sandbox: valkeys: for\n" +
      "TLS, unix:/PATH for a socket, valkey+sentinel://HOST:PORT,HOST:PORT/NAME for Sentinels.\n" +
      "Only --seed and --start-at of the first worker are used: it creates the state.\n\n" +
      "Health checks ask /health or /ready by GET or HEAD: 200 while it can decide, 503\n" +
      "while it stops or cannot write, with the reason. /docs describes the interface,\n" +
      "/openapi.json for programs; /metrics on the administrative plane is for Prometheus.\n" +
      "SIGTERM ends it once running requests are answered, after --drain-delay; SIGHUP\n" +
      "reads the certificate and its key again.",
    load: async () => (await import("./serve.ts")).serve,
  }),
  {
    name: "sandbox",
    summary: "administer a sandbox: clock, faults, journal, snapshots, tenants",
    children: SANDBOX_COMMANDS,
  },
];
