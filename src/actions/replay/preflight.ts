// The preflight of a replay (dry run): reads and validates all sources and sends nothing.

import type { ActionContext } from "#src/actions/action-context.ts";
import { interrupted } from "#src/contract/fault.ts";
import type { Money } from "#src/contract/records/flip.ts";
import type { ItemChoice, RejectedLine } from "#src/contract/records/run.ts";
import { MoneyTally } from "#src/replay/money-tally.ts";
import { systemClock } from "#src/replay/scheduler.ts";
import { isChosen } from "#src/replay/sources/item-choice.ts";
import { readSources } from "#src/replay/sources/source.ts";
import { WarningTally, type Warnings } from "#src/replay/warning-tally.ts";
import { sourcePlaces } from "./replay-places.ts";
import type { ReplayInput } from "./replay.ts";

/** Rejected lines that are kept; the others are counted. */
const KEPT = 100;
/** Lines between two turns of timers and signals. */
const BATCH = 500;

/** The result of a preflight. */
export interface Preflight {
  readonly items: number;
  /** Items of the sources that are not chosen. */
  readonly leftOut: number;
  /** The first 100. */
  readonly rejected: readonly RejectedLine[];
  readonly rejectedCount: number;
  readonly warnings: Warnings;
  /** Sums by currency, the most frequent first. */
  readonly money: readonly Money[];
  /** Items with an expected verdict. */
  readonly expectations: number;
}

/**
 * Reads and validates the sources of a replay.
 * @param onRejected receives every rejected line
 * @throws Fault("usage") for a missing source, Fault("bad_input") for a bad line when strict, Fault("interrupted")
 */
export async function preflightSources(
  context: ActionContext,
  input: Pick<ReplayInput, "sources" | "strict" | "stdin" | "ignoredColumns"> & ItemChoice,
  signal: AbortSignal,
  onRejected: (line: RejectedLine) => void = () => undefined,
): Promise<Preflight> {
  const { ignoredColumns } = input;
  const places = { ...(await sourcePlaces(context, input.stdin)), ignoredColumns };
  const rejected: RejectedLine[] = [];
  const money = new MoneyTally();
  const warned = new WarningTally();
  let [items, leftOut, rejectedCount, expectations] = [0, 0, 0, 0];
  for await (const line of readSources(input.sources, places, { strict: input.strict, signal }).lines) {
    if ((items + leftOut + rejectedCount) % BATCH === 0) await systemClock.yieldToEvents();
    if (signal.aborted) throw interrupted`Stopped; nothing was sent.`;
    if ("rejected" in line) {
      rejectedCount += 1;
      onRejected(line.rejected);
      if (rejected.length < KEPT) rejected.push(line.rejected);
      continue;
    }
    if (!isChosen(input, line.item)) {
      leftOut += 1;
      continue;
    }
    const { request, expect, warnings } = line.item;
    items += 1;
    if (warnings !== undefined) warned.take(warnings);
    if (expect !== null) expectations += 1;
    money.take(request);
  }
  // The signal ends the wait for a pipe without an error.
  if (signal.aborted) throw interrupted`Stopped; nothing was sent.`;
  return {
    items,
    leftOut,
    rejected,
    rejectedCount,
    warnings: warned.sum(),
    money: money.sums(),
    expectations,
  };
}
