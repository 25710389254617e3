// Grapheme boundaries. The first Intl.Segmenter takes 26-38 ms, so it is created only for a text that needs it.

let segmenter: Intl.Segmenter | null = null;

/** Where the grapheme at an offset ends; the end of the text at its end. */
export function graphemeEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (isPlain(text, at) && isPlain(text, at + 1)) return at + 1;
  const { index, segment } = segments(text).containing(at)!;
  return index + segment.length;
}

/** The graphemes of a text. */
export function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** There is always a boundary between two ASCII characters, except in CR LF. The edges of the text count as ASCII. */
function isPlain(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code < 0x80 && code !== 0x0d;
}
