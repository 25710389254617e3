// The commands payload, replay, runs, compare and capture in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { ANSWER_GATES, FLIP_GATES, JSON_OPTION, REPORTS, SHOWN, YES } from "#src/cli/option-specs.ts";
import {
  PAYLOAD_LIST,
  PAYLOAD_SAVE,
  PAYLOAD_PSEUDONYMISE,
  REPLAY,
  RUN_EXPORT,
  RUN_MERGE,
  CAPTURE,
  IMPORT,
} from "./replay-options.ts";

export const IMPORT_COMMANDS: readonly CommandSpec[] = [
  command({
    name: "import",
    summary: "convert CSV, JSON or recorded requests into payloads",
    arguments: [
      [
        "<file...>",
        "CSV (separated by , ; | or tabs), NDJSON, a JSON array, HAR, a Postman collection or OpenAPI; also .gz; - for standard input",
      ],
    ],
    options: IMPORT,
    notes:
      'Total=amount:major converts 57.16 to 5716. "Date=at:DD.MM.YYYY Europe/Kyiv"\n' +
      "reads dates in a time zone. Result=outcome:1=fraud,0=good turns values into\n" +
      "labels. Columns with the name of a field need no map; each remaining column\n" +
      "needs --map or --ignore. verdict shows the first ten payments, masked, before it\n" +
      "writes a file. Full card numbers are refused. Exits 2 when rows are skipped,\n" +
      "unless --rejects is given.",
    details:
      "The content of a file decides its kind. A field is a field of a check, or name, at,\n" +
      "tags, outcome (the label) or expect.\n" +
      "Conversions:\n" +
      "  amount:major        57.16 is 5716, by the decimals of the row's currency;\n" +
      "                      amount:major-comma reads 57,16, and rounded behind either\n" +
      "                      rounds further decimals, and reads 1e3\n" +
      "  amount:minor        as without a conversion; it says that this is meant\n" +
      "  at:Europe/Kyiv      the zone of times without a zone (default: UTC); a time that\n" +
      "                      a change of the clock skips or repeats is refused\n" +
      "  at:DD.MM.YYYY       dates with the day first, or as at:MM/DD/YYYY the month;\n" +
      "                      with / . or -, and a zone behind it if times have one:\n" +
      '                      "Date=at:DD.MM.YYYY Europe/Kyiv"\n' +
      "  at:zone COLUMN      the zone stands in another column: Europe/Kyiv, CET, +02:00\n" +
      "  at:hours since 2026-01-01  a count since a start, also of seconds, minutes, days\n" +
      "  card.expiration_month:expiry, card.expiration_year:expiry  one column of both:\n" +
      "                      06/2027, 2027-06, 06/27 or 0627\n" +
      "  FIELD:1=fraud,0=good  what values mean; * any other, *=* any other as it is, empty\n" +
      "                      an empty cell, nothing after = omits the field: NULL=,*=*\n" +
      "  FIELD:unquoted      'M1' is M1\n" +
      "Of HAR and Postman only bodies of POSTs are read: no header, cookie, answer or\n" +
      "script; of OpenAPI the examples of bodies. A HAR gives their time, too.\n" +
      "Bad rows are listed with their places. The file of --output is complete or is not\n" +
      "written. It is NDJSON, private (mode 0600), and holds the personal data of payers.\n" +
      "With --output - the payments go to standard output, and all else to standard error.\n" +
      "--reduce-pan names a column of numbers of 12 to 19 digits with a valid check digit, or with\n" +
      "the digits between the first six and the last four hidden; the number itself is\n" +
      "never written or shown. Columns for card verification values are never read.",
    examples: [
      [
        'verdict payload import orders.csv --map "Order=order_id" --map "Total=amount:major" --map "Card BIN=card.bin_card" --set currency=EUR --set operation=payment --try',
        "shows how the first ten payments would look",
      ],
      [
        "verdict payload import transactions.csv --guess --save-map handbook.json",
        "a first map, from the names and values of the columns",
      ],
      [
        "verdict payload import transactions.csv --with handbook.json --output day.ndjson --yes",
        "with a saved map (--save-map), without a question",
      ],
      [
        "verdict payload import rows.csv --template one.json --ignore note --output day.ndjson",
        "one template, filled by every row",
      ],
      [
        "verdict payload import orders.csv --with handbook.json --output - --yes | verdict replay -",
        "sends the payments directly to a replay",
      ],
      [
        "verdict payload import session.har --output day.ndjson --rejects others.ndjson",
        "the requests that a web page posted",
      ],
      [
        "verdict payload import checks.postman_collection.json --data rows.csv --output day.ndjson",
        "every request for every row",
      ],
    ],
    load: async () => (await import("./payload-import.ts")).importFiles,
  }),
];

export const CAPTURE_COMMAND: CommandSpec = command({
  name: "capture",
  summary: "record the checks of a running integration as payloads",
  options: CAPTURE,
  notes:
    "In your integration, set http://127.0.0.1:8788 as the address of the service.\n" +
    "verdict forwards calls and answers unchanged. Each check is a line with time,\n" +
    "body and verdict, for a replay; checks with card data are forwarded, but not\n" +
    "recorded.",
  details:
    "Paths stay as they are, and calls go only to the endpoints of the profile. No header,\n" +
    "signature or key is recorded.\n" +
    "--events writes ready, check, not_recorded, other_call, not_forwarded, file,\n" +
    "problem and ended.\n" +
    "Exit codes: 0 when ended by Ctrl-C or SIGTERM; 74 when a line was not written.",
  examples: [
    ["verdict capture --profile staging --output day.ndjson", "records what a shop sends through port 8788"],
    [
      "verdict capture --profile staging --output day.ndjson --pseudonymise stand-ins.key --max-size 100",
      "with stand-ins for personal data, in files of at most 100 MiB",
    ],
  ],
  load: async () => (await import("./capture.ts")).capture,
});

export const REPLAY_COMMANDS: readonly CommandSpec[] = [
  {
    name: "payload",
    aliases: ["payloads"],
    summary: "manage saved payloads: requests with their expected verdicts",
    notes:
      "A payload is a named request with tags and an expected verdict. Each payload is\n" +
      "a JSON file in the folder payloads of the data folder, which suits version\n" +
      "control.",
    children: [
      command({
        name: "list",
        summary: "list the saved payloads, also damaged ones",
        options: PAYLOAD_LIST,
        examples: [
          ["verdict payload list --tag risky --search eur", "payloads with the tag risky and the text eur"],
        ],
        load: async () => (await import("./payload.ts")).list,
      }),
      command({
        name: "show",
        summary: "show one payload: expected verdict, tags and request",
        arguments: [["<name>", "name of the payload"]],
        options: SHOWN,
        examples: [["verdict payload show repeat-buyer --json", "as JSON, with the path of its file"]],
        load: async () => (await import("./payload.ts")).show,
      }),
      command({
        name: "save",
        summary: "save a request as a payload",
        arguments: [
          ["<name>", 'name of the payload: letters, digits, ".", "_" and "-"'],
          ["[file]", "file with the request body or an envelope as JSON; - for standard input"],
        ],
        options: PAYLOAD_SAVE,
        notes:
          "An envelope is {name, expect, tags, request}. Without --expect and --tag,\n" +
          "verdict saves the expected verdict and tags of the envelope. Card numbers and\n" +
          "card verification values are refused.",
        examples: [
          ["verdict payload save repeat-buyer payload.json --expect pass --tag buyer", "saves a file"],
          ["verdict payload save stolen-card --from-history ID", "saves a check, with the verdict it got"],
        ],
        load: async () => (await import("./payload.ts")).save,
      }),
      command({
        name: "edit",
        summary: "open a payload in your editor",
        arguments: [["<name>", "name of the payload"]],
        options: { json: JSON_OPTION },
        notes: "The editor is VISUAL, EDITOR, else vi. verdict saves the payload when it is\nvalid.",
        examples: [["EDITOR='code --wait' verdict payload edit repeat-buyer", "with another editor, once"]],
        load: async () => (await import("./payload.ts")).edit,
      }),
      command({
        name: "remove",
        summary: "permanently remove a payload",
        arguments: [["<name>", "name of the payload"]],
        options: { yes: YES, json: JSON_OPTION },
        examples: [["verdict payload remove repeat-buyer --yes", "without a question"]],
        load: async () => (await import("./payload.ts")).remove,
      }),
      command({
        name: "pseudonymise",
        summary: "write a pseudonymised copy that gets the same verdicts",
        arguments: [
          [
            "<source...>",
            "payments: a file (JSON, NDJSON, CSV, curl; also .gz), a folder, the name of a saved payload, history:FILTER or run:ID; - for standard input",
          ],
        ],
        options: PAYLOAD_PSEUDONYMISE,
        notes:
          "The same key gives a card, payer, mailbox or network the same stand-in in each\n" +
          "file. Unchanged: BIN, expiry, amounts, currencies, times, tags, labels, free\n" +
          "mail domains, calling codes, and values that the rules name. Removed: names.\n" +
          "verdict evaluates the rules on originals and copy; if a rule differs, verdict\n" +
          'names the rule, writes nothing and exits 8. What the copy still shows: "verdict\n' +
          'docs pseudonyms".',
        examples: [
          [
            "verdict payload pseudonymise history:since:30d --key-file stand-ins.key --output shown.ndjson",
            "30 days of history, compared with the current rules of the sandbox",
          ],
          [
            "verdict payload pseudonymise day.csv --key-file stand-ins.key --output shown.ndjson --rules rules.yaml",
            "a CSV file, compared with your own rules",
          ],
        ],
        load: async () => (await import("./payload-pseudonymise.ts")).pseudonymise,
      }),
      ...IMPORT_COMMANDS,
    ],
  },
  command({
    name: "replay",
    summary: "send saved payloads again, and see which verdicts changed",
    arguments: [["[source...]", "file, folder, saved payload, history:FILTER, run:ID or -"]],
    options: REPLAY,
    details:
      "A file is JSON, a JSON array, NDJSON, CSV or curl, also .gz; - is standard input.\n" +
      "Without --baseline or --golden, verdicts are compared with those that the sources\n" +
      "hold: history:, run: and captured payloads. --again compares with its earlier run.\n" +
      "Expected verdicts of payloads are always checked.\n" +
      "A sandbox on this machine decides payments in the order of the sources, however many\n" +
      "are sent at once. To any other service they are sent side by side in no order;\n" +
      "--order-by card,payer sends payments of one card or payer one after the other. It\n" +
      "takes card, payer, email, ip, phone, terminal and order.\n" +
      "With --time recorded a sandbox uses the time of each payment. This is the default\n" +
      "for payments with a time on a sandbox. x60 sends sixty times as fast as\n" +
      'recorded. Sources that are not in the order of "at" are sorted first; a time\n' +
      "without a zone is UTC.\n" +
      "--against names a project, a project of another profile (staging:shop/low), or\n" +
      "the only project of a profile (staging:). The first of the two runs is the baseline; gates judge\n" +
      "the second.\n" +
      "Each item is on disk before it is sent. --continue sends items that were not sent,\n" +
      "or were refused with HTTP 429 or 503. An item that the service may have decided is\n" +
      "not sent again and counts as unknown. --again starts a new run and sends such items,\n" +
      "too; it is short for the source run:RUN:KINDS.\n" +
      "With --fresh-connections a late answer cannot be read as the answer to the next\n" +
      "check. It costs one handshake for each check.\n" +
      "--shard i/n sends part i of n. The SHA-256 of an item's key (the name of the payload,\n" +
      "else the order id) decides its part. A shard on a sandbox of its own counts only its\n" +
      "own payments: compare it with a run of as many shards.\n" +
      "A gate that has nothing to judge fails. --min-answered accepts missing verdicts up\n" +
      "to its limit.\n" +
      "--golden reads one sorted line for each item: key, verdict, score and rules. A changed\n" +
      "verdict, a new item or a missing item fails the comparison; other scores and rules\n" +
      "are only reported. --update writes the file only when each item has a trustworthy\n" +
      "verdict. With shards, merge the runs first, then use --golden and --update.\n" +
      "--json prints a line for each event, by type: started, result, rejected, tripped,\n" +
      "progress (once a second), and at the end summary.\n" +
      "Exit codes: 8 for a failed expectation or gate, else 6 for an item without a\n" +
      "trustworthy verdict, else 2 for bad lines without --rejects, or when no line\n" +
      "is good; 130 when stopped.",
    examples: [
      ["verdict replay payloads/ --project demo-shop/low", "every payload of a folder"],
      [
        "verdict replay day.ndjson --isolated --rules new.yaml --baseline last --max-flips 0",
        "fails when the new rules change a verdict; --isolated repeats exactly",
      ],
      [
        "verdict replay day.ndjson --isolated --golden verdicts.lock --update",
        "saves the verdicts as the golden file; without --update a difference fails",
      ],
      ["verdict replay day.ndjson --time x60", "a recorded day in 24 minutes, with the recorded intervals"],
      [
        "verdict replay day.ndjson --baseline last --max-flips 0",
        "fails when any verdict changed since the last run",
      ],
      ["verdict replay --again failed,changed m1x", "items that failed or changed in run m1x, as a new run"],
      ["verdict replay payloads/ --only-tag vip --skip-tag slow", "only payloads with some tags"],
      [
        "verdict replay day.ndjson --max-p95 50ms --min-answered 99%",
        "fails when the service is slow, or leaves more than 1 % without a verdict",
      ],
      [
        "verdict replay history:since:1d --report html=flips.html",
        "the checks of the last day, with an HTML report",
      ],
      [
        "verdict replay day.csv --project shop/low --against shop/high",
        "which verdicts another risk level would change",
      ],
      [
        "verdict replay day.csv --profile staging --against live:shop/low --confirm live",
        "compares two services; verdict sends only if both profiles allow sending",
      ],
    ],
    load: async () => (await import("./replay.ts")).replay,
  }),
  CAPTURE_COMMAND,
  {
    name: "run",
    aliases: ["runs"],
    summary: "list, show, export, import, merge and remove saved runs",
    children: [
      command({
        name: "list",
        summary: "list the runs, newest first",
        options: SHOWN,
        examples: [["verdict run list --fields run,total,flips", "a line for each run, for a program"]],
        load: async () => (await import("./runs.ts")).list,
      }),
      command({
        name: "show",
        summary: "show the totals and failures of a run",
        arguments: [["<run>", "id of the run, the beginning of it, or last"]],
        options: { ...ANSWER_GATES, ...SHOWN },
        notes:
          "Exits 8 when a gate fails. Gates on changed verdicts need two runs: see\n" +
          '"verdict help compare".',
        examples: [["verdict run show last --max-p95 50ms", "the newest run; fails when it was slow"]],
        load: async () => (await import("./runs.ts")).show,
      }),
      command({
        name: "export",
        summary: "write a run to a file for another machine",
        arguments: [["<run>", "id of the run, the beginning of it, or last"]],
        options: RUN_EXPORT,
        notes:
          "Line 1 has the format (verdict_run: 1) and the settings of the run. Each further\n" +
          "line is an item with request and result. The last line has the number of items\n" +
          "and the SHA-256 of all earlier lines. The file contains the personal data of\n" +
          'payers, but no key; to share results, use "verdict replay --report" instead. A\n' +
          "run with a damaged item or result is not exported (exit code 74).",
        examples: [["verdict run export last --output shard-1.ndjson", "the last run, as a file"]],
        load: async () => (await import("./runs.ts")).exportRuns,
      }),
      command({
        name: "import",
        summary: "import runs that another machine exported",
        arguments: [["<file...>", 'files that "verdict run export" wrote']],
        options: { json: JSON_OPTION },
        notes:
          "Each run is imported completely or not at all. An imported run keeps its id, and\n" +
          "can be a baseline, but cannot be continued here. verdict refuses a damaged file,\n" +
          "a file with a full card number, and a different run with a known id. Importing\n" +
          "an identical run changes nothing.",
        examples: [["verdict run import shard-*.ndjson", "the runs of four machines"]],
        load: async () => (await import("./runs.ts")).importRuns,
      }),
      command({
        name: "merge",
        summary: "merge the shards of a replay into one run",
        arguments: [["<run...>", "ids of the runs, the beginnings of them, or last"]],
        options: RUN_MERGE,
        notes:
          'Merge the runs of "verdict replay --shard"; the merged runs are not removed. An\n' +
          "item that is in several runs counts once. verdict refuses the merge if the\n" +
          "content of such an item, or the sources, projects or settings of the runs\n" +
          "differ. The new run is partial when a run is partial or a shard is missing.\n" +
          "Without --baseline, verdict compares with the baseline of the runs. Exit codes\n" +
          "are as in replay.",
        examples: [
          ["verdict run merge m1a m1b m1c m1d --max-flips 0", "four shards, one gate"],
          ["verdict run merge m1a m1b --report md=summary.md", "with a summary for a pull request"],
        ],
        load: async () => (await import("./merge.ts")).merge,
      }),
      command({
        name: "remove",
        summary: "permanently remove a run",
        arguments: [["<run>", "id of the run, the beginning of it, or last"]],
        options: { yes: YES, json: JSON_OPTION },
        examples: [["verdict run remove m1x --yes", "the run whose id begins with m1x, without a question"]],
        load: async () => (await import("./runs.ts")).remove,
      }),
    ],
  },
  command({
    name: "compare",
    summary: "show which verdicts changed between two runs",
    arguments: [
      ["<earlier>", "earlier run: id, beginning of the id, or last; or a golden file of verdicts"],
      ["<later>", "later run: id, beginning of the id, or last"],
    ],
    options: { ...FLIP_GATES, ...ANSWER_GATES, ...REPORTS, json: JSON_OPTION },
    notes:
      "Compares runs of the same payloads, also by the amounts of the payments. Gates\n" +
      "judge the later run. Exits 8 when a gate fails, else 6 when more items have no\n" +
      "trustworthy verdict than --min-answered allows.",
    details:
      "Changes from pass to block come first, then from block to pass, then the\n" +
      "others. Each kind is sorted by money, in EUR by the approximate rates of the\n" +
      "starter rules. Where the service says which rules decided, changes\n" +
      "are grouped by them.",
    examples: [
      ["verdict compare m1x last --max-flips 0", "fails when a verdict differs"],
      [
        "verdict compare m1x last --report html=changes.html",
        "writes an HTML report with personal data masked",
      ],
    ],
    load: async () => (await import("./compare.ts")).compare,
  }),
];
