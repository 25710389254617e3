// The command payload import in the command table.

import type { CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, YES } from "#src/cli/option-specs.ts";

export const IMPORT_COMMANDS: readonly CommandSpec[] = [
  {
    name: "import",
    summary: "make payloads of foreign files: tables and lines of JSON of any columns, and recorded requests",
    arguments: [
      [
        "<file...>",
        "CSV (separated by , ; | or tabs), NDJSON, a JSON array, HAR, a Postman collection or OpenAPI; also .gz; - for standard input",
      ],
    ],
    options: [
      {
        flags: "--map <column=field>",
        help: "which field a column becomes, e.g. Total=amount:major; further below",
        repeatable: true,
      },
      { flags: "--set <path=value>", help: "a field of every payment, e.g. currency=EUR", repeatable: true },
      { flags: "--ignore <columns>", help: "leave these columns out, e.g. city,zip", repeatable: true },
      { flags: "--ignore-others", help: "leave every column out that nothing else names" },
      {
        flags: "--reduce-pan <column>",
        help: "keep of the full card numbers in this column BIN and last four alone",
        repeatable: true,
      },
      {
        flags: "--template <file>",
        help: "a payload with {{column}} in its texts, which every row fills, in place of --map",
      },
      {
        flags: "--data <file>",
        help: "CSV or JSON whose rows each fill the {{variables}} of a Postman collection",
      },
      { flags: "--with <map>", help: "use a saved map, and what else is given" },
      {
        flags: "--save-map <file>",
        writes: "file",
        help: "keep --map, --set, --ignore and --reduce-pan in a new file",
      },
      { flags: "--try", help: "convert and show the first ten payments; write nothing" },
      { flags: "-o, --out <file>", writes: "file", help: "write the payments to this new file, as NDJSON" },
      {
        flags: "--rejects <file>",
        writes: "file",
        help: "write what could not be taken to this file, as NDJSON; never overwrites a file",
      },
      YES,
      JSON_OPTION,
    ],
    notes:
      "The kind of a file is found by what it holds. Columns and dotted paths of JSON\n" +
      "with the name of a field map themselves; all others are mapped, or left out by\n" +
      "name. A map is COLUMN=FIELD or COLUMN=FIELD:CONVERSION. A field is one of a\n" +
      "check, or name, at, tags, outcome, expect; several columns may become tags.\n" +
      "Conversions:\n" +
      "  amount:major        57.16 is 5716, by the decimals of the row's currency;\n" +
      "                      amount:major-comma reads 57,16\n" +
      "  at:Europe/Kyiv      the zone of times that name none (else UTC); one that\n" +
      "                      a change of the clock skips or repeats is refused\n" +
      "  at:DD.MM.YYYY       dates with the day first, or as at:MM/DD/YYYY the month;\n" +
      "                      with / . or -, and a zone behind it if times have one:\n" +
      '                      "Date=at:DD.MM.YYYY Europe/Kyiv"\n' +
      "  FIELD:1=fraud,0=good  what values mean; * any other, *=* any other as it is,\n" +
      "                      nothing behind = leaves the field out: NULL=,*=*\n" +
      "Of HAR and Postman only bodies of POSTs are read: no header, cookie, answer or\n" +
      "script; of OpenAPI the examples of bodies. A HAR gives their time, too.\n" +
      "The first ten payments are shown, personal data masked, before anything is\n" +
      "written, and nothing is written when no row could be taken.\n" +
      "What could not be taken is listed with its place. The output is private (mode\n" +
      "0600), complete or not there, and holds the personal data of payers.\n" +
      "Full card numbers are refused: a row that holds one is not taken. --reduce-pan\n" +
      "names a column of numbers of 12 to 19 digits with a valid check digit, or with\n" +
      "the digits between the first six and the last four hidden; the number itself is\n" +
      "never written or shown. Columns for card verification values are never read.\n" +
      "Exit code 2 when something was not taken, unless --rejects lists it.",
    examples: [
      [
        'verdict payload import orders.csv --map "Order=order_id" --map "Total=amount:major" --map "Card BIN=card.bin_card" --set currency=EUR --set operation=payment --try',
        "how the first ten payments would look",
      ],
      [
        "verdict payload import transactions.csv --with handbook.json --out day.ndjson --yes",
        "by a saved map, without a question",
      ],
      [
        "verdict payload import rows.csv --template one.json --ignore note --out day.ndjson",
        "one payload, filled by every row",
      ],
      ["verdict payload import session.har --out day.ndjson --rejects others.ndjson", "what a page posted"],
      [
        "verdict payload import checks.postman_collection.json --data rows.csv --out day.ndjson",
        "every request for every row",
      ],
    ],
    load: async () => (await import("./payload-import.ts")).importFiles,
  },
];
