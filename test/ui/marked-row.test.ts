// The selected row of a list.

import fc from "fast-check";
import { expect, it } from "vitest";
import { ROLE_STYLE, roleStyles } from "#src/display/style.ts";
import { markedRow, matchedRow, type Row } from "#src/ui/rows.ts";

const textOf = (row: Row): string => row.map(({ text }) => text).join("");

it("is one bar with the keyboard, bold without, and says the same in both", () => {
  const span = fc.record({ text: fc.string(), role: fc.constantFrom(null, "accent", "pass", "quiet") });
  fc.assert(
    fc.property(fc.array(span), fc.boolean(), fc.boolean(), (row, selected, focused) => {
      const marked = markedRow(row, selected, focused);
      expect(textOf(marked)).toBe(textOf(row));
      expect(marked.some(({ role }) => role === "bar")).toBe(selected && focused);
      if (selected && !focused) for (const { role } of marked) expect([null, "accent"]).not.toContain(role);
    }),
  );
});

it("keeps what was looked for marked, and says the same", () => {
  const span = fc.record({ text: fc.string(), role: fc.constantFrom(null, "accent", "pass") });
  fc.assert(
    fc.property(fc.array(span), fc.nat(20), fc.nat(20), fc.boolean(), (row, from, length, focused) => {
      const matched = matchedRow(row, from, from + length);
      expect(textOf(matched)).toBe(textOf(row));
      for (const each of [matched, markedRow(matched, true, focused)]) {
        expect(textOf(each.filter(({ match }) => match))).toBe(textOf(row).slice(from, from + length));
      }
    }),
  );
});

it("is black on a ground of its own", () => {
  expect(ROLE_STYLE.bar).toEqual({ color: "black", background: "cyan" });
  expect(roleStyles("high-contrast").bar).toMatchObject({ color: "black", background: "whiteBright" });
  expect(roleStyles("none").bar).toEqual({});
});
