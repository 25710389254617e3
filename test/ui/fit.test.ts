import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { SIGN } from "#src/display/sign.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { clip, fit, graphemes, widthOf, window, wrapWords } from "#src/ui/fit.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }).map((text) => text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}]/gu, "")),
  fc.stringMatching(/^[ -~а-яА-ЯіїєґІЇЄҐ€₴→─│…]*$/),
);

describe("width", () => {
  it("is what Ink measures, whichever way it is found", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(widthOf(text)).toBe(stringWidth(text));
      }),
      { numRuns: 500 },
    );
  });

  it("agrees with Ink for each character that is taken as narrow without measuring", () => {
    for (let code = 0x20; code < 0x2800; code += 1) {
      const text = String.fromCodePoint(code);
      if (/\p{Cc}|\p{Cf}|\p{M}/u.test(text)) continue;
      expect(widthOf(text), code.toString(16)).toBe(stringWidth(text));
    }
  });

  it("is one for every sign and verdict symbol", () => {
    for (const { symbol, ascii } of [...Object.values(SIGN), ...Object.values(VERDICTS)]) {
      expect([symbol, widthOf(symbol)]).toEqual([symbol, 1]);
      expect([ascii, widthOf(ascii)]).toEqual([ascii, 1]);
    }
  });
});

describe("fit", () => {
  it("gives exactly the width asked for", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 40 }), (text, width) => {
        expect(stringWidth(fit(text, width))).toBe(width);
      }),
      { numRuns: 500, examples: [["\u0d4e", 2]] },
    );
  });

  it("pads, cuts with an ellipsis, and never cuts a grapheme", () => {
    expect(fit("abc", 5)).toBe("abc  ");
    expect(fit("abc", 5, { align: "right" })).toBe("  abc");
    expect(fit("abcdef", 4)).toBe("abc…");
    expect(fit("abcdef", 4, { ellipsis: "~" })).toBe("abc~");
    expect(fit("日本語", 4)).toBe("日… ");
    expect(clip("👩‍👩‍👧x👩‍👩‍👧y", 4)).toBe("👩‍👩‍👧x…");
  });

  it("splits into what a reader counts", () => {
    expect(graphemes("aé👩‍👩‍👧")).toEqual(["a", "é", "👩‍👩‍👧"]);
  });
});

describe("wrapWords", () => {
  it("keeps words whole and lines within the width", () => {
    expect(wrapWords("one two three", 8)).toEqual(["one two", "three"]);
    expect(wrapWords("a\nb", 8)).toEqual(["a", "b"]);
    expect(wrapWords("abcdefghij", 4)).toEqual(["abc…"]);
  });

  it("ends no line inside a number, or before its currency or unit", () => {
    expect(wrapWords("over the limit of 490 000.00 UAH in 24 h", 25)).toEqual([
      "over the limit of",
      "490 000.00 UAH in 24 h",
    ]);
    expect(wrapWords("1 000 000 000 EUR", 9)).toEqual(["1 000 000", "000 EUR"]);
  });
});

describe("window", () => {
  it("always holds the selected row, is never taller than asked and never runs over the end", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        fc.option(fc.nat(80), { nil: undefined }),
        (count, height, at, before) => {
          const selected = at % count;
          const { from, to } = window(count, height, selected, before);
          expect(to - from).toBe(Math.min(count, height));
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(count);
          expect(selected).toBeGreaterThanOrEqual(from);
          expect(selected).toBeLessThan(to);
        },
      ),
    );
  });

  it("stays where it is while the selection is in view", () => {
    expect(window(100, 10, 25, 20)).toEqual({ from: 20, to: 30 });
    expect(window(100, 10, 30, 20)).toEqual({ from: 21, to: 31 });
    expect(window(100, 10, 19, 20)).toEqual({ from: 19, to: 29 });
    expect(window(0, 10, 0)).toEqual({ from: 0, to: 0 });
  });
});
