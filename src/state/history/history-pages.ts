// The page of history entries in memory around the selection.

import type { StoreApi } from "zustand/vanilla";
import { filterMarks, meantBy } from "#src/actions/history/complete-filter.ts";
import { findHistory } from "#src/actions/history/find-history.ts";
import type { Context } from "#src/app/context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { HISTORY_ORDERS, isNewestFirst } from "#src/contract/records/list-sort.ts";
import { changedSort, movedIndex, type ListMove } from "#src/state/list-selection.ts";
import { sentenceOf } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { HistoryList } from "./history-list.ts";
import { extendedRange, isFull, RANGE_FULL, RANGE_MOST } from "./history-range.ts";
import type { HistoryViewState } from "./history-state.ts";

/** Entries in memory: those on the screen, and some before and behind. */
const PAGE = 200;
/** How near the selection comes to the end of them before others are read. */
const AHEAD = 60;

/** @param onShown called after every read whose entries are shown */
export function createHistoryPages(
  context: Context,
  session: Session,
  store: StoreApi<HistoryViewState>,
  onShown: () => void,
) {
  const get = store.getState;
  const list = new HistoryList(
    context,
    () => void grown(),
    (error) => store.setState({ ...extentOf(list), fault: sentenceOf(error), wrong: null }),
  );
  /** The last read that was begun; what an earlier one finds is out of date. */
  let generation = 0;
  /** It is under way, and reads on by itself what a search finds meanwhile. */
  let isReading = false;
  /** Where the selection is going while the entries there are being read; null otherwise. */
  let going: number | null = null;

  const show = (entries: readonly HistoryEntry[], offset: number, selectedId: string | null): void => {
    store.setState(({ opened, marked, range }) => ({
      // Always the one that these entries passed, whichever read found them.
      filter: list.filter,
      marks: filterMarks(list.filter),
      meant: list.filter === "" || list.total !== 0 ? null : meantBy(list.filter, context.now()),
      sort: list.sort,
      entries,
      offset,
      ...extentOf(list),
      reading: "idle",
      // What is wrong with what is being typed stays until that is mended.
      ...(session.store.getState().prompt === null ? { fault: null, wrong: null } : {}),
      selectedId,
      range: range === null || selectedId === null ? range : extendedRange(range, entries, selectedId),
      marked: entries.find((entry) => entry.id === marked?.id) ?? marked,
      opened: entries.find((entry) => entry.id === opened?.id) ?? opened,
    }));
    onShown();
  };

  /** Runs a read; its result is dropped once a later one has begun. Faults are shown. */
  const attempt = async (read: (isLast: () => boolean) => Promise<void>): Promise<void> => {
    const mine = (generation += 1);
    isReading = true;
    try {
      await read(() => mine === generation);
    } catch (error) {
      if (mine === generation) store.setState({ fault: sentenceOf(error), wrong: null, reading: "idle" });
    } finally {
      if (mine === generation) isReading = false;
    }
  };

  /** Reads the entries around a position, and selects one. @param also another position whose entry is needed */
  const readAround = async (
    position: number,
    select: string | null,
    isLast: () => boolean,
    also: number = position,
  ): Promise<void> => {
    const { total } = list;
    const at = Math.max(0, Math.min(position, (total ?? 0) - 1));
    const count = PAGE + Math.abs(at - also);
    const offset = Math.max(0, Math.min(Math.min(at, also) - PAGE / 2, (total ?? 0) - count));
    const entries = await list.page(offset, count);
    if (!isLast()) return;
    going = null;
    // In another order the next older one is anywhere.
    const isNear = isNewestFirst(list.sort) || entries.some(({ id }) => id === select);
    const selected = select === null || !isNear ? entries[at - offset]?.id : nearestId(entries, select);
    show(entries, offset, selected ?? entries[0]?.id ?? null);
    // A search has found more while these were read.
    if (entries.length < count && list.total !== total)
      await readAround(position, get().selectedId, isLast, also);
  };

  /** The newest entries, then the number of all of them. */
  const readFirst = async (isLast: () => boolean): Promise<void> => {
    const { entries, problems } = await findHistory(context, undefined, PAGE);
    if (!isLast()) return;
    show(entries, 0, isFollowing(get()) ? (entries[0]?.id ?? null) : nearestId(entries, get().selectedId));
    const complete = entries.length < PAGE;
    store.setState({ problems, total: entries.length, complete });
    if (complete) return;
    await list.refresh();
    if (isLast()) store.setState({ ...extentOf(list), problems: await problemsNow() });
  };

  const readAgain = async (isLast: () => boolean): Promise<void> => {
    await list.refresh();
    const { selectedId, offset, entries } = get();
    if (isFollowing(get())) await readAround(0, null, isLast);
    else {
      const index = entries.findIndex((entry) => entry.id === selectedId);
      const position = selectedId === null || index < 0 ? null : await list.position(selectedId);
      await readAround(position ?? offset + Math.max(0, index), selectedId, isLast);
    }
    store.setState({ problems: await problemsNow() });
  };

  const problemsNow = async (): Promise<readonly string[]> =>
    (await context.history()).problems.map(({ message }) => message);

  /** A search has found more, or has ended. */
  const grown = async (): Promise<void> => {
    const { entries, offset, selectedId, filter } = get();
    // Those of the filter before stay until something is found.
    if (filter !== list.filter) return store.setState({ looked: list.looked });
    store.setState(extentOf(list));
    const missing = offset === 0 && entries.length < PAGE && (list.total ?? 0) > entries.length;
    if (missing && !isReading) await attempt((isLast) => readAround(0, selectedId, isLast));
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
    store.setState({ following: position === 0 && isNewestFirst(list.sort) });
    if (entry === undefined) {
      going = position;
      void attempt((isLast) => readAround(position, null, isLast, range === null ? position : at)).then(
        sayIfFull,
      );
      return;
    }
    going = null;
    if (entry.id !== selectedId) {
      const longer = range === null ? null : extendedRange(range, entries, entry.id);
      store.setState({ selectedId: entry.id, scroll: 0, range: longer });
      sayIfFull();
    }
    const nearEnd = position >= offset + entries.length - AHEAD && offset + entries.length < total;
    const nearStart = position < offset + AHEAD && offset > 0;
    if (nearEnd || nearStart) {
      void attempt(async (isLast) => readAround(position, get().selectedId, isLast));
    }
  };

  return {
    /** Reads the page again; the first time the newest entries. */
    load: () => attempt((isLast) => (list.total === null ? readFirst(isLast) : readAgain(isLast))),
    /** Moves the selection; reads on when it comes near the end of the page. */
    select: (move: ListMove) => {
      const { entries, offset, total, selectedId, complete } = get();
      const at = going ?? offset + entries.findIndex((entry) => entry.id === selectedId);
      const count = Math.max(total, offset + entries.length);
      if (count === 0) return;
      moveTo(movedIndex(at, move, count));
      // The end is not known before they are counted.
      if (move === "last" && !complete && get().looked === null && list.total === null) {
        void attempt(async (isLast) => {
          await list.refresh();
          await readAround((list.total ?? 1) - 1, null, isLast);
        });
      }
    },
    selectNewest() {
      if (get().entries.length > 0) moveTo(0);
    },
    /**
     * Lists what a filter accepts, empty for everything; a later one takes the place of an earlier.
     * @param filter one that compiles
     * @param anchor selected afterwards, or the next older one; null for the newest, by default the selected one
     */
    setFilter: (filter: string, anchor: string | null = get().selectedId) =>
      attempt(async (isLast) => {
        store.setState({ range: null });
        await list.setFilter(filter);
        if (!isLast()) return;
        const at = anchor === null ? null : await list.position(anchor);
        await readAround(at ?? 0, at === null ? null : anchor, isLast);
        store.setState({ following: isOnNewest(get()) });
      }),
    /** Lists the same by the next column, or in the opposite order, from the first on. */
    sort: (how: "next" | "turned") =>
      attempt(async (isLast) => {
        store.setState({ range: null });
        await list.setSort(changedSort(HISTORY_ORDERS, list.sort, how));
        if (!isLast()) return;
        await readAround(0, null, isLast);
        store.setState({ following: isOnNewest(get()), scroll: 0 });
      }),
  };
}

export type HistoryPages = ReturnType<typeof createHistoryPages>;

/** While an entry is open, or a range, new entries do not move the selection. */
function isFollowing({ following, opened, compared, range }: HistoryViewState): boolean {
  return following && opened === null && compared === null && range === null;
}

export function isOnNewest({ offset, entries, selectedId, sort }: HistoryViewState): boolean {
  return isNewestFirst(sort) && offset === 0 && entries[0]?.id === selectedId;
}

function extentOf({ total, looked }: HistoryList): Pick<HistoryViewState, "total" | "complete" | "looked"> {
  return { total: total ?? 0, complete: total !== null && looked === null, looked };
}

/** The entry itself, else the next older one, so that a list that lost its selected row does not jump. Ids sort by time. */
function nearestId(entries: readonly HistoryEntry[], id: string | null): string | null {
  if (id === null) return entries[0]?.id ?? null;
  const found = entries.find((entry) => entry.id === id) ?? entries.find((entry) => entry.id < id);
  return (found ?? entries.at(-1))?.id ?? null;
}
