// What the History screen remembers: the filter, the checks found so far, the selection, the opened detail, two that are compared.

import { createStore, type StoreApi } from "zustand/vanilla";
import { findHistory } from "#src/actions/history/find-history.ts";
import type { Context } from "#src/app/context.ts";
import { FilterFault } from "#src/contract/filter-fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Composer } from "#src/state/check/composer.ts";
import { sentenceOf } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import { createHistoryActs, type HistoryActs } from "./history-acts.ts";
import { askBatch, type BatchReplays } from "./history-batch.ts";
import { createHistoryExport } from "./history-export.ts";
import { HistoryList } from "./history-list.ts";
import { createHistorySigning } from "./history-signing.ts";
import { DETAIL_TABS, type HistoryViewState } from "./history-state.ts";

export interface HistoryView extends HistoryActs {
  readonly store: StoreApi<HistoryViewState>;
  /** Reads as much as was read before, anew. */
  load(): Promise<void>;
  /** Moves the selection; reads on when it comes near the end of what was read. */
  select(move: number | "first" | "last"): void;
  /** Follows the newest entry, or stays where it is. */
  turnFollowing(): void;
  /** Gives the keys to the detail of the selected entry. */
  open(): void;
  /** From a comparison, from a detail to the list, from there away from a mark. */
  close(): void;
  turnTab(step: 1 | -1): void;
  scrollTo(line: number): void;
  /** Marks the entry that another one is to be compared with, or no longer. */
  turnMark(): void;
  /** Sets the marked entry and the selected one side by side. */
  compare(): void;
  /** Asks for a filter, with the last ones in reach. A wrong one is explained and asked again; the list stays as it is meanwhile. */
  askFilter(): void;
  /** Applies a filter; false when it is wrong: `fault` says where. */
  applyFilter(filter: string): Promise<boolean>;
  /** Finds out how an entry was signed; its signature tab shows that. Never rejects. */
  readSigning(entry: HistoryEntry): Promise<void>;
  /** Asks whether to send again all that is listed. */
  askBatch(): void;
  /** Asks for a file and exports all that is listed. */
  askExport(): void;
  /** Stops an export. False when none is under way. */
  cancelExport(): boolean;
}

/** Entries in memory: those on the screen, and some before and behind. */
const PAGE = 200;
/** How near the selection comes to the end of them before others are read. */
const AHEAD = 60;

/** The store of the checks, as far as it tells that entries were made or changed meanwhile. */
export interface NewEntries {
  subscribe(listener: (now: { entries: unknown }, before: { entries: unknown }) => void): unknown;
}

/** What the screen reaches of others. */
export interface HistoryParts {
  readonly composer: Pick<Composer, "loadRequest" | "freshOrder">;
  readonly replays: BatchReplays;
  /** Their changes are read while History is shown. */
  readonly checks?: NewEntries;
}

/** The verbs never reject: what fails is said in a toast or in `fault`. */
export function createHistoryView(
  context: Context,
  session: Session,
  { composer, replays, checks }: HistoryParts,
): HistoryView {
  const store = createStore<HistoryViewState>(() => ({
    filter: "",
    fault: null,
    wrong: null,
    entries: [],
    offset: 0,
    total: 0,
    complete: false,
    looked: null,
    reading: "none",
    problems: [],
    selectedId: null,
    following: true,
    marked: null,
    compared: null,
    signed: null,
    opened: null,
    tab: "decision",
    scroll: 0,
  }));
  const get = store.getState;
  const list = new HistoryList(
    context,
    () => void grown(),
    (error) => store.setState({ ...extent(), fault: sentenceOf(error), wrong: null }),
  );
  const exporting = createHistoryExport(context, session);
  /** The last filters, newest first, once they were read. */
  let lastFilters: readonly string[] | null = null;
  /** The last read that was begun; what an earlier one finds is out of date. */
  let turn = 0;
  /** Where the selection is going while the entries there are being read; null otherwise. */
  let going: number | null = null;
  /** Enter was pressed before the first read had ended: what is typed ahead is not lost. */
  let openWhenRead = false;

  const show = (entries: readonly HistoryEntry[], offset: number, selectedId: string | null): void => {
    store.setState(({ opened, marked }) => ({
      // Always the one that these entries passed, whichever read found them.
      filter: list.filter,
      entries,
      offset,
      ...extent(),
      reading: "idle",
      // What is wrong with what is being typed stays until that is mended.
      ...(session.store.getState().prompt === null ? { fault: null, wrong: null } : {}),
      selectedId,
      marked: entries.find((entry) => entry.id === marked?.id) ?? marked,
      opened: entries.find((entry) => entry.id === opened?.id) ?? opened,
    }));
    if (openWhenRead) open();
  };

  const extent = (): Pick<HistoryViewState, "total" | "complete" | "looked"> => ({
    total: list.total ?? 0,
    complete: list.total !== null && list.looked === null,
    looked: list.looked,
  });

  /** Runs a read unless a later one has begun meanwhile; what fails is said. */
  const attempt = async (read: (isLast: () => boolean) => Promise<void>): Promise<void> => {
    const mine = (turn += 1);
    try {
      await read(() => mine === turn);
    } catch (error) {
      if (mine === turn) store.setState({ fault: sentenceOf(error), wrong: null, reading: "idle" });
    }
  };

  /** Reads the entries around a position, and selects one. */
  const readAround = async (
    position: number,
    select: string | null,
    isLast: () => boolean,
  ): Promise<void> => {
    const { total } = list;
    const at = Math.max(0, Math.min(position, (total ?? 0) - 1));
    const offset = Math.max(0, Math.min(at - PAGE / 2, (total ?? 0) - PAGE));
    const entries = await list.page(offset, PAGE);
    if (!isLast()) return;
    // A search has found more while these were read.
    if (entries.length < PAGE && list.total !== total) return await readAround(position, select, isLast);
    going = null;
    const selected = select === null ? entries[at - offset]?.id : nearestId(entries, select);
    show(entries, offset, selected ?? entries[0]?.id ?? null);
  };

  /** The newest entries, then the number of all of them. */
  const readFirst = async (isLast: () => boolean): Promise<void> => {
    const { entries, problems } = await findHistory(context, undefined, PAGE);
    if (!isLast()) return;
    show(entries, 0, isFollowing() ? (entries[0]?.id ?? null) : nearestId(entries, get().selectedId));
    const complete = entries.length < PAGE;
    store.setState({ problems, total: entries.length, complete });
    if (complete) return;
    await list.refresh();
    if (isLast()) store.setState({ ...extent(), problems: await problemsNow() });
  };

  const readAgain = async (isLast: () => boolean): Promise<void> => {
    await list.refresh();
    if (isFollowing()) {
      await readAround(0, null, isLast);
      store.setState({ problems: await problemsNow() });
      return;
    }
    const { selectedId, offset, entries } = get();
    const index = entries.findIndex((entry) => entry.id === selectedId);
    const known = selectedId === null || index < 0 ? null : await list.position(selectedId);
    await readAround(known ?? offset + Math.max(0, index), selectedId, isLast);
    store.setState({ problems: await problemsNow() });
  };

  /** What is being read in peace stays selected below it. */
  const isFollowing = (): boolean => get().following && get().opened === null && get().compared === null;

  const isOnNewest = (): boolean => get().offset === 0 && get().entries[0]?.id === get().selectedId;

  const problemsNow = async (): Promise<readonly string[]> =>
    (await context.history()).problems.map(({ message }) => message);

  const open = (): void => {
    const entry = chosen();
    openWhenRead = entry === null && get().reading === "none";
    if (entry !== null) store.setState({ opened: entry });
  };

  /** The first page alone shows whether there is more. */
  const load = async (): Promise<void> => {
    // With the first rows there, a filter can be asked for: the last ones are in reach by then.
    if (lastFilters === null) await readFilters();
    await attempt((isLast) => (list.total === null ? readFirst(isLast) : readAgain(isLast)));
  };

  /** The filters are a convenience: what is wrong with their file is said by the doctor, and no filter fails by it. */
  const readFilters = async (): Promise<void> => {
    lastFilters ??= [];
    const kept = await (await context.filters()).list().catch(() => []);
    lastFilters = [...new Set([...lastFilters, ...kept])];
  };

  /** In reach at once, whatever the disk does. */
  const keepFilter = async (filter: string): Promise<void> => {
    lastFilters = [...new Set([filter, ...(lastFilters ?? [])])];
    await (await context.filters()).remember(filter).catch(() => undefined);
  };

  /** A search has found more, or has ended. */
  const grown = async (): Promise<void> => {
    const { entries, offset, selectedId, filter } = get();
    if (filter !== list.filter) return;
    store.setState(extent());
    const missing = offset === 0 && entries.length < PAGE && (list.total ?? 0) > entries.length;
    if (missing) await attempt((isLast) => readAround(0, selectedId, isLast));
  };

  const moveTo = (position: number): void => {
    const { entries, offset, total } = get();
    const entry = entries[position - offset];
    store.setState({ following: position === 0 });
    if (entry === undefined) {
      going = position;
      void attempt((isLast) => readAround(position, null, isLast));
      return;
    }
    going = null;
    if (entry.id !== get().selectedId) store.setState({ selectedId: entry.id, scroll: 0 });
    const nearEnd = position >= offset + entries.length - AHEAD && offset + entries.length < total;
    const nearStart = position < offset + AHEAD && offset > 0;
    if (nearEnd || nearStart) {
      void attempt(async (isLast) => readAround(position, get().selectedId, isLast));
    }
  };

  /** False for a wrong filter: `fault` and `wrong` say where. Nothing is read for no entries. */
  const compiles = async (filter: string): Promise<boolean> => {
    try {
      if (filter !== "") await findHistory(context, filter, 0);
      complain(null);
      return true;
    } catch (error) {
      const wrong =
        error instanceof FilterFault ? { filter, column: error.column, length: error.length } : null;
      store.setState({ fault: sentenceOf(error), wrong });
      return false;
    }
  };

  const applyFilter = async (filter: string): Promise<boolean> => {
    const trimmed = filter.trim();
    if (!(await compiles(trimmed))) return false;
    await attempt(async (isLast) => {
      if (get().reading === "idle") store.setState({ reading: "more" });
      await list.setFilter(trimmed);
      if (!isLast()) return;
      const { selectedId } = get();
      const at = trimmed === "" && selectedId !== null ? await list.position(selectedId) : null;
      await readAround(at ?? 0, selectedId, isLast);
      store.setState({ following: isOnNewest() });
    });
    return true;
  };

  const submitFilter = async (text: string): Promise<void> => {
    if (!(await compiles(text.trim()))) return askFilter(text);
    if (text.trim() !== "") void keepFilter(text.trim());
    await applyFilter(text);
  };

  const complain = (fault: string | null): void => store.setState({ fault, wrong: null });

  const askFilter = (initial: string = get().filter): void => {
    session.ask({
      label: "Filter",
      initial,
      placeholder: "verdict:block amount>100000 since:2d",
      recall: lastFilters ?? [],
      onSubmit: (text) => void submitFilter(text),
      onCancel: () => complain(null),
    });
  };

  const chosen = (): HistoryEntry | null => {
    const { opened, entries, selectedId } = get();
    return opened ?? entries.find((entry) => entry.id === selectedId) ?? null;
  };

  const acts = createHistoryActs(context, session, composer, {
    chosen,
    complain,
    noted: async (entry) => {
      if (get().opened?.id === entry.id) store.setState({ opened: entry });
      await load();
    },
  });
  const signing = createHistorySigning(context, (signed) => store.setState({ signed }));

  checks?.subscribe((now, before) => {
    if (now.entries !== before.entries && session.store.getState().screen === "history") void load();
  });

  return {
    store,
    load,
    select: (move) => {
      const { entries, offset, total, selectedId, complete } = get();
      const at = going ?? offset + entries.findIndex((entry) => entry.id === selectedId);
      const last = Math.max(total, offset + entries.length) - 1;
      const wanted = move === "first" ? 0 : move === "last" ? last : at + move;
      if (last < 0) return;
      moveTo(Math.max(0, Math.min(wanted, last)));
      // The end is not known before they are counted.
      if (move === "last" && !complete && get().looked === null && list.total === null) {
        void attempt(async (isLast) => {
          await list.refresh();
          await readAround((list.total ?? 1) - 1, null, isLast);
        });
      }
    },
    turnFollowing() {
      const following = !get().following;
      store.setState({ following });
      if (following && get().entries.length > 0) moveTo(0);
    },
    open,
    close() {
      const { compared, opened } = get();
      if (compared !== null) store.setState({ compared: null, scroll: 0 });
      else if (opened !== null) store.setState({ opened: null, scroll: 0 });
      else return store.setState({ marked: null });
      // What was read stays selected, also where newer ones have come meanwhile.
      store.setState(({ following }) => ({ following: following && isOnNewest() }));
    },
    turnTab: (step) => {
      const at = DETAIL_TABS.indexOf(get().tab) + step + DETAIL_TABS.length;
      store.setState({ tab: DETAIL_TABS[at % DETAIL_TABS.length]!, scroll: 0 });
    },
    scrollTo: (line) => store.setState({ scroll: Math.max(0, line) }),
    turnMark() {
      const entry = chosen();
      if (entry !== null)
        store.setState(({ marked }) => ({ marked: marked?.id === entry.id ? null : entry }));
    },
    compare() {
      const entry = chosen();
      const { marked } = get();
      if (entry === null || marked === null || marked.id === entry.id) return;
      const [before, after] = marked.at < entry.at ? [marked, entry] : [entry, marked];
      store.setState({ compared: { before, after }, scroll: 0 });
    },
    askFilter: () => askFilter(),
    applyFilter,
    ...acts,
    readSigning: (entry) => signing.read(entry),
    askBatch() {
      const { filter, total, complete, entries } = get();
      const count = complete ? total : Math.max(total, entries.length);
      askBatch(session, context.profile, replays, { filter, count, complete });
    },
    askExport: () => exporting.ask(get().filter),
    cancelExport: () => exporting.cancel(),
  };
}

/** The entry itself, else the next older one, so that a list that lost its selected row does not jump. Ids sort by time. */
function nearestId(entries: readonly HistoryEntry[], id: string | null): string | null {
  if (id === null) return entries[0]?.id ?? null;
  const found = entries.find((entry) => entry.id === id) ?? entries.find((entry) => entry.id < id);
  return (found ?? entries.at(-1))?.id ?? null;
}
