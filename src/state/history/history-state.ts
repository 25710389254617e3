// State of the History screen.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SeenBefore } from "#src/contract/records/seen-before.ts";
import type { HistorySort } from "#src/contract/records/list-sort.ts";
import type { FilterMark } from "#src/actions/history/complete-filter.ts";
import type { SearchProgress } from "./history-search.ts";
import type { SignedThen } from "./history-signing.ts";

export const DETAIL_TABS = ["why", "request", "answer", "signed", "timing"] as const;
export type DetailTab = (typeof DETAIL_TABS)[number];

/** A filter that was typed, and which token of it is wrong. */
export interface WrongFilter {
  readonly filter: string;
  /** Characters from 1, and how many. */
  readonly column: number;
  readonly length: number;
}

/** Two entries side by side, the older one first. */
export interface EntryPair {
  readonly before: HistoryEntry;
  readonly after: HistoryEntry;
}

export interface HistoryViewState {
  /** The filter of `entries`; empty for everything. */
  readonly filter: string;
  readonly sort: HistorySort;
  /** What it looks for in the rows. */
  readonly marks: readonly FilterMark[];
  /** What was probably meant by it, where it finds nothing. */
  readonly meant: string | null;
  /** What is wrong with what was typed last, or why the history could not be read. */
  readonly fault: string | null;
  /** The place of the fault, where it is one of a filter. */
  readonly wrong: WrongFilter | null;
  /** In the order of the list: those around the selection. */
  readonly entries: readonly HistoryEntry[];
  /** Position of the first of `entries` in the whole list. */
  readonly offset: number;
  /** Entries in the whole list, as far as known. */
  readonly total: number;
  /** How far a search is; null when none is under way, and `total` is all of them. */
  readonly progress: SearchProgress | null;
  /** `none` before the first read has ended. */
  readonly reading: "none" | "idle";
  /** One sentence each: damage that reading has met. */
  readonly problems: readonly string[];
  readonly selectedId: string | null;
  /** The selection stays on the newest entry. */
  readonly following: boolean;
  /** Ids of the selected range, from where it began to the pointer; null for none. Entries that come do not change it. */
  readonly range: readonly string[] | null;
  /** The entry that another one is to be compared with. */
  readonly marked: HistoryEntry | null;
  /** Lies over list and detail; null while nothing is compared. */
  readonly compared: EntryPair | null;
  /** The entry of which a part is to be copied, while it is asked which. */
  readonly copying: HistoryEntry | null;
  /** What was before the entry that is shown, by its id; null while that is not known. */
  readonly seen: SeenBefore | null;
  /** How the entry that is shown was signed, by its id; null while that is not known. */
  readonly signed: SignedThen | null;
  /** The entry whose detail has the keys; it stays open even when a filter no longer accepts it. */
  readonly opened: HistoryEntry | null;
  readonly tab: DetailTab;
  /** First visible line of the detail. */
  readonly scroll: number;
}

/** The entry whose detail is shown. */
export function shownEntry({ opened, entries, selectedId }: HistoryViewState): HistoryEntry | null {
  return opened ?? entries.find((entry) => entry.id === selectedId) ?? null;
}
