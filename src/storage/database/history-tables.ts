// The tables of the segments, read from their files when they are needed and few at a time, so that memory does not grow with
// the history.

import type { FileSystem } from "#src/storage/file-system.ts";
import { readIndexFile } from "./history-index-file.ts";
import { StaleRowError } from "./history-index-view.ts";
import type { IndexedSegment, IndexView, RowRef } from "./history-index-view.ts";
import { IRREGULAR_KEY, RowsBuilder, summaryOf } from "./history-rows.ts";
import type { HistoryRows, RowSummary } from "./history-rows.ts";
import { scanSegment } from "./history-scan.ts";
import { openSegment } from "./journal-reader.ts";

/** Tables in memory at once, beside those of segments that writers share the time of: a third of a megabyte each. */
const SPARE = 4;

export class HistoryTables {
  readonly #dir: string;
  readonly #fs: FileSystem;
  readonly #tables = new Map<RowSummary, HistoryRows>();
  #limit = SPARE;
  /** Ids of segments whose file did not hold what its head promises. */
  readonly spoiled = new Set<string>();

  constructor(dir: string, fs: FileSystem) {
    this.#dir = dir;
    this.#fs = fs;
  }

  /** @param width segments that are read in turns, which is how many tables must stay for nothing to be read again and again */
  makeRoom(width: number): void {
    this.#limit = SPARE + width;
  }

  /** The table if it is in memory. */
  at({ rows, summary }: IndexedSegment): HistoryRows | undefined {
    return rows ?? this.#tables.get(summary);
  }

  /** Reads a table. @throws StaleRowError when neither its file nor its segment is as the index says */
  async load(of: IndexedSegment): Promise<HistoryRows> {
    const rows = (await this.#kept(of)) ?? (await this.#scanned(of));
    while (this.#tables.size >= this.#limit) this.#tables.delete(this.#tables.keys().next().value!);
    this.#tables.set(of.summary, rows);
    return rows;
  }

  async #kept({ segment, state, summary }: IndexedSegment): Promise<HistoryRows | null> {
    const kept = await readIndexFile(this.#dir, segment.id, state, this.#fs);
    return kept !== null && isSame(kept.summary, summary) ? kept.rows : null;
  }

  /** What the file should hold. The index is to write it again. */
  async #scanned({ segment, state, summary }: IndexedSegment): Promise<HistoryRows> {
    this.spoiled.add(segment.id);
    const file = await openSegment(this.#dir, segment, this.#fs);
    if (file === null) throw new StaleRowError(segment.id);
    try {
      const builder = new RowsBuilder();
      await scanSegment(file, 0, state.size, true, builder);
      const rows = builder.pack();
      if (!isSame(summaryOf(rows), summary)) throw new StaleRowError(segment.id);
      return rows;
    } finally {
      await file.close();
    }
  }
}

function isSame(one: RowSummary, other: RowSummary): boolean {
  return (
    one.rows === other.rows &&
    one.learned === other.learned &&
    one.foreign === other.foreign &&
    one.firstOffset === other.firstOffset &&
    one.firstTime === other.firstTime &&
    one.lastTime === other.lastTime
  );
}

export interface KeyedRow extends RowRef {
  readonly key: number;
}

/**
 * Entries whose keys lie in a range, and those whose keys say nothing; newest first.
 * @throws StaleRowError
 */
export async function* rowsInRange(
  view: IndexView,
  tables: HistoryTables,
  range: readonly [number, number] | null,
): AsyncGenerator<KeyedRow> {
  for (let segment = view.segments.length - 1; segment >= 0; segment -= 1) {
    const of = view.segments[segment]!;
    if (range !== null && !mayHold(of.summary, range)) continue;
    const { key } = tables.at(of) ?? (await tables.load(of));
    for (let row = key.length - 1; row >= 0; row -= 1) {
      const value = key[row]!;
      if (range === null || value === IRREGULAR_KEY || (value >= range[0] && value <= range[1])) {
        yield { segment, row, key: value };
      }
    }
  }
}

function mayHold(
  { leastKey, mostKey, isRegular }: RowSummary,
  [from, to]: readonly [number, number],
): boolean {
  return !isRegular || (mostKey >= from && leastKey <= to);
}
