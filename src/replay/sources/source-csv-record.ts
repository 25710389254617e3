// Parser of one CSV record (RFC 4180), fed line by line. Libraries lose the lines behind a stray quote or decode invalid
// bytes silently; here a bad line affects no other and is reported by its number.

const QUOTE = '"';

/** Separators that spreadsheets and databases write. */
export const SEPARATORS = [",", ";", "\t", "|"] as const;

/** Cells of one record; a quoted cell may span several lines. */
export class CsvRecord {
  readonly cells: string[] = [];
  readonly #separator: string;
  /** Text so far of a quoted cell that continues in the next line; null outside quotes. */
  #open: string | null = null;

  constructor(separator: string) {
    this.#separator = separator;
  }

  /**
   * Takes the next line, without its line feed.
   * @returns `open` while a quote is not closed, `done`, or the problem as one sentence
   */
  feed(text: string): "open" | "done" | { readonly problem: string } {
    // A carriage return at the end of a record belongs to the line break; inside quotes it is text.
    let at = 0;
    for (;;) {
      if (this.#open !== null || text[at] === QUOTE) {
        if (this.#open === null) at += 1;
        const close = this.#quoted(text, at);
        if (close < 0) return "open";
        at = close + 1;
        if (atEnd(text, at)) return "done";
        if (text[at] !== this.#separator) {
          return { problem: "A closing quote must be followed by a separator or the end of the line." };
        }
        at += 1;
        continue;
      }
      const separator = text.indexOf(this.#separator, at);
      const cell = text.slice(at, separator < 0 ? plainLength(text) : separator);
      if (cell.includes(QUOTE)) {
        return {
          problem:
            "A quote may stand only at the start of a cell; quote the whole cell and double the quotes inside.",
        };
      }
      this.cells.push(cell);
      if (separator < 0) return "done";
      at = separator + 1;
    }
  }

  /** Continues a quoted cell at an offset. @returns the offset of its closing quote; -1 when it continues in the next line */
  #quoted(text: string, from: number): number {
    let cell = this.#open ?? "";
    let at = from;
    for (;;) {
      const quote = text.indexOf(QUOTE, at);
      if (quote < 0) {
        this.#open = `${cell}${text.slice(at)}\n`;
        return -1;
      }
      cell += text.slice(at, quote);
      if (text[quote + 1] !== QUOTE) {
        this.cells.push(cell);
        this.#open = null;
        return quote;
      }
      cell += QUOTE;
      at = quote + 2;
    }
  }
}

function plainLength(text: string): number {
  return text.endsWith("\r") ? text.length - 1 : text.length;
}

function atEnd(text: string, at: number): boolean {
  return at >= text.length || (at === text.length - 1 && text[at] === "\r");
}
