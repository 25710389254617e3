// Verdict words in letters five rows high, for presentations.

import { VERDICTS, type VerdictKind } from "./verdict.ts";

const LETTER_ROWS = 5;
const LETTER_COLUMNS = 5;

/** Columns of one dot. From two on it is about as wide as it is high: four columns take two rows. */
export type BigScale = 1 | 2 | 4;

/** One letter per line, its five rows in sequence; `#` is a dot. */
const LETTERS: Readonly<Record<string, string>> = {
  "3": "####. ....# .###. ....# ####.",
  A: ".###. #...# ##### #...# #...#",
  B: "####. #...# ####. #...# ####.",
  C: ".#### #.... #.... #.... .####",
  D: "####. #...# #...# #...# ####.",
  E: "##### #.... ###.. #.... #####",
  F: "##### #.... ###.. #.... #....",
  K: "#...# #..#. ###.. #..#. #...#",
  L: "#.... #.... #.... #.... #####",
  N: "#...# ##..# #.#.# #..## #...#",
  O: ".###. #...# #...# #...# .###.",
  P: "####. #...# ####. #.... #....",
  R: "####. #...# ####. #.#.. #..##",
  S: ".#### #.... .###. ....# ####.",
  T: "##### ..#.. ..#.. ..#.. ..#..",
  U: "#...# #...# #...# #...# .###.",
  W: "#...# #...# #.#.# ##.## #...#",
  " ": "..... ..... ..... ..... .....",
};

/**
 * The word of a verdict as rows of a picture.
 * @param ink what a dot is drawn with, one column wide
 * @returns rows of one width
 */
export function bigWord(kind: VerdictKind, scale: BigScale, ink: string): string[] {
  const letters = Array.from(VERDICTS[kind].word, (letter) => LETTERS[letter]!.split(" "));
  const high = scale === 4 ? 2 : 1;
  return Array.from({ length: LETTER_ROWS * high }, (_, row) =>
    letters
      .map((rows) =>
        Array.from(rows[Math.floor(row / high)]!, (dot) => (dot === "#" ? ink : " ").repeat(scale)).join(""),
      )
      .join(" ".repeat(scale)),
  );
}

/** The same with two rows of dots in one, three rows high: a dot is one column wide. */
export function halfWord(kind: VerdictKind): string[] {
  const rows = [...bigWord(kind, 1, "#"), ""];
  return [0, 2, 4].map((row) =>
    Array.from(rows[row]!, (dot, column) => {
      const below = rows[row + 1]![column] === "#";
      return dot === "#" ? (below ? "█" : "▀") : below ? "▄" : " ";
    }).join(""),
  );
}

/** Columns of a big word. */
export function bigWordWidth(kind: VerdictKind, scale: BigScale): number {
  const count = VERDICTS[kind].word.length;
  return (count * LETTER_COLUMNS + count - 1) * scale;
}
