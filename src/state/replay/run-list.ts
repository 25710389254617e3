// The list of runs: selection, mark, baseline, and flip counts.

import { formatCount } from "#src/display/count.ts";
import type { StoreApi } from "zustand/vanilla";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { keptRow, movedRow, type ListMove } from "#src/state/list-selection.ts";
import { askFilter } from "#src/state/listing.ts";
import { faultOf, reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { ReplayEngine } from "./replay-engine.ts";
import { chosenRun, listedRuns, type ReplaysState } from "./replays-state.ts";

/** Flips are counted for the list as far as that is cheap. */
const FLIPS_COUNTED = { runs: 50, items: 2_000 };

/** @param onRemoved called for a run that is gone, before the list is read again */
export function createRunList(
  session: Session,
  engine: Pick<ReplayEngine, "list" | "compare" | "remove">,
  { getState, setState }: StoreApi<ReplaysState>,
  onRemoved: (id: string) => void,
) {
  /** Runs whose flips were counted, or were tried to be. */
  const counted = new Set<string>();
  let closed = false;

  /** Lists other runs; one of them is selected. */
  const setList = (change: Partial<Pick<ReplaysState, "runs" | "filter">>): void =>
    setState((before) => {
      const listed = listedRuns({ ...before, ...change });
      const selected = keptRow(listed, listedRuns(before), ({ id }) => id === before.selectedId);
      return { ...change, selectedId: selected?.id ?? null };
    });
  const setFilter = (filter: string): void => setList({ filter });

  const load = async (): Promise<void> => {
    try {
      const runs = await engine.list();
      setList({ runs });
      setState(({ markedId, baselineId }) => ({
        loaded: true,
        fault: null,
        markedId: listedId(runs, markedId),
        baselineId: listedId(runs, baselineId),
      }));
      await countFlips();
    } catch (error) {
      setState({ loaded: true, fault: faultOf(error).message });
    }
  };

  /** A run of which nothing could be compared has no flips to tell of, not even none. */
  const keepFlips = (id: string, { changes, compared }: Comparison): void =>
    setState(({ flips }) => {
      const kept = new Map(flips);
      if (compared > 0) kept.set(id, changes.flipped);
      else kept.delete(id);
      return { flips: kept };
    });

  /** Compares the small runs of the list one after the other, so that it tells where something has changed. */
  const countFlips = async (): Promise<void> => {
    const wanted = getState()
      .runs.slice(0, FLIPS_COUNTED.runs)
      .filter(
        ({ id, summary }) => !counted.has(id) && (summary?.counts.total ?? Infinity) <= FLIPS_COUNTED.items,
      );
    for (const { id } of wanted) counted.add(id);
    for (const info of wanted) {
      if (closed) return;
      try {
        keepFlips(info.id, await engine.compare(info, info.baseline));
      } catch (error) {
        // Its baseline may be gone; the list shows that nothing is known.
        faultOf(error);
      }
    }
  };

  return {
    /** Reads the list again. */
    load,
    select(move: ListMove) {
      const { selectedId } = getState();
      setState({
        selectedId: movedRow(listedRuns(getState()), ({ id }) => id === selectedId, move)?.id ?? null,
      });
    },
    setFilter,
    /** Filters the runs while it is typed. */
    askListFilter: () => askFilter(session, "partial demo-shop", getState().filter, setFilter),
    /** Keeps how many verdicts of a run have flipped. */
    keepFlips(id: string, comparison: Comparison) {
      counted.add(id);
      keepFlips(id, comparison);
    },
    /** Asks whether to remove the run that is selected or shown. */
    async remove() {
      const run = chosenRun(getState());
      if (run === null) return session.say("There is no run to remove.", "note");
      const items = run.summary === null ? "" : ` and its ${formatCount(run.summary.counts.total)} verdicts`;
      const agreed = await session.agree({
        text: `Remove the run ${run.id}${items} for good?`,
        yes: "remove",
      });
      if (!agreed) return;
      const removed = await reportFaults(session, async () => {
        await engine.remove(run.id);
        return true;
      });
      if (removed === null) return;
      onRemoved(run.id);
      await load();
      session.say("The run is removed.", "done");
    },
    /** Takes that run as the baseline of the next replay, or no longer. */
    toggleBaseline() {
      const run = chosenRun(getState());
      if (run === null) return;
      const taken = getState().baselineId === run.id;
      setState({ baselineId: taken ? null : run.id });
      session.say(
        taken
          ? "The next replay is compared with the verdicts in its sources."
          : `The next replay is compared with this run; ${session.keyName("replay.new")} begins it.`,
        "note",
      );
    },
    /** Marks that run to be compared with, or no longer. */
    toggleMark() {
      const run = chosenRun(getState());
      if (run === null) return;
      const markedId = getState().markedId === run.id ? null : run.id;
      setState({ markedId });
      if (markedId !== null)
        session.say(`${session.keyName("replay.compare")} on another run compares it with this one.`, "note");
    },
    /** Compares no more runs. */
    close() {
      closed = true;
    },
  };
}

function listedId(runs: readonly RunInfo[], id: string | null): string | null {
  return runs.some((run) => run.id === id) ? id : null;
}
