// Compares two stored runs, or one run with the verdicts that its payloads carried.

import type { ActionContext } from "#src/actions/action-context.ts";
import { noSuch, usage } from "#src/contract/fault.ts";
import { CARRIED, type Comparison, type EurPerUnit } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { comparisonOf } from "#src/replay/flips.ts";
import { eurPerUnit } from "#src/rules/rule-file/eur-rates.ts";
import { starterRates } from "#src/rules/rule-file/rule-file.ts";
import type { Runs } from "#src/storage/database/runs.ts";

/**
 * Compares the verdicts of a run in the database.
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
  const baseline = input.baseline === null ? null : (await findRun(runs, input.baseline)).id;
  const rates = await usualRates(run.amountUnit);
  const { groups, others, flips } = await runs.compare(run.id, baseline, rates);
  return comparisonOf({ baseline: baseline ?? CARRIED, run: run.id }, groups, others, flips, rates);
}

/** The rates of the built-in rules: a service does not say its own, and the two runs may have had others. */
export async function usualRates(unit: AmountUnit): Promise<EurPerUnit> {
  return eurPerUnit(await starterRates(), unit);
}

/** @throws Fault("usage") for an unknown run, or when several ids start so */
export async function findRun(runs: Runs, id: string): Promise<RunInfo> {
  const found = await runs.find(id);
  if (found !== null) return found;
  throw id === "last"
    ? usage`There is no run yet; "verdict replay" makes one.`
    : noSuch("run", id, "verdict run list");
}
