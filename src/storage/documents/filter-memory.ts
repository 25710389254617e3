// The recent history filters, newest first, for the filter prompt.

import { findCardData } from "#src/contract/fields/card-data.ts";
import { anyText, becomes, list, openMap } from "#src/contract/text/shape.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

export const FILTERS_KEPT = 50;
/** Longer filters are not kept. */
const LONGEST = 300;

export type FilterMemory = ReturnType<typeof openFilterMemory>;

/** Opens the memory; touches no file before the first call. @throws (each method) Fault("corrupt" | "storage") */
export function openFilterMemory(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}) {
  const document = openDocument({
    ...options,
    format: "verdict/filters",
    schema: 1,
    initial: () => ({ filters: [] }),
    shape: openMap({ filters: becomes(list(anyText()), (filters) => filters.filter(mayBeKept)) }),
  });
  return {
    /** Newest first. */
    list: async () => (await document.read()).filters,
    /**
     * Moves a filter to the first position, unless it could hold a secret or a card number.
     * @returns the kept filters
     */
    remember: async (filter: string): Promise<readonly string[]> => {
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
