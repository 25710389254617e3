// What the History screen lists: all entries, or those that a filter accepts as they are found; any page of it in the same
// short time.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { isNewestFirst, type HistorySort } from "#src/contract/records/list-sort.ts";

export interface SearchProgress {
  /** Entries searched, of all. */
  readonly done: number;
  readonly all: number;
}

/** A search through no more than these is over before it would be seen. */
const WAITED_FOR = 5_000;
/** The newest entries that are searched again after a change: an outcome may have come since. */
const RECHECK = 500;

interface SearchRange {
  /** The first place, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
}

interface SearchListener {
  /** The search has found more, or has ended. */
  onGrown(): void;
  onFailed(error: unknown): void;
}

/** What one filter accepts. Another filter is another search. */
export class HistorySearch {
  readonly filter: string;
  /** How far the search is; null when none is under way. */
  progress: SearchProgress | null = null;
  /** What ended the last search before its end, so that more may be accepted than was found; null for nothing. */
  failure: unknown = null;
  readonly #context: ActionContext;
  readonly #listener: SearchListener;
  /** ms since the epoch: an age in the filter counts back from there. */
  readonly #now: number;
  #sort: HistorySort;
  /** Places of all entries in that order; null for newest first. */
  #order: Uint32Array | null = null;
  /** Entries in all, as of the last refresh. */
  #all = 0;
  /** Places of those that are accepted, newest first. */
  #found: number[] = [];
  /** Entries from here on have not been searched. */
  #searchedTo = 0;
  #searching: AbortController | null = null;
  #ended = Promise.resolve();
  #isStopped = false;

  /** Reads nothing before the first refresh. @param filter one that compiles; empty for everything */
  constructor(context: ActionContext, filter: string, sort: HistorySort, listener: SearchListener) {
    this.#context = context;
    this.filter = filter;
    this.#sort = sort;
    this.#listener = listener;
    this.#now = context.now();
  }

  get sort(): HistorySort {
    return this.#sort;
  }

  /** Entries in the list so far. */
  get total(): number {
    return this.filter === "" ? this.#all : this.#found.length;
  }

  async page(from: number, count: number): Promise<HistoryEntry[]> {
    const history = await this.#context.history();
    const listed = this.#listed();
    return await (listed === null ? history.page(from, count) : history.at(listed.slice(from, from + count)));
  }

  /** Places in the order of the list; null where they are all of them, newest first. */
  #listed(): Uint32Array | number[] | null {
    const found = this.filter === "" ? null : this.#found;
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
    const place = this.#all - 1 - position;
    const at = this.#order === null ? listed.findIndex((each) => each <= place) : listed.indexOf(place);
    return at < 0 ? null : at;
  }

  /** Lists the same in another order, in which the first of all may be found last. */
  async setSort(sort: HistorySort): Promise<void> {
    this.#sort = sort;
    await this.#readOrder();
    if (!isNewestFirst(sort)) await this.#ended;
  }

  async #readOrder(): Promise<void> {
    const sort = this.#sort;
    const order = isNewestFirst(sort) ? null : await (await this.#context.history()).order(sort);
    if (sort === this.#sort) this.#order = order;
  }

  /** Takes in what was written since; resolves with the first found, or at the end. A search under way goes on. */
  async refresh(): Promise<void> {
    const { count, isContinued } = await (await this.#context.history()).extent();
    this.#all = count;
    await this.#readOrder();
    if (!isContinued) {
      this.#searching?.abort();
      this.#searching = null;
      this.#searchedTo = 0;
    }
    if (this.filter === "" || this.#isStopped || this.#searching !== null) return;
    await this.#search(Math.max(0, this.#searchedTo - RECHECK), count);
  }

  /** Nothing is found or said any more. */
  stop(): void {
    this.#isStopped = true;
    this.#searching?.abort();
  }

  async #search(from: number, to: number): Promise<void> {
    const searching = new AbortController();
    this.#searching = searching;
    await new Promise<void>((resolve, reject) => {
      this.#ended = this.#find({ from, to, signal: searching.signal }, resolve);
      this.#ended.then(resolve, reject);
    });
  }

  /** @param onFirst called when what was found can be listed before the end */
  async #find(range: SearchRange, onFirst: () => void): Promise<void> {
    const { from, to, signal } = range;
    const all = to - from;
    const found: number[] = [];
    const older = this.#found.filter((place) => place < from);
    // The first is listed as it goes on; what was found before stays until the end.
    if (this.#searchedTo === 0) this.#found = found;
    this.progress = { done: 0, all };
    this.failure = null;
    const onFound = (places: Iterable<number>): void => {
      for (const place of places) found.push(place);
      if (all > WAITED_FOR && this.#order === null) onFirst();
    };
    const onProgress = (done: number): void => {
      if (signal.aborted) return;
      this.progress = { done, all };
      this.#listener.onGrown();
    };
    const asked = { filter: this.filter, now: this.#now, ...range, onFound, onProgress };
    const history = await this.#context.history();
    const [ended] = await Promise.allSettled([history.search(asked)]);
    if (signal.aborted) return;
    this.#found = found.concat(older);
    this.#searching = null;
    this.progress = null;
    if (ended.status === "rejected") {
      this.failure = ended.reason;
      this.#listener.onFailed(ended.reason);
      throw ended.reason;
    }
    this.#searchedTo = to;
    this.#listener.onGrown();
    // Written since the search began.
    if (this.#all > to) this.refresh().catch(this.#listener.onFailed);
  }
}
