// What became of the payments of a run: its own labels, or those of the orders in the database of the history.

import { isLabel } from "#src/contract/records/label.ts";
import type { LabelledGroup } from "#src/contract/records/run.ts";
import type { Database } from "./database.ts";
import { HISTORY } from "./history-form.ts";
import { OF_RUN, SUMS, sumsOf, type Places } from "./run-comparison.ts";

/**
 * The items of a run in groups, by one pass over their texts, because a label is no column of theirs.
 * @param history path of the database of the history
 * @throws Fault("corrupt" | "storage") for one that cannot be read
 */
export async function labelledGroups(
  database: Database,
  places: Places,
  history: string,
): Promise<LabelledGroup[]> {
  return await database.readBeside(history, HISTORY, (beside) => {
    const known =
      beside !== null
        ? `(SELECT kept.label FROM ${beside}.label AS kept WHERE kept.order_id = text ->> '$.request.order_id')`
        : "NULL";
    const rows = database.all(
      `SELECT coalesce(text ->> '$.label', ${known}) AS label, verdict, was, currency, ${SUMS} FROM (
         SELECT iif(json_valid(intent), intent, NULL) AS text, verdict, was, currency, amount
         FROM item_fact LEFT JOIN item USING (place) WHERE ${OF_RUN}
       ) GROUP BY 1, 2, 3, 4`,
      ...places,
    );
    return rows.map((row) => {
      const { label, verdict, was, currency } = row as unknown as LabelledGroup;
      return { label: isLabel(label) ? label : null, verdict, was, currency, ...sumsOf(row) };
    });
  });
}
