// A shown run: its comparison, the selected group and the selected finding. Pure.

import { FINDING_FILTER } from "#src/actions/replay/filter-findings.ts";
import type { Comparison, Flip, FlipCause } from "#src/contract/records/flip.ts";
import type { KeptRows, RunInfo } from "#src/contract/records/run.ts";
import type { RunOutcomes } from "#src/contract/records/outcomes.ts";
import type { Sort } from "#src/contract/records/list-sort.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { changedSort, movedIndex, nextAround, sortedRows, type ListMove } from "#src/state/list-selection.ts";
import {
  findingGroups,
  findingsOf,
  NO_ROWS,
  withOutcomesGroup,
  type Finding,
  type FindingGroup,
} from "./run-findings.ts";

export interface ReplayResult {
  readonly info: RunInfo;
  /** Id of the run it is compared with; null for what its items carried. */
  readonly baseline: string | null;
  /** Null until it has been read, and where it could not be. */
  readonly comparison: Comparison | null;
  /** Null until they have been read, and where nobody knows what became of its payments. */
  readonly outcomes: RunOutcomes | null;
  readonly reading: boolean;
  /** Why the comparison could not be made, in one sentence. */
  readonly fault: string | null;
  /** What was read of the items: more of them the further the user goes. */
  readonly rows: KeptRows;
  readonly flips: readonly Flip[];
  /** Of the findings that are listed, one that compiles; empty for all. */
  readonly filter: string;
  /** With the findings that the filter lets through. */
  readonly groups: readonly FindingGroup[];
  readonly groupId: string;
  /** The cause whose flips are listed in place of the causes. */
  readonly cause: FlipCause | null;
  /** Of the findings; the causes stand as they are. */
  readonly sort: FindingSort;
  /** Place of the selected finding in its group, or of the selected cause. */
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
    outcomes: null,
    reading: true,
    fault: null,
    rows: NO_ROWS,
    flips: [],
    filter: "",
    groups: [],
    groupId: "",
    cause: null,
    sort: { by: "found", turned: false },
    selected: 0,
    opened: null,
    scroll: 0,
  };
}

/** Columns that the findings are sorted by; at first the worst, or those that were sent first, are on top. */
const FINDING_ORDERS = ["found", "was", "now", "amount"] as const;
type FindingSort = Sort<(typeof FINDING_ORDERS)[number]>;

export function sortFindings(result: ReplayResult, how: "next" | "turned"): ReplayResult {
  return { ...result, sort: changedSort(FINDING_ORDERS, result.sort, how), selected: 0 };
}

function inOrder({ kind, findings }: FindingGroup, sort: FindingSort): readonly Finding[] {
  const requestOf = ({ after, before }: Finding): CheckRequest | undefined => (after ?? before)?.request;
  const { by, turned } = sort;
  if (by === "found") return turned ? findings.toReversed() : findings;
  const read = (finding: Finding): string | number | null | undefined =>
    ({
      was: kind === "unexpected" ? finding.after?.expect : finding.was,
      now: finding.now,
      amount: requestOf(finding)?.amount,
    })[by];
  const rows = sortedRows(findings, sort, read);
  // Amounts of different currencies are not compared.
  return by === "amount" ? sortedRows(rows, CURRENCIES, (finding) => requestOf(finding)?.currency) : rows;
}

const CURRENCIES: Sort = { by: "currency", turned: false };

/** The result with what was read; on the first group that has something to tell. */
export function withRead(
  result: ReplayResult,
  comparison: Comparison | null,
  rows: KeptRows,
  fault: string | null = null,
): ReplayResult {
  const read = { ...result, comparison, rows, flips: comparison?.flips ?? [], fault, reading: false };
  const groups = groupsOf(read);
  const first = groups.find(({ findings }) => findings.length > 0) ?? groups[0];
  return { ...read, groups, groupId: first?.id ?? "" };
}

/** The result with what was read since, or under another filter; the selected finding stays selected, wherever it is then. */
export function withItems(result: ReplayResult): ReplayResult {
  const more = { ...result, groups: groupsOf(result) };
  if (listedCauses(more) !== null) return more;
  const key = selectedFinding(result)?.key;
  const at = shownGroup(more)?.findings.findIndex((finding) => finding.key === key) ?? 0;
  return { ...more, selected: Math.max(0, at) };
}

function groupsOf(result: ReplayResult): readonly FindingGroup[] {
  const { comparison, info, outcomes, filter, rows, flips } = result;
  const found = findingGroups(comparison && { ...comparison, flips }, rows, info.summary);
  const groups = outcomes === null ? found : withOutcomesGroup(found, outcomes.labelled);
  const passes = FINDING_FILTER.compile(filter);
  return groups.map((group) => ({ ...group, findings: group.findings.filter(passes) }));
}

/** Whether the last of the findings that are kept is selected, and there are more. */
export function isAtKeptEnd(result: ReplayResult): boolean {
  const { findings = [], count = 0 } = shownGroup(result) ?? {};
  const { length } = findings;
  return length > 0 && length < count && result.selected >= length - 1;
}

export function withOutcomes(result: ReplayResult, outcomes: RunOutcomes): ReplayResult {
  return { ...result, outcomes, groups: withOutcomesGroup(result.groups, outcomes.labelled) };
}

/** The group that is shown; null before anything has been read. */
export function shownGroup({ groups, groupId, cause, sort }: ReplayResult): FindingGroup | null {
  const group = groups.find(({ id }) => id === groupId) ?? null;
  if (group === null || cause === null) return group && { ...group, findings: inOrder(group, sort) };
  const flips = groups.find(({ kind }) => kind === "flips")?.findings ?? [];
  const chosen = { ...group, kind: "flips" as const, count: cause.count, findings: findingsOf(cause, flips) };
  return { ...chosen, findings: inOrder(chosen, sort) };
}

/** The causes, while they are listed; null while findings are. */
export function listedCauses(result: ReplayResult): readonly FlipCause[] | null {
  return shownGroup(result)?.kind === "causes" ? (result.comparison?.causes ?? []) : null;
}

export function selectedFinding(result: ReplayResult): Finding | null {
  return shownGroup(result)?.findings[result.selected] ?? null;
}

/** The next group, or the previous one, around the ends. */
export function cycleGroup(result: ReplayResult, step: 1 | -1): ReplayResult {
  const { groups, groupId } = result;
  const ids = groups.map(({ id }) => id);
  return { ...result, groupId: nextAround(ids, groupId, step) ?? "", cause: null, selected: 0 };
}

/** Moves the selection by some rows, or to an end; while a finding is opened, it follows. */
export function selectFinding(result: ReplayResult, move: ListMove): ReplayResult {
  const findings = shownGroup(result)?.findings ?? [];
  const listed = listedCauses(result) ?? findings;
  const selected = movedIndex(result.selected, move, listed.length);
  const opened = result.opened === null ? null : (findings[selected] ?? null);
  return { ...result, selected, opened, scroll: selected === result.selected ? result.scroll : 0 };
}

/** Goes to the next finding with the same verdicts before and now, or the previous one; stays where there is none. */
export function selectOfKind(result: ReplayResult, step: 1 | -1): ReplayResult {
  const findings = shownGroup(result)?.findings ?? [];
  const { was, now } = findings[result.selected] ?? {};
  let at = result.selected + step;
  while (at in findings && (findings[at]!.was !== was || findings[at]!.now !== now)) at += step;
  return at in findings ? selectFinding(result, at - result.selected) : result;
}

/** Opens both sides of the selected finding, or the flips of the selected cause. */
export function openFinding(result: ReplayResult): ReplayResult {
  const cause = listedCauses(result)?.[result.selected];
  if (cause !== undefined) return { ...result, cause, selected: 0 };
  return { ...result, opened: selectedFinding(result), scroll: 0 };
}

/** From a finding to its list, from the flips of a cause to the causes; null where nothing is opened. */
export function stepBack(result: ReplayResult): ReplayResult | null {
  if (result.opened !== null) return { ...result, opened: null, scroll: 0 };
  if (result.cause === null) return null;
  return { ...result, cause: null, selected: result.comparison?.causes.indexOf(result.cause) ?? 0 };
}
