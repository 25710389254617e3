// A map of a foreign file of labels, in the words of the map of an import.

import type { Cells } from "./convert.ts";
import { bindMap, NO_WORDS, readMap } from "./import-map.ts";

/** The label of a row as a label file has it, or one sentence on why there is none. */
export type ReadLabelRow = (cells: Cells) => { readonly label: object } | { readonly problem: string };

/**
 * @param words `COLUMN=FIELD:CONVERSION` for `order_id`, `outcome` and `at`; all other columns are left out
 * @param columns of a table; null where each row has columns of its own
 * @throws Fault("usage") for a word that cannot be read, or a column that the file does not have
 */
export function labelRows(
  words: readonly string[],
  columns: readonly string[] | null,
  label: string,
): ReadLabelRow {
  const map = readMap(
    { ...NO_WORDS, map: words, ignoreOthers: true },
    { numbering: undefined, unit: "minor" },
  );
  const own = map.assignments.flatMap((each) => each.columns);
  const bound = bindMap(map, columns ?? own, label, columns !== null);
  return (cells) => {
    const converted = bound.convert(cells);
    if ("problem" in converted) return converted;
    const { request, outcome = null, at = null } = converted.envelope;
    return { label: { order_id: (request as { order_id?: string }).order_id, outcome, at } };
  };
}
