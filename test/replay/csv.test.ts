import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { hasHiddenCharacter } from "#src/contract/text/escape-text.ts";
import { csvLine, plainCell } from "#src/replay/csv.ts";

const cell = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("\\", "u{200b}", "u{1b}", "u{61}", "u{0200b}", "\u200b", "\x1b", "a", "'", "="), {
      maxLength: 8,
    })
    .map((pieces) => pieces.join("")),
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
    [["a\x1b[2J\x9b\x7f", "\u202eb", "\u{e0041}"], "a\\u{1b}[2J\\u{9b}\\u{7f},\\u{202e}b,\\u{e0041}\r\n"],
    [["\\\u200b", "\\u{200b}", "u{200b}", "\\u{61}"], "\\\\\\u{200b},\\\\u{200b},u{200b},\\u{61}\r\n"],
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

  test("holds nothing that a terminal obeys, hides or reorders, but tabs and line breaks", () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (cells) => {
        expect(hasHiddenCharacter(csvLine(cells).replaceAll(/[\t\r\n]/g, ""))).toBe(false);
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
