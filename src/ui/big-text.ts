// Words and numbers in letters five rows high, for presentations. Pure.

import { pictureOf } from "./big-letters.ts";
import { graphemes, widthOf, wrapWords } from "./fit.ts";
import type { Size } from "./rows.ts";
import type { Theme } from "./theme.ts";

const LETTER_ROWS = 5;
const LETTER_COLUMNS = 5;

/** Columns of one dot. From two on it is about as wide as it is high: four columns take two rows. */
export type BigScale = 1 | 2 | 4;

/** The pictures of a text, in capitals; null where one of its letters has none. */
function picturesOf(text: string): readonly (readonly string[])[] | null {
  const pictures = graphemes(text.normalize("NFC").toUpperCase()).map(pictureOf);
  return pictures.includes(null) ? null : pictures.map((picture) => picture!);
}

/**
 * A text as rows of a picture; none where a letter has no picture.
 * @param ink what a dot is drawn with, one column wide
 * @returns rows of one width
 */
export function bigText(text: string, scale: BigScale, ink: string): string[] {
  const letters = picturesOf(text);
  if (letters === null) return [];
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
export function halfText(text: string): string[] {
  const rows = [...bigText(text, 1, "#"), ""];
  if (rows.length === 1) return [];
  return [0, 2, 4].map((row) =>
    Array.from(rows[row]!, (dot, column) => {
      const below = rows[row + 1]![column] === "#";
      return dot === "#" ? (below ? "█" : "▀") : below ? "▄" : " ";
    }).join(""),
  );
}

/** Columns of a big text; infinite where it has no picture, so that there is never room for it. */
export function bigTextWidth(text: string, scale: BigScale): number {
  const letters = picturesOf(text);
  if (letters === null || letters.length === 0) return Number.POSITIVE_INFINITY;
  return (letters.length * LETTER_COLUMNS + letters.length - 1) * scale;
}

/**
 * Words in the largest letters for which there is room, over as many lines as they need, with a blank row between two;
 * none where there is room for none.
 */
export function bigLines(text: string, { columns, rows }: Size, theme: Theme): string[] {
  if (theme.ascii === "words") return [];
  const sizes: readonly (BigScale | "half")[] = theme.ascii ? [2, 1] : [2, 1, "half"];
  for (const size of sizes) {
    const scale = size === "half" ? 1 : size;
    const letters = Math.floor((columns + scale) / ((LETTER_COLUMNS + 1) * scale));
    const lines = wrapWords(text, Math.max(1, letters));
    const drawn = lines.map((line) =>
      size === "half" ? halfText(line) : bigText(line, scale, theme.sign("barFull")),
    );
    // The last row of half letters is half blank.
    const gap = size === "half" ? 0 : 1;
    const height = drawn.reduce((sum, each) => sum + each.length + gap, -gap);
    const isWhole = drawn.every((each) => each.length > 0 && widthOf(each[0]!) <= columns);
    // A word in two halves is no word.
    if (isWhole && height <= rows && text.split(" ").every((word) => word.length <= letters))
      return drawn.flatMap((each, index) => (index === 0 || gap === 0 ? each : ["", ...each]));
  }
  return [];
}
