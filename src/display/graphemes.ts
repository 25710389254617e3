// Splits text into graphemes: characters as a reader counts them.

// The first Intl.Segmenter takes 26-38 ms, so that it is only made when a text needs it.
let segmenter: Intl.Segmenter | null = null;

/** The graphemes of a text; for a position in it, see `containing`. */
export function graphemeSegments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}
