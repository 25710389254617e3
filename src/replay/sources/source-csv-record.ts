// One CSV record (RFC 4180), fed line by line. Not a library's: those that were tried lose the lines behind a stray quote,
// or decode invalid bytes silently, where a bad line must cost itself alone and be named by its number.

const QUOTE = '"';

/** Separators that spreadsheets write, by country and menu. */
export const SEPARATORS = [",", ";", "\t"] as const;

/** Cells of one record; a quoted cell may go over several lines. */
export class CsvRecord {
  readonly cells: string[] = [];
  readonly #separator: string;
  /** Text so far of a quoted cell that goes on in the next line; null outside of quotes. */
  #open: string | null = null;

  constructor(separator: string) {
    this.#separator = separator;
  }

  /**
   * Takes the next line, without its line feed.
   * @returns `open` while a quote is not closed, `done`, or one sentence about what is wrong
   */
  feed(line: string): "open" | "done" | { readonly problem: string } {
    // Text is never cut at a carriage return inside quotes; at the end of a record it belongs to the line break.
    const text = line;
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

  /** Reads a quoted cell on from a place. @returns the place of its closing quote; -1 when it goes on in the next line */
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
