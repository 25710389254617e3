// The order of a list by one of its columns, and moves in it.

/** Rows down (or up, negative), or to an end. */
export type ListMove = number | "first" | "last";

export interface Sort<By extends string = string> {
  readonly by: By;
  /** True where it begins at the other end. */
  readonly turned: boolean;
}

/** These begin with the newest and the largest, texts with A. */
const FALLING: ReadonlySet<string> = new Set(["time", "amount", "latency", "hits", "last"]);

export function isFalling({ by, turned }: Sort): boolean {
  return FALLING.has(by) !== turned;
}

/** What the history can be sorted by; amounts of different currencies are not compared. */
export const HISTORY_ORDERS = ["time", "amount", "verdict", "project", "latency"] as const;
export type HistorySort = Sort<(typeof HISTORY_ORDERS)[number]>;

export function isNewestFirst({ by, turned }: HistorySort): boolean {
  return by === "time" && !turned;
}
