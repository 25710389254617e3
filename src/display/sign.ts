// Every sign on screen other than verdicts, with its ASCII form. Each is one column wide.

/** A sign in its forms; without words a screen reader says nothing for it. */
export interface Sign {
  readonly symbol: string;
  readonly ascii: string;
  /** With the blanks around it. */
  readonly words?: string;
}

/** Whether signs are ASCII; `words` for a screen reader, which says what they mean. */
export type Ascii = boolean | "words";

export function signText({ symbol, ascii: plain, words = "" }: Sign, ascii: Ascii): string {
  return ascii === "words" ? words : ascii ? plain : symbol;
}

export const SIGN = {
  error: { symbol: "✖", ascii: "x", words: "Error: " },
  warning: { symbol: "!", ascii: "!", words: "Warning: " },
  zero: { symbol: "·", ascii: ".", words: "0" },
  note: { symbol: "·", ascii: "-" },
  open: { symbol: "?", ascii: "?", words: "Open: " },
  done: { symbol: "✔", ascii: "+", words: "Done: " },
  /** beside text that has invisible characters */
  hidden: { symbol: "⚠", ascii: "!", words: "Warning: " },
  pointer: { symbol: "›", ascii: ">", words: "Selected: " },
  /** beside the rows of a range, but for the one that the pointer stands on */
  range: { symbol: "▌", ascii: ":", words: "In the range: " },
  /** before a check of another project than the one in use */
  other: { symbol: "≠", ascii: "/", words: "Another project: " },
  separator: { symbol: "·", ascii: "|", words: ", " },
  arrow: { symbol: "→", ascii: ">", words: " to " },
  up: { symbol: "↑", ascii: "^", words: "above" },
  down: { symbol: "↓", ascii: "v", words: "below" },
  ellipsis: { symbol: "…", ascii: "~" },
  horizontal: { symbol: "─", ascii: "-" },
  vertical: { symbol: "│", ascii: "|" },
  barFull: { symbol: "█", ascii: "#" },
  barEmpty: { symbol: "░", ascii: "." },
  /** at the end of a bar: it goes on past the scale */
  beyond: { symbol: "▸", ascii: ">" },
  /** bars: what is there (thin is what is not), now or a mark, and the place from which a thing counts */
  heavy: { symbol: "━", ascii: "=" },
  now: { symbol: "┃", ascii: "|" },
  from: { symbol: "▾", ascii: "v" },
  /** behind the heading of the column that a list is sorted by */
  falling: { symbol: "▾", ascii: "v", words: ", sorted, falling" },
  rising: { symbol: "▴", ascii: "^", words: ", sorted, rising" },
} as const satisfies Record<string, Sign>;

/** Between the parts of a line, with its blanks. */
export function separatorText(ascii: Ascii): string {
  return ascii === "words" ? SIGN.separator.words : ` ${signText(SIGN.separator, ascii)} `;
}

/** Name of a sign. */
export type SignName = keyof typeof SIGN;
