// Escapes untrusted text: every character that a terminal would obey, hide or reorder becomes visible.

/** Fast path; `hidden` is compiled on first use, because its Unicode tables are slow to build. */
const PLAIN = /^[ -~]*$/;
let hidden: RegExp | null = null;

const DEFAULT_MAX = 200;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * True when a text holds a character that `escapeText` replaces: controls (C0, DEL, C1), format characters (zero-width, bidi
 * controls, tags), line and paragraph separators, lone surrogates, noncharacters, and default ignorable code points.
 */
export function hasHiddenCharacter(text: string): boolean {
  if (PLAIN.test(text)) return false;
  hidden ??= /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
  return hidden.test(text);
}

/**
 * Makes untrusted text safe to print: `pa<NUL>ss` becomes `pa\x00ss`, U+200B becomes `\u200b`, U+E0041 `\u{e0041}`.
 * Backslashes are not doubled, so the result is for people and cannot be parsed back.
 * @param max longest result in characters (code points); a longer one ends in `…`, never inside an escape
 * @param keep characters that are left as they are, e.g. the line feed in a block
 */
export function escapeText(text: string, max: number = DEFAULT_MAX, keep: string = ""): string {
  if (text.length <= max && !hasHiddenCharacter(text)) return text;
  return escapeWhere(text, max, (character) => hasHiddenCharacter(character) && !keep.includes(character));
}

/**
 * The same with everything but printable ASCII escaped, so that a Cyrillic look-alike reads `p\u0430ss` and not `pass`.
 * @param max as in `escapeText`
 */
export function escapeNonAscii(text: string, max: number = DEFAULT_MAX): string {
  return escapeWhere(text, max, (character) => !PLAIN.test(character));
}

function escapeWhere(text: string, max: number, isHidden: (character: string) => boolean): string {
  const pieces: string[] = [];
  let length = 0;
  let whole = 0;
  for (const character of text) {
    const piece = isHidden(character) ? escaped(character) : character;
    length += piece === character ? 1 : piece.length;
    if (length > max) return `${pieces.slice(0, whole).join("")}…`;
    pieces.push(piece);
    // The last piece that leaves room for the ellipsis.
    if (length < max) whole = pieces.length;
  }
  return pieces.join("");
}

function escaped(character: string): string {
  const short = SHORT.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
