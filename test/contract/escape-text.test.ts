import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeText, hasHiddenCharacter } from "#src/contract/text/escape-text.ts";

/** Code points, from and to inclusive, that must never reach a terminal as they are. */
const HIDDEN_RANGES: readonly (readonly [name: string, from: number, to: number])[] = [
  ["C0", 0x00, 0x1f],
  ["DEL", 0x7f, 0x7f],
  ["C1", 0x80, 0x9f],
  ["soft hyphen", 0xad, 0xad],
  ["combining grapheme joiner", 0x34f, 0x34f],
  ["Arabic letter mark", 0x61c, 0x61c],
  ["zero-width and directional marks", 0x200b, 0x200f],
  ["line and paragraph separator", 0x2028, 0x2029],
  ["bidi embeddings and overrides", 0x202a, 0x202e],
  ["word joiner and invisible operators", 0x2060, 0x2064],
  ["bidi isolates", 0x2066, 0x2069],
  ["Hangul filler", 0x3164, 0x3164],
  ["surrogates", 0xd800, 0xdfff],
  ["variation selectors", 0xfe00, 0xfe0f],
  ["byte order mark", 0xfeff, 0xfeff],
  ["interlinear annotation", 0xfff9, 0xfffb],
  ["tags", 0xe0000, 0xe007f],
  ["variation selectors, supplement", 0xe0100, 0xe01ef],
];

describe("escapeText", () => {
  test.each(HIDDEN_RANGES)("shows every code point of %s as an escape", (_name, from, to) => {
    for (let code = from; code <= to; code++) {
      // Beside letters, so that a surrogate stays alone.
      const text = `pa${String.fromCodePoint(code)}ss`;
      const shown = escapeText(text);
      expect(hasHiddenCharacter(text), code.toString(16)).toBe(true);
      expect(shown, code.toString(16)).toMatch(/^pa\\[nrtxu][0-9a-f{}]*ss$/);
      expect(shown).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  test.each([
    ["pa\0ss", "pa\\x00ss"],
    ["a\nb\tc\r", "a\\nb\\tc\\r"],
    ["\u001b]8;;https://x\u0007", "\\x1b]8;;https://x\\x07"],
    ["\u009b31m", "\\x9b31m"],
    ["\u202egnp", "\\u202egnp"],
    ["\u{e0041}", "\\u{e0041}"],
    ["\ud83dx", "\\ud83dx"],
  ])("writes %j as %s", (text, shown) => {
    expect(escapeText(text)).toBe(shown);
  });

  test.each(["Order o-1044 \\ 120,00 €", "Żółć Україна 日本語 العربية", "😀 ok", "e\u0301"])(
    "leaves visible text alone: %s",
    (text) => {
      expect(escapeText(text)).toBe(text);
      expect(hasHiddenCharacter(text)).toBe(false);
    },
  );

  test("never gives out anything hidden, and nothing longer than the limit", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 60 });
    const oddText = fc.array(fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)));
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          oddText.map((units) => units.join("")),
        ),
        fc.nat(70),
        (text, max) => {
          const shown = escapeText(text, max + 1);
          expect(hasHiddenCharacter(shown)).toBe(false);
          expect(Array.from(shown).length).toBeLessThanOrEqual(max + 1);
          // Hidden characters alone make a difference: a text without any stays itself.
          if (!hasHiddenCharacter(text) && Array.from(text).length <= max + 1) expect(shown).toBe(text);
        },
      ),
    );
  });

  test("cuts between escapes and says that it cut", () => {
    expect(escapeText("abcdef", 4)).toBe("abc…");
    expect(escapeText("abcd", 4)).toBe("abcd");
    expect(escapeText("ab\0\0", 7)).toBe("ab\\x00…");
    expect(escapeText("ab\0\0", 6)).toBe("ab…");
    expect(escapeText("😀😀😀", 2)).toBe("😀…");
    expect(escapeText("x".repeat(201))).toBe(`${"x".repeat(199)}…`);
  });

  test("keeps what it is told to keep", () => {
    expect(escapeText("a\r\nb", 20, "\n")).toBe("a\\r\nb");
  });
});
