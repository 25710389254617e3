// Encodes each grapheme as one UTF-16 unit, so that ink-text-input, which counts units, never splits one.

import { segments } from "./grapheme.ts";

/** Private-use characters, which stand for graphemes of several units. */
const FIRST = 0xe000;
const LAST = 0xf8ff;

/** Characters that a terminal or Ink would hide or interpret. */
const HIDDEN = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+$/u;

export interface StandIns {
  /** The text with one UTF-16 unit for each grapheme. */
  encode(text: string): string;
  /** The text that was encoded. */
  decode(encoded: string): string;
  /** What to draw for a piece of encoded text: hidden characters are written as escapes. */
  draw(encoded: string): string;
}

/** The table of one prompt, for at most 6,400 different graphemes. */
export function createStandIns(): StandIns {
  const graphemes: string[] = [];
  const numbers = new Map<string, number>();

  function standIn(grapheme: string): string {
    const needed = grapheme.length > 1 || isStandIn(grapheme.charCodeAt(0)) || HIDDEN.test(grapheme);
    if (!needed) return grapheme;
    let number = numbers.get(grapheme);
    if (number === undefined) {
      if (FIRST + graphemes.length > LAST) return "?";
      number = graphemes.push(grapheme) - 1;
      numbers.set(grapheme, number);
    }
    return String.fromCharCode(FIRST + number);
  }

  const replace = (encoded: string, by: (grapheme: string) => string): string =>
    encoded.replaceAll(/[\ue000-\uf8ff]/g, (unit) => by(graphemes[unit.charCodeAt(0) - FIRST] ?? unit));

  return {
    encode(text) {
      if (/^[ -~]*$/.test(text)) return text;
      return Array.from(segments(text), ({ segment }) => standIn(segment)).join("");
    },
    decode: (encoded) => replace(encoded, (grapheme) => grapheme),
    draw: (encoded) => replace(encoded, (grapheme) => (HIDDEN.test(grapheme) ? escapes(grapheme) : grapheme)),
  };
}

const isStandIn = (code: number): boolean => code >= FIRST && code <= LAST;

function escapes(text: string): string {
  return Array.from(text, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join("");
}
