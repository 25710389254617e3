// The index at one moment: what is known of each segment, and the order of all entries. The tables themselves lie on disk.

import type { SegmentState } from "./history-index-file.ts";
import type { HistoryRows, RowSummary } from "./history-rows.ts";
import { placeOf, rowAt } from "./row-order.ts";
import type { Stretches } from "./row-order.ts";
import type { Segment } from "./segment-name.ts";

/** Which entry: a row of a segment, by the segment's place in the list of the index. */
export interface RowRef {
  readonly segment: number;
  readonly row: number;
}

/** A learned record in another segment than its intent. */
export interface LearnedRef {
  readonly segment: number;
  readonly learned: number;
}

export interface IndexedSegment {
  readonly segment: Segment;
  /** The state of the segment that the table belongs to. */
  readonly state: SegmentState;
  /** Tells the file from another one that was put in its place. */
  readonly inode: number;
  /** The same object as long as the table is the same. */
  readonly summary: RowSummary;
  /** The table; null where it is kept in a file. */
  readonly rows: HistoryRows | null;
}

/** Nothing of it changes afterwards. */
export interface IndexView {
  readonly segments: readonly IndexedSegment[];
  readonly order: Stretches;
  /** Records of an entry that lie in other segments, by `refKey` of the entry. */
  readonly foreign: ReadonlyMap<number, readonly LearnedRef[]>;
  /** Number of entries. */
  readonly count: number;
}

/** Names an entry that is not where the index says: its segment is to be scanned anew. */
export class StaleRowError extends Error {
  /** Id of the segment. */
  readonly segmentId: string;

  constructor(segmentId: string) {
    super("a row of the index does not fit its segment");
    this.segmentId = segmentId;
  }
}

/** Rows of a segment are fewer than 2^26. */
const ROWS = 2 ** 26;

export function refKey({ segment, row }: RowRef): number {
  return segment * ROWS + row;
}

/** The entry at a position, 0 for the newest. */
export function refAt(view: IndexView, position: number): RowRef {
  return rowAt(view.order, view.count - 1 - position);
}

/** The position of an entry, 0 for the newest. */
export function positionOf(view: IndexView, { segment, row }: RowRef): number {
  return view.count - 1 - placeOf(view.order, segment, row);
}

/** Whether every entry of the earlier view has kept its place. */
export function continues(view: IndexView, before: IndexView): boolean {
  if (view === before) return true;
  const old = before.order;
  const now = view.order;
  return old.segment.every((segment, stretch) => {
    const then = before.segments[segment]!;
    const here = view.segments[now.segment[stretch] ?? -1];
    return (
      here !== undefined &&
      here.segment.id === then.segment.id &&
      now.from[stretch] === old.from[stretch] &&
      now.before[stretch] === old.before[stretch] &&
      now.before[stretch + 1]! >= old.before[stretch + 1]! &&
      // A full one stays as it is; one that grows may have been replaced, too, and have grown since.
      (then.segment.lastTime === null ? here.inode === then.inode : here.summary === then.summary) &&
      here.summary.rows >= then.summary.rows
    );
  });
}
