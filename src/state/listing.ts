// A list with a filter and the detail of its selected item, as every screen of such a list keeps them.

import type { StoreApi } from "zustand/vanilla";
import { movedRow, type ListMove } from "#src/state/list-selection.ts";
import type { Session } from "./session.ts";

export interface ListingState {
  readonly filter: string;
  /** Id of the selected item; the first one is where none with this id is listed. */
  readonly selectedId: string | null;
  /** The detail has the keys. */
  readonly opened: boolean;
  /** First visible line of the detail. */
  readonly scroll: number;
}

export const LISTING: ListingState = { filter: "", selectedId: null, opened: false, scroll: 0 };

/** What is listed, and the id of each item. */
interface Listed<State, Item> {
  items(state: State): readonly Item[];
  id(item: Item): string;
}

/** The selected item, else the first; null while none is listed. */
export function selectedOf<State extends ListingState, Item>(
  { items, id }: Listed<State, Item>,
  state: State,
): Item | null {
  const listed = items(state);
  return listed.find((item) => id(item) === state.selectedId) ?? listed[0] ?? null;
}

/** The items in whose text every word of the filter is; the same list for an empty filter. */
export function matching<Item>(
  items: readonly Item[],
  filter: string,
  textOf: (item: Item) => string,
): readonly Item[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return items;
  return items.filter((item) => {
    const text = textOf(item).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Filters a list while it is typed; Esc brings back what was. */
export async function askFilter(
  session: Session,
  placeholder: string,
  before: string,
  setFilter: (filter: string) => void,
): Promise<void> {
  const question = { label: "Filter", initial: before, placeholder, onChange: setFilter };
  setFilter((await session.askUntil(question)) ?? before);
}

/** @param placeholder of the filter */
export function listingVerbs<State extends ListingState, Item>(
  store: StoreApi<State>,
  session: Session,
  listed: Listed<State, Item>,
  placeholder: string,
) {
  const get = store.getState;
  const set = (change: Partial<ListingState>): void => store.setState(change as Partial<State>);
  const setFilter = (filter: string): void => set({ filter, scroll: 0 });
  return {
    select(move: ListMove) {
      const { items, id } = listed;
      const before = selectedOf(listed, get());
      const item = movedRow(items(get()), (each) => before !== null && id(each) === id(before), move);
      if (item !== null && id(item) !== get().selectedId) set({ selectedId: id(item), scroll: 0 });
    },
    open() {
      const item = selectedOf(listed, get());
      if (item !== null) set({ opened: true, selectedId: listed.id(item), scroll: 0 });
    },
    close: () => set({ opened: false, scroll: 0 }),
    scrollTo: (line: number) => set({ scroll: Math.max(0, line) }),
    setFilter,
    askFilter: () => askFilter(session, placeholder, get().filter, setFilter),
  };
}
