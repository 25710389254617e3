// Finds the intents of records that lie in other segments than those: a note of today about a check of last month.

import type { HistoryTables } from "./history-tables.ts";
import { refKey, StaleRowError } from "./history-index-view.ts";
import type { IndexedSegment, LearnedRef, RowRef } from "./history-index-view.ts";
import type { RowSummary } from "./history-rows.ts";

/** A record, and where its intent is as far as it was found. */
interface Foreign {
  readonly key: number;
  readonly hash: number;
  readonly learned: number;
  /** The segment of the intent, as it was then; null when it was not found. */
  target: RowSummary | null;
  row: number;
}

export class ForeignRows {
  readonly #tables: HistoryTables;
  /** What is known of the records of a segment. */
  #known = new Map<RowSummary, readonly Foreign[]>();
  /** Segments in which every record has been looked for. */
  #searched = new Set<RowSummary>();

  constructor(tables: HistoryTables) {
    this.#tables = tables;
  }

  /**
   * Records by `refKey` of their intents. What was found before, and is still there, is not looked for again.
   * @param grownFrom what a table was before lines were added to its end
   */
  async update(
    segments: readonly IndexedSegment[],
    grownFrom: ReadonlyMap<RowSummary, RowSummary>,
  ): Promise<ReadonlyMap<number, readonly LearnedRef[]>> {
    const places = new Map(segments.map(({ summary }, place) => [summary, place]));
    const grownTo = new Map([...grownFrom].map(([now, before]) => [before, now]));
    const all = segments.map((_, place) => place);
    const unsearched = all.filter((place) => !this.#searched.has(segments[place]!.summary));
    const searched = new Set(places.keys());
    const known = new Map<RowSummary, readonly Foreign[]>();
    const found = new Map<number, LearnedRef[]>();
    let looked = 0;
    for (const [segment, of] of segments.entries()) {
      if (of.summary.foreign === 0) continue;
      const before = this.#known.get(of.summary) ?? this.#known.get(grownFrom.get(of.summary)!) ?? [];
      const records = [...before, ...(await this.#recordsOf(of, before.length))];
      for (const [index, record] of records.entries()) {
        if (record.target !== null) record.target = grownTo.get(record.target) ?? record.target;
        const isFound = record.target !== null && places.has(record.target);
        if (!isFound) {
          const target = await this.#find(
            segments,
            index < before.length ? unsearched : all,
            record,
            searched,
          );
          record.target = target === null ? null : segments[target.segment]!.summary;
          record.row = target?.row ?? -1;
          if ((looked += 1) % 500 === 0) await new Promise(setImmediate);
        }
        if (record.target === null) continue;
        const at = refKey({ segment: places.get(record.target)!, row: record.row });
        const list = found.get(at);
        if (list === undefined) found.set(at, [{ segment, learned: record.learned }]);
        else list.push({ segment, learned: record.learned });
      }
      known.set(of.summary, records);
    }
    this.#known = known;
    this.#searched = searched;
    return found;
  }

  async #recordsOf(of: IndexedSegment, from: number): Promise<Foreign[]> {
    if (from >= of.summary.foreign) return [];
    const rows = await this.#rows(of);
    const records: Foreign[] = [];
    if (rows === null) return records;
    for (let index = from; index < rows.foreign; index += 1) {
      records.push({
        key: rows.foreignKey[index]!,
        hash: rows.foreignHash[index]!,
        learned: rows.foreignLearned[index]!,
        target: null,
        row: -1,
      });
    }
    return records;
  }

  /** Newest segment first: a record is seldom far from its intent. */
  async #find(
    segments: readonly IndexedSegment[],
    places: readonly number[],
    { key, hash }: Foreign,
    searched: Set<RowSummary>,
  ): Promise<RowRef | null> {
    for (let index = places.length - 1; index >= 0; index -= 1) {
      const segment = places[index]!;
      const of = segments[segment]!;
      const { leastKey, mostKey, isRegular } = of.summary;
      if (isRegular && (key < leastKey || key > mostKey)) continue;
      const rows = await this.#rows(of);
      // It is to be looked through later.
      if (rows === null) searched.delete(of.summary);
      else {
        for (let row = rows.key.indexOf(key); row >= 0; row = rows.key.indexOf(key, row + 1)) {
          if (rows.hash[row] === hash) return { segment, row };
        }
      }
    }
    return null;
  }

  /** Null for a table that does not fit its segment any more: the index will look at that one again. */
  async #rows(of: IndexedSegment): Promise<Awaited<ReturnType<HistoryTables["load"]>> | null> {
    try {
      return this.#tables.at(of) ?? (await this.#tables.load(of));
    } catch (error) {
      if (error instanceof StaleRowError) return null;
      throw error;
    }
  }
}
