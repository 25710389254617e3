// Measures and splits plain text without Unicode's tables, whose first use takes a third of the start-up time; other text uses them.

/**
 * Characters that are surely one column wide and a grapheme of their own: ASCII, Latin, Greek, Cyrillic, punctuation,
 * arrows, box drawing and the signs of the verdicts.
 */
const PLAIN =
  "\\u0020-\\u007e\\u00a0-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0482\\u048a-\\u04ff\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20bf\\u2190-\\u21ff\\u2298\\u2500-\\u25fc\\u2714\\u2716";
const NARROW = new RegExp(`^[${PLAIN}]*$`);
/** Controls are graphemes of their own as well, except CR LF. */
const SINGLE = new RegExp(`^[\\n\\u001b${PLAIN}]*$`);

/** True for a text that has as many columns and graphemes as UTF-16 units. */
export function isNarrow(text: string): boolean {
  return NARROW.test(text);
}

const EMOJI = /[\p{Emoji_Presentation}\ufe0f]/u;

/** False for what is no emoji of the list RGI_Emoji: each one there has a character that is always one, or is said to be one. */
export function mayBeEmoji(grapheme: string): boolean {
  return EMOJI.test(grapheme);
}

/** Signature of the package string-width. */
export type StringWidth = (
  text: string,
  options?: { readonly ambiguousIsNarrow?: boolean; readonly countAnsiEscapeCodes?: boolean },
) => number;

/** Colours and weights, which take no columns. */
// oxlint-disable-next-line no-control-regex
const STYLES = /\u001B\[[\d;]*m/g;

/** string-width that loads the real one at the first text that needs it. */
export function leanStringWidth(load: () => StringWidth): StringWidth {
  let real: StringWidth | null = null;
  return (text, options) => {
    if (typeof text === "string" && options?.ambiguousIsNarrow !== false) {
      const plain = options?.countAnsiEscapeCodes === true ? text : text.replaceAll(STYLES, "");
      if (NARROW.test(plain)) return plain.length;
    }
    real ??= load();
    return real(text, options);
  };
}

/** Intl.Segmenter for graphemes that creates the real one at the first text that needs it. */
export class LeanSegmenter {
  readonly #locales: string | string[] | undefined;
  readonly #options: Intl.SegmenterOptions | undefined;
  #real: Intl.Segmenter | null = null;

  constructor(locales?: string | string[], options?: Intl.SegmenterOptions) {
    this.#locales = locales;
    this.#options = options;
  }

  segment(text: string): Pick<Intl.Segments, "containing"> & Iterable<Intl.SegmentData> {
    const ofGraphemes = (this.#options?.granularity ?? "grapheme") === "grapheme";
    if (ofGraphemes && SINGLE.test(text)) return new SingleSegments(text);
    // Through globalThis, because the bundle replaces the plain name by this class.
    this.#real ??= new globalThis.Intl.Segmenter(this.#locales, this.#options);
    return this.#real.segment(text);
  }
}

class SingleSegments {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  containing(at: number = 0): Intl.SegmentData {
    // Undefined outside of the text, which the real type omits as well.
    return this.#text[at] === undefined ? (undefined as unknown as Intl.SegmentData) : this.#at(at);
  }

  *[Symbol.iterator](): Generator<Intl.SegmentData> {
    for (let at = 0; at < this.#text.length; at += 1) yield this.#at(at);
  }

  #at(index: number): Intl.SegmentData {
    return { segment: this.#text[index]!, index, input: this.#text };
  }
}
