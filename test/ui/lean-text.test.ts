// The lean stand-ins must not be told from the real ones, whatever the text.

import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { isNarrow, LeanSegmenter, leanStringWidth } from "#src/ui/lean-text.ts";

const lean = leanStringWidth(() => stringWidth);
const real = new Intl.Segmenter();

/** Every character of the first plane but surrogates. */
const CHARACTERS = Array.from({ length: 0x1_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCharCode(code));

/** Texts of what is on screens, and of what is hard: signs, styles, marks, wide characters, emoji, line ends. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...Array.from("aZ 9éЖλ─│┬…·✔✖◆⊘›→"),
        "\u001B[1m",
        "\u001B[36m",
        "\u001B[39m",
        "\u001B",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "\u0301",
        "\u200D",
        "\uFE0F",
        "\u20E3",
        "注",
        "👩‍👩‍👧",
        "🇺🇦",
        "각",
        "ﾊﾞ",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(""));

describe("lean string-width", () => {
  it("measures as the real one", () => {
    fc.assert(
      fc.property(texts, fc.boolean(), fc.boolean(), (text, ambiguousIsNarrow, countAnsiEscapeCodes) => {
        const options = { ambiguousIsNarrow, countAnsiEscapeCodes };
        expect(lean(text)).toBe(stringWidth(text));
        expect(lean(text, options)).toBe(stringWidth(text, options));
      }),
    );
  });

  it("measures every character that it takes for narrow, and any two of them", () => {
    const narrow = CHARACTERS.filter(isNarrow);
    expect(narrow.length).toBeGreaterThan(1_000);
    expect(narrow.filter((character) => stringWidth(character) !== 1)).toEqual([]);
    const whole = narrow.join("");
    expect(stringWidth(whole)).toBe(whole.length);
  });

  it("loads the real one only for a text that needs it", () => {
    let loaded = 0;
    const width = leanStringWidth(() => {
      loaded += 1;
      return stringWidth;
    });
    expect(width("─ \u001B[1mHistory\u001B[22m ─")).toBe(11);
    expect(loaded).toBe(0);
    expect(width("注文")).toBe(4);
    expect(width("注文")).toBe(4);
    expect(loaded).toBe(1);
  });
});

describe("lean segmenter", () => {
  it("splits as the real one", () => {
    fc.assert(
      fc.property(texts, fc.nat(30), (text, at) => {
        const segmenter = new LeanSegmenter();
        expect([...segmenter.segment(text)]).toEqual([...real.segment(text)]);
        expect(segmenter.segment(text).containing(at)).toEqual(real.segment(text).containing(at));
      }),
    );
  });

  it("splits by words as it is told", () => {
    const words = { granularity: "word" } as const;
    const text = "one two";
    expect([...new LeanSegmenter("en", words).segment(text)]).toEqual([
      ...new Intl.Segmenter("en", words).segment(text),
    ]);
  });
});
