// A comparison as JSON, for reports and standard output. A change of its shape requires a new `schema`.

import type { Comparison, Flip, FlipCell } from "#src/contract/records/flip.ts";
import { placeOf, type RunInfo } from "#src/contract/records/run.ts";
import type { Privacy } from "./report-privacy.ts";

/**
 * Sums are texts, because they may exceed the exact range of JSON numbers; they are in the profile's amount unit.
 * @param earlier the run that is the baseline; null for what payloads carried, and for a back-test
 */
export function comparisonJson(comparison: Comparison, earlier: RunInfo | null, privacy: Privacy) {
  const { changes } = comparison;
  return {
    baseline: comparison.baseline,
    baseline_on: earlier === null ? null : placeOf(earlier),
    baseline_decided_by: earlier === null ? null : rulesJson(earlier),
    run: comparison.run,
    compared: comparison.compared,
    unchanged: changes.unchanged,
    flips: changes.flipped,
    new_blocks: comparison.newBlocks,
    new: changes.new,
    missing: changes.missing,
    without_verdict: changes.failed,
    matrix: comparison.matrix.map(cellJson),
    causes: comparison.causes.map((group) => ({
      before: group.before,
      after: group.after,
      ...cellJson(group),
    })),
    projects: comparison.projects.map((group) => ({ project: group.project, ...cellJson(group) })),
    worst_flips: comparison.flips.map((flip) => flipJson(flip, privacy)),
  };
}

/** The rules of a run; null where they are not known, a null hash for a run of an earlier build. */
export function rulesJson({ isolated, rulesHash }: Pick<RunInfo, "isolated" | "rulesHash">) {
  return isolated === undefined ? null : { name: isolated, hash: rulesHash ?? null };
}

function cellJson({ was, now, count, money, eur }: FlipCell) {
  return {
    was,
    now,
    count,
    money: money.map(({ currency, amount }) => ({ currency, amount: String(amount) })),
    about_eur: eur === null ? null : Math.round(eur * 100) / 100,
  };
}

function flipJson({ key, was, now, before, after }: Flip, privacy: Privacy) {
  const row = after ?? before;
  return {
    key,
    was,
    now,
    amount: row?.request.amount ?? null,
    currency: row?.request.currency ?? null,
    origin: row === null ? null : privacy.text(row.origin, row.request),
  };
}
