// The list behind the History screen: all entries, or those that a filter accepts as they are found; any page of it in the
// same short time.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { isNewestFirst, type HistorySort } from "#src/contract/records/list-sort.ts";

export interface Looked {
  /** Entries searched, of all. */
  readonly done: number;
  readonly all: number;
}

/** A search through no more than these is over before it would be seen. */
const WAITED_FOR = 5_000;
/** The newest entries that are searched again after a change: an outcome may have come since. */
const RECHECK = 500;

export class HistoryList {
  readonly #context: ActionContext;
  readonly #onGrown: () => void;
  #filter = "";
  /** ms since the epoch, when the filter was set: an age in it counts back from there. */
  #filterAt = 0;
  #sort: HistorySort = { by: "time", turned: false };
  /** Places of all entries in that order; null for newest first. */
  #order: Uint32Array | null = null;
  /** Entries in all, as far as known; null before the first count. */
  #all: number | null = null;
  readonly #found = new Places();
  #looked: Looked | null = null;
  #searching: AbortController | null = null;
  /** What was searched, or is being: entries from here on have not been searched. */
  #searchedTo = 0;
  /** Counts the filters that were set. */
  #generation = 0;

  readonly #onFailed: (error: unknown) => void;

  /**
   * @param onGrown called when a search has found more, or has ended
   * @param onFailed called when one fails that has found something before
   */
  constructor(context: ActionContext, onGrown: () => void, onFailed: (error: unknown) => void) {
    this.#context = context;
    this.#onGrown = onGrown;
    this.#onFailed = onFailed;
  }

  get filter(): string {
    return this.#filter;
  }

  get sort(): HistorySort {
    return this.#sort;
  }

  /** How far a search is; null when none is under way. */
  get looked(): Looked | null {
    return this.#looked;
  }

  /** Entries in the list so far; null while it is not known. */
  get total(): number | null {
    return this.#filter === "" ? this.#all : this.#found.count;
  }

  async page(from: number, count: number): Promise<HistoryEntry[]> {
    const history = await this.#context.history();
    const listed = this.#listed();
    if (listed === null) return await history.page(from, count);
    // A copy: a concurrent search may add to the array or restart it.
    return await history.at(listed.slice(from, from + count));
  }

  /** Places in the order of the list; null where they are all of them, newest first. */
  #listed(): Uint32Array | null {
    const found = this.#filter === "" ? null : this.#found.all();
    if (this.#order === null || found === null) return this.#order ?? found;
    const accepted = new Uint8Array(this.#order.length);
    for (const place of found) accepted[place] = 1;
    return this.#order.filter((place) => accepted[place] === 1);
  }

  /** Where an entry stands in the list, or the next older one; null when there is none, or it is not found yet. */
  async position(id: string): Promise<number | null> {
    const position = await (await this.#context.history()).position(id);
    const listed = this.#listed();
    if (position === null || listed === null) return position;
    const place = (this.#all ?? 0) - 1 - position;
    const at = this.#order === null ? listed.findIndex((each) => each <= place) : listed.indexOf(place);
    return at < 0 ? null : at;
  }

  /** Lists the same in another order; a search under way begins again. */
  async setSort(sort: HistorySort): Promise<void> {
    this.#sort = sort;
    this.#all ??= (await (await this.#context.history()).extent()).count;
    await this.#readOrder();
    if (this.#looked !== null && sort === this.#sort) await this.#search(0, this.#all ?? 0, []);
  }

  async #readOrder(): Promise<void> {
    const sort = this.#sort;
    const order = isNewestFirst(sort) ? null : await (await this.#context.history()).order(sort);
    if (sort === this.#sort) this.#order = order;
  }

  /** Takes in what was written since. A search under way goes on. */
  async refresh(): Promise<void> {
    const isFirst = this.#all === null;
    const { count, isContinued } = await (await this.#context.history()).extent();
    this.#all = count;
    await this.#readOrder();
    if (this.#filter === "" || isFirst) return;
    if (!isContinued) return await this.#search(0, count, []);
    if (this.#searching !== null) return;
    const from = Math.max(0, Math.min(this.#searchedTo, count) - RECHECK);
    const older = this.#found.all().filter((place) => place < from);
    await this.#search(from, count, older);
  }

  /**
   * Sets another filter, empty for none, and starts to search; resolves with the first found, or at the end.
   * @throws Fault("usage") for a wrong one is up to the caller, who compiles it first
   */
  async setFilter(filter: string): Promise<void> {
    this.stop();
    const generation = (this.#generation += 1);
    this.#filter = filter;
    this.#filterAt = this.#context.now();
    this.#found.clear();
    const { count } = await (await this.#context.history()).extent();
    // Another filter was set since.
    if (generation !== this.#generation) return;
    this.#all = count;
    await this.#readOrder();
    if (generation !== this.#generation) return;
    if (filter !== "") await this.#search(0, this.#all, []);
  }

  /** Ends a search under way. */
  stop(): void {
    this.#searching?.abort();
    this.#searching = null;
    this.#looked = null;
  }

  /** Resolves with the first found, or at the end; the rest comes by `onGrown`. A short list is searched to its end. */
  async #search(from: number, to: number, older: ArrayLike<number>): Promise<void> {
    this.stop();
    const searching = new AbortController();
    this.#searching = searching;
    const isMine = (): boolean => this.#searching === searching;
    const history = await this.#context.history();
    if (!isMine()) return;
    this.#found.clear();
    this.#searchedTo = to;
    this.#looked = { done: 0, all: to - from };
    await new Promise<void>((resolve, reject) => {
      let isAwaited = true;
      const settle = (): void => {
        isAwaited = false;
        resolve();
      };
      const searched = history.search({
        filter: this.#filter,
        now: this.#filterAt,
        from,
        to,
        signal: searching.signal,
        onFound: (places) => {
          if (!isMine()) return;
          this.#found.add(places);
          // In another order the first of all may be found last.
          if (to - from > WAITED_FOR && this.#order === null) settle();
        },
        onProgress: (done) => {
          if (!isMine()) return;
          this.#looked = { done, all: to - from };
          this.#onGrown();
        },
      });
      const end = (): void => {
        if (isMine()) {
          this.#found.add(older);
          this.stop();
          this.#onGrown();
          // Written since the search began.
          if ((this.#all ?? 0) > to) this.refresh().catch(this.#onFailed);
        }
        settle();
      };
      const fail = (error: unknown): void => {
        if (!isMine()) return settle();
        this.#found.add(older);
        this.stop();
        if (isAwaited) reject(error);
        else this.#onFailed(error);
      };
      searched.then(end, fail);
    });
  }
}

/** Positions in the history of the entries that a filter accepts, newest first. */
class Places {
  #places = new Uint32Array(1_024);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  add(places: ArrayLike<number>): void {
    if (this.#count + places.length > this.#places.length) {
      const larger = new Uint32Array(2 * (this.#count + places.length));
      larger.set(this.all());
      this.#places = larger;
    }
    this.#places.set(places, this.#count);
    this.#count += places.length;
  }

  /** A view, until more are added. */
  all(): Uint32Array {
    return this.#places.subarray(0, this.#count);
  }
}
