import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { csvLine, plainCell } from "#src/display/csv.ts";

const cell = fc.oneof(
  fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
  fc
    .array(fc.constantFrom(...Array.from("=+-@\t\r\n'\",; ax1")), { maxLength: 8 })
    .map((pieces) => pieces.join("")),
);

describe("a line of CSV", () => {
  test.each([
    [["a", "b"], "a,b\r\n"],
    [["a,b", 'say "x"', "two\nlines"], '"a,b","say ""x""","two\nlines"\r\n'],
    [["=1+1", "+380501234567", "-1", "@x", "\tx", "\rx"], `'=1+1,'+380501234567,'-1,'@x,"'\tx","'\rx"\r\n`],
    [["'=x", "'x"], "''=x,'x\r\n"],
    [[""], '""\r\n'],
  ])("%j", (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });

  test("gives the same cells when another program's reader takes it apart", () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
        const [read] = parse(csvLine(cells), { record_delimiter: "\r\n" });
        expect(read!.map(plainCell)).toEqual(cells);
      }),
      { numRuns: 1000 },
    );
  });

  test("never starts a cell with what a spreadsheet runs", () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
        const [read] = parse(csvLine(cells), { record_delimiter: "\r\n" });
        for (const text of read!) expect(text).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});
