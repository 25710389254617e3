// The history of checks, on a journal: an intent is on disk before the first byte leaves, and nothing is ever rewritten.

import { findCardData } from "#src/contract/fields/card-data.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { FinalAction } from "#src/contract/wire/recommendation.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { HistoryIndex } from "./history-index.ts";
import { continues, positionOf, refAt, StaleRowError } from "./history-index-view.ts";
import type { IndexView, RowRef } from "./history-index-view.ts";
import { HistoryLines } from "./history-lines.ts";
import { HistoryFold, intentRecord, outcomeRecord } from "./history-record.ts";
import type { HistoryRecord } from "./history-record.ts";
import { IRREGULAR_KEY, KEY_LENGTH, keyRange } from "./history-rows.ts";
import { rowsInRange } from "./history-tables.ts";
import { HistoryPulse } from "./history-pulse.ts";
import type { Pruned, PruneOptions } from "./history-prune.ts";
import type { SegmentCheck } from "./history-verify.ts";
import type { SearchHandlers, SearchRange } from "./history-search.ts";
import { openJournal } from "./journal.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { storageFault, withStorageFaults } from "#src/storage/write-fault.ts";

export interface HistorySearch extends SearchRange, Pick<SearchHandlers, "onFound" | "onProgress"> {
  readonly filter: string;
  /** ms since the epoch, from which `since:2d` counts back */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** How many entries there are, and what tells this moment from an earlier one. */
export interface HistoryExtent {
  readonly count: number;
  /** True when every place of the extent before it still is the place of the same entry. */
  readonly isContinued: boolean;
}

export interface History {
  /**
   * Writes the intent of a check, durably. Without a later outcome it is read back with `result: null`: unknown.
   * @throws Fault("storage") when it could not be saved: then do not send. Fault("bad_input") when the request holds card data
   */
  intend(entry: HistoryEntry): Promise<void>;
  /** Writes what became of an intent: result, final action, warnings and explanation of the entry. @throws Fault("storage") */
  settle(entry: HistoryEntry): Promise<void>;
  /** Writes the final action of a `3ds_or_block` that was open. @throws Fault("storage") */
  decide(id: string, finalAction: FinalAction): Promise<void>;
  /** Writes an explanation that came after the outcome. @throws Fault("storage") */
  explain(id: string, explanation: Explanation): Promise<void>;
  /** Writes the user's note, in place of an earlier one; null removes it. @throws Fault("storage"), Fault("bad_input") */
  annotate(id: string, note: string | null): Promise<void>;
  /** The newest `n` entries that the predicate accepts, newest first. Reads from the end and stops when it has them. */
  latest(n: number, predicate?: (entry: HistoryEntry) => boolean): Promise<HistoryEntry[]>;
  /**
   * The entry with this id, or the only one whose id starts with it; null when there is none.
   * @throws Fault("usage") when several start with it
   */
  find(idOrPrefix: string): Promise<HistoryEntry | null>;
  /** Every entry, newest first; flat memory. */
  entries(): AsyncGenerator<HistoryEntry>;
  /** Reads what is new into the index and counts. The first time it may take a second; it never blocks for long. */
  extent(): Promise<HistoryExtent>;
  /** Number of entries. */
  count(): Promise<number>;
  /** Entries by position, 0 for the newest, newest first; from anywhere in the same short time. */
  page(from: number, count: number): Promise<HistoryEntry[]>;
  /** Entries by their places, counted from the oldest, as a search finds them. */
  at(places: Iterable<number>): Promise<HistoryEntry[]>;
  /** The position of an entry; null when there is none with this id. */
  position(id: string): Promise<number | null>;
  /**
   * Hands out the places of the entries that a filter accepts, newest first, as they are found: in a worker where there are many.
   * Resolves at the end, or when the signal fires.
   * @throws Fault("usage") for a filter that is wrong
   */
  search(search: HistorySearch): Promise<void>;
  /**
   * Removes entries for good, in one step that a crash cannot cut in two; null when another process is pruning.
   * @throws Fault("storage") with nothing changed
   */
  prune(options: Omit<PruneOptions, "dir" | "fs" | "inspect">): Promise<Pruned | null>;
  /** Reads every byte; one check a segment, oldest first. @param onProgress bytes read, of all */
  verify(onProgress: (done: number, all: number) => void): AsyncGenerator<SegmentCheck>;
  /** Whether anything was written since this was asked last, by any process. Cheap: a few looks at sizes. */
  hasChanged(): Promise<boolean>;
  /** Waits for writes under way, and ends what reads: that rejects. */
  close(): Promise<void>;
  /** Damage that reading has met since this history was opened. */
  readonly problems: readonly StoreProblem[];
}

/**
 * Opens a history; touches no file before the first call.
 * @param options.dir folder of its journal
 * @param options.now wall time in ms since the epoch
 */
export function openHistory(options: {
  readonly dir: string;
  readonly now: () => number;
  readonly fs?: FileSystem;
}): History {
  const { dir, fs = nodeFileSystem } = options;
  const journal = openJournal<HistoryRecord>({
    ...options,
    onFull: (id) => {
      keeping = keeping.then(() => index.keep(id));
    },
  });
  const index: HistoryIndex = new HistoryIndex(dir, fs, (segment) => journal.inspect(segment));
  let keeping: Promise<void> = Promise.resolve();
  const pulse = new HistoryPulse(dir, fs);
  /** Ends searches under way: their worker would keep the process alive. */
  let closing = new AbortController();
  let lastExtent: IndexView | null = null;

  const refresh = (): Promise<IndexView> => withStorageFaults(dir, () => index.refresh());

  /** Reads with the index; a table that turns out to be wrong is made anew, and what it named is looked for again. */
  const withIndex = async <R>(read: (view: IndexView, lines: HistoryLines) => Promise<R>): Promise<R> => {
    for (let attempt = 1; ; attempt += 1) {
      const view = await refresh();
      const lines = new HistoryLines(dir, view, index.tables, fs);
      try {
        return await withStorageFaults(dir, () => read(view, lines));
      } catch (error) {
        if (!(error instanceof StaleRowError) || attempt > view.segments.length) throw error;
        index.distrust(error.segmentId);
      } finally {
        await lines.close();
        index.distrustSpoiled();
      }
    }
  };

  const readAll = async (lines: HistoryLines, refs: readonly RowRef[]): Promise<HistoryEntry[]> => {
    const found: HistoryEntry[] = [];
    for (const ref of refs) found.push(await lines.entry(ref));
    return found;
  };

  const findById = (idOrPrefix: string): Promise<HistoryEntry | null> =>
    withIndex(async (view, lines) => {
      const prefix = Buffer.from(idOrPrefix);
      const range = keyRange(prefix);
      let found: RowRef | null = null;
      let count = 0;
      for await (const ref of rowsInRange(view, index.tables, range)) {
        // A short prefix is in the key as a whole; what is longer, or has other letters, must be read.
        if (range !== null && ref.key !== IRREGULAR_KEY && prefix.length < KEY_LENGTH) {
          if (ref.key === range[0]) return await lines.entry(ref);
        } else {
          const { id } = await lines.entry(ref);
          if (id === idOrPrefix) return await lines.entry(ref);
          if (!id.startsWith(idOrPrefix)) continue;
        }
        found ??= ref;
        count += 1;
      }
      if (count <= 1) return found === null ? null : await lines.entry(found);
      throw new Fault(
        "usage",
        `${count} entries start with "${escapeText(idOrPrefix, 40)}"; give more of the id.`,
      );
    });

  const extent = async (): Promise<HistoryExtent> => {
    const view = await refresh();
    const before = lastExtent;
    lastExtent = view;
    return { count: view.count, isContinued: before === null || continues(view, before) };
  };

  async function* entries(): AsyncGenerator<HistoryEntry> {
    const fold = new HistoryFold();
    for await (const record of journal.newestFirst()) {
      const entry = fold.take(record);
      if (entry !== null) yield entry;
    }
  }

  const learn = (
    id: string,
    learned: Extract<HistoryRecord, { type: "learned" }>["learned"],
  ): Promise<void> => journal.append({ type: "learned", id, learned });

  return {
    get problems() {
      return journal.problems;
    },
    intend: async (entry) => await journal.append(intentRecord(entry)),
    settle: async (entry) => await journal.append(outcomeRecord(entry)),
    decide: (id, finalAction) => learn(id, { finalAction }),
    explain: (id, explanation) => learn(id, { explanation }),
    annotate: async (id, note) => {
      if (findCardData(note) !== null) {
        throw new Fault(
          "bad_input",
          "The note holds a full card number and was not saved; remove it and try again.",
        );
      }
      await learn(id, { note });
    },
    latest: async (n, predicate = () => true) => {
      const found: HistoryEntry[] = [];
      if (n <= 0) return found;
      for await (const entry of entries()) {
        if (predicate(entry) && found.push(entry) >= n) break;
      }
      return found;
    },
    find: findById,
    extent,
    count: async () => (await extent()).count,
    page: (from, count) =>
      withIndex((view, lines) => {
        const first = Math.max(0, from);
        const last = Math.min(view.count, Math.max(0, from + count));
        const refs = Array.from({ length: Math.max(0, last - first) }, (_, step) =>
          refAt(view, first + step),
        );
        return readAll(lines, refs);
      }),
    at: (places) =>
      withIndex((view, lines) => {
        const within = [...places].filter((place) => place < view.count);
        return readAll(
          lines,
          within.map((place) => refAt(view, view.count - 1 - place)),
        );
      }),
    position: (id) =>
      withIndex(async (view, lines) => {
        for await (const ref of rowsInRange(view, index.tables, keyRange(Buffer.from(id)))) {
          if ((await lines.entry(ref)).id === id) return positionOf(view, ref);
        }
        return null;
      }),
    search: async ({ filter, now, from, to, signal, onFound, onProgress }) => {
      const { runSearch } = await import("./history-search-host.ts");
      const view = await refresh();
      const closed = closing.signal;
      const all = { dir, view, filter, now, from, to, signal: AbortSignal.any([signal, closed]), fs };
      const { stale } = await withStorageFaults(dir, () => runSearch(all, { onFound, onProgress }));
      // What was found is not all.
      closed.throwIfAborted();
      for (const id of stale) index.distrust(id);
    },
    prune: async (asked) => {
      const { pruneHistory } = await import("./history-prune.ts");
      return await withStorageFaults(dir, () =>
        pruneHistory({ ...asked, dir, fs, inspect: (segment) => journal.inspect(segment) }),
      );
    },
    async *verify(onProgress) {
      const { verifyHistory } = await import("./history-verify.ts");
      try {
        yield* verifyHistory(dir, fs, onProgress);
      } catch (error) {
        throw storageFault(error, dir);
      }
    },
    hasChanged: () => withStorageFaults(dir, () => pulse.beat()),
    entries,
    close: async () => {
      closing.abort();
      closing = new AbortController();
      await journal.close();
      await keeping;
      index.stop();
    },
  };
}
