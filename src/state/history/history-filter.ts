// The filter of the History screen: prompts for it, checks it, applies it, and remembers it.

import type { StoreApi } from "zustand/vanilla";
import { findHistory } from "#src/actions/history/find-history.ts";
import type { Context } from "#src/app/context.ts";
import { FilterFault } from "#src/contract/filter-fault.ts";
import { FILTER_NOTES } from "#src/display/filter-notes.ts";
import { sentenceOf } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { HistoryPages } from "./history-pages.ts";
import type { HistoryViewState } from "./history-state.ts";

export interface HistoryFilter {
  /** Reads the filters that were used last, once. Never rejects. */
  load(): Promise<void>;
  /** Asks for a filter. A wrong one is explained and asked for again; the list stays as it is until then. */
  ask(): void;
  /** Applies a filter; false when it is wrong: `fault` says where. */
  apply(filter: string): Promise<boolean>;
}

/** @param pages lists what a filter accepts */
export function createHistoryFilter(
  context: Context,
  session: Session,
  store: StoreApi<HistoryViewState>,
  pages: Pick<HistoryPages, "setFilter">,
): HistoryFilter {
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

  /** False for a wrong filter: `fault` and `wrong` say where. Nothing is read for no entries. */
  const compiles = async (filter: string): Promise<boolean> => {
    try {
      if (filter !== "") await findHistory(context, filter, 0);
      store.setState({ fault: null, wrong: null });
      return true;
    } catch (error) {
      const wrong =
        error instanceof FilterFault ? { filter, column: error.column, length: error.length } : null;
      store.setState({ fault: sentenceOf(error), wrong });
      return false;
    }
  };

  const apply = async (filter: string): Promise<boolean> => {
    const trimmed = filter.trim();
    if (!(await compiles(trimmed))) return false;
    // What it finds is in the list, which an open detail may cover.
    store.setState({ opened: null, scroll: 0 });
    await pages.setFilter(trimmed);
    return true;
  };

  const submit = async (text: string): Promise<void> => {
    if (!(await compiles(text.trim()))) return ask(text);
    if (text.trim() !== "") void keepFilter(text.trim());
    await apply(text);
  };

  const ask = (initial: string = store.getState().filter): void => {
    session.ask({
      label: "Filter",
      initial,
      placeholder: "verdict:block amount>100000",
      help: FILTER_NOTES,
      recall: lastFilters ?? [],
      onSubmit: (text) => void submit(text),
      onCancel: () => store.setState({ fault: null, wrong: null }),
    });
  };

  return { load, ask: () => ask(), apply };
}
