import fc from "fast-check";
import { expect, it } from "vitest";
import { parseInstant } from "#src/contract/text/instant.ts";

it("reads what Date writes", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
      expect(parseInstant(date.toISOString())).toBe(date.getTime());
    }),
  );
});

it.each([
  ["1"],
  ["2026"],
  ["2026-03-01T12:00"],
  ["yesterday"],
  ["2026-13-01"],
  ["2026-02-30"],
  ["2025-02-29T12:00Z"],
  ["2026-03-01 12:00Z"],
  [""],
])("takes %j for no point in time", (text) => expect(parseInstant(text)).toBeNull());
