// The history of checks, through lowdb: an intent is a committed row before the first byte is sent.

import { type Adapter, Low } from "lowdb";

import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Label, LabelledOrder, OrderLabel } from "#src/contract/records/label.ts";
import type { FinalAction } from "#src/contract/wire/recommendation.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import type { HistoryRecord } from "./history-form.ts";
import { labelAsOf } from "./history-labels.ts";
import { HistoryTable } from "./history-table.ts";
import type { TableExtent, TableSearch } from "./history-table.ts";
import { hostTable, type Hosted } from "./hosted-table.ts";
import { eventsOf, pagesOf, type DatabaseOptions, type Page } from "./table-database.ts";

export type Places = Iterable<number> & ArrayLike<number>;

export interface HistorySearch extends TableSearch {
  readonly signal: AbortSignal;
  /** Places of the found entries, newest first. */
  onFound(places: Places): void;
  /** Number of searched entries. */
  onProgress(looked: number): void;
}

export type History = ReturnType<typeof openHistory>;

/** The data of `Low`: the newest page, and pending records. */
interface Live {
  readonly newest: Page<HistoryEntry>;
  readonly pending: HistoryRecord[];
}

/** Entries of the newest page. */
const PAGE = 200;

export interface HistoryOptions extends DatabaseOptions {
  /** True for the console, where every call goes to a worker so that no commit blocks drawing. */
  readonly inWorker?: boolean;
}

/**
 * Opens a history; touches no file before the first call. All writes go through `Low.write`, and the newest page through
 * `Low.read`. Other reads use the table directly, because a million entries do not fit into the memory of `Low`.
 */
export function openHistory(options: HistoryOptions) {
  const { path } = options;
  const problems = new Map<string, StoreProblem>();
  const events = eventsOf(options, problems);
  const table: Hosted<HistoryTable> =
    options.inWorker === true
      ? hostTable("history", HistoryTable, path, events)
      : new HistoryTable(path, events);
  /** Separate, because `read` replaces the data of `Low`. */
  const queue: HistoryRecord[] = [];
  const adapter: Adapter<Live> = {
    read: async () => ({ newest: await table.newest(PAGE, Infinity, "", 0), pending: queue }),
    write: async ({ pending }) => {
      // Taken before the first await, so that each record is committed once and fails for its own caller only.
      const records = pending.splice(0);
      if (records.length > 0) await table.commit(records);
    },
  };
  const live = new Low<Live>(adapter, { newest: { rows: [], last: null }, pending: queue });
  /** Running writes. */
  const writing = new Set<Promise<void>>();
  let closing = new AbortController();
  let known: TableExtent | null = null;
  let version: number | null | undefined;

  const write = async (record: HistoryRecord): Promise<void> => {
    const written = live.update(({ pending }) => void pending.push(record));
    writing.add(written);
    try {
      await written;
    } finally {
      writing.delete(written);
    }
  };
  const learn = (id: string, learned: Partial<HistoryEntry>): Promise<void> =>
    write({ type: "learned", id, learned });

  /** Every entry that a filter accepts, newest first, in constant memory. @param now as in `TableSearch` @throws Fault("usage") */
  async function* entries(filter = "", now: Milliseconds = 0): AsyncGenerator<HistoryEntry> {
    const read = async (below: number): Promise<Page<HistoryEntry>> => {
      if (filter !== "" || below !== Infinity) return await table.newest(PAGE, below, filter, now);
      await live.read();
      return live.data.newest;
    };
    for await (const { rows } of pagesOf(read, Infinity)) yield* rows;
  }

  /** What became of payments, by order id; ids compare exactly. Pruned entries keep theirs. */
  const labels = {
    /** Adds labels to those that their orders have, durably. @throws Fault("storage" | "corrupt"); Fault("bad_input") for no order id */
    set: (given: readonly OrderLabel[]) => write({ type: "labelled", labels: given }),
    /** Takes back what `set` has added. @throws Fault("storage" | "corrupt") */
    withdraw: (given: readonly OrderLabel[]) => write({ type: "withdrawn", labels: given }),
    /** Those of some orders that count as of a time; null for now. @throws Fault("corrupt") */
    of: async (orderIds: readonly string[], asOf: Milliseconds | null): Promise<ReadonlyMap<string, Label>> =>
      new Map((await table.labels(orderIds)).flatMap((order) => labelAsOf(order, asOf))),
    /** All labelled orders, by their ids, in constant memory. @throws Fault("corrupt") */
    async *list(): AsyncGenerator<LabelledOrder> {
      for (let after = ""; ;) {
        const page = await table.labelledOrders(after, PAGE);
        yield* page;
        if (page.length < PAGE) return;
        after = page.at(-1)!.orderId;
      }
    },
    /** Removes all labels of an order for good. @throws Fault("storage") */
    remove: (orderId: string) => write({ type: "unlabelled", orderId }),
  };

  return {
    labels,
    entries,
    /**
     * Writes the intent of a check, durably. Without a later outcome it is read back with `result: null`: unknown.
     * @returns the JSON of its request, as it is stored and is to be sent
     * @throws Fault("storage") when it could not be saved and must not be sent; Fault("bad_input") when the request holds card data
     */
    intend: async (entry: HistoryEntry) => {
      const body = JSON.stringify(entry.request);
      await write({ type: "intent", entry, body });
      return body;
    },
    /** Writes the outcome of an intent: result, final action, warnings and explanation. @throws Fault("storage") */
    settle: ({ id, result, finalAction, warnings, explanation, exchange }: HistoryEntry) =>
      learn(id, { result, finalAction, warnings, explanation, exchange }),
    /** Writes the final action of an open `3ds_or_block`. @throws Fault("storage") */
    decide: (id: string, finalAction: FinalAction) => learn(id, { finalAction }),
    /** Writes an explanation after the outcome. @throws Fault("storage") */
    explain: (id: string, explanation: Explanation) => learn(id, { explanation }),
    /** Replaces the user's note; null removes it. @throws Fault("storage"), Fault("bad_input") */
    annotate: (id: string, note: string | null) => learn(id, { note }),
    /** The newest `n` entries that are whole, newest first; reads no more than needed. */
    latest: async (n: number) => {
      const found: HistoryEntry[] = [];
      const read = (below: number): Promise<Page<HistoryEntry>> =>
        table.newest(Math.min(n - found.length, PAGE), below, "", 0);
      for await (const { rows } of pagesOf(read, Infinity)) if (found.push(...rows) >= n) break;
      return found;
    },
    /** The number of entries, and whether the places of the previous extent are still valid. */
    extent: async () => {
      const now = await table.extent();
      const isContinued = known === null || (known.removed === now.removed && known.count <= now.count);
      known = now;
      return { count: now.count, isContinued };
    },
    /** Number of entries. */
    count: async () => (await table.extent()).count,
    /** Entries by their places, counted from the oldest, as a search finds them. */
    at: (places: Iterable<number>) => table.at([...places]),
    /**
     * Reports the places of matching entries, newest first, as they are found.
     * Resolves at the end, or when the signal fires.
     * @throws Fault("usage") for an invalid filter
     */
    search: async ({ signal: stopped, onFound, onProgress, ...search }: HistorySearch) => {
      const closed = closing.signal;
      await table.search(search, AbortSignal.any([stopped, closed]), ({ found, looked }) => {
        if (found.length > 0) onFound(found);
        onProgress(looked);
      });
      // The search was cut short.
      closed.throwIfAborted();
    },
    /** True when any process has written since the last call. Cheap. */
    hasChanged: async () => {
      const before = version;
      version = await table.version();
      return before !== undefined && before !== version;
    },
    /** Waits for running writes, and ends running reads, which reject. */
    close: async () => {
      closing.abort();
      closing = new AbortController();
      await Promise.allSettled(writing);
      await table.close();
    },
    /** Damage found by reads since this history was opened. */
    get problems(): readonly StoreProblem[] {
      return [...problems.values()];
    },
    // The others are those of the table.
    decided: table.decided.bind(table),
    seenBefore: table.seenBefore.bind(table),
    find: table.find.bind(table),
    page: table.page.bind(table),
    position: table.position.bind(table),
    order: table.order.bind(table),
    prune: table.prune.bind(table),
    verify: table.verify.bind(table),
    salvage: table.salvage.bind(table),
  };
}
