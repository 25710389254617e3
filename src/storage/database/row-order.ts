// The order of all rows of several segments by time, as stretches that lie in one segment each: a single writer makes one
// stretch a segment, and only writers at the same time make more.

export interface Stretches {
  /** Index of the segment of each stretch, oldest stretch first. */
  readonly segment: Uint32Array;
  /** Its first row. */
  readonly from: Uint32Array;
  /** Number of rows before it; one more element at the end: all rows. */
  readonly before: Uint32Array;
  /** Most segments that take turns. */
  readonly width: number;
}

/** Rows of a segment, sorted by time. */
export interface RowTimes {
  readonly length: number;
  /** Times of the first and of the last row. */
  readonly first: number;
  readonly last: number;
  /** All of them; needed only where `sharing` finds the segment. */
  readonly all: ArrayLike<number> | null;
}

/** The segments whose times touch those of others. @param segments sorted by the time of their first row */
export function sharing(segments: readonly Omit<RowTimes, "all">[]): Set<number> {
  const found = new Set<number>();
  let latest = -1;
  for (const [index, { length, first, last }] of segments.entries()) {
    if (length === 0) continue;
    if (latest >= 0 && first <= segments[latest]!.last) found.add(latest).add(index);
    if (latest < 0 || last > segments[latest]!.last) latest = index;
  }
  return found;
}

/**
 * Merges segments whose times do not fall within each. Of equal times, those of the earlier segment come first.
 * @param segments sorted by the time of their first row
 */
export function orderRows(segments: readonly RowTimes[]): Stretches {
  const segment: number[] = [];
  const from: number[] = [];
  const before: number[] = [];
  let count = 0;
  const next = segments.map(() => 0);
  const active: number[] = [];
  let waiting = 0;
  let width = 0;
  const timeOf = (index: number): number => {
    const { first, all } = segments[index]!;
    return next[index] === 0 ? first : all![next[index]!]!;
  };
  const skipEmpty = (): void => {
    while (waiting < segments.length && segments[waiting]!.length === 0) waiting += 1;
  };
  for (;;) {
    skipEmpty();
    let best = -1;
    let others = Infinity;
    for (const index of active) {
      const time = timeOf(index);
      if (best < 0 || time < timeOf(best) || (time === timeOf(best) && index < best)) {
        if (best >= 0) others = Math.min(others, timeOf(best));
        best = index;
      } else others = Math.min(others, time);
    }
    const coming = waiting < segments.length ? segments[waiting]!.first : Infinity;
    if (waiting < segments.length && (best < 0 || coming < timeOf(best))) {
      active.push(waiting);
      waiting += 1;
      width = Math.max(width, active.length);
      continue;
    }
    if (best < 0) break;
    const times = segments[best]!;
    const first = next[best]!;
    const end = Math.max(first + 1, firstBehind(times, first, Math.min(others, coming)));
    if (segment.at(-1) !== best || from.at(-1)! + (count - before.at(-1)!) !== first) {
      segment.push(best);
      from.push(first);
      before.push(count);
    }
    count += end - first;
    next[best] = end;
    if (end >= times.length) active.splice(active.indexOf(best), 1);
  }
  return {
    segment: Uint32Array.from(segment),
    from: Uint32Array.from(from),
    before: Uint32Array.from([...before, count]),
    width,
  };
}

/** The segment and row at a place in the order, from 0 for the oldest. */
export function rowAt({ segment, from, before }: Stretches, place: number): { segment: number; row: number } {
  let low = 0;
  let high = segment.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (before[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return { segment: segment[low]!, row: from[low]! + place - before[low]! };
}

/** The place of a row in the order. */
export function placeOf({ segment, from, before }: Stretches, of: number, row: number): number {
  for (let index = segment.length - 1; index >= 0; index -= 1) {
    if (segment[index] === of && from[index]! <= row) return before[index]! + row - from[index]!;
  }
  return -1;
}

/** The first row from `low` on whose time reaches the limit. */
function firstBehind({ length, last, all: times }: RowTimes, low: number, limit: number): number {
  if (limit > last || times === null) return length;
  let from = low;
  let to = times.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle]! < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
