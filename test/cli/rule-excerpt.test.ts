import stringWidth from "string-width";
import { expect, it } from "vitest";
import { excerptLines } from "#src/cli/rules/rule-excerpt.ts";
import { createStyle } from "#src/display/style.ts";

const style = createStyle({ color: false, ascii: true });
const at = (text: string, line: number, column: number, columns = 80) =>
  excerptLines(text, { line, column }, columns, style);

it("puts the caret below the place", () => {
  expect(at("a: 1\n  when: x > y\n", 2, 9)).toEqual(["  2 |   when: x > y", "    |         ^"]);
});

it("keeps to the place behind wide characters, tabs and what a terminal would obey", () => {
  const before = "日本\t\u001b[31mé";
  const [source, caret] = at(`${before}X`, 1, before.length + 1);
  expect(source).toBe("  1 | 日本\\t\\x1b[31méX");
  expect(stringWidth(source!.slice(0, source!.indexOf("X")))).toBe(caret!.indexOf("^"));
});

it("cuts a long line around the place", () => {
  const [source, caret] = at(`${"a".repeat(300)}X${"b".repeat(300)}`, 1, 301, 60);
  expect(source!.length).toBeLessThanOrEqual(60);
  expect(source![caret!.indexOf("^")]).toBe("X");
  expect(source).toMatch(/^ {2}1 \| ~a+Xb+~$/);
});

it("shows nothing of a line that is not there", () => {
  expect(at("a: 1", 9, 1)).toEqual([]);
});
