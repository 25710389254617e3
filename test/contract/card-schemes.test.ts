// Schemes by BIN: each range is found, and the narrowest of several decides.

import fc from "fast-check";
import { expect, test } from "vitest";
import { beginsWith, CARD_SCHEMES, schemeOfBin } from "#src/contract/lists/card-schemes.ts";

test("a BIN is of the scheme with the narrowest range around it, and of none outside of all", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100_000, max: 999_999 }), (bin) => {
      const within = CARD_SCHEMES.filter((scheme) => beginsWith(String(bin), scheme));
      const longest = Math.max(0, ...within.map(({ from }) => String(from).length));
      const narrowest = within.find(({ from }) => String(from).length === longest);
      expect(schemeOfBin(bin)).toBe(narrowest?.name ?? null);
    }),
  );
});

test("eight digits are of the scheme of their first six", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_000_000, max: 99_999_999 }), (bin) => {
      expect(schemeOfBin(bin)).toBe(schemeOfBin(Math.floor(bin / 100)));
    }),
  );
});
