// Text on lines of a width, with nothing left out: a word that is too long goes on in the next line.

import { graphemes, widthOf } from "./fit.ts";

/** @param width columns; a character that is wider than a whole line stands alone on its line */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => pieces(each, width))) {
    if (word.starts && line !== "" && widthOf(line) + 1 + widthOf(word.text) <= width) {
      line += ` ${word.text}`;
    } else {
      if (line !== "") lines.push(line);
      line = word.text;
    }
  }
  lines.push(line);
  return lines;
}

interface Piece {
  readonly text: string;
  /** False for the rest of a word that was too long. */
  readonly starts: boolean;
}

function pieces(word: string, width: number): Piece[] {
  if (widthOf(word) <= width) return [{ text: word, starts: true }];
  const found: Piece[] = [];
  let part = "";
  for (const grapheme of graphemes(word)) {
    if (widthOf(part + grapheme) > width) {
      found.push({ text: part, starts: found.length === 0 });
      part = "";
    }
    part += grapheme;
  }
  return [...found, { text: part, starts: found.length === 0 }];
}
