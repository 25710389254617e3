// The list of the History screen: its filter and order, and the page of entries in memory around the selection.

import type { StoreApi } from "zustand/vanilla";
import {
  completeFilter,
  filterMarks,
  isHalfTyped,
  meantBy,
  wrongFilter,
} from "#src/actions/history/complete-filter.ts";
import type { Context } from "#src/app/context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { HISTORY_ORDERS, isNewestFirst, type HistorySort } from "#src/contract/records/list-sort.ts";
import { FILTER_NOTES } from "#src/display/filter-notes.ts";
import { maskedFilter } from "#src/display/masked-words.ts";
import { changedSort, movedIndex, type ListMove } from "#src/state/list-selection.ts";
import { sentenceOf } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { extendedRange, isFull, RANGE_FULL, RANGE_MOST } from "./history-range.ts";
import { HistorySearch } from "./history-search.ts";
import type { HistoryViewState } from "./history-state.ts";

/** Entries in memory: those on the screen, and some before and behind. */
const PAGE = 200;
/** How near the selection comes to the end of them before others are read. */
const AHEAD = 60;

export function createHistoryList(context: Context, session: Session, store: StoreApi<HistoryViewState>) {
  const get = store.getState;
  const set = store.setState;
  const begin = (filter: string, sort: HistorySort): HistorySearch =>
    new HistorySearch(context, filter, sort, {
      onGrown: () => grown(),
      onFailed: (error) => set({ ...extent(), fault: sentenceOf(error), wrong: null }),
    });
  let search = begin("", get().sort);
  /** The last read that was begun; what an earlier one finds is out of date. */
  let generation = 0;
  /** It is under way, and reads on by itself what a search finds meanwhile. */
  let isReading = false;
  /** Where the selection will be once the entries there are read; null otherwise. */
  let pendingPosition: number | null = null;

  /** The extent of what is listed: the entries of the filter before stay until something of the new one is found. */
  const extent = (): Partial<HistoryViewState> => {
    const { total, progress, filter } = search;
    return get().filter === filter ? { total, progress } : { progress };
  };

  /** Runs a read; its result is dropped once a later one has begun. Faults are shown. */
  const attempt = async (read: (isLast: () => boolean) => Promise<void>): Promise<void> => {
    const mine = (generation += 1);
    isReading = true;
    try {
      await read(() => mine === generation);
    } catch (error) {
      if (mine === generation) set({ fault: sentenceOf(error), wrong: null, reading: "idle" });
    } finally {
      if (mine === generation) isReading = false;
    }
  };

  const show = (entries: readonly HistoryEntry[], offset: number, selectedId: string | null): void =>
    set(({ opened, marked, range }) => ({
      // Always the one that these entries passed, whichever read found them.
      filter: search.filter,
      marks: filterMarks(search.filter),
      meant: search.filter === "" || search.total !== 0 ? null : meantBy(search.filter, context.now()),
      sort: search.sort,
      entries,
      offset,
      total: search.total,
      progress: search.progress,
      reading: "idle",
      // What is wrong with what is being typed stays until that is mended.
      ...(session.store.getState().prompt === null
        ? { fault: search.failure === null ? null : sentenceOf(search.failure), wrong: null }
        : {}),
      selectedId,
      range: range === null || selectedId === null ? range : extendedRange(range, entries, selectedId),
      marked: entries.find((entry) => entry.id === marked?.id) ?? marked,
      opened: entries.find((entry) => entry.id === opened?.id) ?? opened,
    }));

  /** Reads the entries around a position, and selects one. @param also another position whose entry is needed */
  const readAround = async (
    position: number,
    select: string | null,
    isLast: () => boolean,
    also: number = position,
  ): Promise<void> => {
    const { total } = search;
    const at = Math.max(0, Math.min(position, total - 1));
    const count = PAGE + Math.abs(at - also);
    const offset = Math.max(0, Math.min(Math.min(at, also) - PAGE / 2, total - count));
    const entries = await search.page(offset, count);
    if (!isLast()) return;
    pendingPosition = null;
    // In another order the next older one is anywhere.
    const isNear = isNewestFirst(search.sort) || entries.some(({ id }) => id === select);
    const selected = select === null || !isNear ? entries[at - offset]?.id : nearestId(entries, select);
    show(entries, offset, selected ?? entries[0]?.id ?? null);
    // A search has found more while these were read.
    if (entries.length < count && search.total !== total)
      await readAround(position, get().selectedId, isLast, also);
  };

  /** A search has found more, or has ended. */
  const grown = (): void => {
    const { entries, offset, selectedId, filter } = get();
    set(extent());
    if (filter !== search.filter) return;
    const isShort = offset === 0 && entries.length < PAGE && search.total > entries.length;
    if (isShort && !isReading) void attempt((isLast) => readAround(0, selectedId, isLast));
  };

  const sayIfFull = (): void => {
    const { range, selectedId } = get();
    if (range !== null && selectedId !== null && isFull(range, selectedId)) session.say(RANGE_FULL, "note");
  };

  const moveTo = (position: number): void => {
    const { entries, offset, total, range, selectedId } = get();
    const entry = entries[position - offset];
    const at = offset + entries.findIndex(({ id }) => id === selectedId);
    if (range !== null && Math.abs(position - at) >= RANGE_MOST) return session.say(RANGE_FULL, "note");
    set({ following: position === 0 && isNewestFirst(search.sort) });
    if (entry === undefined) {
      pendingPosition = position;
      void attempt((isLast) => readAround(position, null, isLast, range === null ? position : at)).then(
        sayIfFull,
      );
      return;
    }
    pendingPosition = null;
    if (entry.id !== selectedId) {
      const longer = range === null ? null : extendedRange(range, entries, entry.id);
      set({ selectedId: entry.id, scroll: 0, range: longer });
      sayIfFull();
    }
    const nearEnd = position >= offset + entries.length - AHEAD && offset + entries.length < total;
    const nearStart = position < offset + AHEAD && offset > 0;
    if (nearEnd || nearStart) void attempt((isLast) => readAround(position, get().selectedId, isLast));
  };

  /** @param anchor selected afterwards, or the next older one; null for the newest, by default the selected one */
  const setFilter = (filter: string, anchor: string | null = get().selectedId): Promise<void> =>
    attempt(async (isLast) => {
      // What it finds is in the list, which an open detail may cover.
      set({ opened: null, scroll: 0, range: null });
      search.stop();
      search = begin(filter, search.sort);
      await search.refresh();
      if (!isLast()) return;
      const at = anchor === null ? null : await search.position(anchor);
      await readAround(at ?? 0, at === null ? null : anchor, isLast);
      set({ following: isOnNewest(get()) });
    });

  /** False for a wrong filter: `fault` and `wrong` say where. */
  const compiles = (filter: string): boolean => {
    const fault = wrongFilter(filter, context.now());
    const wrong = fault === null ? null : { filter, column: fault.column, length: fault.length };
    set({ fault: fault?.message ?? null, wrong });
    return fault === null;
  };

  /** The last filters, newest first. A convenience: the doctor reports a damaged file, and filtering works without it. */
  let recent: readonly string[] = [];
  let recentRead: Promise<void> | null = null;
  const readRecent = async (): Promise<void> => {
    const kept = await (await context.filters()).list().catch(() => []);
    recent = [...new Set([...recent, ...kept])];
  };
  /** Offered at once, even where it cannot be written. */
  const remember = async (filter: string): Promise<void> => {
    recent = [...new Set([filter, ...recent])];
    await (await context.filters()).remember(filter).catch(() => undefined);
  };

  return {
    /** Reads the page again; the first time the last filters, too. Never rejects. */
    async load() {
      // With the first rows there, a filter can be asked for: the last ones are in reach by then.
      await (recentRead ??= readRecent());
      await attempt(async (isLast) => {
        await search.refresh();
        const { selectedId, offset, entries } = get();
        const index = entries.findIndex((entry) => entry.id === selectedId);
        const position = selectedId === null || index < 0 ? null : await search.position(selectedId);
        if (isFollowing(get())) await readAround(0, null, isLast);
        else await readAround(position ?? offset + Math.max(0, index), selectedId, isLast);
        set({ problems: (await context.history()).problems.map(({ message }) => message) });
      });
    },
    /** Moves the selection; reads on when it comes near the end of the page. */
    select(move: ListMove) {
      const { entries, offset, total, selectedId } = get();
      const at = pendingPosition ?? offset + entries.findIndex((entry) => entry.id === selectedId);
      const count = Math.max(total, offset + entries.length);
      if (count > 0) moveTo(movedIndex(at, move, count));
    },
    /** Follows the newest entry, or stays where it is. */
    toggleFollowing() {
      const following = !get().following;
      set({ following });
      if (following && get().entries.length > 0) moveTo(0);
    },
    /** Lists the same by the next column, or in the opposite order, from the first on. */
    sort: (how: "next" | "turned") =>
      attempt(async (isLast) => {
        set({ range: null });
        await search.setSort(changedSort(HISTORY_ORDERS, search.sort, how));
        if (!isLast()) return;
        await readAround(0, null, isLast);
        set({ following: isOnNewest(get()), scroll: 0 });
      }),
    /** Applies a filter; false when it is wrong: `fault` says where. */
    async applyFilter(filter: string) {
      const trimmed = filter.trim();
      if (!compiles(trimmed)) return false;
      await setFilter(trimmed);
      return true;
    },
    /**
     * Lists what a filter accepts while it is typed; a wrong one is marked below the list, and asked for again.
     * @returns false after Esc, which brings back what was there before
     */
    async askFilter() {
      const { following, selectedId, opened, scroll } = get();
      const anchor = following ? null : selectedId;
      const before = search;
      const onChange = (text: string): void => {
        const filter = text.trim();
        set({ fault: null, wrong: null });
        // What cannot be applied yet keeps the list of what could be.
        if (isHalfTyped(text) || wrongFilter(filter, context.now()) !== null) return;
        if (filter !== search.filter) void setFilter(filter, anchor);
      };
      let filter: string | null = before.filter;
      do {
        filter = await session.askUntil({
          label: "Filter",
          initial: filter,
          placeholder: "verdict:block amount>100000",
          help: FILTER_NOTES,
          isPublic: (text) => maskedFilter(text) === text,
          recall: recent,
          complete: (text) => completeFilter(text, context.now(), context.profile.amountUnit),
          onChange,
        });
      } while (filter !== null && !compiles(filter));
      if (filter !== null) {
        if (filter !== "") void remember(filter);
        if (filter !== search.filter || search === before) void setFilter(filter);
        return true;
      }
      set({ fault: null, wrong: null });
      if (search === before) return false;
      void setFilter(before.filter, anchor);
      set({ opened, scroll });
      return false;
    },
  };
}

/** While an entry is open, or a range, new entries do not move the selection. */
function isFollowing({ following, opened, compared, range }: HistoryViewState): boolean {
  return following && opened === null && compared === null && range === null;
}

export function isOnNewest({ offset, entries, selectedId, sort }: HistoryViewState): boolean {
  return isNewestFirst(sort) && offset === 0 && entries[0]?.id === selectedId;
}

/** The entry itself, else the next older one, so that a list that lost its selected row does not jump. Ids sort by time. */
function nearestId(entries: readonly HistoryEntry[], id: string | null): string | null {
  if (id === null) return entries[0]?.id ?? null;
  const found = entries.find((entry) => entry.id === id) ?? entries.find((entry) => entry.id < id);
  return (found ?? entries.at(-1))?.id ?? null;
}
