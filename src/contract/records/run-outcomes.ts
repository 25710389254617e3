// The verdicts of a run against what became of its payments.

import type { SideOutcomes } from "./outcomes.ts";

export interface RunOutcomes {
  readonly now: Pick<SideOutcomes, "labels">;
  /** By the verdicts that the items carried; null where none did. */
  readonly before: Pick<SideOutcomes, "labels"> | null;
  readonly labelled: number;
  readonly unlabelled: number;
  /** Labelled items without a trustworthy verdict, which are in no cell. */
  readonly noVerdict: number;
}
