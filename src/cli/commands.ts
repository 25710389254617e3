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
    summary: "rule files: check them, explain what they decided, and try them on saved transactions",
    children: RULES_COMMANDS,
  },
  command({
    name: "demo",
    summary: "present a deck: a story in real checks on a temporary sandbox, with personal data masked",
    arguments: [["[deck]", "a built-in deck (see --list), or a YAML file; - for standard input"]],
    options: DEMO,
    notes:
      "A deck is a YAML file with a title and steps, each with a text and a payload;\n" +
      '"verdict schema deck" describes all of it. An unexpected verdict exits 8.',
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
      ["verdict demo story.yaml --auto 8s", "your own story, eight seconds a check"],
      ["verdict demo three-levels | less", "the same in plain text"],
      ["verdict demo --follow", "on a second terminal: what the presenter reads, move by move"],
      ["verdict demo one-card --record talk.cast --size 80x24", "the same as a recording that players play"],
      ["verdict demo one-card --export html=one-card.html", "a page to leave behind, which needs no network"],
    ],
    load: async () => (await import("#src/cli/demo/demo.ts")).demo,
  }),
  PROFILE_COMMAND,
  command({
    name: "completion",
    summary: "print a completion script: commands, options, values, names and ids",
    arguments: [["<shell...>", 'bash, zsh or fish; "words" and a command line, to complete that one']],
    examples: [
      ["source <(verdict completion bash)", "for this shell; put it into ~/.bashrc for every shell"],
      ["verdict completion fish | source", "for fish"],
    ],
    load: async () => (await import("#src/cli/completion/completion.ts")).completionOf(COMMANDS),
  }),
  command({
    name: "doctor",
    summary: "check this terminal, the files, the clock, and the secrecy of this process",
    options: DOCTOR,
    notes:
      "Each line is ok, a note or a problem, with its next step. Nothing is changed or\n" +
      "repaired, and no secret is opened without --verify, which may ask for the passphrase\n" +
      "of the vault. Ends with 0 when there is no problem, else with 8.",
    examples: [
      ["verdict doctor --online", "before the first payment to a live service"],
      ["verdict doctor --verify", "whether every saved entry is as it was written, and opens"],
    ],
    load: async () => (await import("./doctor.ts")).doctor,
  }),
  ...SIGNING_COMMANDS,
  command({
    name: "schema",
    summary: "print the JSON Schema of a file that you write, or of what a command prints",
    arguments: [["[name]", "the schema, such as rules or output-check; without one all are listed"]],
    options: SCHEMA,
    notes: "The schemas are of draft 2020-12. A schema of output describes one line.",
    examples: [
      ["verdict schema", "all of them"],
      ["verdict schema rules --path", "for yaml.schemas of an editor"],
      ["verdict schema output-check", "what a program reads of verdict check --json"],
    ],
    load: async () => (await import("./docs.ts")).schema,
  }),
  command({
    name: "docs",
    aliases: ["doc"],
    summary: "list the documents, or print one of them",
    arguments: [["[page]", "the page, such as first-check or commands/check; without one all are listed"]],
    paged: true,
    notes: "A link of a page names a page as well: verdict docs ../how-to/install.md",
    examples: [
      ["verdict docs", "the pages by kind"],
      ["verdict docs first-check", "the page to begin with"],
    ],
    load: async () => (await import("./docs.ts")).docs,
  }),
  command({
    name: "examples",
    summary: "copy the examples of the documents into a new folder",
    arguments: [["<folder>", "a new or empty folder; nothing is overwritten"]],
    examples: [
      ["verdict examples trial && cd trial", "the folder in which the commands of all documents run"],
    ],
    load: async () => (await import("./docs.ts")).examples,
  }),
  command({
    name: "serve",
    summary: "run the sandbox standalone: the whole service, with real signatures and its own rules",
    options: SERVE,
    examples: [
      ["verdict serve --port 8787 --credential-delay 60", "for testing an integration that has to wait"],
      ["verdict serve --ephemeral --seed 1 --port 0", "for a test: a free port, the same ids each time"],
      ["verdict serve --ephemeral --port 0 --json", "the address and the file of keys, for a program"],
    ],
    notes:
      "Each option but --embedded has a variable; the command line takes precedence:\n" +
      "VERDICT_SERVE_ADMIN_PORT=0, VERDICT_SERVE_EPHEMERAL=true.\n" +
      "/health and /ready answer 200 or 503, /docs describes the interface.",
    details:
      "With --state valkey://HOST:PORT any number of workers share one sandbox: valkeys: for\n" +
      "TLS, unix:/PATH for a socket, valkey+sentinel://HOST:PORT,HOST:PORT/NAME for Sentinels.\n" +
      "Only the first worker's --seed and --start-at count, as it makes the state.\n\n" +
      "Health checks ask /health or /ready by GET or HEAD: 200 while it can decide, 503\n" +
      "while it stops or cannot write, with the reason. /docs describes the interface,\n" +
      "/openapi.json for programs; /metrics on the administrative plane is for Prometheus.\n" +
      "SIGTERM ends it once running requests are answered, after --drain-delay; SIGHUP\n" +
      "reads the certificate and its key again.",
    load: async () => (await import("./serve.ts")).serve,
  }),
  {
    name: "sandbox",
    summary: "the embedded sandbox's administrative side",
    children: SANDBOX_COMMANDS,
  },
];
