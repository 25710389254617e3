// Every sign on screen other than verdicts, with its ASCII form. Each is one column wide.

/** A sign in its two forms. */
export interface Sign {
  readonly symbol: string;
  readonly ascii: string;
}

export const SIGN = {
  error: { symbol: "✖", ascii: "x" },
  warning: { symbol: "!", ascii: "!" },
  zero: { symbol: "·", ascii: "." },
  note: { symbol: "·", ascii: "-" },
  done: { symbol: "✔", ascii: "+" },
  /** beside text that has invisible characters */
  hidden: { symbol: "⚠", ascii: "!" },
  pointer: { symbol: "›", ascii: ">" },
  /** beside the rows of a range, but for the one that the pointer stands on */
  range: { symbol: "▌", ascii: ":" },
  /** before a check of another project than the one in use */
  other: { symbol: "≠", ascii: "/" },
  separator: { symbol: "·", ascii: "-" },
  arrow: { symbol: "→", ascii: ">" },
  up: { symbol: "↑", ascii: "^" },
  down: { symbol: "↓", ascii: "v" },
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
  falling: { symbol: "▾", ascii: "v" },
  rising: { symbol: "▴", ascii: "^" },
} as const satisfies Record<string, Sign>;

/** Name of a sign. */
export type SignName = keyof typeof SIGN;
