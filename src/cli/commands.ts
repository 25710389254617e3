// The command table: syntax, help and code of every command.

import { CHECK_COMMANDS, PROJECT_COMMAND } from "#src/cli/check/check-commands.ts";
import { OUTCOME_COMMAND } from "#src/cli/history/outcome-commands.ts";
import { HISTORY_COMMAND } from "#src/cli/history/history-commands.ts";
import { INIT_COMMAND, PROFILE_COMMAND, SIGNING_COMMANDS } from "#src/cli/profiles/profile-commands.ts";
import { REPLAY_COMMANDS } from "#src/cli/replay/replay-commands.ts";
import { RULES_COMMANDS } from "#src/cli/rules/rules-commands.ts";
import { SANDBOX_COMMANDS } from "#src/cli/sandbox/sandbox-commands.ts";
import { VAULT_COMMAND } from "#src/cli/vault/vault-commands.ts";
import type { CommandSpec } from "./command.ts";
import { withVariables } from "./environment.ts";
import { JSON_OPTION, NUMBER_READINGS, YES } from "./option-specs.ts";

export const COMMANDS: readonly CommandSpec[] = [
  INIT_COMMAND,
  ...CHECK_COMMANDS,
  PROJECT_COMMAND,
  VAULT_COMMAND,
  HISTORY_COMMAND,
  OUTCOME_COMMAND,
  ...REPLAY_COMMANDS,
  {
    name: "rules",
    aliases: ["rule"],
    summary: "rule files: check them, explain what they decided, and try them on saved transactions",
    children: RULES_COMMANDS,
  },
  {
    name: "demo",
    summary: "present a deck: a story in real checks on a temporary sandbox, with personal data masked",
    arguments: [["[deck]", "a built-in deck (see --list), or a YAML file; - for standard input"]],
    options: [
      { flags: "--list", help: "list the built-in decks" },
      {
        flags: "--auto [duration]",
        help: "on the presenter's screen: advance automatically, e.g. 8s (default: as long as a step takes to read)",
      },
      { flags: "--notes", help: "show the presenter's notes" },
      {
        flags: "--follow",
        help: "show the notes of the deck that another terminal presents, until Ctrl-C",
      },
      {
        flags: "--export <kind=file>",
        help: "write the deck as one page for a browser, html=FILE, without the notes unless --notes is given",
      },
      { flags: "--plain", help: "plain text even on a terminal" },
      {
        flags: "--record <file>",
        writes: "file",
        help: "record the screen as an asciicast; without a terminal on one that is made up, in seconds",
      },
      { flags: "--size <size>", help: "record on a made-up terminal of this size (100x30)" },
      { ...YES, help: "overwrite the file of a recording or page" },
      JSON_OPTION,
    ],
    notes:
      "A deck is a YAML file: title, summary, start, seed, project {merchant, currency,\n" +
      "risk_level} and steps. A step has say, and either a payload or a change of the\n" +
      "previous one ({path: value}, null removes). Optional: note, repeat, every, clock\n" +
      "(+24h), risk_level or project, same_order, expect (a verdict, or a list of them\n" +
      "for repeat), can_force_3ds, seconds, rules, side_by_side, watch, fault, and stream\n" +
      'for a day of payments; "verdict schema deck" says what each of them takes. {n} in an\n' +
      "order id is the number of the check. An unexpected verdict ends it with exit code 8.",
    examples: [
      ["verdict demo one-card", "one card, many attempts, on the presenter's screen"],
      ["verdict demo story.yaml --auto 8s", "your own story, eight seconds a check"],
      ["verdict demo three-levels | less", "the same in plain text"],
      ["verdict demo --follow", "on a second terminal: what the presenter reads, move by move"],
      ["verdict demo one-card --record talk.cast --size 80x24", "the same as a recording that players play"],
      ["verdict demo one-card --export html=one-card.html", "a page to leave behind, which needs no network"],
    ],
    load: async () => (await import("#src/cli/demo/demo.ts")).demo,
  },
  PROFILE_COMMAND,
  {
    name: "keys",
    summary: "list the keys of the console, with the names that keys.yaml uses",
    options: [JSON_OPTION],
    notes:
      'Keys of the keyboard; those of a service are secrets: "verdict vault".\n\n' +
      "Keys of your own stand in keys.yaml in the configuration folder, one binding a\n" +
      "line, and take the place of the default ones:\n\n" +
      "  check.sendAnywhere: [ctrl+r, f5]\n" +
      "  history.resend: f6\n\n" +
      "A file with anything wrong in it is left out as a whole: the console, this command\n" +
      "and doctor say in which line. How things look stands in settings.yaml beside it:\n" +
      "theme: default, high-contrast or none; ascii: true; screen_reader: true;\n" +
      "colors: a map of roles; quiet: auto, gray or full; notify: off, bell or osc9;\n" +
      "mouse: true; presenter: true. Programs to run by a key for the check that is shown\n" +
      "stand in commands.yaml.",
    examples: [["verdict keys --json", "with the names that keys.yaml uses"]],
    load: async () => (await import("./keys.ts")).keys,
  },
  {
    name: "completion",
    summary:
      "print a completion script for a shell: commands, options, and the names of your profiles, payloads and runs",
    arguments: [["<shell...>", 'bash, zsh or fish; "words" and a command line, to complete that one']],
    examples: [
      ["source <(verdict completion bash)", "for this shell; put it into ~/.bashrc for every shell"],
      ["verdict completion fish | source", "for fish"],
    ],
    load: async () => (await import("#src/cli/completion/completion.ts")).completionOf(COMMANDS),
  },
  {
    name: "doctor",
    summary: "check this terminal, the files, the clock, and the secrecy of this process",
    options: [
      { flags: "--online", help: "also ask the profile's service for its time; nothing is sent otherwise" },
      JSON_OPTION,
    ],
    notes:
      "Each line is ok, a note or a problem, with its next step. Nothing is changed or\n" +
      "repaired, and no secret is opened. Ends with 0 when there is no problem, else with 8.",
    examples: [["verdict doctor --online", "before the first payment to a live service"]],
    load: async () => (await import("./doctor.ts")).doctor,
  },
  ...SIGNING_COMMANDS,
  {
    name: "schema",
    summary: "print the JSON Schema of a file that you write, or of what a command prints",
    arguments: [["[name]", "the schema, such as rules or output-check; without one all are listed"]],
    options: [
      { flags: "--path", help: "print where its file is, for the settings of an editor" },
      JSON_OPTION,
    ],
    notes: "The schemas are of draft 2020-12. Those of output are of one line each.",
    examples: [
      ["verdict schema", "all of them"],
      ["verdict schema rules --path", "for yaml.schemas of an editor"],
      ["verdict schema output-check", "what a program reads of verdict check --json"],
    ],
    load: async () => (await import("./schema.ts")).schema,
  },
  {
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
  },
  {
    name: "examples",
    summary: "copy the examples of the documents into a new folder",
    arguments: [["<folder>", "a new or empty folder; nothing is overwritten"]],
    examples: [
      ["verdict examples trial && cd trial", "the folder in which the commands of all documents run"],
    ],
    load: async () => (await import("./examples.ts")).examples,
  },
  {
    name: "version",
    summary: "print the versions of verdict and Node, and the platform",
    options: [JSON_OPTION],
    examples: [["verdict version --json", "for a report of a fault"]],
    load: async () => (await import("./version.ts")).version,
  },
  {
    name: "serve",
    summary: "run the sandbox standalone: the whole service, with real signatures and its own rules",
    options: [
      ...withVariables("VERDICT_SERVE_", [
        { flags: "--host <address>", help: "address to listen on (default: 127.0.0.1)" },
        { flags: "--port <n>", help: "port to listen on; 0 for a free one (default: 8787)" },
        { flags: "--tls-cert <file>", help: "speak TLS with this certificate and its chain, as PEM" },
        { flags: "--tls-key <file>", help: "its private key, as PEM, which other accounts cannot read" },
        {
          flags: "--admin-port <n>",
          help: "open the administrative plane on this port of 127.0.0.1; 0 for a free one",
        },
        {
          flags: "--admin-host <address>",
          help: "open it on this address instead, with TLS and a token of yours",
        },
        {
          flags: "--admin-token-file <file>",
          help: "a private file with the token of the administrative plane, 32 characters or more",
        },
        {
          flags: "--state <place>",
          help: "where projects, keys and counters are kept: a folder, or the address of a Valkey or Redis server that several workers share (default: in the state folder)",
        },
        {
          flags: "--state-key-file <file>",
          help: "of a server: the private file with the key that seals secrets, the same for every worker",
        },
        {
          flags: "--state-password-file <file>",
          help: "of a server: a private file with the password of the user in its address",
        },
        { flags: "--state-ca <file>", help: "of a server by TLS: authorities of its certificate, as PEM" },
        {
          flags: "--local-dir <dir>",
          help: "of a server: where this worker keeps endpoint.json and integration-keys.json (default: a folder of its own, gone at its end)",
        },
        {
          flags: "--recipe <id or file>",
          help: "how requests must be signed: a recipe, or a recipe document (default: http-signatures)",
        },
        {
          flags: "--credential-delay <duration>",
          help: "time from registration until the credential is ready, e.g. 3m (default: 5s)",
        },
        {
          flags: "--credential-unsigned",
          help: "accept credential requests with an empty Authorization header",
        },
        {
          flags: "--require <fields>",
          help: "required fields of a check (default: operation,order_id,amount,currency)",
        },
        ...NUMBER_READINGS,
        {
          flags: "--rules <file>",
          help: "rules that decide (default: rules.yaml in the state folder, else the starter rules); read again when it changes",
        },
        { flags: "--no-magic", help: "treat order ids that begin with force- like any other" },
        { flags: "--seed <n>", help: "same seed, same ids, secrets and latencies" },
        { flags: "--start-at <time>", help: "virtual time at the start, ISO 8601" },
        {
          flags: "--drain-delay <duration>",
          help: "on SIGTERM, refuse /ready for so long before calls are refused, e.g. 10s (default: 0s)",
        },
        {
          flags: "--ephemeral",
          help: "leave nothing behind; without --state its files are in a temporary folder",
        },
        {
          flags: JSON_OPTION.flags,
          help: "once it listens, print one line of JSON: url, admin_url, keys_file, pid",
        },
        {
          flags: "--openapi",
          help: "print the OpenAPI 3.1 document of a sandbox with these options, and start nothing",
        },
      ]),
      {
        flags: "--embedded",
        help: "as the console starts it: with the administrative plane, ends after its last user",
      },
    ],
    examples: [
      ["verdict serve --port 8787 --credential-delay 60", "for testing an integration that has to wait"],
      ["verdict serve --ephemeral --seed 1 --port 0", "for a test: a free port, the same ids each time"],
      ["verdict serve --ephemeral --port 0 --json", "the address and the file of keys, for a program"],
    ],
    notes:
      "With --state valkey://HOST:PORT any number of workers share one sandbox: valkeys: for\n" +
      "TLS, unix:/PATH for a socket, valkey+sentinel://HOST:PORT,HOST:PORT/NAME for Sentinels.\n" +
      "The first worker makes the state, and --seed and --start-at are then its own.\n\n" +
      "A variable sets each option that the command line leaves out, but for --embedded:\n" +
      "VERDICT_SERVE_ADMIN_PORT=0, VERDICT_SERVE_EPHEMERAL=true.\n\n" +
      "Health checks ask /health or /ready by GET or HEAD: 200 while it can decide, 503\n" +
      "while it stops or cannot write, with the reason. /docs describes the interface,\n" +
      "/openapi.json for programs; /metrics on the administrative plane is for Prometheus.\n" +
      "SIGTERM ends it once running requests are answered, after --drain-delay; SIGHUP\n" +
      "reads the certificate and its key again.",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "sandbox",
    summary: "the embedded sandbox's administrative side",
    children: SANDBOX_COMMANDS,
  },
];
