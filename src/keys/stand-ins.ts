// ink-text-input counts UTF-16 units. It is given one unit for each grapheme, so that it never cuts one in half.

/** Private-use characters, which stand for graphemes of several units. */
const FIRST = 0xe000;
const LAST = 0xf8ff;

/** What a terminal or Ink would hide or obey, alone or at the start of a grapheme. */
const HIDDEN = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+$/u;

export interface StandIns {
  /** The text with one UTF-16 unit for each grapheme. */
  encode(text: string): string;
  /** The text that was encoded. */
  decode(encoded: string): string;
  /** What to draw for a piece of encoded text: hidden characters are written as escapes. */
  draw(encoded: string): string;
}

/** Creates the table of one prompt; it grows by each new grapheme, up to 6,400 of them. */
export function createStandIns(): StandIns {
  const graphemes: string[] = [];
  const numbers = new Map<string, number>();
  let segmenter: Intl.Segmenter | null = null;

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
      segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
      return Array.from(segmenter.segment(text), ({ segment }) => standIn(segment)).join("");
    },
    decode: (encoded) => replace(encoded, (grapheme) => grapheme),
    draw: (encoded) => replace(encoded, (grapheme) => (HIDDEN.test(grapheme) ? escapes(grapheme) : grapheme)),
  };
}

const isStandIn = (code: number): boolean => code >= FIRST && code <= LAST;

function escapes(text: string): string {
  return Array.from(text, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join("");
}
