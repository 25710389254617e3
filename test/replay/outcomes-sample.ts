// Outcomes counted from groups of equal payments, independently of the product's own tally.

import { isBad, LABELS, type Label } from "#src/contract/records/label.ts";
import type {
  ByVerdict,
  OutcomeChange,
  Outcomes,
  SideOutcomes,
  Weighed,
} from "#src/contract/records/outcomes.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";

const WORDS: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];

/** Payments of one label with the same verdicts. */
export interface Group extends Weighed {
  readonly label: Label | null;
  readonly was: Recommendation;
  readonly now: Recommendation;
}

function sum(groups: readonly Group[]): Weighed {
  let [count, eur] = [0, 0];
  for (const group of groups) {
    count += group.count;
    eur += group.eur;
  }
  return { count, eur };
}

export function outcomesOf(groups: readonly Group[], changes: Partial<Outcomes> = {}): Outcomes {
  const side = (key: "was" | "now"): SideOutcomes => {
    const byVerdict = (label: Label | null): ByVerdict =>
      Object.fromEntries(
        WORDS.map((word) => [word, sum(groups.filter((each) => each.label === label && each[key] === word))]),
      ) as unknown as ByVerdict;
    return {
      labels: Object.fromEntries(LABELS.map((label) => [label, byVerdict(label)])) as SideOutcomes["labels"],
      unlabelled: byVerdict(null),
      curve: [],
      scores: [],
      marks: null,
    };
  };
  const cells = WORDS.flatMap((was) =>
    WORDS.map((now): OutcomeChange => {
      const here = groups.filter((group) => group.was === was && group.now === now);
      return {
        was,
        now,
        bad: sum(here.filter(({ label }) => label !== null && isBad(label))),
        good: sum(here.filter(({ label }) => label !== null && !isBad(label))),
        unlabelled: sum(here.filter(({ label }) => label === null)),
        cases: { bad: [], good: [] },
      };
    }),
  );
  return {
    current: side("was"),
    proposed: side("now"),
    changes: cells,
    causes: [],
    rules: [],
    spans: [],
    spanMs: 3_600_000,
    withoutRate: 0,
    unused: 0,
    ...changes,
  };
}
