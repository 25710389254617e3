// The sums of a day of payments of a deck, for plain text and JSON.

import type { DecidedDay } from "#src/actions/sandbox/demo.ts";
import { sideShares, type SideShares } from "#src/contract/records/outcome-shares.ts";
import { MILDEST_FIRST, type Recommendation } from "#src/contract/wire/recommendation.ts";

export interface DaySide {
  /** Name of its rules. */
  readonly rules: string;
  /** Payments by verdict. */
  readonly verdicts: Readonly<Record<Recommendation, number>>;
  /** Null where no payment has a label. */
  readonly shares: SideShares | null;
}

/** Of the rules of today, and of the proposed ones where there are some. */
export function daySides({ today, proposed, payments, outcomes }: DecidedDay): DaySide[] {
  const sideOf = (rules: string, side: "today" | "proposed"): DaySide => ({
    rules,
    verdicts: Object.fromEntries(
      MILDEST_FIRST.map((kind) => [kind, payments.filter((each) => each[side] === kind).length]),
    ) as DaySide["verdicts"],
    shares: outcomes === null ? null : sideShares(outcomes[side === "today" ? "current" : "proposed"]),
  });
  return [sideOf(today, "today"), ...(proposed === null ? [] : [sideOf(proposed, "proposed")])];
}
