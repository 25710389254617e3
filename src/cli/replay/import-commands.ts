// The command payload import in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { IMPORT } from "./import-options.ts";

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
      "A map is COLUMN=FIELD or COLUMN=FIELD:CONVERSION: Total=amount:major for 57.16,\n" +
      '"Date=at:DD.MM.YYYY Europe/Kyiv", Result=outcome:1=fraud,0=good. Columns with the\n' +
      "name of a field need no map. Map or ignore each other column by its name.\n" +
      "The first ten payments are shown, masked, before anything is written. Full card\n" +
      "numbers are refused. Exits 2 when a row was not taken, unless --rejects lists it.",
    details:
      "The kind of a file is found by what it holds. A field is a field of a check, or name, at, tags, outcome or expect.\n" +
      "Conversions:\n" +
      "  amount:major        57.16 is 5716, by the decimals of the row's currency;\n" +
      "                      amount:major-comma reads 57,16\n" +
      "  at:Europe/Kyiv      the zone of times without a zone (default: UTC); a time that\n" +
      "                      a change of the clock skips or repeats is refused\n" +
      "  at:DD.MM.YYYY       dates with the day first, or as at:MM/DD/YYYY the month;\n" +
      "                      with / . or -, and a zone behind it if times have one:\n" +
      '                      "Date=at:DD.MM.YYYY Europe/Kyiv"\n' +
      "  FIELD:1=fraud,0=good  what values mean; * any other, *=* any other as it is,\n" +
      "                      nothing after = omits the field: NULL=,*=*\n" +
      "Of HAR and Postman only bodies of POSTs are read: no header, cookie, answer or\n" +
      "script; of OpenAPI the examples of bodies. A HAR gives their time, too.\n" +
      "Bad rows are listed with their places. The output is complete or is not written. It\n" +
      "is private (mode 0600) and holds the personal data of payers.\n" +
      "--reduce-pan names a column of numbers of 12 to 19 digits with a valid check digit, or with\n" +
      "the digits between the first six and the last four hidden; the number itself is\n" +
      "never written or shown. Columns for card verification values are never read.",
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
  }),
];
