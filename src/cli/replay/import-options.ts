// Options of the command payload import.

import { inGroup, flag, text } from "#src/cli/option.ts";
import { JSON_OPTION, YES } from "#src/cli/option-specs.ts";

export const IMPORT = {
  ...inGroup("Columns and fields", {
    map: text("<column=field>", "use a column for a field: Total=amount:major", { repeatable: true }),
    set: text("<path=value>", "a field of every payment, e.g. currency=EUR", { repeatable: true }),
    ignore: text("<columns>", "ignore these columns, e.g. city,zip", { repeatable: true }),
    ignoreOthers: flag("ignore all unmapped columns"),
    reducePan: text("<column>", "cut card numbers in this column to BIN and last four", { repeatable: true }),
    template: text("<file>", "a payload with {{column}} in its texts, for every row"),
    data: text("<file>", "rows that fill the {{variables}} of a Postman collection"),
    with: text("<map>", "use a saved map; other options add to it"),
    saveMap: text("<file>", "save the map to this new file", { writes: "file" }),
  }),
  ...inGroup("Result", {
    try: flag("convert and show the first ten payments; write nothing"),
    out: text("<file>", "write the payments to this new file, as NDJSON", { short: "o", writes: "file" }),
    rejects: text("<file>", "write bad rows to this new file, as NDJSON", { writes: "file" }),
    yes: YES,
    json: JSON_OPTION,
  }),
};
