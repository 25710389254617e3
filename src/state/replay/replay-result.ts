// A shown run: its comparison, the selected group and the selected finding. Pure.

import type { Comparison } from "#src/contract/records/flip.ts";
import type { KeptRows, RunInfo } from "#src/contract/records/run.ts";
import { movedIndex, nextAround, type ListMove } from "#src/state/list-selection.ts";
import { findingGroups, type Finding, type FindingGroup } from "./run-findings.ts";

export interface ReplayResult {
  readonly info: RunInfo;
  /** Id of the run it is compared with; null for what its items carried. */
  readonly baseline: string | null;
  /** Null until it has been read, and where it could not be. */
  readonly comparison: Comparison | null;
  readonly reading: boolean;
  /** Why the comparison could not be made, in one sentence. */
  readonly fault: string | null;
  readonly groups: readonly FindingGroup[];
  readonly groupId: string;
  /** Place of the selected finding in its group. */
  readonly selected: number;
  /** The finding whose both sides are shown. */
  readonly opened: Finding | null;
  /** First visible line of it. */
  readonly scroll: number;
}

/** A result of which nothing has been read yet. */
export function openedResult(info: RunInfo, baseline: string | null): ReplayResult {
  return {
    info,
    baseline,
    comparison: null,
    reading: true,
    fault: null,
    groups: [],
    groupId: "",
    selected: 0,
    opened: null,
    scroll: 0,
  };
}

/** The result with what was read; on the first group that has something to tell. */
export function withRead(
  result: ReplayResult,
  comparison: Comparison | null,
  rows: KeptRows,
  fault: string | null = null,
): ReplayResult {
  const groups = findingGroups(comparison, rows, result.info.summary, result.baseline);
  const first = groups.find(({ findings }) => findings.length > 0) ?? groups[0];
  return { ...result, comparison, fault, groups, groupId: first?.id ?? "", reading: false };
}

/** The group that is shown; null before anything has been read. */
export function shownGroup({ groups, groupId }: ReplayResult): FindingGroup | null {
  return groups.find(({ id }) => id === groupId) ?? null;
}

export function selectedFinding(result: ReplayResult): Finding | null {
  return shownGroup(result)?.findings[result.selected] ?? null;
}

/** The next group, or the previous one, around the ends. */
export function cycleGroup(result: ReplayResult, step: 1 | -1): ReplayResult {
  const { groups, groupId } = result;
  const ids = groups.map(({ id }) => id);
  return { ...result, groupId: nextAround(ids, groupId, step) ?? "", selected: 0 };
}

/** Moves the selection by some rows, or to an end; while a finding is opened, it follows. */
export function selectFinding(result: ReplayResult, move: ListMove): ReplayResult {
  const findings = shownGroup(result)?.findings ?? [];
  const selected = movedIndex(result.selected, move, findings.length);
  const opened = result.opened === null ? null : (findings[selected] ?? null);
  return { ...result, selected, opened, scroll: selected === result.selected ? result.scroll : 0 };
}

export function openFinding(result: ReplayResult): ReplayResult {
  return { ...result, opened: selectedFinding(result), scroll: 0 };
}

export function closeFinding(result: ReplayResult): ReplayResult {
  return { ...result, opened: null, scroll: 0 };
}
