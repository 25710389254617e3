// A sweep: one field varied over a range or a list, and the values at which the verdict changes.

import type { FieldValue } from "#src/contract/fields/field.ts";
import type { Outcome } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** Values that one sweep, or one tuning, tries at most. */
export const MOST_VALUES = 200;

/** A recommendation, or why there is none. */
export type SweepVerdict = Recommendation | Exclude<Outcome, "answered">;

/** The result of one value. */
export interface SweepPoint {
  readonly value: FieldValue;
  readonly verdict: SweepVerdict;
  /** Reason in a sentence; null for a plain pass. */
  readonly reason: string | null;
  /** Live rules that hit, the strongest first; null without an explanation. */
  readonly codes: readonly string[] | null;
  /** The reasons of these rules, in their order, where they are known. */
  readonly reasons?: readonly string[];
}

/** Adjacent values with the same verdict. */
export interface SweepStretch {
  /** The first and the last tried value. */
  readonly from: SweepPoint;
  readonly to: SweepPoint;
  /** True where the value just before `from` was tried and has another verdict. Always true for the first stretch. */
  readonly exact: boolean;
  /** Rules that hit here and not in the stretch before, the strongest first; empty when unknown. */
  readonly gained: readonly string[];
  /** Rules that hit in the stretch before and not here. */
  readonly lost: readonly string[];
}

/** Spacing of the samples of a range: linear, or logarithmic for a wide range. */
export type SweepScale = "even" | "growing";

export interface SweepRange {
  readonly kind: "range";
  /** Both ends are tried. */
  readonly from: number;
  readonly to: number;
  /** Number of samples before the changes between them are narrowed down. */
  readonly steps: number;
}

export type SweepValues = SweepRange | { readonly kind: "list"; readonly values: readonly FieldValue[] };

export interface SweepResult {
  readonly profile: string;
  /** `<merchant_id>/<risk_level>` */
  readonly project: string;
  /** Dotted path of the field that was changed. */
  readonly field: string;
  readonly values: SweepValues;
  /** The request that is varied; its own value of the field is tried only if it is among `values`. */
  readonly request: CheckRequest;
  /** Time of the decisions, in ms since the epoch. */
  readonly at: number;
  /** Every tried value: ascending for a range, in the given order for a list. */
  readonly points: readonly SweepPoint[];
  readonly stretches: readonly SweepStretch[];
  /** True where real checks were sent, which count at the service; false for what-if questions to the sandbox. */
  readonly real: boolean;
  /** Number of checks or questions. */
  readonly asked: number;
  /** Why it ended early, as a sentence; null when it is complete. */
  readonly stopped: string | null;
}

/** From this ratio of its ends on, a range is sampled on a logarithmic scale. */
const WIDE = 50;

export function scaleOf({ from, to }: { readonly from: number; readonly to: number }): SweepScale {
  return from > 0 && to / from >= WIDE ? "growing" : "even";
}

/** Position of a value on the scale of a range, 0 to 1. */
export function fractionOf(value: number, range: { readonly from: number; readonly to: number }): number {
  const { from, to } = range;
  if (to === from) return 0;
  return scaleOf(range) === "growing"
    ? Math.log(value / from) / Math.log(to / from)
    : (value - from) / (to - from);
}

/** The whole number at a position on the scale of a range. */
function valueAt(fraction: number, range: { readonly from: number; readonly to: number }): number {
  const { from, to } = range;
  const value = scaleOf(range) === "growing" ? from * (to / from) ** fraction : from + (to - from) * fraction;
  return Math.min(to, Math.max(from, Math.round(value)));
}

/** The samples of a range, ascending, with both ends. */
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
