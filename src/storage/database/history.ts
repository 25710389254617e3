// The history of checks, through lowdb: an intent is a committed row before the first byte is sent.

import { type Adapter, Low } from "lowdb";

import { findCardData } from "#src/contract/fields/card-data.ts";
import { badInput, corrupt, whole } from "#src/contract/fault.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Label, LabelledOrder, OrderLabel } from "#src/contract/records/label.ts";
import type { DecidedGroup } from "#src/contract/records/rule-record.ts";
import type { HistorySort } from "#src/contract/records/list-sort.ts";
import type { FinalAction } from "#src/contract/wire/recommendation.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import type { Pruned, PruneOptions } from "./history-prune.ts";
import { HISTORY } from "./history-form.ts";
import { labelAsOf } from "./history-labels.ts";
import { intentRecord, outcomeRecord } from "./history-record.ts";
import type { HistoryRecord, Learned } from "./history-record.ts";
import { HistoryTable } from "./history-table.ts";
import type { PlaceRange, StoredEntry, TableExtent } from "./history-table.ts";
import { hostTable, type Hosted } from "./hosted-table.ts";
import type { HistoryCheck } from "./history-verify.ts";
import type { Salvaged } from "./salvage.ts";
import { eventsOf, type DatabaseOptions } from "./table-database.ts";

export type Places = Iterable<number> & ArrayLike<number>;

export interface HistorySearch extends PlaceRange {
  readonly filter: string;
  /** ms since the epoch, from which `since:2d` counts back */
  readonly now: Milliseconds;
  readonly signal: AbortSignal;
  /** Places of the found entries, newest first. */
  onFound(places: Places): void;
  /** Number of searched entries. */
  onProgress(looked: number): void;
}

/** The number of entries, and whether earlier places are still valid. */
export interface HistoryExtent {
  readonly count: number;
  /** True when the places of the previous extent are still valid. */
  readonly isContinued: boolean;
}

/** What became of payments, by order id; ids compare exactly. Pruned entries keep theirs. */
export interface Labels {
  /** Adds labels to those that their orders have, durably. @throws Fault("storage" | "corrupt"); Fault("bad_input") for no order id */
  set(labels: readonly OrderLabel[]): Promise<void>;
  /** Those of some orders that count as of a time; null for now. @throws Fault("corrupt") */
  of(orderIds: readonly string[], asOf: Milliseconds | null): Promise<ReadonlyMap<string, Label>>;
  /** All labelled orders, by their ids, in constant memory. @throws Fault("corrupt") */
  list(): AsyncGenerator<LabelledOrder>;
  /** Removes all labels of an order for good. @throws Fault("storage") */
  remove(orderId: string): Promise<void>;
}

export interface History {
  readonly labels: Labels;
  /** The checks of a profile from a time on whose rules the service said, by what became of them. */
  decided(profile: string, since: Milliseconds): Promise<DecidedGroup[]>;
  /**
   * Writes the intent of a check, durably. Without a later outcome it is read back with `result: null`: unknown.
   * @throws Fault("storage") when it could not be saved and must not be sent; Fault("bad_input") when the request holds card data
   */
  intend(entry: HistoryEntry): Promise<void>;
  /** Writes the outcome of an intent: result, final action, warnings and explanation. @throws Fault("storage") */
  settle(entry: HistoryEntry): Promise<void>;
  /** Writes the final action of an open `3ds_or_block`. @throws Fault("storage") */
  decide(id: string, finalAction: FinalAction): Promise<void>;
  /** Writes an explanation after the outcome. @throws Fault("storage") */
  explain(id: string, explanation: Explanation): Promise<void>;
  /** Replaces the user's note; null removes it. @throws Fault("storage"), Fault("bad_input") */
  annotate(id: string, note: string | null): Promise<void>;
  /** The newest `n` matching entries, newest first; reads from the end and no further than needed. */
  latest(n: number, predicate?: (entry: HistoryEntry) => boolean): Promise<HistoryEntry[]>;
  /**
   * The entry with this id, or the only one whose id starts with it; null when there is none.
   * @throws Fault("usage") when several start with it, Fault("corrupt") when it is damaged
   */
  find(idOrPrefix: string): Promise<HistoryEntry | null>;
  /** Every entry, newest first, in constant memory. */
  entries(): AsyncGenerator<HistoryEntry>;
  extent(): Promise<HistoryExtent>;
  /** Number of entries. */
  count(): Promise<number>;
  /** Entries by position, 0 for the newest, newest first; any page takes the same short time. */
  page(from: number, count: number): Promise<HistoryEntry[]>;
  /** Entries by their places, counted from the oldest, as a search finds them. */
  at(places: Iterable<number>): Promise<HistoryEntry[]>;
  /** The position of an entry; null when there is none with this id. */
  position(id: string): Promise<number | null>;
  /** Places of all entries in the order of a column. */
  order(sort: HistorySort): Promise<Uint32Array>;
  /**
   * Reports the places of matching entries, newest first, as they are found.
   * Resolves at the end, or when the signal fires.
   * @throws Fault("usage") for an invalid filter
   */
  search(search: HistorySearch): Promise<void>;
  /** Removes entries for good. @param onProgress entries removed, of all @throws Fault("storage") */
  prune(
    options: PruneOptions,
    signal: AbortSignal,
    onProgress: (done: number, all: number) => void,
  ): Promise<Pruned>;
  /** Verifies every page and row; null without a history. @param onProgress entries read, of all */
  verify(signal: AbortSignal, onProgress: (done: number, all: number) => void): Promise<HistoryCheck | null>;
  /**
   * Sets a damaged history aside and keeps the readable entries; null without a history.
   * @param now ms since the epoch @param onProgress entries saved, of all
   * @throws Fault("storage") with nothing changed
   */
  salvage(now: Milliseconds, onProgress: (done: number, all: number) => void): Promise<Salvaged | null>;
  /** True when any process has written since the last call. Cheap. */
  hasChanged(): Promise<boolean>;
  /** Waits for running writes, and ends running reads, which reject. */
  close(): Promise<void>;
  /** Damage found by reads since this history was opened. */
  readonly problems: readonly StoreProblem[];
}

/** The data of `Low`: the newest page, and pending records. */
interface Live {
  readonly newest: readonly StoredEntry[];
  readonly pending: HistoryRecord[];
}

/** Entries of the newest page. */
const PAGE = 200;

/**
 * All writes go through `Low.write`, and the newest page through `Low.read`. Other reads use the table directly, because a
 * million entries do not fit into the memory of `Low`.
 */
class LiveHistory implements Adapter<Live> {
  readonly #table: Hosted<HistoryTable>;
  /** The queue is separate, because `read` replaces the data of `Low`. */
  readonly #pending: HistoryRecord[] = [];

  constructor(table: Hosted<HistoryTable>) {
    this.#table = table;
  }

  async read(): Promise<Live> {
    return { newest: await this.#table.newest(PAGE), pending: this.#pending };
  }

  async write({ pending }: Live): Promise<void> {
    // Taken before the first await, so that each record is committed once and fails for its own caller only.
    const records = pending.splice(0);
    if (records.length > 0) await this.#table.commit(records);
  }
}

export interface HistoryOptions extends DatabaseOptions {
  /** True for the console, where every call goes to a worker so that no commit blocks drawing. */
  readonly inWorker?: boolean;
}

/** Opens a history; touches no file before the first call. */
export function openHistory(options: HistoryOptions): History {
  const { path } = options;
  const problems = new Map<string, StoreProblem>();
  const events = eventsOf(options, problems);
  const table: Hosted<HistoryTable> =
    options.inWorker === true
      ? hostTable("history", HistoryTable, path, events)
      : new HistoryTable(path, events);
  const live = new Low<Live>(new LiveHistory(table), { newest: [], pending: [] });
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
  const learn = (id: string, learned: Partial<Learned>): Promise<void> =>
    write({ type: "learned", id, learned });

  async function* entries(): AsyncGenerator<HistoryEntry> {
    await live.read();
    for (let { newest } = live.data, above = Infinity; newest.length > 0;) {
      for (const { entry } of newest) yield entry;
      const oldest = newest.at(-1)!.place;
      // A damaged place, behind which the same entries would be read again.
      if (oldest >= above) throw corrupt`The order of the history is damaged; ${whole(HISTORY.upkeep)}.`;
      above = oldest;
      newest = await table.newest(PAGE, oldest);
    }
  }

  async function* labelledOrders(): AsyncGenerator<LabelledOrder> {
    for (let after = ""; ;) {
      const page = await table.labelledOrders(after, PAGE);
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.orderId;
    }
  }

  const labels: Labels = {
    set: (given) => write({ type: "labelled", labels: given }),
    of: async (orderIds, asOf) =>
      new Map((await table.labels(orderIds)).flatMap((order) => labelAsOf(order, asOf))),
    list: labelledOrders,
    remove: (orderId) => write({ type: "unlabelled", orderId }),
  };

  const extent = async (): Promise<HistoryExtent> => {
    const now = await table.extent();
    const isContinued = known === null || (known.removed === now.removed && known.count <= now.count);
    known = now;
    return { count: now.count, isContinued };
  };

  return {
    labels,
    decided: (profile, since) => table.decided(profile, since),
    get problems() {
      return [...problems.values()];
    },
    intend: async (entry) => await write(intentRecord(entry)),
    settle: async (entry) => await write(outcomeRecord(entry)),
    decide: (id, finalAction) => learn(id, { finalAction }),
    explain: (id, explanation) => learn(id, { explanation }),
    annotate: async (id, note) => {
      if (findCardData(note) !== null) {
        throw badInput`The note holds a full card number and was not saved; remove it and try again.`;
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
    find: (idOrPrefix) => table.find(idOrPrefix),
    entries,
    extent,
    count: async () => (await table.extent()).count,
    page: (from, count) => table.page(from, count),
    at: (places) => table.at([...places]),
    position: (id) => table.position(id),
    order: (sort) => table.order(sort),
    search: async ({ signal: stopped, onFound, onProgress, ...search }) => {
      const closed = closing.signal;
      await table.search(search, AbortSignal.any([stopped, closed]), ({ found, looked }) => {
        if (found.length > 0) onFound(found);
        onProgress(looked);
      });
      // The search was cut short.
      closed.throwIfAborted();
    },
    prune: (what, stopped, onProgress) => table.prune(what, stopped, onProgress),
    verify: (stopped, onProgress) => table.verify(stopped, onProgress),
    salvage: (now, onProgress) => table.salvage(now, onProgress),
    hasChanged: async () => {
      const before = version;
      version = await table.version();
      return before !== undefined && before !== version;
    },
    close: async () => {
      closing.abort();
      closing = new AbortController();
      await Promise.allSettled(writing);
      await table.close();
    },
  };
}
