// The commands payload, replay, runs and compare in the command table.

import type { CommandSpec } from "#src/cli/command.ts";
import {
  ANSWER_GATES,
  FLIP_GATES,
  FRESH_CONNECTIONS,
  GOLDEN,
  JSON_OPTION,
  READING,
  REPORTS,
  SHOWN,
  TIMES_AND_LEVEL,
  YES,
} from "#src/cli/option-specs.ts";
import { EXPECTATIONS } from "#src/contract/records/saved-payload.ts";
import { CAPTURE_COMMAND } from "./capture-commands.ts";
import { IMPORT_COMMANDS } from "./import-commands.ts";

export const REPLAY_COMMANDS: readonly CommandSpec[] = [
  {
    name: "payload",
    aliases: ["payloads"],
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
            help: "only those with this tag; repeat it to require several",
            repeatable: true,
          },
          { flags: "--search <text>", help: "words in name, tags, order id or expected verdict" },
          ...SHOWN,
        ],
        examples: [["verdict payload list --tag risky --search eur", "tagged risky, with eur in its words"]],
        load: async () => (await import("./payload.ts")).list,
      },
      {
        name: "show",
        summary: "show one payload: what is expected, its tags, its request",
        arguments: [["<name>", "name of the payload"]],
        options: SHOWN,
        examples: [["verdict payload show repeat-buyer --json", "as JSON, with the path of its file"]],
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
          { flags: "-y, --yes", help: "overwrite a payload of that name" },
          JSON_OPTION,
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
        options: [JSON_OPTION],
        examples: [
          ["EDITOR='code --wait' verdict payload edit repeat-buyer", "another editor, just this time"],
        ],
        load: async () => (await import("./payload.ts")).edit,
      },
      {
        name: "remove",
        summary: "permanently remove a payload",
        arguments: [["<name>", "name of the payload"]],
        options: [YES, JSON_OPTION],
        examples: [["verdict payload remove repeat-buyer --yes", "without a question"]],
        load: async () => (await import("./payload.ts")).remove,
      },
      {
        name: "pseudonymise",
        summary: "write payments with stand-ins for people and cards, by which rules decide the same",
        arguments: [
          [
            "<source...>",
            'payments: a file (JSON, NDJSON, CSV, curl; also .gz), a folder, the name of a saved payload, "history:<filter>", "run:<id>"; - for standard input',
          ],
        ],
        options: [
          {
            flags: "--key-file <file>",
            writes: "file",
            help: "the key of the stand-ins, at least 32 bytes; a new one where there is no such file",
            required: true,
          },
          {
            flags: "--out <file>",
            writes: "file",
            help: "write to this file, as NDJSON; never overwrites a file",
            required: true,
          },
          {
            flags: "--rules <rules>",
            help: 'prove it by these: a rule file, "starter" or "current" (default: current)',
          },
          ...TIMES_AND_LEVEL,
          ...READING,
          JSON_OPTION,
        ],
        notes:
          "With one key the same card, payer, mailbox or network has the same stand-in, in\n" +
          "every file. BIN, expiry, amounts, currencies, times, tags and outcomes stay, free\n" +
          "mail domains, calling codes, and what the rules name. Names are left out. Both\n" +
          "are decided by the rules, and the file is written only where each rule says the\n" +
          "same of every payment; else the rules that do not are named, and it exits 8.\n" +
          '"verdict docs pseudonyms" says what can still be told from the file.',
        examples: [
          [
            "verdict payload pseudonymise history:since:30d --key-file stand-ins.key --out shown.ndjson",
            "a month of the history, proven by the sandbox's own rules",
          ],
          [
            "verdict payload pseudonymise day.csv --key-file stand-ins.key --out shown.ndjson --rules rules.yaml",
            "a table, proven by the rules that it is shown with",
          ],
        ],
        load: async () => (await import("./payload-pseudonymise.ts")).pseudonymise,
      },
      ...IMPORT_COMMANDS,
    ],
  },
  {
    name: "replay",
    summary: "send saved payloads again, and see which verdicts changed",
    arguments: [
      [
        "[source...]",
        'a file (JSON, a JSON array, NDJSON, CSV, curl; also .gz), a folder, the name of a saved payload, "history:<filter>", "run:<id>"; - for standard input',
      ],
    ],
    options: [
      { flags: "--project <key>", help: "the project, as merchant/risk-level or project id" },
      {
        flags: "--against <target>",
        help: "send everything to this project as well, and compare it with --project: shop/high; or to one of another profile: staging:shop/low, staging: for its only one",
      },
      { flags: "--baseline <run>", help: "compare with this run: its id, the beginning of it, or last" },
      {
        flags: "--continue <run>",
        help: "continue a run at its original pace; what may have been decided is not sent twice",
      },
      {
        flags: "--again <kinds>",
        help: "only items of an earlier run, which is the argument then (default: last): failed (without a trustworthy verdict), refused, unknown, changed; several with commas",
      },
      { flags: "--only-tag <tags>", help: "only payloads with one of these tags; several with commas" },
      { flags: "--skip-tag <tags>", help: "no payload with one of these tags" },
      { flags: "--concurrency <n>", help: "items in flight at once, 1 to 256 (default: 8)" },
      {
        flags: "--rate <n>",
        help: "items started in a second, e.g. 50 or 0.5 (default: as fast as they are answered)",
      },
      {
        flags: "--time <how>",
        help: "now; recorded: a sandbox decides each payment by its own time; x60: in the payments' rhythm, sixty times faster (default: recorded where a sandbox gets payments with a time, else now)",
      },
      {
        flags: "--isolated",
        help: "send to a temporary sandbox without earlier counts; no registration is needed",
      },
      {
        flags: "--rules <rules>",
        help: "with --isolated: a rule file, starter, or current (default: current, those of the sandbox)",
      },
      {
        flags: "--shard <i/n>",
        help: "send only this part of the sources, e.g. 1/4; chosen by a hash of each item's key",
      },
      ...GOLDEN,
      ...FLIP_GATES,
      ...ANSWER_GATES,
      FRESH_CONNECTIONS,
      { flags: "--fresh-order-ids", help: "give every item an order id of its own" },
      {
        flags: "--stop-after <n>",
        help: "stop after this many items in a row without a trustworthy verdict; 0 for never (default: 20)",
      },
      { flags: "-n, --dry-run", help: "read and validate everything; send nothing" },
      ...READING,
      ...REPORTS,
      {
        flags: "--confirm <name>",
        help: "send to the LIVE profile of this name without a confirmation; repeat it for two",
        repeatable: true,
      },
      {
        flags: "--events <where>",
        writes: "file",
        help: "write events as NDJSON while it runs, for another program: a new file, or fd:3 for an open descriptor",
      },
      JSON_OPTION,
    ],
    notes:
      "On a reused connection, a service can send an unsolicited answer after the next\n" +
      "check was written, and HTTP/1.1 cannot tell it from the answer to that check.\n" +
      "With --fresh-connections it cannot; each check then needs another handshake.\n" +
      'With --time recorded or x60, sources that are not in the order of "at" are\n' +
      "sorted first (a time without a zone is UTC), and a pipe is read to its end\n" +
      "before.\n" +
      "Payments of one card, payer, e-mail, address, telephone, terminal or order are\n" +
      "sent one after the other, in their order; all others side by side. Where most\n" +
      "payments share one of them, the run says how few can be in flight at a time.\n" +
      "Each item is on disk before it is sent. --continue resumes a run that was\n" +
      "stopped or killed, and sends again what was certainly not decided: not sent, or\n" +
      "refused with HTTP 429 or 503. What may have been decided is never sent again and\n" +
      "counts as unknown. --again is a new run and sends even that a second time; it is\n" +
      "short for the source run:RUN:KINDS. Without --baseline, verdicts are compared\n" +
      "with those that history: and run: sources and captured payloads carry, --again\n" +
      "with its earlier run;\n" +
      "expected verdicts of payloads are always checked.\n" +
      "--shard sends the items whose key (the payload's name, else its order id),\n" +
      "without the #2 of a repeat, has a SHA-256 whose first 48 bits modulo n are\n" +
      "i-1. The shards of one source share no item and leave none out. On sandboxes\n" +
      "of their own, each shard counts only its own payments, so that velocity rules\n" +
      "see fewer: compare a sharded replay with one of as many shards.\n" +
      "Gates (--max-..., --min-...) judge the whole run; each that fails is named with\n" +
      "its figure and its limit, in reports and --json, too. One that has nothing to\n" +
      "judge fails: a run in which nothing was answered or compared proves nothing.\n" +
      "With --against they judge its run, the second one.\n" +
      "--golden reads a file with one sorted line an item, to be kept beside the\n" +
      "payloads: key, verdict, score and rules, the deciding rule first, - for what a\n" +
      "service does not say. A changed verdict, a new and a missing item are\n" +
      "differences; another score or other rules behind the same verdict are told,\n" +
      "and fail nothing. --update writes the file, unless an item has no trustworthy\n" +
      "verdict.\n" +
      "--events writes one JSON object a line, by type: started, result (as --json,\n" +
      "for each item), rejected, tripped, progress (each second), and ended, with the\n" +
      "totals and the exit code. Without an ended event the replay failed. A reader\n" +
      "of a pipe that is slow or goes away stops nothing: what it has no room for is\n" +
      "left out and counted (left_out), and the run has all results.\n" +
      "Exit codes: 8 for a failed expectation or gate, else 6 for an item without a\n" +
      "trustworthy verdict (unless --min-answered accepts it), else 2 for bad lines\n" +
      "without --rejects, or for nothing but bad lines; 130 when stopped.",
    examples: [
      ["verdict replay payloads/ --project demo-shop/low", "every payload of a folder"],
      [
        "verdict replay day.ndjson --isolated --rules new.yaml --baseline last --max-flips 0",
        "the same answers every time: fails when the new rules change any",
      ],
      [
        "verdict replay day.ndjson --isolated --golden verdicts.lock --update",
        "takes the verdicts over; without --update a difference fails",
      ],
      ["verdict replay day.ndjson --time x60", "a recorded day in 24 minutes, in its own rhythm"],
      [
        "verdict replay day.ndjson --baseline last --max-flips 0",
        "fails when any verdict changed since the last run",
      ],
      ["verdict replay --again failed,changed m1x", "only what failed or changed in that run, as a new run"],
      ["verdict replay payloads/ --only-tag vip --skip-tag slow", "some of the payloads, by their tags"],
      [
        "verdict replay day.ndjson --max-p95 50ms --min-answered 99%",
        "fails when the service is slow, or leaves more than 1 % without a verdict",
      ],
      [
        "verdict replay history:since:1d --report html=flips.html",
        "yesterday's checks, with a page for people",
      ],
      [
        "verdict replay day.csv --project shop/low --against shop/high",
        "which verdicts another risk level would change",
      ],
      [
        "verdict replay day.csv --profile staging --against live:shop/low --confirm live",
        "staging against live rules; nothing is sent unless both may be sent to",
      ],
    ],
    load: async () => (await import("./replay.ts")).replay,
  },
  CAPTURE_COMMAND,
  {
    name: "run",
    aliases: ["runs"],
    summary: "the replays that are kept: list, show, move, merge or remove them",
    children: [
      {
        name: "list",
        summary: "list the runs, newest first",
        options: SHOWN,
        examples: [["verdict run list --fields run,total,flips", "a line for each run, for a program"]],
        load: async () => (await import("./runs.ts")).list,
      },
      {
        name: "show",
        summary: "show the totals of a run, and what failed in it",
        arguments: [["<run>", "id of the run, the beginning of it, or last"]],
        options: [...ANSWER_GATES, ...SHOWN],
        notes:
          "Exits 8 when a gate fails. Gates on changed verdicts need two runs: see\n" +
          '"verdict help compare".',
        examples: [["verdict run show last --max-p95 50ms", "the newest run; fails when it was slow"]],
        load: async () => (await import("./runs.ts")).show,
      },
      {
        name: "export",
        summary: "write a run as lines of JSON, to move it to another machine",
        arguments: [["<run>", "id of the run, the beginning of it, or last"]],
        options: [
          {
            flags: "-o, --output <file>",
            writes: "data",
            help: "write to this new file, readable only by you; never overwrites",
          },
        ],
        notes:
          "The first line has the form (verdict_run: 1) and the settings of the run, each\n" +
          "further line an item with its request and result, the last line their number and\n" +
          "the SHA-256 of all lines before it. Payments are as they were sent, with the\n" +
          "personal data of payers and without any key. For a review, write a report.\n" +
          "A run with a damaged item or result is not exported (exit code 74).",
        examples: [["verdict run export last --output shard-1.ndjson", "the last run, as a file"]],
        load: async () => (await import("./runs.ts")).exportRuns,
      },
      {
        name: "import",
        summary: "add runs that were exported elsewhere, each as a whole or not at all",
        arguments: [["<file...>", "files that run export wrote"]],
        options: [JSON_OPTION],
        notes:
          "An imported run keeps its id, and is a baseline like any other. It cannot be\n" +
          "continued here. A file that is cut or damaged, holds a full card number, or has\n" +
          "other content than a run of the same id here, is refused; the same run again is\n" +
          "left as it is.",
        examples: [["verdict run import shard-*.ndjson", "the runs of four machines"]],
        load: async () => (await import("./runs.ts")).importRuns,
      },
      {
        name: "merge",
        summary: "make one run of the shards of a replay, compare it, and exit by its gates",
        arguments: [["<run...>", "ids of the runs, the beginnings of them, or last"]],
        options: [
          { flags: "--baseline <run>", help: "compare with this run: its id, the beginning of it, or last" },
          ...GOLDEN,
          ...FLIP_GATES,
          ...ANSWER_GATES,
          ...REPORTS,
          JSON_OPTION,
        ],
        notes:
          "The new run has the items of all, in the order of the sources; the others stay.\n" +
          "An item that several have with the same content is taken once. Runs of other\n" +
          "sources, projects or settings are refused, and so is an item with different\n" +
          "content. It is partial while one of the runs is, or a shard is missing. Without\n" +
          "--baseline it is compared with that of the runs. Exit codes are those of replay.",
        examples: [
          ["verdict run merge m1a m1b m1c m1d --max-flips 0", "four shards, one gate"],
          ["verdict run merge m1a m1b --report md=summary.md", "with a summary for a pull request"],
        ],
        load: async () => (await import("./merge.ts")).merge,
      },
      {
        name: "remove",
        summary: "permanently remove a run",
        arguments: [["<run>", "id of the run, the beginning of it, or last"]],
        options: [YES, JSON_OPTION],
        examples: [["verdict run remove m1x --yes", "the run whose id begins so, without a question"]],
        load: async () => (await import("./runs.ts")).remove,
      },
    ],
  },
  {
    name: "compare",
    summary: "show which verdicts changed between two runs of the same payloads, and the money behind them",
    arguments: [
      ["<earlier>", "the run to compare with: its id, the beginning of it, or last; or a file of verdicts"],
      ["<later>", "the run that is compared: the same"],
    ],
    options: [...FLIP_GATES, ...ANSWER_GATES, ...REPORTS, JSON_OPTION],
    notes:
      "Changes from pass to block come first, then from block to pass, then the\n" +
      "others, and of each kind those of the most money, in EUR by the approximate\n" +
      "rates of the starter rules. Where the service says which rules decided, changes\n" +
      "are grouped by them.\n" +
      "Exits 8 when a gate fails, else 6 while an item has no trustworthy verdict\n" +
      "(unless --min-answered accepts it), else 0. --max-p95 and --min-answered judge\n" +
      "the later run.",
    examples: [
      ["verdict compare m1x last --max-flips 0", "fails as soon as one verdict differs"],
      ["verdict compare m1x last --report html=changes.html", "one page for people, personal data masked"],
    ],
    load: async () => (await import("./compare.ts")).compare,
  },
];
