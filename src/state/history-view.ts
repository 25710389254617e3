// What the History screen remembers: the filter, the checks found so far, the selection, the opened detail.

import { createStore, type StoreApi } from "zustand/vanilla";
import { findHistory } from "#src/actions/find-history.ts";
import type { Context } from "#src/app/context.ts";
import { Fault } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/history-entry.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { Composer } from "./composer.ts";
import { HistoryList, type Looked } from "./history-list.ts";
import { askToSave, proposedName } from "./payload-saving.ts";
import type { Session } from "./session.ts";

export const DETAIL_TABS = ["decision", "request", "response", "timing"] as const;
export type DetailTab = (typeof DETAIL_TABS)[number];

export interface HistoryViewState {
  /** The filter of `entries`; empty for everything. */
  readonly filter: string;
  /** What is wrong with what was typed last, or why the history could not be read. */
  readonly fault: string | null;
  /** Newest first: those around the selection. */
  readonly entries: readonly HistoryEntry[];
  /** Position of the first of `entries` in the whole list, 0 for the newest. */
  readonly offset: number;
  /** Entries in the whole list, as far as known. */
  readonly total: number;
  /** True when `total` is all of them. */
  readonly complete: boolean;
  /** How far a search is; null when none is under way. */
  readonly looked: Looked | null;
  /** `none` before the first read has ended; `more` while older entries or those of another filter are read. */
  readonly reading: "none" | "more" | "idle";
  /** One sentence each: damage that reading has met. */
  readonly problems: readonly string[];
  readonly selectedId: string | null;
  /** The entry whose detail has the keys; it stays open even when a filter no longer accepts it. */
  readonly opened: HistoryEntry | null;
  readonly tab: DetailTab;
  /** First visible line of the detail. */
  readonly scroll: number;
}

export interface HistoryView {
  readonly store: StoreApi<HistoryViewState>;
  /** Reads as much as was read before, anew. */
  load(): Promise<void>;
  /** Moves the selection; reads on when it comes near the end of what was read. */
  select(move: number | "first" | "last"): void;
  /** Gives the keys to the detail of the selected entry. */
  open(): void;
  /** Gives them back to the list. */
  close(): void;
  turnTab(step: 1 | -1): void;
  scrollTo(line: number): void;
  /** Asks for a filter. A wrong one is explained and asked again; the list stays as it is meanwhile. */
  askFilter(): void;
  /** Applies a filter; false when it is wrong: `fault` says where. */
  applyFilter(filter: string): Promise<boolean>;
  /** Asks for the note of the selected entry; an empty one removes it. */
  askNote(): void;
  /** Asks for name, expected verdict and tags, saves the selected request, and asks again before overwriting. */
  askPayloadName(): void;
  /** Loads the selected request into the composer and goes there. */
  resend(): void;
}

/** Entries in memory: those on the screen, and some before and behind. */
const PAGE = 200;
/** How near the selection comes to the end of them before others are read. */
const AHEAD = 60;

/** The store of the checks, as far as it tells that entries were made or changed meanwhile. */
export interface NewEntries {
  subscribe(listener: (now: { entries: unknown }, before: { entries: unknown }) => void): unknown;
}

/**
 * The verbs never reject: what fails is said in a toast or in `fault`.
 * @param checks their changes are read while History is shown
 */
export function createHistoryView(
  context: Context,
  session: Session,
  composer: Pick<Composer, "loadRequest" | "freshOrder">,
  checks?: NewEntries,
): HistoryView {
  const store = createStore<HistoryViewState>(() => ({
    filter: "",
    fault: null,
    entries: [],
    offset: 0,
    total: 0,
    complete: false,
    looked: null,
    reading: "none",
    problems: [],
    selectedId: null,
    opened: null,
    tab: "decision",
    scroll: 0,
  }));
  const get = store.getState;
  const list = new HistoryList(context, () => void grown());
  /** The last read that was begun; what an earlier one finds is out of date. */
  let turn = 0;
  /** Where the selection is going while the entries there are being read; null otherwise. */
  let going: number | null = null;
  /** Enter was pressed before the first read had ended: what is typed ahead is not lost. */
  let openWhenRead = false;

  const show = (entries: readonly HistoryEntry[], offset: number, selectedId: string | null): void => {
    store.setState(({ opened }) => ({
      entries,
      offset,
      ...extent(),
      reading: "idle",
      fault: null,
      selectedId,
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
      if (mine === turn) store.setState({ fault: sentence(error), reading: "idle" });
    }
  };

  /** Reads the entries around a position, and selects one. */
  const readAround = async (
    position: number,
    select: string | null,
    isLast: () => boolean,
  ): Promise<void> => {
    const total = list.total ?? 0;
    const at = Math.max(0, Math.min(position, total - 1));
    const offset = Math.max(0, Math.min(at - PAGE / 2, total - PAGE));
    const entries = await list.page(offset, PAGE);
    if (!isLast()) return;
    going = null;
    const selected = select === null ? entries[at - offset]?.id : nearestId(entries, select);
    show(entries, offset, selected ?? entries[0]?.id ?? null);
  };

  /** The newest entries without the index, then the number of all of them. */
  const readFirst = async (isLast: () => boolean): Promise<void> => {
    const { entries, problems } = await findHistory(context, undefined, PAGE);
    if (!isLast()) return;
    show(entries, 0, nearestId(entries, get().selectedId));
    const complete = entries.length < PAGE;
    store.setState({ problems, total: entries.length, complete });
    if (complete) return;
    await list.refresh();
    if (isLast()) store.setState({ ...extent(), problems: await problemsNow() });
  };

  const readAgain = async (isLast: () => boolean): Promise<void> => {
    await list.refresh();
    const { selectedId, offset, entries } = get();
    const index = entries.findIndex((entry) => entry.id === selectedId);
    const known = selectedId === null || index < 0 ? null : await list.position(selectedId);
    await readAround(known ?? offset + Math.max(0, index), selectedId, isLast);
    store.setState({ problems: await problemsNow() });
  };

  const problemsNow = async (): Promise<readonly string[]> =>
    (await context.history()).problems.map(({ message }) => message);

  const open = (): void => {
    const entry = chosen();
    openWhenRead = entry === null && get().reading === "none";
    if (entry !== null) store.setState({ opened: entry });
  };

  /** A short history is read as it is; the index is for those that do not fit a page. */
  const load = (): Promise<void> =>
    attempt((isLast) => (list.total === null ? readFirst(isLast) : readAgain(isLast)));

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

  const applyFilter = async (filter: string): Promise<boolean> => {
    const trimmed = filter.trim();
    try {
      // Nothing is read for no entries: this only compiles the filter.
      if (trimmed !== "") await findHistory(context, trimmed, 0);
    } catch (error) {
      store.setState({ fault: sentence(error) });
      return false;
    }
    await attempt(async (isLast) => {
      if (get().reading === "idle") store.setState({ reading: "more" });
      await list.setFilter(trimmed);
      if (!isLast()) return;
      const { selectedId } = get();
      store.setState({ filter: trimmed });
      const at = trimmed === "" && selectedId !== null ? await list.position(selectedId) : null;
      await readAround(at ?? 0, selectedId, isLast);
    });
    return true;
  };

  const submitFilter = async (text: string): Promise<void> => {
    if (!(await applyFilter(text))) askFilter(text);
  };

  const forgive = (): void => store.setState({ fault: null });

  const askFilter = (initial: string = get().filter): void => {
    session.ask({
      label: "Filter",
      initial,
      placeholder: "verdict:block amount>100000 since:2d",
      onSubmit: (text) => void submitFilter(text),
      onCancel: forgive,
    });
  };

  const chosen = (): HistoryEntry | null => {
    const { opened, entries, selectedId } = get();
    return opened ?? entries.find((entry) => entry.id === selectedId) ?? null;
  };

  /** Asks for a line about an entry; what cannot be taken is explained and asked again, so that nothing typed is lost. */
  const askLine = (
    prompt: { readonly label: string; readonly initial: string; readonly placeholder: string },
    take: (text: string) => Promise<void>,
  ): void => {
    const submit = async (text: string): Promise<void> => {
      forgive();
      try {
        await take(text.trim());
      } catch (error) {
        if (error instanceof Fault && error.code === "bad_input") {
          store.setState({ fault: error.message });
          askLine({ ...prompt, initial: text }, take);
        } else session.say(sentence(error), "error");
      }
    };
    session.ask({ ...prompt, onSubmit: (text) => void submit(text), onCancel: forgive });
  };

  const annotate = async (entry: HistoryEntry, text: string): Promise<void> => {
    const note = text === "" ? null : text;
    if (note === entry.note) return;
    await (await context.history()).annotate(entry.id, note);
    if (get().opened?.id === entry.id) store.setState({ opened: { ...entry, note } });
    session.say(note === null ? "The note is removed." : "The note is saved.", "done");
    await load();
  };

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
      // The end is not known before the index is there.
      if (move === "last" && !complete && get().looked === null && list.total === null) {
        void attempt(async (isLast) => {
          await list.refresh();
          await readAround((list.total ?? 1) - 1, null, isLast);
        });
      }
    },
    open,
    close: () => store.setState({ opened: null, scroll: 0 }),
    turnTab: (step) => {
      const at = DETAIL_TABS.indexOf(get().tab) + step + DETAIL_TABS.length;
      store.setState({ tab: DETAIL_TABS[at % DETAIL_TABS.length]!, scroll: 0 });
    },
    scrollTo: (line) => store.setState({ scroll: Math.max(0, line) }),
    askFilter: () => askFilter(),
    applyFilter,
    askNote: () => {
      const entry = chosen();
      if (entry === null) return;
      askLine({ label: "Note", initial: entry.note ?? "", placeholder: "empty removes the note" }, (text) =>
        annotate(entry, text),
      );
    },
    askPayloadName: () => {
      const entry = chosen();
      if (entry === null) return;
      askToSave(context, session, {
        proposal: {
          name: proposedName(entry.request.order_id ?? ""),
          // The verdict it got, so that a change of it is noticed.
          expect: entry.result?.recommendation ?? null,
          tags: [],
          request: entry.request,
        },
        complain: (fault) => store.setState({ fault }),
      });
    },
    resend: () => {
      const entry = chosen();
      if (entry === null) return;
      if (entry.profile !== context.profile.name) {
        // Another service knows nothing of it: here it is a payment of its own, with an order id of its own.
        composer.loadRequest(entry.request, { from: null });
        composer.freshOrder();
        session.go("check");
        session.say(
          `Loaded from the profile ${entry.profile}, with a fresh order id; nothing is sent yet.`,
          "note",
        );
        return;
      }
      // Where no verdict came, sending it unchanged is attempt 2 of the same payment.
      const open = entry.result?.outcome !== "answered";
      composer.loadRequest(entry.request, { from: entry.id, repeats: open ? entry.id : null });
      // What is sent again belongs where it was sent before.
      session.setProject(entry.project);
      session.go("check");
      session.say(
        verdictKind(entry.result) === "unknown"
          ? "Loaded as attempt 2: the outcome of the first is unknown, and it may have arrived."
          : "Loaded into the composer; nothing is sent yet.",
        "note",
      );
    },
  };
}

/** The entry itself, else the next older one, so that a list that lost its selected row does not jump. Ids sort by time. */
function nearestId(entries: readonly HistoryEntry[], id: string | null): string | null {
  if (id === null) return entries[0]?.id ?? null;
  const found = entries.find((entry) => entry.id === id) ?? entries.find((entry) => entry.id < id);
  return (found ?? entries.at(-1))?.id ?? null;
}

function sentence(error: unknown): string {
  if (error instanceof Fault) return error.message;
  return `Something unexpected went wrong: ${safe(error instanceof Error ? error.message : String(error))}`;
}
