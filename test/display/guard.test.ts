// The guard of plain output, of JSON and of CSV: nothing in it is obeyed by a build server, and data stay what they are.

import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOutput } from "#src/cli/output.ts";
import { csvLine, plainCell } from "#src/replay/csv.ts";
import { guard } from "#src/display/guard.ts";
import { safeJson } from "#src/display/safe.ts";
import { BUILD_COMMANDS, obeyedLines } from "../cli/build-server.ts";

const PARTS = [
  "::",
  ":",
  "##",
  "#",
  "[",
  "vso[",
  "TeamCity[",
  "add-mask",
  " ",
  "\n",
  "\t",
  "\\",
  "u{3a}",
  '"',
  ",",
];
/** A first cell that is an address by itself, and a second one that makes a command of both. */
const SPLIT = [":::", "::1", "::1 a"];
const pieces = fc.constantFrom(...PARTS, ...BUILD_COMMANDS);
const text = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(""));

test("the texts to try are such that a build server would obey", () => {
  for (const each of BUILD_COMMANDS) expect(obeyedLines(each), each).not.toEqual([]);
});

describe("nothing is obeyed", () => {
  test("in text, with and without colours", () => {
    fc.assert(
      fc.property(text, fc.boolean(), (each, colour) => {
        expect(obeyedLines(guard(each, colour))).toEqual([]);
        expect(obeyedLines(guard(`\x1b[1m${each}\x1b[22m`, true))).toEqual([]);
      }),
    );
  });

  test("in JSON and in CSV, which hold the same data", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.constantFrom(0, 2), (cells, indent) => {
        const json = safeJson({ [cells[0]!]: cells }, indent);
        expect(obeyedLines(json)).toEqual([]);
        expect(JSON.parse(json)).toEqual({ [cells[0]!]: cells });
        const line = csvLine(cells);
        expect(obeyedLines(line)).toEqual([]);
        const [read] = parse(line, { record_delimiter: "\r\n" });
        expect(read!.map(plainCell)).toEqual(cells);
      }),
      { numRuns: 500, examples: SPLIT.map((first) => [[first, "::add-mask::PASS", "b::"], 0]) },
    );
  });

  test("in anything that an output writes, but a command that it is told to write", () => {
    const written: string[] = [];
    const stream = { write: (piece: string) => written.push(piece) > 0 } as unknown as NodeJS.WriteStream;
    const output = createOutput(stream, stream, {});
    for (const each of BUILD_COMMANDS) {
      output.line(each);
      output.complain(each);
      output.note(each);
      output.prompt(each);
      output.prompt(null);
      output.table(["A", "B"], [[each, each]]);
      output.json({ [each]: each });
      output.cells([each, each]);
      output.cells(["", each]);
    }
    output.cells(["::add-mask ", "x::y"]);
    expect(obeyedLines(written.join(""))).toEqual([]);
    written.length = 0;
    output.command("::error title=a::b");
    expect(written).toEqual(["::error title=a::b\n"]);
  });
});

test.each(["::1", "::1 a", "::ffff:192.0.2.1", "a::b", "# x", "## x", "x::y::z", "fe80::1"])(
  "%j stays",
  (plain) => {
    expect(guard(plain, false)).toBe(plain);
    expect(csvLine([plain])).toBe(`${plain}\r\n`);
  },
);
