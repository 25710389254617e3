// The shown run: reads it from disk, moves through its findings, and writes its report.

import type { StoreApi } from "zustand/vanilla";
import { completeFilter, isHalfTyped, wrongFilter } from "#src/actions/history/complete-filter.ts";
import { FINDING_FILTER } from "#src/actions/replay/filter-findings.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { FILTER_NOTES } from "#src/display/filter-notes.ts";
import { maskedFilter } from "#src/display/masked-words.ts";
import type { ListMove } from "#src/state/list-selection.ts";
import { pathCompletion } from "#src/state/path-completion.ts";
import { faultOf, problemIn, reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { MOST_ROWS, ROWS_KEPT, type ReplayEngine } from "./replay-engine.ts";
import {
  cycleGroup,
  isAtKeptEnd,
  openedResult,
  openFinding,
  selectFinding,
  selectOfKind,
  sortFindings,
  stepBack,
  withItems,
  withOutcomes,
  withRead,
  type ReplayResult,
} from "./replay-result.ts";
import type { ReplaysState } from "./replays-state.ts";

/** @param onCompared called with the comparison of a run with its own baseline */
export function createRunResult(
  session: Session,
  engine: Pick<ReplayEngine, "rows" | "outcomes" | "compare" | "writeReport">,
  { getState, setState }: StoreApi<ReplaysState>,
  onCompared: (id: string, comparison: Comparison) => void,
) {
  /** Counts what was shown; what an earlier read finds is out of date. */
  let generation = 0;
  let kept = ROWS_KEPT;
  let readingMore = false;

  const changeResult = (change: (result: ReplayResult) => ReplayResult): void =>
    setState(({ result }) => ({ result: result && change(result) }));

  const show = async (info: RunInfo, baseline: string | null): Promise<void> => {
    const mine = (generation += 1);
    kept = ROWS_KEPT;
    readingMore = false;
    setState({ result: openedResult(info, baseline) });
    const read = async (): Promise<ReplayResult> => {
      const result = openedResult(info, baseline);
      const rows = await engine.rows(info, baseline, kept);
      try {
        return withRead(result, await engine.compare(info, baseline, kept), rows);
      } catch (error) {
        return withRead(result, null, rows, faultOf(error).message);
      }
    };
    const result = await reportFaults(session, read);
    if (mine !== generation) return;
    setState({ result });
    if (result?.comparison != null && baseline === info.baseline) onCompared(info.id, result.comparison);
    // Last, because it reads the texts of all items.
    const outcomes = await reportFaults(session, () => engine.outcomes(info));
    if (mine === generation && outcomes !== null) changeResult((shown) => withOutcomes(shown, outcomes));
  };

  /** Reads more than is kept, one read at a time. */
  const readMore = async (most: number): Promise<void> => {
    const mine = generation;
    const { result } = getState();
    if (readingMore || result === null || kept >= Math.min(most, MOST_ROWS)) return;
    readingMore = true;
    const { info, baseline, comparison } = result;
    const more = await reportFaults(session, async () => ({
      rows: await engine.rows(info, baseline, most),
      flips: comparison === null ? [] : (await engine.compare(info, baseline, most)).flips,
    }));
    if (mine !== generation) return;
    readingMore = false;
    if (more === null) return;
    kept = most;
    changeResult((shown) => withItems({ ...shown, ...more }));
  };

  const setFilter = (filter: string): void => {
    changeResult((result) => withItems({ ...result, filter }));
    // What is looked for may be far from the first.
    if (filter !== "") void readMore(MOST_ROWS);
  };

  const close = (): void => {
    generation += 1;
    setState({ result: null });
  };

  return {
    /** Reads a run and its comparison, and shows them. */
    show,
    /** Back to the list; what is still being read is out of date. */
    close,
    /** From a finding to its run, from there to the list. False when no result is shown. */
    back() {
      const { result } = getState();
      if (result === null) return false;
      const before = stepBack(result);
      if (before !== null) setState({ result: before });
      else if (result.filter === "") close();
      else setFilter("");
      return true;
    },
    /** Shows both sides of the selected finding, or the flips of the selected cause. */
    openFinding: () => changeResult(openFinding),
    cycleGroup: (step: 1 | -1) => changeResult((result) => cycleGroup(result, step)),
    /** Sorts by the next column, or the other way round. */
    sortFindings: (how: "next" | "turned") => changeResult((result) => sortFindings(result, how)),
    selectFinding(move: ListMove) {
      changeResult((result) => selectFinding(result, move));
      const { result } = getState();
      if (result !== null && isAtKeptEnd(result)) void readMore(kept * 2);
    },
    /** Filters the findings while it is typed, as the history is; Esc brings back what was. */
    async askFilter() {
      const before = getState().result;
      if (before === null) return;
      const problemOf = (text: string): string | null =>
        wrongFilter(text, 0, FINDING_FILTER)?.message ?? null;
      const question = {
        label: "Filter",
        initial: before.filter,
        placeholder: "was:pass now:block amount>100000",
        help: FILTER_NOTES,
        isPublic: (text: string) => maskedFilter(text) === text,
        complete: (text: string) => completeFilter(text, 0, before.info.amountUnit, FINDING_FILTER),
        onChange(text: string) {
          // What cannot be applied yet keeps the list of what could be.
          if (!isHalfTyped(text, FINDING_FILTER) && problemOf(text.trim()) === null) setFilter(text.trim());
        },
      };
      setFilter((await session.askUntil(question, problemOf)) ?? before.filter);
    },
    selectOfKind: (step: 1 | -1) => changeResult((result) => selectOfKind(result, step)),
    scrollTo: (line: number) => changeResult((result) => ({ ...result, scroll: Math.max(0, line) })),
    /** Asks where to write a report of the run. */
    async askReport() {
      const { result } = getState();
      if (result === null) return;
      const write = async (file: string): Promise<void> => {
        const path = await engine.writeReport(file, result.info, result.comparison);
        session.say(`The report is written, personal data masked: ${path}`, "done");
      };
      const question = {
        label: "Report to",
        placeholder: "a file: .html, .md, .json, or .xml for JUnit",
        complete: pathCompletion(session),
      };
      await session.askUntil(question, (file) => (file === "" ? null : problemIn(() => write(file))));
    },
  };
}
