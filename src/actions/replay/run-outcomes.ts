// Judges the verdicts of a run by what became of its payments.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { EurPerUnit } from "#src/contract/records/flip.ts";
import { LABELS, type Label } from "#src/contract/records/label.ts";
import { addWeighed } from "#src/contract/records/outcome-shares.ts";
import type { RunOutcomes, SideOutcomes, Weighed } from "#src/contract/records/outcomes.ts";
import type { LabelledGroup, RunInfo } from "#src/contract/records/run.ts";
import { isRecommendation, RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { usualRates } from "./compare-runs.ts";

/** @returns null where nobody knows what became of any of its payments */
export async function readRunOutcomes(context: ActionContext, info: RunInfo): Promise<RunOutcomes | null> {
  const groups = await (await context.runs()).labelledCounts(info.id);
  return runOutcomes(groups, await usualRates(info.amountUnit));
}

/** Adds up the items of a run, money in EUR by the rates, about; null without any label. Pure. */
export function runOutcomes(groups: readonly LabelledGroup[], rates: EurPerUnit): RunOutcomes | null {
  const sum = (some: readonly LabelledGroup[]): Weighed =>
    addWeighed(
      some.map(({ count, amount, currency }) => ({
        count,
        eur: Number(amount) * (rates.get(currency ?? -1) ?? 0),
      })),
    );
  const known = groups.filter(({ label }) => label !== null);
  const labelled = sum(known).count;
  if (labelled === 0) return null;
  const side = (key: "verdict" | "was"): Pick<SideOutcomes, "labels"> => {
    const row = (label: Label) =>
      RECOMMENDATIONS.map((word) => [
        word,
        sum(known.filter((each) => each.label === label && each[key] === word)),
      ]);
    const labels = LABELS.map((label) => [label, Object.fromEntries(row(label))]);
    return { labels: Object.fromEntries(labels) as SideOutcomes["labels"] };
  };
  return {
    now: side("verdict"),
    before: known.some(({ was }) => was !== null) ? side("was") : null,
    labelled,
    unlabelled: sum(groups).count - labelled,
    noVerdict: sum(known.filter(({ verdict }) => !isRecommendation(verdict))).count,
  };
}
