// Compares two stored runs, or one run with the verdicts that its payloads carried.

import type { ActionContext } from "#src/actions/action-context.ts";
import { Fault } from "#src/contract/fault.ts";
import { CARRIED, type Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo, RunRow } from "#src/contract/records/run.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { createFlips, indexBaseline } from "#src/replay/flips.ts";
import type { Runs } from "#src/storage/database/runs.ts";

/**
 * Counts the flips of a run, in flat memory but for 32 bytes a row of the earlier run.
 * @param input.run the later run: its id, the beginning of it, or `last`
 * @param input.baseline the earlier run in the same words; null for what the payloads of the run carried
 * @returns flips with both sides, the earlier one null where only its verdict is known
 * @throws Fault("usage") for an unknown run
 */
export async function compareRuns(
  context: ActionContext,
  input: { readonly run: string; readonly baseline: string | null },
): Promise<Comparison> {
  const runs = await context.runs();
  const run = await findRun(runs, input.run);
  const baseline = input.baseline === null ? null : await findRun(runs, input.baseline);
  const index = baseline === null ? null : await indexBaseline(runs.rows(baseline.id));
  const flips = createFlips({ baseline: baseline?.id ?? CARRIED, run: run.id }, index);
  for await (const row of runs.rows(run.id)) flips.take(row);
  const comparison = flips.comparison(true);
  return baseline === null ? comparison : withEarlierSides(comparison, runs.rows(baseline.id));
}

/** @throws Fault("usage") for an unknown run, or when several ids start so */
export async function findRun(runs: Runs, id: string): Promise<RunInfo> {
  const found = await runs.find(id);
  if (found !== null) return found;
  throw new Fault(
    "usage",
    id === "last"
      ? 'There is no run yet; "verdict replay" makes one.'
      : `There is no run "${escapeText(id, 40)}"; "verdict runs list" shows those there are.`,
  );
}

/**
 * Fills the earlier sides of the kept flips.
 * @param earlier the rows of the baseline, once more
 */
async function withEarlierSides(comparison: Comparison, earlier: AsyncIterable<RunRow>): Promise<Comparison> {
  const wanted = new Set(comparison.flips.map(({ key }) => key));
  const sides = new Map<string, RunRow>();
  if (wanted.size > 0) {
    for await (const row of earlier) {
      if (!wanted.has(row.key)) continue;
      sides.set(row.key, row);
      if (sides.size === wanted.size) break;
    }
  }
  return {
    ...comparison,
    flips: comparison.flips.map((flip) => ({ ...flip, before: sides.get(flip.key) ?? null })),
  };
}
