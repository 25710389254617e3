// Finds the entries that a filter accepts, newest first, with the index in front: what its times and verdicts rule out is
// never read. The same code runs in a worker and, where none can be started, between other work.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CompiledFilter } from "./history-filter.ts";
import { refKey, StaleRowError } from "./history-index-view.ts";
import type { IndexView, RowRef } from "./history-index-view.ts";
import type { HistoryLines } from "./history-lines.ts";
import { INDEXED_VERDICTS, NO_DELTA } from "./history-rows.ts";
import type { HistoryRows } from "./history-rows.ts";
import type { HistoryTables } from "./history-tables.ts";

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
  /** Segments whose table is to be made anew; rows that were not where it says were left out. */
  readonly stale: readonly string[];
}

/** How long nothing is handed out: at first, and in a long search, where each time is one more drawing of the screen. */
const BATCH_MS: Milliseconds = 60;
const LATER_BATCH_MS: Milliseconds = 250;
/** A search that takes longer is a long one. */
const LONG_MS: Milliseconds = 1_000;
/** How long nothing else gets its turn. */
const TURN_MS: Milliseconds = 12;
/** Rows between two looks at the clock. */
const CLOCK_EVERY = 128;

export async function searchHistory(
  view: IndexView,
  tables: HistoryTables,
  lines: HistoryLines,
  filter: CompiledFilter,
  { from, to }: SearchRange,
  handlers: SearchHandlers,
): Promise<SearchEnd> {
  const stale = new Set<string>();
  let found: number[] = [];
  let looked = 0;
  let any = false;
  const startedAt = performance.now();
  let handedAt = startedAt;
  let turnAt = startedAt;
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

  for (const { segment, first, last, rowOfFirst } of newestFirst(view, from, to)) {
    const of = view.segments[segment]!;
    let rows;
    try {
      rows = tables.at(of) ?? (await tables.load(of));
    } catch (error) {
      if (!(error instanceof StaleRowError)) throw error;
      stale.add(error.segmentId);
      looked += last - first + 1;
      continue;
    }
    for (let place = last; place >= first; place -= 1) {
      const row = rowOfFirst + place - first;
      looked += 1;
      if (looked % CLOCK_EVERY === 0) {
        const now = performance.now();
        if (now - handedAt >= (now - startedAt < LONG_MS ? BATCH_MS : LATER_BATCH_MS)) handOut();
        if (now - turnAt >= TURN_MS) {
          await new Promise(setImmediate);
          turnAt = performance.now();
          if (handlers.isCancelled()) return { stale: [...stale] };
        }
      }
      const facts = factsOf(rows, row, view.foreign.has(refKey({ segment, row })));
      if (!filter.mayMatch(facts)) continue;
      if (filter.readsFactsOnly && facts.at !== null && facts.verdict !== null) {
        take(place);
        continue;
      }
      try {
        if (await accepts(lines, filter, { segment, row })) take(place);
      } catch (error) {
        if (!(error instanceof StaleRowError)) throw error;
        stale.add(error.segmentId);
      }
    }
  }
  handOut();
  return { stale: [...stale, ...tables.spoiled] };
}

async function accepts(lines: HistoryLines, filter: CompiledFilter, ref: RowRef): Promise<boolean> {
  if (filter.readsIntentOnly) return filter.mayMatchIntent(await lines.intent(ref));
  const entry = await lines.entryIf(ref, filter.mayMatchIntent);
  return entry !== null && filter.matches(entry);
}

/** Places that lie beside each other in one segment: from the first up to and including the last. */
interface PlaceRange {
  readonly segment: number;
  readonly first: number;
  readonly last: number;
  readonly rowOfFirst: number;
}

function* newestFirst({ order }: IndexView, from: number, to: number): Generator<PlaceRange> {
  for (let stretch = order.segment.length - 1; stretch >= 0; stretch -= 1) {
    const start = order.before[stretch]!;
    if (start >= to) continue;
    const first = Math.max(start, from);
    const last = Math.min(to, order.before[stretch + 1]!) - 1;
    const rowOfFirst = order.from[stretch]! + first - start;
    yield { segment: order.segment[stretch]!, first, last, rowOfFirst };
    if (start <= from) return;
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
