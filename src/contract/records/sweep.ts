// A sweep: one field changed over a range or a list, and the values at which the verdict becomes another one.

import type { FieldValue } from "#src/contract/fields/field.ts";
import type { Outcome } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** A recommendation, or why there is none. */
export type SweepVerdict = Recommendation | Exclude<Outcome, "answered">;

/** What came of one value. */
export interface SweepPoint {
  readonly value: FieldValue;
  readonly verdict: SweepVerdict;
  /** Why, in a sentence; null where nothing had an objection. */
  readonly reason: string | null;
  /** Live rules that hit, the strongest first; null where the service does not explain itself. */
  readonly codes: readonly string[] | null;
}

/** Values next to each other with one verdict. */
export interface SweepStretch {
  /** The first and the last value that were tried in it. */
  readonly from: SweepPoint;
  readonly to: SweepPoint;
  /** True where the value before `from` has another verdict for certain: it was tried, too. Always true for the first one. */
  readonly exact: boolean;
  /** Rules that hit from here on and did not just before, the strongest first; empty where nobody knows. */
  readonly gained: readonly string[];
  /** Rules that no longer hit from here on. */
  readonly lost: readonly string[];
}

/** How the values of a range are spread: by equal steps, or each by the same factor where the range is wide. */
export type SweepScale = "even" | "growing";

export type SweepValues =
  | {
      readonly kind: "range";
      /** Both ends are tried. */
      readonly from: number;
      readonly to: number;
      /** Values that are tried before the changes between them are narrowed down. */
      readonly steps: number;
    }
  | { readonly kind: "list"; readonly values: readonly FieldValue[] };

export interface SweepResult {
  readonly profile: string;
  /** `<merchant_id>/<risk_level>` */
  readonly project: string;
  /** Dotted path of the field that was changed. */
  readonly field: string;
  readonly values: SweepValues;
  /** What else was asked about; its own value of the field is not tried unless it is among the others. */
  readonly request: CheckRequest;
  /** Time of the decisions, in ms since the epoch. */
  readonly at: number;
  /** Every value that was tried: ascending for a range, as they were given for a list. */
  readonly points: readonly SweepPoint[];
  /** For a list these are runs of neighbours in the order in which they were given. */
  readonly stretches: readonly SweepStretch[];
  /** True where checks were sent that count at the service; false where the sandbox was only asked. */
  readonly real: boolean;
  /** Checks that were sent, or questions that were asked. */
  readonly asked: number;
  /** Why it ended before everything was tried, as a sentence; null when nothing is missing. */
  readonly stopped: string | null;
}

/** From this factor between its ends on, most of a range lies where nobody looks: it is spread by factors instead. */
const WIDE = 50;

export function scaleOf({ from, to }: { readonly from: number; readonly to: number }): SweepScale {
  return from > 0 && to / from >= WIDE ? "growing" : "even";
}

/** Where a value lies between the ends of a range, 0 to 1, as the values are spread. */
export function placeOf(value: number, range: { readonly from: number; readonly to: number }): number {
  const { from, to } = range;
  if (to === from) return 0;
  return scaleOf(range) === "growing"
    ? Math.log(value / from) / Math.log(to / from)
    : (value - from) / (to - from);
}

/** The whole number at a place between the ends. */
export function valueAt(place: number, range: { readonly from: number; readonly to: number }): number {
  const { from, to } = range;
  const value = scaleOf(range) === "growing" ? from * (to / from) ** place : from + (to - from) * place;
  return Math.min(to, Math.max(from, Math.round(value)));
}

/** The values of a range that are tried first, ascending, both ends among them. */
export function samplesOf(range: {
  readonly from: number;
  readonly to: number;
  readonly steps: number;
}): number[] {
  const { from, to, steps } = range;
  if (steps < 2 || from === to) return [...new Set([from, to])];
  const all = Array.from({ length: steps }, (_, index) => valueAt(index / (steps - 1), range));
  return [...new Set(all)];
}
