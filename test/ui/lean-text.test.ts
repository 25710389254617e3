// The lean stand-ins must not be told from the real ones, whatever the text.

import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { isNarrow, LeanSegmenter, leanStringWidth, mayBeEmoji } from "#src/ui/lean-text.ts";

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

describe("what may be an emoji", () => {
  const listed = /^\p{RGI_Emoji}$/v;
  const ALL = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));
  const bases = ALL.filter((character) => /\p{Emoji}/u.test(character));

  it("is every one of the list that is a character, with and without what makes it one", () => {
    const alone = ALL.flatMap((character) => [character, `${character}\ufe0f`, `${character}\ufe0f\u20e3`]);
    const emoji = alone.filter((text) => listed.test(text));
    expect(emoji.length).toBeGreaterThan(1_300);
    expect(emoji.filter((text) => !mayBeEmoji(text))).toEqual([]);
    expect(["№", "注", "✔", "─", "é"].filter(mayBeEmoji)).toEqual([]);
  });

  it("is every one of the list that is a sequence", () => {
    const marks = ["", "\ufe0f", "\u{1f3fb}", "\u{1f3ff}"];
    const part = fc
      .tuple(fc.constantFrom(...bases), fc.constantFrom(...marks))
      .map((parts) => parts.join(""));
    const sequence = fc.oneof(
      fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("\u200d")),
      fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
    );
    fc.assert(fc.property(sequence, (text) => mayBeEmoji(text) || !listed.test(text)));
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
