// The filter of the History screen: prompts for it, applies it while it is typed, and remembers it.

import type { StoreApi } from "zustand/vanilla";
import { completeFilter, isHalfTyped, wrongFilter } from "#src/actions/history/complete-filter.ts";
import type { Context } from "#src/app/context.ts";
import { FILTER_NOTES } from "#src/display/filter-notes.ts";
import { maskedFilter } from "#src/display/masked-words.ts";
import type { Session } from "#src/state/session.ts";
import type { HistoryPages } from "./history-pages.ts";
import type { HistoryViewState } from "./history-state.ts";

/** @param pages lists what a filter accepts */
export function createHistoryFilter(
  context: Context,
  session: Session,
  store: StoreApi<HistoryViewState>,
  pages: Pick<HistoryPages, "setFilter">,
) {
  /** The last filters, newest first, once they were read. */
  let lastFilters: readonly string[] | null = null;
  /** The filters are a convenience: the doctor reports a damaged file, and filtering works without it. */
  const load = async (): Promise<void> => {
    if (lastFilters !== null) return;
    lastFilters = [];
    const kept = await (await context.filters()).list().catch(() => []);
    lastFilters = [...new Set([...lastFilters, ...kept])];
  };

  /** Offered at once, even where it cannot be written. */
  const keepFilter = async (filter: string): Promise<void> => {
    lastFilters = [...new Set([filter, ...(lastFilters ?? [])])];
    await (await context.filters()).remember(filter).catch(() => undefined);
  };

  /** False for a wrong filter: `fault` and `wrong` say where. */
  const compiles = (filter: string): boolean => {
    const fault = wrongFilter(filter, context.now());
    const wrong = fault === null ? null : { filter, column: fault.column, length: fault.length };
    store.setState({ fault: fault?.message ?? null, wrong });
    return fault === null;
  };

  /** @param anchor the entry that stays selected, or the next older one; null for the newest */
  const show = (filter: string, anchor?: string | null): Promise<void> => {
    // What it finds is in the list, which an open detail may cover.
    store.setState({ opened: null, scroll: 0 });
    return pages.setFilter(filter, anchor);
  };

  const apply = async (filter: string): Promise<boolean> => {
    const trimmed = filter.trim();
    if (!compiles(trimmed)) return false;
    await show(trimmed);
    return true;
  };

  /** Lists what a filter accepts while it is typed; a wrong one is marked below the list, and asked for again. */
  const ask = async (): Promise<boolean> => {
    const before = store.getState();
    const anchor = before.following ? null : before.selectedId;
    /** The last one that was applied while it was typed. */
    let live: string | null = null;
    const onChange = (text: string): void => {
      const filter = text.trim();
      store.setState({ fault: null, wrong: null });
      // What cannot be applied yet keeps the list of what could be.
      if (isHalfTyped(text) || wrongFilter(filter, context.now()) !== null) return;
      if (filter === (live ?? store.getState().filter)) return;
      live = filter;
      void show(filter, anchor);
    };
    let initial = before.filter;
    for (;;) {
      const filter = await session.askUntil({
        label: "Filter",
        initial,
        placeholder: "verdict:block amount>100000",
        help: FILTER_NOTES,
        isPublic: (text) => maskedFilter(text) === text,
        recall: lastFilters ?? [],
        complete: (text) => completeFilter(text, context.now()),
        onChange,
      });
      if (filter === null) break;
      initial = filter;
      if (!compiles(filter)) continue;
      if (filter !== "") void keepFilter(filter);
      if (filter !== live) void show(filter);
      return true;
    }
    store.setState({ fault: null, wrong: null });
    if (store.getState().filter === before.filter && live === null) return false;
    void show(before.filter, anchor);
    store.setState({ opened: before.opened, scroll: before.scroll });
    return false;
  };

  return {
    /** Reads the filters that were used last, once. Never rejects. */
    load,
    /** Asks for a filter and lists what it accepts while it is typed. @returns false after Esc, which brings back what was there before */
    ask,
    /** Applies a filter; false when it is wrong: `fault` says where. */
    apply,
  };
}
