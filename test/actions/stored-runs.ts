// Runs on disk for tests.

import type { RunRow, RunTime } from "#src/contract/records/run.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { runInfo, runSummary } from "../replay/report-sample.ts";

/** Writes a whole run as a replay does; a row without a result stays an intent. */
export async function storeRun(
  runs: Runs,
  id: string,
  rows: readonly RunRow[],
  time?: RunTime,
): Promise<void> {
  const { profile, project, amountUnit, sources } = runInfo();
  const at = Date.UTC(2026, 10, 21, 9, 30);
  const header = { id, at, profile, project, amountUnit, sources, baseline: null, freshOrderIds: true };
  const journal = await runs.create(header);
  let unknown = 0;
  for (const { at: sentAt, result, ...item } of rows) {
    await journal.intend(item, sentAt);
    if (result === null) unknown += 1;
    else await journal.settle(item.seq, result);
    if (result !== null && result.outcome !== "answered") unknown += 1;
  }
  const summary = runSummary({ total: rows.length, unknown });
  await journal.finish("complete", time === undefined ? summary : { ...summary, time });
  await journal.close();
}
