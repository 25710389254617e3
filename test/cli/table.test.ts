// Tables of the command line: columns for eyes, one fact a line for ears.

import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { layOut } from "#src/cli/table.ts";

const SHOWN = { spoken: false };
const SPOKEN = { spoken: true };
const ROWS = [
  ["12:04", "\u001b[32mPASS\u001b[39m", "-", "o-1"],
  ["12:05", "BLOCK", "n", ""],
];
const HEADINGS = ["TIME", "VERDICT", "NOTE", "ORDER"];

describe("a table", () => {
  it("stands in columns", () => {
    expect(layOut(SHOWN, ["A", "SIZE"], [["long", "1"]], [1])).toEqual(["A     SIZE", "long     1"]);
  });

  it.each([SHOWN, SPOKEN])("keeps a cell in its line, whatever it holds", (style) => {
    const lines = layOut(style, ["A\nB", "C"], [["a\r\nforged", "\nb"]]);
    expect(lines).toHaveLength(2);
    expect(lines.join("")).not.toMatch(/[\r\n]/);
    expect(lines.join("")).toContain("a\\r\\nforged");
  });

  it("counts wide and combining characters by their columns, and colours as none", () => {
    const rows = ["plain", "日本", "e\u0301", "👩‍👩‍👧", "\u001b[32mred\u001b[39m"].map((name) => [name, "x"]);
    const columns = layOut(SHOWN, ["NAME", "END"], rows).map((line) =>
      stringWidth(line.slice(0, line.lastIndexOf(" ") + 1)),
    );
    expect(new Set(columns)).toEqual(new Set([7]));
  });

  it("has a line a cell for a screen reader, without colours and empty cells", () => {
    expect(layOut(SPOKEN, HEADINGS, ROWS)).toEqual([
      "TIME: 12:04",
      "VERDICT: PASS",
      "ORDER: o-1",
      "",
      "TIME: 12:05",
      "VERDICT: BLOCK",
      "NOTE: n",
    ]);
  });

  it("has a line a row where that is one fact: of two columns, and without headings", () => {
    expect(layOut(SPOKEN, ["entry", "e-1"], [["note", "Slow."]])).toEqual(["entry: e-1", "note: Slow."]);
    expect(layOut(SPOKEN, ["", "", ""], [["shell.help", "? F1", "help"]])).toEqual([
      "",
      "shell.help, ? F1, help",
    ]);
  });
});
