// A dry run: everything is read and validated, nothing is sent.

import type { ActionContext } from "#src/actions/action-context.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Money } from "#src/contract/records/flip.ts";
import type { RejectedLine } from "#src/contract/records/run.ts";
import { systemClock } from "#src/replay/scheduler.ts";
import { readSources } from "#src/replay/sources/source.ts";
import { WarningTally, type Warnings } from "#src/replay/warning-tally.ts";
import { sourcePlaces } from "./replay-places.ts";
import type { ReplayInput } from "./replay.ts";

/** Bad lines that are kept; the others are counted. */
const KEPT = 100;
/** Timers and signals have their turn after so many lines. */
const BATCH = 500;

/** What a dry run found. */
export interface Survey {
  readonly items: number;
  /** The first 100. */
  readonly rejected: readonly RejectedLine[];
  readonly rejectedCount: number;
  readonly warnings: Warnings;
  /** What the payloads are worth, by currency, the largest count first. */
  readonly money: readonly Money[];
  /** Items that carry an expected verdict. */
  readonly expectations: number;
}

/**
 * Reads and validates the sources of a replay.
 * @param onRejected gets every bad line
 * @throws Fault("usage") for a source that is not there, Fault("bad_input") for a bad line when strict, Fault("interrupted")
 */
export async function surveySources(
  context: ActionContext,
  input: Pick<ReplayInput, "sources" | "strict" | "stdin">,
  signal: AbortSignal,
  onRejected: (line: RejectedLine) => void = () => undefined,
): Promise<Survey> {
  const places = await sourcePlaces(context, input.stdin);
  const rejected: RejectedLine[] = [];
  const money = new Map<number | null, { count: number; amount: bigint }>();
  const warned = new WarningTally();
  let [items, rejectedCount, expectations] = [0, 0, 0];
  for await (const line of readSources(input.sources, places, { strict: input.strict, signal }).lines) {
    if ((items + rejectedCount) % BATCH === 0) await systemClock.breathe();
    if (signal.aborted) throw new Fault("interrupted", "Stopped; nothing was sent.");
    if ("rejected" in line) {
      rejectedCount += 1;
      onRejected(line.rejected);
      if (rejected.length < KEPT) rejected.push(line.rejected);
      continue;
    }
    const { request, expect, warnings } = line.item;
    items += 1;
    if (warnings !== undefined) warned.take(warnings);
    if (expect !== null) expectations += 1;
    if (request.amount === undefined || !Number.isSafeInteger(request.amount)) continue;
    const sum = money.get(request.currency ?? null) ?? { count: 0, amount: 0n };
    money.set(request.currency ?? null, {
      count: sum.count + 1,
      amount: sum.amount + BigInt(request.amount),
    });
  }
  // A pipe that was waited for ends with the signal.
  if (signal.aborted) throw new Fault("interrupted", "Stopped; nothing was sent.");
  return {
    items,
    rejected,
    rejectedCount,
    warnings: warned.sum(),
    money: sorted(money),
    expectations,
  };
}

function sorted(money: ReadonlyMap<number | null, { count: number; amount: bigint }>): Money[] {
  return [...money]
    .sort(([a, first], [b, second]) => second.count - first.count || (a ?? -1) - (b ?? -1))
    .map(([currency, { amount }]) => ({ currency, amount }));
}
