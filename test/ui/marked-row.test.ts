// The selected row of a list.

import fc from "fast-check";
import { expect, it } from "vitest";
import { ROLE_STYLE, roleStyles } from "#src/display/style.ts";
import { markedRow, type Row } from "#src/ui/rows.ts";

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

it("is black on a ground of its own", () => {
  expect(ROLE_STYLE.bar).toEqual({ color: "black", background: "cyan" });
  expect(roleStyles("high-contrast").bar).toMatchObject({ color: "black", background: "whiteBright" });
  expect(roleStyles("none").bar).toEqual({});
});
