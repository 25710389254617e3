// The store of the History screen: filter, page, selection, detail and comparison of two entries.

import { createStore } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { formatCount } from "#src/display/count.ts";
import type { Composer } from "#src/state/check/composer.ts";
import { createHistorySeen } from "#src/state/check/history-seen.ts";
import { nextAround } from "#src/state/list-selection.ts";
import type { Session } from "#src/state/session.ts";
import type { SecretCopy } from "#src/state/vault/secret-copy.ts";
import { createHistoryActs } from "./history-acts.ts";
import { askBatch, type BatchReplays } from "./history-batch.ts";
import { COPIED, type CopiedPart } from "./history-copy.ts";
import { createHistoryExport } from "./history-export.ts";
import { createHistoryList, isOnNewest } from "./history-list.ts";
import { filterOf } from "./history-range.ts";
import { createHistorySigning } from "./history-signing.ts";
import { DETAIL_TABS, shownEntry, type HistoryViewState } from "./history-state.ts";

/** The store of the checks, as far as it reports new and changed entries. */
export interface NewEntries {
  subscribe(listener: (now: { entries: unknown }, before: { entries: unknown }) => void): unknown;
}

/** Other stores that the screen uses. */
export interface HistoryParts {
  readonly composer: Pick<Composer, "loadRequest" | "freshOrder">;
  readonly replays: BatchReplays;
  readonly copies: Pick<SecretCopy, "copyText">;
  /** Their changes are read while History is shown. */
  readonly checks?: NewEntries;
}

/** The verbs never reject: what fails is shown as a toast or in `fault`. */
export function createHistoryView(
  context: Context,
  session: Session,
  { composer, replays, copies, checks }: HistoryParts,
) {
  const store = createStore<HistoryViewState>(() => ({
    filter: "",
    sort: { by: "time", turned: false },
    marks: [],
    meant: null,
    fault: null,
    wrong: null,
    entries: [],
    offset: 0,
    total: 0,
    progress: null,
    reading: "none",
    problems: [],
    selectedId: null,
    following: true,
    range: null,
    marked: null,
    compared: null,
    copying: null,
    seen: null,
    signed: null,
    opened: null,
    tab: "why",
    scroll: 0,
  }));
  const get = store.getState;
  const list = createHistoryList(context, session, store);
  const exporting = createHistoryExport(context, session);
  /** Enter was pressed before the first read had ended: what is typed ahead is not lost. */
  let openWhenRead = false;

  const open = (): void => {
    const entry = get().range === null ? chosen() : null;
    openWhenRead = entry === null && get().reading === "none";
    if (entry !== null) store.setState({ opened: entry, tab: "why", scroll: 0 });
  };

  const chosen = (): HistoryEntry | null => shownEntry(get());

  const load = async (): Promise<void> => {
    await list.load();
    if (openWhenRead) open();
  };

  const acts = createHistoryActs(context, session, composer, {
    chosen,
    range: () => get().range,
    changed: async () => {
      // The list may no longer have it.
      const { opened } = get();
      const now = opened === null ? null : await (await context.history()).find(opened.id);
      if (now !== null && get().opened?.id === now.id) store.setState({ opened: now });
      await load();
    },
  });
  const seen = createHistorySeen(context, (found) => store.setState({ seen: found }));
  const signing = createHistorySigning(context, (signed) => store.setState({ signed }));

  checks?.subscribe((now, before) => {
    if (now.entries !== before.entries && session.store.getState().screen === "history") void load();
  });

  return {
    store,
    ...list,
    load,
    /** Gives the keys to the detail of the selected entry. */
    open,
    /** From a comparison, from a detail to the list, from there away from a mark. */
    close() {
      const { compared, opened } = get();
      if (compared !== null) store.setState({ compared: null, scroll: 0 });
      else if (opened !== null) store.setState({ opened: null, scroll: 0 });
      else return store.setState({ marked: null });
      // The closed entry stays selected, even where newer ones have arrived.
      store.setState((state) => ({ following: state.following && isOnNewest(state) }));
    },
    cycleTab: (step: 1 | -1) => {
      store.setState(({ tab }) => ({ tab: nextAround(DETAIL_TABS, tab, step) ?? tab, scroll: 0 }));
    },
    scrollTo: (line: number) => store.setState({ scroll: Math.max(0, line) }),
    /** Begins a range at the selected entry, or ends it. */
    toggleRange() {
      store.setState(({ range, selectedId, following, ...state }) => ({
        range: range === null && selectedId !== null ? [selectedId] : null,
        following: following && isOnNewest({ ...state, range, selectedId, following }),
      }));
    },
    /** Marks the entry that another one is to be compared with, or no longer. */
    toggleMark() {
      const entry = chosen();
      if (entry !== null)
        store.setState(({ marked }) => ({ marked: marked?.id === entry.id ? null : entry }));
    },
    /** Sets the marked entry, which is marked no longer, and the selected one side by side. */
    compare() {
      const entry = chosen();
      const { marked } = get();
      if (entry === null || marked === null || marked.id === entry.id) return;
      const [before, after] = marked.at < entry.at ? [marked, entry] : [entry, marked];
      store.setState({ compared: { before, after }, marked: null, scroll: 0 });
    },
    /** Asks which part of an entry to copy, by default of the chosen one; null: no longer. */
    askCopy: (entry: HistoryEntry | null = chosen()) => store.setState({ copying: entry }),
    /** Copies a part of the entry that was asked about. */
    copy(part: CopiedPart) {
      const { copying } = get();
      store.setState({ copying: null });
      const { what, read } = COPIED[part];
      const text = copying === null ? null : read(copying);
      if (text !== null) copies.copyText(what, text);
    },
    /** Shows the checks with an order id, the newest of them with its detail. */
    async openOrder(orderId: string) {
      session.go("history");
      const id = /[\s"]/.test(orderId) ? JSON.stringify(orderId) : orderId;
      if (await list.applyFilter(`order:${id}`)) open();
    },
    ...acts,
    readSeen: seen.read,
    readSigning: signing.read,
    /** Asks whether to send again what is selected, or all that is listed. */
    askBatch: () => void askBatch(context, session, replays, get()),
    /** Asks for a file and exports what is selected, or all that is listed. */
    askExport() {
      const { filter: listed, range } = get();
      return range === null
        ? exporting.ask(listed, listed === "" ? "all" : "the filtered ones")
        : exporting.ask(filterOf(range), `${formatCount(range.length)} selected`);
    },
    cancelExport: exporting.cancel,
    isExporting: exporting.isUnderWay,
  };
}

export type HistoryView = ReturnType<typeof createHistoryView>;
