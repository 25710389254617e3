// The one table of commands: what the parser accepts, what `--help` teaches, and where the code is.

import { RISK_LEVELS } from "#src/contract/wire.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { EXIT_MEANINGS } from "./exit-code.ts";

const JSON_OPTION: OptionSpec = { flags: "--json", help: "print machine-readable JSON" };
const WAIT: OptionSpec = { flags: "--wait", help: "wait until the credential is ready, asking politely" };
const MERCHANT: OptionSpec = {
  flags: "--merchant-id <id>",
  help: "merchant in your own system",
  required: true,
};
const RISK: OptionSpec = {
  flags: "--risk-level <level>",
  help: "how risky the merchant is; high means stricter decisions",
  required: true,
  choices: RISK_LEVELS,
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "tour",
    summary:
      "show the whole way on a sandbox of its own: register, fetch the credential, check, see the verdicts",
    load: async () => (await import("./tour.ts")).tour,
  },
  {
    name: "check",
    summary: "send one transaction check and exit by its verdict",
    arguments: [
      [
        "[file]",
        "the request body as JSON, or an envelope {name, expect, tags, request}; - for standard input",
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
      { flags: "--dry-run", help: "validate and show what would be sent; send nothing" },
      { flags: "--no-history", help: "send even if the attempt cannot be recorded" },
      JSON_OPTION,
    ],
    notes: `Exit codes:\n${EXIT_MEANINGS.map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`).join("\n")}`,
    examples: [
      ["verdict check payload.json && ship-order", "goes on only after a trustworthy pass"],
      ["verdict check - --set amount=99000 < payload.json", "the same payment with another amount"],
      ["verdict check payload.json --can-force-3ds no", "3ds_or_block becomes a block"],
    ],
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "register",
    summary: "register a project for a merchant (the first of the two registration requests)",
    options: [
      MERCHANT,
      { flags: "--name <name>", help: "name of the project", required: true },
      { flags: "--currency <code>", help: "ISO 4217, as letters or number: UAH or 980", required: true },
      RISK,
      { flags: "--description <text>", help: "what the project is for" },
      WAIT,
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
    options: [MERCHANT, RISK, WAIT, JSON_OPTION],
    load: async () => (await import("./credential.ts")).credential,
  },
  {
    name: "projects",
    summary: "list the projects registered from here, and how long their windows are open",
    options: [JSON_OPTION],
    load: async () => (await import("./projects.ts")).projects,
  },
  {
    name: "vault",
    summary: "integration keys and project credentials, sealed on disk",
    children: [
      {
        name: "list",
        summary: "list what the vault holds, masked",
        options: [JSON_OPTION],
        load: async () => (await import("./vault.ts")).list,
      },
      {
        name: "add",
        summary: "enter a key or credential by hand, from the administrative panel",
        children: [
          {
            name: "integration-key",
            summary: "a key that signs the registration requests",
            options: [
              { flags: "--key-id <id>", help: "goes into the header x-key-id", required: true },
              { flags: "--company-id <id>", help: "goes into the header x-company-id", required: true },
              { flags: "--algorithm <name>", help: "signing algorithm (default: hmac-sha256)" },
              { flags: "--secret-stdin", help: "read the secret from standard input" },
            ],
            load: async () => (await import("./vault.ts")).addIntegrationKey,
          },
          {
            name: "credential",
            summary: "the credential of a project, e.g. after its 24 hours are over",
            options: [
              MERCHANT,
              RISK,
              { flags: "--key-id <id>", help: "goes into the header x-key-id", required: true },
              { flags: "--project-id <id>", help: "goes into the header x-project-id", required: true },
              { flags: "--algorithm <name>", help: "signing algorithm (default: hmac-sha256)" },
              { flags: "--secret-stdin", help: "read the secret from standard input" },
            ],
            examples: [
              [
                "verdict sandbox panel --secret KEY_ID | verdict vault add credential ... --secret-stdin",
                "the manual way of the sandbox, without the secret ever on screen",
              ],
            ],
            load: async () => (await import("./vault.ts")).addCredential,
          },
        ],
      },
      {
        name: "show",
        summary: "show one entry, masked",
        arguments: [["<id>", "id of the entry, or the beginning of it"]],
        options: [JSON_OPTION],
        load: async () => (await import("./vault.ts")).show,
      },
      {
        name: "remove",
        summary: "remove one entry for good",
        arguments: [["<id>", "id of the entry, or the beginning of it"]],
        options: [{ flags: "--yes", help: "do not ask" }],
        load: async () => (await import("./vault.ts")).remove,
      },
    ],
  },
  {
    name: "history",
    summary: "what was checked and what became of it",
    options: [
      { flags: "--where <expression>", help: 'filter, e.g. "verdict:block amount>100000 since:2d"' },
      { flags: "--limit <n>", help: "newest entries to show (default: 20)" },
      JSON_OPTION,
    ],
    notes:
      "Filter: terms separated by blanks must all hold, a leading - negates. Fields: verdict, outcome, amount, currency, order,\n" +
      "project, profile, email, ip, payer, bin, operation, latency, final, since, before; * stands for anything; other words are searched.",
    examples: [
      ["verdict history --where 'verdict:3ds_or_block amount>100000'", "large payments that need 3-D Secure"],
    ],
    load: async () => (await import("./history.ts")).list,
    children: [
      {
        name: "show",
        summary: "everything about one entry: request, answer, explanation",
        arguments: [["<id>", "id of the entry, or the beginning of it"]],
        options: [JSON_OPTION],
        load: async () => (await import("./history.ts")).show,
      },
    ],
  },
  {
    name: "profile",
    summary: "the environments: where a service lives and how it is signed to",
    children: [
      {
        name: "list",
        summary: "list the profiles",
        options: [JSON_OPTION],
        load: async () => (await import("./profile.ts")).list,
      },
      {
        name: "add",
        summary: "add a profile, or change one",
        arguments: [["<name>", "name of the profile"]],
        options: [
          { flags: "--base-url <url>", help: "address of the check", required: true },
          {
            flags: "--projects-url <url>",
            help: "address of registration and credentials (default: the base address)",
          },
          { flags: "--environment <kind>", help: "TEST or LIVE (default: TEST)", choices: ["TEST", "LIVE"] },
          { flags: "--recipe <id>", help: "how requests are signed (default: http-signatures)" },
          {
            flags: "--amount-unit <unit>",
            help: "unit of amounts on the wire (default: minor)",
            choices: ["minor", "major"],
          },
          {
            flags: "--credential-wait <seconds>",
            help: "recommended wait before the credential request (default: 180)",
          },
        ],
        load: async () => (await import("./profile.ts")).add,
      },
      {
        name: "use",
        summary: "make a profile the one that is used without --profile",
        arguments: [["<name>", "name of the profile"]],
        load: async () => (await import("./profile.ts")).use,
      },
      {
        name: "show",
        summary: "show one profile",
        arguments: [["<name>", "name of the profile"]],
        options: [JSON_OPTION],
        load: async () => (await import("./profile.ts")).show,
      },
      {
        name: "remove",
        summary: "remove a profile; its history and vault entries stay",
        arguments: [["<name>", "name of the profile"]],
        options: [{ flags: "--yes", help: "do not ask" }],
        load: async () => (await import("./profile.ts")).remove,
      },
    ],
  },
  {
    name: "serve",
    summary: "run the sandbox on its own: the whole service, with real signatures and its own rules",
    options: [
      { flags: "--host <address>", help: "address to listen on (default: 127.0.0.1)" },
      { flags: "--port <n>", help: "port to listen on; 0 for a free one (default: 8787)" },
      {
        flags: "--admin-port <n>",
        help: "open the administrative plane on this loopback port; 0 for a free one",
      },
      {
        flags: "--state <dir>",
        help: "where projects, keys and counters are kept (default: in the state folder)",
      },
      { flags: "--recipe <id>", help: "how requests must be signed (default: http-signatures)" },
      {
        flags: "--credential-delay <seconds>",
        help: "time from registration until the credential is ready (default: 5)",
      },
      {
        flags: "--credential-unsigned",
        help: "accept credential requests with an empty Authorization header",
      },
      {
        flags: "--require <fields>",
        help: "required fields of a check (default: operation,order_id,amount,currency)",
      },
      { flags: "--seed <n>", help: "same seed, same ids and secrets" },
      { flags: "--start-at <time>", help: "virtual time at the start, ISO 8601" },
      { flags: "--ephemeral", help: "leave nothing behind" },
      {
        flags: "--embedded",
        help: "as the console starts it: administrative plane on, ends after its last user",
      },
    ],
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "sandbox",
    summary: "the embedded sandbox's administrative side",
    children: [
      {
        name: "status",
        summary: "what runs, and at which virtual time",
        options: [JSON_OPTION],
        load: async () => (await import("./sandbox.ts")).status,
      },
      {
        name: "panel",
        summary: "its administrative panel: integration keys, and credentials once their 24 hours are over",
        options: [
          {
            flags: "--secret <key-id>",
            help: "write the secret of one key to a pipe or file, never to a terminal",
          },
          JSON_OPTION,
        ],
        load: async () => (await import("./sandbox.ts")).panel,
      },
      {
        name: "clock",
        summary: "show or move its virtual clock",
        arguments: [
          ["[action]", "freeze, resume, reset, set or advance"],
          ["[value]", "a time in ISO 8601 for set, a duration such as 24h or 90s for advance"],
        ],
        options: [JSON_OPTION],
        examples: [["verdict sandbox clock advance 24h", "a day later for windows and counters, at once"]],
        load: async () => (await import("./sandbox.ts")).clock,
      },
      {
        name: "stop",
        summary: "end it; what it knows stays on disk",
        load: async () => (await import("./sandbox.ts")).stop,
      },
    ],
  },
];
