// Big texts: verdicts, numbers and the words of an audience in every size, in the width that is told.

import fc from "fast-check";
import { expect, test } from "vitest";
import { bigLines, bigText, bigTextWidth, halfText } from "#src/ui/big-text.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";
import { VERDICT_KINDS, VERDICTS } from "#src/display/verdict.ts";

const UKRAINIAN = "АБВГҐДЕЄЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЬЮЯ";
const LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const LETTERS = Array.from(
  UKRAINIAN + UKRAINIAN.toLowerCase() + LATIN + LATIN.toLowerCase() + DIGITS + " -'’",
);

test.each(VERDICT_KINDS)("the word of %s has a picture", (kind) => {
  expect(bigText(VERDICTS[kind].word, 1, "#")).toHaveLength(5);
});

/** Alphabets in Cyrillic: Russian, Belarusian, Serbian, Macedonian, Bulgarian, Kazakh, Kyrgyz, Tatar, Bashkir, Tajik, Mongolian. */
const CYRILLIC = "ЁЪЫЭЎІЂЈЉЊЋЏЃЅЌѝЍӘҒҚҢӨҰҮҺҖҘҠҪҶӢӮҲӐӖӲӁӒӔӦӰӴӸҤӠӞӜҨҴҼ";

test("every capital with marks of Latin and every Cyrillic one has a picture", () => {
  const latin = [
    [0xc0, 0x17f],
    [0x1cd, 0x1dc],
    [0x1e00, 0x1eff],
  ].flatMap(([from = 0, to = 0]) =>
    Array.from({ length: to - from }, (_, at) => String.fromCodePoint(from + at)),
  );
  const marked = latin.filter((letter) => /^\p{L}\p{M}+$/u.test(letter.normalize("NFD")));
  const missing = [...marked, ...Array.from(`${CYRILLIC}ØÆŒŁĐÐÞĦŦŊƏẞ`)].filter(
    (letter) => bigText(letter, 1, "#").length === 0,
  );
  expect(marked.length).toBeGreaterThan(300);
  expect(missing.join("")).toBe("");
});

test("a letter with a mark is another picture than without, and the marks are told apart", () => {
  for (const letters of ["UÜÚÙÛŪŮŰŬŨỤƯ", "AÄÁÀÂÃÅĀĂĄẠẢ", "CÇĆČĊĈ", "SŠŚŞȘŜ", "ИЙӢЍ", "УЎӮӰӲ", "ЕЁӖ"]) {
    const pictures = Array.from(letters, (letter) => bigText(letter, 1, "#").join());
    expect(new Set(pictures).size, letters).toBe(letters.length);
  }
  expect(bigText("u\u0308", 1, "#")).toEqual(bigText("Ü", 1, "#"));
});

test("a text is drawn in every size in the width that is told, or has no picture at all", () => {
  const drawable = fc
    .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 12 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(fc.oneof(drawable, fc.string({ unit: "grapheme", minLength: 1 })), (text) => {
      for (const scale of [1, 2, 4] as const) {
        const rows = bigText(text, scale, "#");
        const width = bigTextWidth(text, scale);
        if (rows.length === 0) {
          expect(width).toBe(Number.POSITIVE_INFINITY);
          expect(halfText(text)).toEqual([]);
          continue;
        }
        expect(rows).toHaveLength(scale === 4 ? 10 : 5);
        for (const row of rows) expect(row).toMatch(new RegExp(`^[# ]{${width}}$`));
      }
    }),
  );
  fc.assert(
    fc.property(drawable, (text) => {
      expect(halfText(text)).toHaveLength(3);
    }),
  );
});

test("every letter but a few that look alike has a picture of its own", () => {
  const pictures = new Map(
    Array.from(UKRAINIAN + LATIN + DIGITS, (letter) => [letter, bigText(letter, 1, "#").join()]),
  );
  expect([...pictures.values()]).not.toContain("");
  const alike = Map.groupBy(pictures.keys(), (letter) => pictures.get(letter)!);
  expect([...alike.values()].filter(({ length }) => length > 1).map((letters) => letters.join(""))).toEqual([
    "АA",
    "ВB",
    "ЕE",
    "З3",
    "ІI",
    "КK",
    "МM",
    "НH",
    "ОO0",
    "РP",
    "СC",
    "ТT",
    "ХX",
  ]);
});

test("the groups of a number stay on one line, with the blank between them", () => {
  const theme = createTheme({ keyName, color: false, ascii: false });
  const drawn = bigLines("1\u00a0234→567", { columns: 80, rows: 12 }, theme);
  expect(drawn).toEqual(bigText("1 234→567", 1, theme.sign("barFull")));
});

test("a word and a number can be read", () => {
  expect(bigText("3DS", 1, "#").join("\n")).toBe(
    [
      "####  ####   ####",
      "    # #   # #    ",
      " ###  #   #  ### ",
      "    # #   #     #",
      "####  ####  #### ",
    ].join("\n"),
  );
  expect(bigText("14", 1, "#").join("\n")).toBe(
    ["  #   #  # ", " ##   #  # ", "  #   #####", "  #      # ", " ###     # "].join("\n"),
  );
  expect(bigText("так", 1, "#").join("\n")).toBe(
    [
      "#####  ###  #   #",
      "  #   #   # #  # ",
      "  #   ##### ###  ",
      "  #   #   # #  # ",
      "  #   #   # #   #",
    ].join("\n"),
  );
});
