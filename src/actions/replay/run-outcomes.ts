// Judges the verdicts of a run by what became of its payments.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { EurPerUnit } from "#src/contract/records/flip.ts";
import { LABELS, type Label } from "#src/contract/records/label.ts";
import type { ByVerdict, RunOutcomes, SideOutcomes, Weighed } from "#src/contract/records/outcomes.ts";
import type { LabelledGroup, RunInfo } from "#src/contract/records/run.ts";
import { isRecommendation, RECOMMENDATIONS, type Recommendation } from "#src/contract/wire/recommendation.ts";
import { usualRates } from "./compare-runs.ts";

/** @returns null where nobody knows what became of any of its payments */
export async function readRunOutcomes(context: ActionContext, info: RunInfo): Promise<RunOutcomes | null> {
  const groups = await (await context.runs()).labelledCounts(info.id);
  return runOutcomes(groups, await usualRates(info.amountUnit));
}

/** Adds up the items of a run, money in EUR by the rates, about; null without any label. Pure. */
export function runOutcomes(groups: readonly LabelledGroup[], rates: EurPerUnit): RunOutcomes | null {
  const known = groups.filter(({ label }) => label !== null);
  const countOf = (some: readonly LabelledGroup[]): number => some.reduce((sum, { count }) => sum + count, 0);
  if (countOf(known) === 0) return null;
  const side = (verdictOf: (each: LabelledGroup) => Recommendation | null): Pick<SideOutcomes, "labels"> => {
    const cell = (label: Label, verdict: Recommendation): Weighed => {
      const of = known.filter((each) => each.label === label && verdictOf(each) === verdict);
      const eur = of.reduce(
        (sum, { amount, currency }) => sum + Number(amount) * (rates.get(currency ?? -1) ?? 0),
        0,
      );
      return { count: countOf(of), eur };
    };
    const row = (label: Label): ByVerdict =>
      Object.fromEntries(RECOMMENDATIONS.map((verdict) => [verdict, cell(label, verdict)])) as ByVerdict;
    const labels = Object.fromEntries(LABELS.map((label) => [label, row(label)]));
    return { labels: labels as SideOutcomes["labels"] };
  };
  return {
    now: side(({ verdict }) => (isRecommendation(verdict) ? verdict : null)),
    before: known.some(({ was }) => was !== null) ? side(({ was }) => was) : null,
    labelled: countOf(known),
    unlabelled: countOf(groups) - countOf(known),
    noVerdict: countOf(known.filter(({ verdict }) => !isRecommendation(verdict))),
  };
}
