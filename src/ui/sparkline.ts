// Latencies as a line of bars, one column each. Pure.

/** Heights from the lowest to the highest; each is one column wide. */
const LEVELS = { symbols: "▁▂▃▄▅▆▇█", ascii: "_.-=+*#@" } as const;
/** For a value that was not measured. */
const GAP = { symbols: "·", ascii: " " } as const;

/**
 * @param values oldest first; null for not measured. If there are more than `width`, the newest are drawn
 * @param width columns at most
 * @param most the value of the highest bar; the greatest value drawn unless told
 * @returns one character per value: its height relative to `most`
 */
export function sparkline(
  values: readonly (number | null)[],
  width: number,
  ascii: boolean,
  most: number = Math.max(0, ...values.slice(-width).map((value) => value ?? 0)),
): string {
  return sparkRows(values, width, 1, ascii, most)[0]!;
}

/** The same so many rows high, from the top. */
export function sparkRows(
  values: readonly (number | null)[],
  width: number,
  rows: number,
  ascii: boolean,
  most: number = Math.max(0, ...values.slice(-width).map((value) => value ?? 0)),
): string[] {
  const form = ascii ? "ascii" : "symbols";
  const drawn = width <= 0 ? [] : values.slice(-width);
  const levels = LEVELS[form];
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * levels.length;
    return drawn
      .map((value) => {
        if (value === null || !(value >= 0)) return below === 0 ? GAP[form] : " ";
        const filled = most === 0 ? 1 : Math.max(1, Math.ceil((value / most) * rows * levels.length));
        return filled <= below ? " " : levels[Math.min(levels.length, filled - below) - 1];
      })
      .join("");
  });
}

/** The scale of a line of bars. */
export interface Measured {
  readonly median: number;
  /** Above it are the twentieth part of them: one that is far out leaves the others their heights. */
  readonly p95: number;
  readonly most: number;
}

/** Median, 95th percentile and maximum of the measured values; null without any. */
export function measured(values: readonly (number | null)[]): Measured | null {
  const known = values.filter((value) => value !== null).sort((one, other) => one - other);
  if (known.length === 0) return null;
  const half = (known.length - 1) / 2;
  return {
    // Of an even number, the mean of the two in the middle.
    median: (known[Math.floor(half)]! + known[Math.ceil(half)]!) / 2,
    p95: known[Math.ceil(known.length * 0.95) - 1]!,
    most: known.at(-1)!,
  };
}
