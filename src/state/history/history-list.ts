// The list behind the History screen: all entries, or those that a filter accepts as they are found; any page of it in the
// same short time, whatever its length.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";

export interface Looked {
  /** Entries looked at, of all. */
  readonly done: number;
  readonly all: number;
}

/** A search through no more than these is over before it would be seen. */
const WAITED_FOR = 5_000;
/** So many of the newest entries are looked at again after a change: an outcome may have come since. */
const RECHECK = 500;

export class HistoryList {
  readonly #context: ActionContext;
  readonly #onGrown: () => void;
  #filter = "";
  /** ms since the epoch, when the filter was set: an age in it counts back from there. */
  #filterAt = 0;
  /** Entries in all, as far as known; null before the first count. */
  #all: number | null = null;
  /** Places of what the filter accepts, newest first. */
  #places = new Uint32Array(1_024);
  #found = 0;
  #looked: Looked | null = null;
  #searching: AbortController | null = null;
  /** What was searched, or is being: entries from here on have not been looked at. */
  #searchedTo = 0;
  /** Counts the filters that were set. */
  #turn = 0;

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

  /** How far a search is; null when none is under way. */
  get looked(): Looked | null {
    return this.#looked;
  }

  /** Entries in the list so far; null while it is not known. */
  get total(): number | null {
    return this.#filter === "" ? this.#all : this.#found;
  }

  async page(from: number, count: number): Promise<HistoryEntry[]> {
    const history = await this.#context.history();
    if (this.#filter === "") return await history.page(from, count);
    // A copy: a search may go on meanwhile, or start anew.
    return await history.at(this.#places.slice(from, Math.min(this.#found, from + count)));
  }

  /** Where an entry stands in the list; null when it does not. */
  async position(id: string): Promise<number | null> {
    const position = await (await this.#context.history()).position(id);
    if (position === null || this.#filter === "") return position;
    const place = (this.#all ?? 0) - 1 - position;
    const found = this.#places.subarray(0, this.#found).indexOf(place);
    return found < 0 ? null : found;
  }

  /** Takes in what was written since. A search under way goes on. */
  async refresh(): Promise<void> {
    const isFirst = this.#all === null;
    const { count, isContinued } = await (await this.#context.history()).extent();
    this.#all = count;
    if (this.#filter === "" || isFirst) return;
    if (!isContinued) return await this.#search(0, count, []);
    if (this.#searching !== null) return;
    const from = Math.max(0, Math.min(this.#searchedTo, count) - RECHECK);
    const older = this.#places.subarray(0, this.#found).filter((place) => place < from);
    await this.#search(from, count, older);
  }

  /**
   * Sets another filter, empty for none, and starts to search; resolves with the first found, or at the end.
   * @throws Fault("usage") for a wrong one is up to the caller, who compiles it first
   */
  async setFilter(filter: string): Promise<void> {
    this.stop();
    const turn = (this.#turn += 1);
    this.#filter = filter;
    this.#filterAt = this.#context.now();
    this.#found = 0;
    const { count } = await (await this.#context.history()).extent();
    // Another filter was set meanwhile.
    if (turn !== this.#turn) return;
    this.#all = count;
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
    this.#found = 0;
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
          this.#add(places);
          if (to - from > WAITED_FOR) settle();
        },
        onProgress: (done) => {
          if (!isMine()) return;
          this.#looked = { done, all: to - from };
          this.#onGrown();
        },
      });
      const end = (): void => {
        if (isMine()) {
          this.#add(older);
          this.stop();
          this.#onGrown();
          // Written since the search began.
          if ((this.#all ?? 0) > to) this.refresh().catch(this.#onFailed);
        }
        settle();
      };
      const fail = (error: unknown): void => {
        if (!isMine()) return settle();
        this.#add(older);
        this.stop();
        if (isAwaited) reject(error);
        else this.#onFailed(error);
      };
      searched.then(end, fail);
    });
  }

  #add(places: ArrayLike<number>): void {
    if (this.#found + places.length > this.#places.length) {
      const larger = new Uint32Array(2 * (this.#found + places.length));
      larger.set(this.#places.subarray(0, this.#found));
      this.#places = larger;
    }
    this.#places.set(places, this.#found);
    this.#found += places.length;
  }
}
