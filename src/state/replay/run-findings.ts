// Groups the findings of a run: flips by matrix cell, other changes, failed items. Pure.

import {
  decisiveRule,
  type Comparison,
  type Flip,
  type FlipCause,
  type FlipCell,
  type ItemChange,
} from "#src/contract/records/flip.ts";
import {
  trustedVerdict,
  withoutVerdict,
  type KeptRows,
  type RunInfo,
  type RunRow,
} from "#src/contract/records/run.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";

/** One item of a run, with what is known of the earlier side. */
export interface Finding {
  readonly key: string;
  readonly was: Recommendation | null;
  readonly now: Recommendation | null;
  readonly before: RunRow | null;
  readonly after: RunRow | null;
}

/** - `causes`: the causes of the flips; `outcomes`: verdicts against what became of the payments; `cell`: flips of one cell of the matrix; `unexpected`: not the verdict that the payload expects; `items`: the run itself */
export type GroupKind =
  "flips" | "causes" | "outcomes" | "cell" | Exclude<ItemChange, "flipped" | "unchanged"> | RowKind;

/** Groups that are made of the rows of a run rather than of its comparison. */
type RowKind = "unexpected" | "no_verdict" | "items";

export interface FindingGroup {
  /** Stays the same while the run is shown: `flips`, `pass>block`, `no_verdict`. */
  readonly id: string;
  readonly kind: GroupKind;
  /** The cell; null for other groups. */
  readonly cell: Pick<FlipCell, "was" | "now"> | null;
  /** All there are; `findings` may hold fewer. */
  readonly count: number;
  readonly findings: readonly Finding[];
}

export const NO_ROWS: KeptRows = { unexpected: [], noVerdict: [], items: [] };

/** The groups that have something in them, the most telling first; `items` is always there, and last. */
export function findingGroups(
  comparison: Comparison | null,
  rows: KeptRows,
  summary: RunInfo["summary"],
): FindingGroup[] {
  const compared = comparison === null ? [] : comparedGroups(comparison);
  const known = new Map(comparison?.flips.map((flip) => [flip.key, flip]));
  const group = (kind: RowKind, count: number, kept: readonly RunRow[]): FindingGroup => ({
    id: kind,
    kind,
    cell: null,
    count,
    findings: kept.map((row) => findingOf(row, known.get(row.key))),
  });
  return [
    ...compared,
    group("unexpected", summary?.expectationsFailed ?? rows.unexpected.length, rows.unexpected),
    group(
      "no_verdict",
      summary === null ? rows.noVerdict.length : withoutVerdict(summary.counts),
      rows.noVerdict,
    ),
    group("items", summary?.counts.total ?? rows.items.length, rows.items),
  ].filter(
    ({ kind, count, findings }) =>
      kind === "items" || kind === "causes" || Math.max(count, findings.length) > 0,
  );
}

/** The groups with the outcomes behind those of the comparison. */
export function withOutcomesGroup(groups: readonly FindingGroup[], labelled: number): FindingGroup[] {
  const outcomes = { id: "outcomes", kind: "outcomes" as const, cell: null, count: labelled, findings: [] };
  const ofRows = groups.findIndex(isOfRows);
  return groups.toSpliced(ofRows, 0, outcomes);
}

/** Whether a group is made of the rows of a run. */
function isOfRows({ kind }: FindingGroup): boolean {
  return ["unexpected", "no_verdict", "items"].includes(kind);
}

/** Those of the flips that the two decisive rules of a cause explain. */
export function findingsOf(cause: FlipCause, flips: readonly Finding[]): readonly Finding[] {
  const decisive = (verdict: Finding["now"], row: RunRow | null): string | null | undefined =>
    row?.result?.basis === undefined ? undefined : decisiveRule(verdict, row.result.basis.rules);
  return flips.filter(
    ({ was, now, before, after }) =>
      was === cause.was &&
      now === cause.now &&
      decisive(was, before) === cause.before &&
      decisive(now, after) === cause.after,
  );
}

function comparedGroups({ matrix, changes, flips, causes }: Comparison): FindingGroup[] {
  const flipped = flips.filter(({ change }) => change === "flipped");
  // The flips stand worst first, and so do the cells: a cell of which none is kept is none of the worst.
  const place = ({ was, now }: Pick<FlipCell, "was" | "now">): number => {
    const first = flipped.findIndex((flip) => flip.was === was && flip.now === now);
    return first < 0 ? flipped.length : first;
  };
  const cells = matrix
    .filter(({ was, now, count }) => was !== now && count > 0)
    .sort((one, other) => place(one) - place(other));
  const others = (["failed", "new", "missing"] as const).map((kind): FindingGroup => {
    const findings = flips.filter(({ change }) => change === kind);
    return { id: kind, kind, cell: null, count: changes[kind], findings };
  });
  return [
    { id: "flips", kind: "flips" as const, cell: null, count: changes.flipped, findings: flipped },
    ...(changes.flipped === 0
      ? []
      : [{ id: "causes", kind: "causes" as const, cell: null, count: causes.length, findings: [] }]),
    ...cells.map(({ was, now, count }) => ({
      id: cellId({ was, now }),
      kind: "cell" as const,
      cell: { was, now },
      count,
      findings: flipped.filter((flip) => flip.was === was && flip.now === now),
    })),
    // A change of which no item is kept could be chosen and would show nothing.
    ...others.filter(({ findings }) => findings.length > 0),
  ];
}

/** Name of the group of a cell. */
export function cellId({ was, now }: Pick<FlipCell, "was" | "now">): string {
  return `${was}>${now}`;
}

function findingOf(row: RunRow, flip: Flip | undefined): Finding {
  const { key, was, result } = row;
  return { key, was, now: trustedVerdict(result), before: flip?.before ?? null, after: row };
}
