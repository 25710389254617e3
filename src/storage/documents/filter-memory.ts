// The recent history filters, newest first, for the filter prompt.

import { findCardData } from "#src/contract/fields/card-data.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { asList, asObject, asText } from "#src/storage/record-shape.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

export const FILTERS_KEPT = 50;
/** Longer filters are not kept. */
const LONGEST = 300;

interface FilterData {
  filters: string[];
}

export interface FilterMemory {
  /** Newest first. @throws Fault("corrupt" | "storage") */
  list(): Promise<string[]>;
  /**
   * Moves a filter to the first position, unless it could hold a secret or a card number.
   * @returns the kept filters
   * @throws Fault("corrupt" | "storage")
   */
  remember(filter: string): Promise<string[]>;
}

/** Opens the memory; touches no file before the first call. */
export function openFilterMemory(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}): FilterMemory {
  const document = openDocument<FilterData>({
    ...options,
    format: "verdict/filters",
    schema: 1,
    initial: () => ({ filters: [] }),
    parse: (value) => ({ filters: asList(asObject(value)["filters"]).map(asText).filter(mayBeKept) }),
  });
  return {
    list: async () => (await document.read()).filters,
    remember: async (filter) => {
      const text = filter.trim();
      const { filters } = await document.read();
      if (!mayBeKept(text) || filters[0] === text) return filters;
      return await document.update((data) => {
        data.filters = [text, ...data.filters.filter((known) => known !== text)].slice(0, FILTERS_KEPT);
        return data.filters;
      });
    },
  };
}

/** A run of characters as long as a key; words, dates, addresses and order ids are shorter. */
const KEY_LIKE = /[A-Za-z0-9+/_=-]{32,}/;

/** Secrets and card numbers that were pasted by mistake must not be stored. */
function mayBeKept(filter: string): boolean {
  return filter !== "" && filter.length <= LONGEST && !KEY_LIKE.test(filter) && findCardData(filter) === null;
}
