// The one table of commands: what the parser accepts, what `--help` teaches, and where the code is.

import { EXPECTATIONS } from "#src/contract/saved-payload.ts";
import { ENDPOINTS, RISK_LEVELS } from "#src/contract/wire.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { EXIT_MEANINGS } from "./exit-code.ts";
import { FLIP_LIMITS, REPORTS } from "./flip-options.ts";
import { RULES_COMMANDS } from "./rules-commands.ts";
import { SANDBOX_COMMANDS } from "./sandbox-commands.ts";

const JSON_OPTION: OptionSpec = { flags: "--json", help: "print machine-readable JSON" };
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
const SECRET_STDIN: OptionSpec = { flags: "--secret-stdin", help: "read the secret from standard input" };
const ENTRY_ID: readonly [string, string] = ["<id>", "id of the entry, or the beginning of it"];
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

/** The filter language, wherever it is taken. */
const FILTER_NOTES =
  "Filter: terms separated by blanks must all hold; - in front of one negates it.\n" +
  "  verdict:block        pass, block, 3ds_or_block, indeterminate, refused, unknown, not_sent\n" +
  "  outcome:answered     answered, indeterminate, refused, unknown, not_sent\n" +
  "  final:3ds            continue, block, 3ds, none\n" +
  "  amount>100000        also = < >= <=; in the unit that was sent\n" +
  "  latency>200          milliseconds, or 2s\n" +
  "  currency:UAH         letters or number\n" +
  "  since:2d before:12h  an age, 2026-01-31 or 2026-01-31T09:30\n" +
  "  email: ip: payer: bin: order: operation: project: profile:\n" +
  "                       the whole text in any case, * for anything; = compares exactly\n" +
  '  "free text"          anywhere in ids, texts, payer, note and message; text:"..." is the same';

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
    notes: `Exit codes:\n${EXIT_MEANINGS.map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`).join("\n")}`,
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
    name: "register",
    summary: "register a project for a merchant (the first of the two registration requests)",
    options: [
      MERCHANT,
      { flags: "--name <name>", help: "name of the project", required: true },
      { flags: "--currency <code>", help: "ISO 4217, as letters or number: UAH or 980", required: true },
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
    notes:
      "Each secret is sealed alone (AES-256-GCM) and bound to its project and its\n" +
      "address: moved to another entry, or pointed at another host, it does not open.\n" +
      "A key file in the state folder opens the vault at first, without a question.\n" +
      "That protects copies of the data folder, such as backups or a synchronised\n" +
      "folder. It does not protect against root, against programs that run under your\n" +
      "account, or against a copy of both folders. Against copies, a passphrase does:\n" +
      'see "verdict vault help passphrase".\n' +
      "Nothing stays unlocked between two commands; the console locks the vault after\n" +
      "10 minutes without use and after 2 hours in any case.",
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
              SECRET_STDIN,
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
              SECRET_STDIN,
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
        arguments: [ENTRY_ID],
        options: [
          {
            flags: "--reveal",
            help: "show its secret for 30 seconds on a terminal, on a page that leaves nothing behind",
          },
          { flags: "--raw", help: "write the bare secret into a pipe or file, never to a terminal" },
          JSON_OPTION,
        ],
        examples: [
          ["verdict vault show ID --raw | other-program", "the secret goes on without being on screen"],
        ],
        load: async () => (await import("./vault.ts")).show,
      },
      {
        name: "copy",
        summary: "send a secret to your terminal's clipboard (OSC 52), over SSH too, and clear it again",
        arguments: [ENTRY_ID],
        options: [
          {
            flags: "--clear-after <seconds>",
            help: "clear the clipboard after so long; 0 leaves it (default: 30)",
          },
        ],
        notes:
          "The command waits until the clipboard is cleared; Ctrl-C clears it at once. Inside\n" +
          "tmux it needs allow-passthrough. Where nothing arrives, the terminal does not take\n" +
          "OSC 52, and show --raw writes the secret into a pipe.",
        load: async () => (await import("./vault-secret.ts")).copy,
      },
      {
        name: "remove",
        summary: "remove one entry for good",
        arguments: [ENTRY_ID],
        options: [{ flags: "--yes", help: "do not ask" }],
        load: async () => (await import("./vault.ts")).remove,
      },
      {
        name: "export",
        summary: "write entries with their secrets into an age file",
        arguments: [["<file>", "the new file; one that is there is not overwritten"]],
        options: [
          {
            flags: "--recipient <age1...>",
            help: "who can open it (default: whoever knows a passphrase that is asked for)",
            repeatable: true,
          },
          { flags: "--only <id>", help: "only this entry", repeatable: true },
          { flags: "--armor", help: "in letters instead of bytes, for mail" },
          { flags: "--secret-stdin", help: "read the passphrase of the file from standard input" },
        ],
        notes:
          "The file is readable by your account only and sealed as by any age program;\n" +
          '"age -d FILE" shows what is in it, as JSON.',
        examples: [
          ["verdict vault export keys.age", "all entries, by a passphrase"],
          ["verdict vault export keys.age --recipient age1...", "for whoever holds that identity"],
        ],
        load: async () => (await import("./vault-files.ts")).exportVault,
      },
      {
        name: "import",
        summary: "take entries from an age file; says first what would change",
        arguments: [["<file>", "an age file that verdict has exported; - for standard input"]],
        options: [
          { flags: "--identity <file>", help: "age identities, where it was sealed for recipients" },
          { flags: "--replace", help: "also take entries in the place of others of the same owner" },
          { flags: "--dry-run", help: "say what would change; change nothing" },
          { flags: "--secret-stdin", help: "read the passphrase of the file from standard input" },
          { flags: "--yes", help: "do not ask" },
          JSON_OPTION,
        ],
        load: async () => (await import("./vault-files.ts")).importVault,
      },
      {
        name: "passphrase",
        summary:
          "show or change what protects the vault: a key file, a passphrase, or a command that gives it",
        arguments: [["[word...]", "after --command: program and arguments, given to no shell"]],
        options: [
          { flags: "--set", help: "protect it by a new passphrase, typed twice" },
          {
            flags: "--command",
            help: "protect it by the passphrase that a program prints as its first line",
          },
          { flags: "--remove", help: "protect it by a key file again" },
          {
            flags: "--secret-stdin",
            help: "read the present passphrase, where there is one, and then the new one, a line each",
          },
          { flags: "--yes", help: "do not ask" },
          JSON_OPTION,
        ],
        notes:
          "The key file (the default) protects copies of the data folder. It does not\n" +
          "protect against root, against programs that run under your account, or against\n" +
          "a copy of both folders. A passphrase protects copies of everything; while the\n" +
          "vault is open, root and your own programs can still read it. A passphrase that\n" +
          "is forgotten cannot be recovered.\n" +
          "A change seals every entry anew with another key, and what lies older in the\n" +
          "data folder is taken away. Backups of yours, snapshots and free blocks of the\n" +
          "disk are out of reach: change the keys at the service where those may have been\n" +
          "copied.\n" +
          "Without a terminal nothing is asked: a locked vault ends a command with 3, unless\n" +
          "a command gives the passphrase. It gets no standard input and 60 seconds.",
        examples: [
          ["verdict vault passphrase --set", "asks twice"],
          ["verdict vault passphrase --command pass show verdict", "from the password store"],
          [
            "verdict vault passphrase --command -- op read op://private/verdict/password",
            "from 1Password; -- ends verdict's own options",
          ],
          [
            "verdict vault passphrase --command secret-tool lookup app verdict",
            "from the desktop's keyring, where there is one",
          ],
        ],
        load: async () => (await import("./vault-passphrase.ts")).passphrase,
      },
      {
        name: "verify",
        summary:
          "open and check every entry, and look at the files around the vault; 74 when something is wrong",
        options: [JSON_OPTION],
        load: async () => (await import("./vault-files.ts")).verify,
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
    notes: FILTER_NOTES,
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
      {
        name: "verify",
        summary: "read every byte of the history: lines, sequence, checksums, index",
        options: [JSON_OPTION],
        notes:
          "Changes nothing. Exits 0 when everything is whole, else 74, with file and byte of each damage.",
        load: async () => (await import("./history-upkeep.ts")).verify,
      },
      {
        name: "prune",
        summary: "remove entries that are older than a day or age, for good",
        options: [
          {
            flags: "--before <date>",
            help: "entries made before this go: 2026-01-31, 2026-01-31T09:30, or an age such as 90d",
            required: true,
          },
          { flags: "--dry-run", help: "count what would be removed; change nothing" },
          { flags: "--yes", help: "do not ask" },
          JSON_OPTION,
        ],
        notes:
          "In one step: after a crash at any moment either the old history is there or the\n" +
          "new one. Other sessions may go on checking meanwhile; older entries in the file\n" +
          "that one of them is writing to stay until the next time, which is said.",
        examples: [["verdict history prune --before 90d --dry-run", "how much is older than 90 days"]],
        load: async () => (await import("./history-upkeep.ts")).prune,
      },
      {
        name: "export",
        summary: "write the history as JSON or CSV, oldest first",
        options: [
          { flags: "--format <kind>", help: "json or csv", required: true, choices: ["json", "csv"] },
          { flags: "--where <expression>", help: "only the entries that match this filter" },
          {
            flags: "--output <file>",
            help: "write to this new file, readable by you alone; never overwrites",
          },
        ],
        notes:
          "Holds the personal data of payers as it was sent: addresses, e-mail, phone,\n" +
          "holder, BIN and last four; never a card number or a secret. In CSV, cells that a\n" +
          "spreadsheet would run as a formula are neutralised by a leading '.",
        examples: [
          [
            "verdict history export --format csv --where 'verdict:block since:30d' --output blocks.csv",
            "for a spreadsheet",
          ],
        ],
        load: async () => (await import("./history-export.ts")).exportHistory,
      },
    ],
  },
  {
    name: "payload",
    summary: "saved payloads: requests under a name, each with the verdict that is expected of it",
    notes:
      "A payload is a request kept under a name, with tags and the verdict its author\n" +
      "expects. It is a JSON file of its own in the folder payloads of the data folder,\n" +
      "which may be put under version control as it is.",
    children: [
      {
        name: "list",
        summary: "list the saved payloads; one that cannot be read is listed with its problem",
        options: [
          {
            flags: "--tag <tag>",
            help: "only those with this tag; several must all be there",
            repeatable: true,
          },
          { flags: "--search <text>", help: "words in name, tags, order id or expected verdict" },
          JSON_OPTION,
        ],
        examples: [["verdict payload list --tag risky --search eur", "tagged risky, with eur in its words"]],
        load: async () => (await import("./payload.ts")).list,
      },
      {
        name: "show",
        summary: "show one payload: what is expected, its tags, its request",
        arguments: [["<name>", "name of the payload"]],
        options: [JSON_OPTION],
        load: async () => (await import("./payload.ts")).show,
      },
      {
        name: "save",
        summary: "save a request as a payload, from a file, standard input or the history",
        arguments: [
          ["<name>", 'letters, digits, ".", "_" and "-"'],
          ["[file]", "the request body as JSON, or an envelope; - for standard input"],
        ],
        options: [
          { flags: "--from-history <id>", help: "the request of a check; expects the verdict that it got" },
          { flags: "--expect <verdict>", help: "the verdict to expect", choices: EXPECTATIONS },
          { flags: "--tag <tag>", help: "a word to find it by", repeatable: true },
          { flags: "--force", help: "overwrite a payload of that name" },
        ],
        notes:
          "Without --expect and --tag, those of an envelope stay. Card numbers and card\n" +
          "verification values are refused.",
        examples: [
          ["verdict payload save repeat-buyer payload.json --expect pass --tag buyer", "from a file"],
          ["verdict payload save stolen-card --from-history ID", "a check, with the verdict it got"],
        ],
        load: async () => (await import("./payload.ts")).save,
      },
      {
        name: "edit",
        summary: "open a payload in your editor (VISUAL, EDITOR, else vi); it is saved once it is valid",
        arguments: [["<name>", "name of the payload"]],
        examples: [["EDITOR='code --wait' verdict payload edit repeat-buyer", "another editor, this once"]],
        load: async () => (await import("./payload.ts")).edit,
      },
      {
        name: "remove",
        summary: "remove a payload for good",
        arguments: [["<name>", "name of the payload"]],
        options: [{ flags: "--yes", help: "do not ask" }],
        load: async () => (await import("./payload.ts")).remove,
      },
    ],
  },
  {
    name: "replay",
    summary: "send saved payloads again, and see which verdicts changed",
    arguments: [
      [
        "[source...]",
        'a file (JSON, a JSON array, NDJSON, CSV, curl), a folder, the name of a saved payload, "history:<filter>", "run:<id>"; - for standard input',
      ],
    ],
    options: [
      { flags: "--project <key>", help: "the project, as merchant/risk-level or project id" },
      {
        flags: "--against <key>",
        help: "send everything to this project as well, and compare it with --project",
      },
      { flags: "--baseline <run>", help: "compare with this run: its id, the beginning of it, or last" },
      {
        flags: "--continue <run>",
        help: "go on with a partial run, as fast as it began; nothing is sent twice",
      },
      { flags: "--concurrency <n>", help: "items under way at once, 1 to 256 (default: 8)" },
      {
        flags: "--rate <n>",
        help: "items started in a second, e.g. 50 or 0.5 (default: as fast as they are answered)",
      },
      ...FLIP_LIMITS,
      { flags: "--fresh-order-ids", help: "give every item an order id of its own" },
      { flags: "--strict", help: "stop at the first bad line" },
      {
        flags: "--stop-after <n>",
        help: "stop after this many items in a row without a trustworthy verdict; 0 for never (default: 20)",
      },
      { flags: "--dry-run", help: "read and validate everything; send nothing" },
      { flags: "--rejects <file>", help: "write bad lines to this file, as NDJSON; never overwrites a file" },
      ...REPORTS,
      { flags: "--yes", help: "send to a LIVE profile without being asked" },
      JSON_OPTION,
    ],
    notes:
      "Each item is on disk before it leaves. A run that was stopped or killed goes on\n" +
      "with --continue: what may have been sent is never sent again and counts as unknown.\n" +
      "Without --baseline, verdicts are compared with those that history: and run: sources\n" +
      "carry; expected verdicts of payloads are always checked.\n" +
      "Exit codes: 8 for a failed expectation or limit, else 6 for an item without a\n" +
      "trustworthy verdict, else 2 for bad lines that no --rejects takes, or nothing but\n" +
      "bad lines; 130 when stopped.",
    examples: [
      ["verdict replay payloads/ --project demo-shop/low", "every payload of a folder"],
      [
        "verdict replay day.ndjson --baseline last --max-flips 0",
        "fails when any verdict changed since the last run",
      ],
      [
        "verdict replay history:since:1d --report html=flips.html",
        "yesterday's checks, with a page for people",
      ],
      [
        "verdict replay day.csv --project shop/low --against shop/high",
        "which verdicts another risk level would change",
      ],
    ],
    load: async () => (await import("./replay.ts")).replay,
  },
  {
    name: "runs",
    summary: "the replays that are kept: list, show or remove them",
    children: [
      {
        name: "list",
        summary: "list the runs, newest first",
        options: [JSON_OPTION],
        load: async () => (await import("./runs.ts")).list,
      },
      {
        name: "show",
        summary: "what a run added up to, and what failed in it",
        arguments: [["<run>", "id of the run, the beginning of it, or last"]],
        options: [JSON_OPTION],
        load: async () => (await import("./runs.ts")).show,
      },
      {
        name: "remove",
        summary: "remove a run for good",
        arguments: [["<run>", "id of the run, the beginning of it, or last"]],
        options: [{ flags: "--yes", help: "do not ask" }],
        load: async () => (await import("./runs.ts")).remove,
      },
    ],
  },
  {
    name: "compare",
    summary: "which verdicts changed between two runs of the same payloads, and the money behind them",
    arguments: [
      ["<earlier>", "the run to compare with: its id, the beginning of it, or last"],
      ["<later>", "the run that is compared: the same"],
    ],
    options: [...FLIP_LIMITS, ...REPORTS, JSON_OPTION],
    notes: "Exits 8 beyond a limit, else 6 while an item has no trustworthy verdict, else 0.",
    examples: [
      ["verdict compare m1x last --max-flips 0", "fails as soon as one verdict differs"],
      ["verdict compare m1x last --report html=changes.html", "one page for people, personal data masked"],
    ],
    load: async () => (await import("./compare.ts")).compare,
  },
  {
    name: "rules",
    summary: "rule files: check them, explain what they decided, and try them on saved transactions",
    children: RULES_COMMANDS,
  },
  {
    name: "demo",
    summary: "present a deck: a story in real checks, everything personal masked, on a sandbox of its own",
    arguments: [["[deck]", "a built-in deck (see --list), or a YAML file; - for standard input"]],
    options: [
      { flags: "--list", help: "list the built-in decks" },
      { flags: "--auto <seconds>", help: "on the presenter's screen: go forward by itself" },
      { flags: "--notes", help: "show the presenter's notes" },
      { flags: "--plain", help: "plain text on a terminal, too" },
      JSON_OPTION,
    ],
    notes:
      "A deck is a YAML file: title, summary, start, seed, project {merchant, currency,\n" +
      "risk_level} and steps. A step has say, and a payload or a change on top of the one\n" +
      "before ({path: value}, null removes); and where they are wanted note, repeat, every,\n" +
      "clock (+24h), risk_level or project, same_order, expect (a verdict, or a list of\n" +
      "them for repeat) and can_force_3ds. {n} in an order id is the number of the check.\n" +
      "A verdict that is not as expected ends it with 8.",
    examples: [
      ["verdict demo one-card", "one card, many attempts, on the presenter's screen"],
      ["verdict demo story.yaml --auto 8", "your own story, eight seconds a check"],
      ["verdict demo three-levels | less", "the same in plain text"],
    ],
    load: async () => (await import("./demo.ts")).demo,
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
          {
            flags: "--ca <file>",
            help: "PEM file of certificate authorities to trust besides the usual ones",
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
        name: "confirm-recipe",
        summary: "remember that the service accepts what is signed with the profile's recipe",
        arguments: [["[name]", "name of the profile (default: the one in use)"]],
        notes:
          "Every recipe is an assumption until a service accepts a request that is signed with\n" +
          "it. With another recipe in the profile, the confirmation is void.",
        load: async () => (await import("./profile.ts")).confirmRecipe,
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
    name: "doctor",
    summary: "what is wrong with this terminal, these files, this clock, and the secrecy of this process",
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
  {
    name: "recipe",
    summary: "signing recipes: how requests are signed, as documents",
    notes:
      "A recipe of your own is a YAML file in the folder recipes of the configuration folder;\n" +
      "its name goes into a profile. A recipe never holds a secret.",
    children: [
      {
        name: "list",
        summary: "list the recipes; a document that cannot be used is listed with its problem",
        options: [JSON_OPTION],
        load: async () => (await import("./recipe.ts")).list,
      },
      {
        name: "show",
        summary: "show a recipe as a document, with what it does not sign and how replays are told",
        arguments: [["<recipe>", "id of a recipe, or a recipe document"]],
        examples: [
          ["verdict recipe show kong > mine.yaml", "a document to start from; give it an id of its own"],
        ],
        load: async () => (await import("./recipe.ts")).show,
      },
      {
        name: "test",
        summary: "run a recipe's vectors, and verify what it signs",
        arguments: [["<recipe>", "id of a recipe, or a recipe document"]],
        options: [JSON_OPTION],
        notes: "Exits 8 when a vector does not come out, 2 for a document that cannot be read.",
        load: async () => (await import("./recipe.ts")).test,
      },
      {
        name: "infer",
        summary: "find the recipe that signed a known-good request, offline",
        options: [
          {
            flags: "--request <file>",
            help: "the request as HTTP/1.1 text or as a curl command; - for standard input",
            required: true,
          },
          { flags: "--key-id <id>", help: "take the secret of this key from the vault" },
          { flags: "--secret-stdin", help: "read the secret from standard input" },
          { flags: "--save <name>", help: "keep the recipe under this name; no document is overwritten" },
          JSON_OPTION,
        ],
        notes:
          "Tried are all recipes, their families with the request's own headers, and texts of its\n" +
          "parts in every likely order, each with every encoding of key and signature. The time in\n" +
          "the request may be long ago. Exits 8 when nothing reproduces it, and says what is close.",
        examples: [
          ["verdict recipe infer --request good.http --key-id KEY_ID --save mine", "with a key of the vault"],
          ["verdict profile add mine --base-url https://risk.example.com --recipe mine", "and then use it"],
        ],
        load: async () => (await import("./recipe-infer.ts")).infer,
      },
    ],
  },
  {
    name: "sign",
    summary: "sign a request without sending it: as a curl command, or explained byte by byte",
    arguments: [
      ["[file]", "the request as for check; of another --call, its body as JSON; - for standard input"],
    ],
    options: [
      { flags: "--explain", help: "show the string to sign, the digest, the key's way and the headers" },
      {
        flags: "--call <call>",
        help: "which request it is (default: check)",
        choices: Object.keys(ENDPOINTS),
      },
      { flags: "--set <path=value>", help: "change one field of a check", repeatable: true },
      { flags: "--recipe <id or file>", help: "sign with this recipe (default: that of the profile)" },
      { flags: "--project <key>", help: "the project, as merchant/risk-level or project id" },
      { flags: "--test-key", help: "sign with a made-up key and project, to try a recipe" },
      { flags: "--secret-stdin", help: "with --test-key: read its secret from standard input" },
      JSON_OPTION,
    ],
    notes:
      "Without --explain it prints a curl command with the body byte for byte as it was\n" +
      "signed. The secret is in none of it; the signature is good once, for a short time.",
    examples: [
      ["verdict sign payload.json --explain", "what is signed, with visible line ends"],
      ["verdict sign payload.json | sh", "sends it with curl"],
      ["verdict sign payload.json --explain --recipe kong --test-key", "a recipe without a key in the vault"],
    ],
    load: async () => (await import("./sign.ts")).sign,
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
      {
        flags: "--recipe <id or file>",
        help: "how requests must be signed: a recipe, or a recipe document (default: http-signatures)",
      },
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
      {
        flags: "--rules <file>",
        help: "rules that decide (default: rules.yaml in the state folder, else the starter rules); read again when it changes",
      },
      { flags: "--no-magic", help: "order ids that begin with force- are like any other" },
      { flags: "--seed <n>", help: "same seed, same ids, secrets and latencies" },
      { flags: "--start-at <time>", help: "virtual time at the start, ISO 8601" },
      { flags: "--ephemeral", help: "leave nothing behind" },
      {
        flags: "--embedded",
        help: "as the console starts it: administrative plane on, ends after its last user",
      },
      {
        flags: "--openapi",
        help: "print the OpenAPI 3.1 document of a sandbox with these options, and start nothing",
      },
    ],
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "sandbox",
    summary: "the embedded sandbox's administrative side",
    children: SANDBOX_COMMANDS,
  },
];
