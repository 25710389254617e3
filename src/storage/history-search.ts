// Finds the entries that a filter accepts, newest first, with the index in front: what its times and verdicts rule out is
// never read. The same code runs in a worker and, where none can be started, between other work.

import type { Milliseconds } from "#src/contract/clock.ts";
import type { CompiledFilter } from "./history-filter.ts";
import type { IndexView } from "./history-index.ts";
import { refKey } from "./history-index.ts";
import type { HistoryLines } from "./history-lines.ts";
import { StaleRowError } from "./history-lines.ts";
import { INDEXED_VERDICTS, NO_DELTA } from "./history-rows.ts";
import type { HistoryRows } from "./history-rows.ts";

/** Entries by their places in the order of the index, counted from the oldest, so that what comes later moves none. */
export type Places = Uint32Array<ArrayBuffer>;

export interface SearchRange {
  /** The first place, and the one behind the last. */
  readonly from: number;
  readonly to: number;
}

export interface SearchHandlers {
  /** Places of what was found, newest first; the first one at once, then in batches. */
  onFound(places: Places): void;
  /** How many entries have been looked at. */
  onProgress(looked: number): void;
  isCancelled(): boolean;
}

export interface SearchEnd {
  /** Segments whose table does not fit them: those rows were left out. */
  readonly stale: readonly string[];
}

/** How long nothing is handed out, and how long nothing else gets its turn. */
const BATCH_MS: Milliseconds = 60;
const TURN_MS: Milliseconds = 12;
/** Rows between two looks at the clock. */
const CLOCK_EVERY = 128;

export async function searchHistory(
  view: IndexView,
  lines: HistoryLines,
  filter: CompiledFilter,
  { from, to }: SearchRange,
  handlers: SearchHandlers,
): Promise<SearchEnd> {
  const stale = new Set<string>();
  let found: number[] = [];
  let looked = 0;
  let any = false;
  let handedAt = performance.now();
  let turnAt = handedAt;
  const handOut = (): void => {
    handedAt = performance.now();
    if (found.length > 0) handlers.onFound(Uint32Array.from(found));
    found = [];
    handlers.onProgress(looked);
  };
  const take = (place: number): void => {
    found.push(place);
    if (any) return;
    any = true;
    handOut();
  };

  for (const { segment, row, place } of newestFirst(view, from, to)) {
    looked += 1;
    if (looked % CLOCK_EVERY === 0) {
      const now = performance.now();
      if (now - handedAt >= BATCH_MS) handOut();
      if (now - turnAt >= TURN_MS) {
        await new Promise(setImmediate);
        turnAt = performance.now();
        if (handlers.isCancelled()) return { stale: [...stale] };
      }
    }
    const facts = factsOf(view.segments[segment]!.rows, row, view.foreign.has(refKey({ segment, row })));
    if (!filter.mayMatch(facts)) continue;
    if (filter.readsFactsOnly && facts.at !== null && facts.verdict !== null) {
      take(place);
      continue;
    }
    try {
      const entry = await lines.entryIf({ segment, row }, filter.mayMatchIntent);
      if (entry !== null && filter.matches(entry)) take(place);
    } catch (error) {
      if (!(error instanceof StaleRowError)) throw error;
      stale.add(error.segmentId);
    }
  }
  handOut();
  return { stale: [...stale] };
}

function* newestFirst(
  { order }: IndexView,
  from: number,
  to: number,
): Generator<{ segment: number; row: number; place: number }> {
  for (let stretch = order.segment.length - 1; stretch >= 0; stretch -= 1) {
    const first = order.before[stretch]!;
    if (first >= to) continue;
    const segment = order.segment[stretch]!;
    const rowOfFirst = order.from[stretch]!;
    const last = Math.min(to, order.before[stretch + 1]!) - 1;
    for (let place = last; place >= Math.max(first, from); place -= 1) {
      yield { segment, row: rowOfFirst + place - first, place };
    }
    if (first <= from) return;
  }
}

/** @param isTold whether more is told of the entry in another segment, a verdict perhaps */
function factsOf(
  rows: HistoryRows,
  row: number,
  isTold: boolean,
): { at: number | null; verdict: string | null } {
  const delta = rows.atDelta[row]!;
  return {
    at: delta === NO_DELTA ? null : rows.time[row]! + delta,
    verdict: isTold ? null : (INDEXED_VERDICTS[rows.verdict[row]!] ?? null),
  };
}
