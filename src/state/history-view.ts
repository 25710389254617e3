// What the History screen remembers: the filter, the checks found so far, the selection, the opened detail.

import { createStore, type StoreApi } from "zustand/vanilla";
import { findHistory } from "#src/actions/find-history.ts";
import { savePayload } from "#src/actions/save-payload.ts";
import type { Context } from "#src/app/context.ts";
import { Fault } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/history-entry.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { Composer } from "./composer.ts";
import type { Session } from "./session.ts";

export const DETAIL_TABS = ["decision", "request", "response", "timing"] as const;
export type DetailTab = (typeof DETAIL_TABS)[number];

export interface HistoryViewState {
  /** The filter of `entries`; empty for everything. */
  readonly filter: string;
  /** What is wrong with what was typed last, or why the history could not be read. */
  readonly fault: string | null;
  /** Newest first, as far as the user has scrolled and one page more. */
  readonly entries: readonly HistoryEntry[];
  /** True when nothing older is left to read. */
  readonly complete: boolean;
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
  /** Asks for a name, saves the selected request under it, and asks again before overwriting. */
  askPayloadName(): void;
  /** Loads the selected request into the composer and goes there. */
  resend(): void;
}

/** Entries read at first; each time the selection comes near the end, twice as many are read. */
const PAGE = 200;
/** How near. */
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
    complete: false,
    reading: "none",
    problems: [],
    selectedId: null,
    opened: null,
    tab: "decision",
    scroll: 0,
  }));
  const get = store.getState;
  let limit = PAGE;
  /** The last read that was begun; what an earlier one finds is out of date. */
  let turn = 0;
  /** Enter was pressed before the first read had ended: what is typed ahead is not lost. */
  let openWhenRead = false;

  const read = async (filter: string, shown: boolean): Promise<void> => {
    const mine = (turn += 1);
    const wanted = limit;
    if (shown && get().reading === "idle") store.setState({ reading: "more" });
    try {
      const { entries, problems } = await findHistory(context, filter === "" ? undefined : filter, wanted);
      if (mine !== turn) return;
      store.setState((before) => ({
        filter,
        fault: null,
        entries,
        problems,
        complete: entries.length < wanted,
        reading: "idle",
        selectedId: nearestId(entries, before.selectedId),
        opened: entries.find((entry) => entry.id === before.opened?.id) ?? before.opened,
      }));
      if (openWhenRead) open();
    } catch (error) {
      if (mine === turn) store.setState({ fault: sentence(error), reading: "idle" });
    }
  };

  const open = (): void => {
    const entry = chosen();
    openWhenRead = entry === null && get().reading === "none";
    if (entry !== null) store.setState({ opened: entry });
  };

  const load = (): Promise<void> => read(get().filter, false);

  const readOn = (): void => {
    const { complete, reading } = get();
    if (complete || reading !== "idle") return;
    limit *= 2;
    void read(get().filter, true);
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
    limit = PAGE;
    await read(trimmed, true);
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

  const save = async (entry: HistoryEntry, name: string, replace: boolean): Promise<void> => {
    const { saved, path, expect } = await savePayload(context, { name, entry, replace });
    if (saved) {
      const expecting = expect === null ? "without an expected verdict" : `expecting ${expect}`;
      session.say(`Payload "${name}" is saved, ${expecting}: ${path}`, "done");
      return;
    }
    session.confirm({
      title: "Overwrite the payload",
      text: `There is a payload "${name}" already; its request and its expected verdict would be lost.`,
      yes: "Overwrite",
      onYes: () =>
        void save(entry, name, true).catch((error: unknown) => session.say(sentence(error), "error")),
    });
  };

  checks?.subscribe((now, before) => {
    if (now.entries !== before.entries && session.store.getState().screen === "history") void load();
  });

  return {
    store,
    load,
    select: (move) => {
      const { entries, selectedId } = get();
      const at = entries.findIndex((entry) => entry.id === selectedId);
      const wanted = move === "first" ? 0 : move === "last" ? entries.length - 1 : at + move;
      const to = Math.max(0, Math.min(wanted, entries.length - 1));
      const entry = entries[to];
      if (entry === undefined) return;
      if (entry.id !== selectedId) store.setState({ selectedId: entry.id, scroll: 0 });
      if (to >= entries.length - AHEAD) readOn();
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
      askLine(
        {
          label: "Save as payload",
          initial: proposedName(entry),
          placeholder: "a name such as repeat-buyer",
        },
        (name) => save(entry, name, false),
      );
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

/** The order id, as far as it can name a payload. */
function proposedName({ request }: HistoryEntry): string {
  return (request.order_id ?? "")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64);
}

function sentence(error: unknown): string {
  if (error instanceof Fault) return error.message;
  return `Something unexpected went wrong: ${safe(error instanceof Error ? error.message : String(error))}`;
}
