// Tunes a number of a rule file: tries its values on labelled payments, and proposes one. Nothing is sent or written.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { rulesText } from "#src/actions/sandbox/sandbox-rules.ts";
import { interrupted } from "#src/contract/fault.ts";
import type { RejectedLine } from "#src/contract/records/run.ts";
import {
  isOnFrontier,
  proposedValue,
  type TunedValue,
  type TuneLimits,
  type Tuning,
} from "#src/contract/records/tuning.ts";
import { NONE_OR_ALL } from "#src/contract/records/outcome-shares.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import { systemClock } from "#src/replay/scheduler.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { findNumber, type TunedNumber } from "#src/rules/rule-file/tuned-number.ts";
import { createTune, rulesWith } from "#src/rules/tune.ts";
import type { LabelUse } from "./payment-labels.ts";
import { readTransactions, type TransactionsInput } from "./backtest-transactions.ts";

export interface TuneInput extends TransactionsInput {
  readonly ruleSet: RuleSet;
  readonly number: TunedNumber;
  /** Ascending. */
  readonly values: readonly number[];
  readonly limits: TuneLimits;
  /** Time from which payments are held out, to judge the value; absent for the last third of the time. */
  readonly judgeFrom?: Milliseconds | undefined;
}

export interface Tuned extends Tuning {
  readonly labels: LabelUse;
  /** Payments without a time of their own, which were given one. */
  readonly untimed: number;
}

export type TuneEvent =
  | { readonly type: "rejected"; readonly line: RejectedLine }
  /** @property fraction of the sources that was read; null where it cannot be known */
  | { readonly type: "progress"; readonly taken: number; readonly fraction: number | null };

/** Payments that are decided by many rule sets between two turns of timers, keys and signals: some milliseconds. */
const BATCH = 25;

/**
 * Tries every value in one reading of the sources, in flat memory.
 * @throws Fault("usage") for a value that no rule file may have and for a source that is not there, Fault("bad_input") for a
 *   bad line when strict, Fault("interrupted")
 */
export async function tuneRules(
  context: ActionContext,
  input: TuneInput,
  signal: AbortSignal,
  onEvent: (event: TuneEvent) => void,
): Promise<Tuned> {
  const { ruleSet, number, values, limits, threeDsStops = NONE_OR_ALL } = input;
  const breathe = async (): Promise<void> => {
    await systemClock.yieldToEvents();
    if (signal.aborted) throw interrupted`Stopped; nothing was changed.`;
  };
  const sets: RuleSet[] = [];
  for (const value of values) {
    await breathe();
    sets.push(await rulesWith(ruleSet, number, value, input.riskLevel));
  }
  const reading = readTransactions(context, input, signal);
  const tune = createTune([ruleSet, ...sets], input.judgeFrom);
  const seen = new Set<RiskLevel>();
  let [total, untimed] = [0, 0];
  for await (const line of reading.lines) {
    if ("rejected" in line) onEvent({ type: "rejected", line: line.rejected });
    if (!("item" in line)) continue;
    const { item, facts, timed } = line;
    tune.take(item.label ?? null, facts);
    seen.add(facts.project.riskLevel);
    total += 1;
    if (!timed) untimed += 1;
    if (total % BATCH !== 0) continue;
    onEvent({ type: "progress", taken: total, fraction: reading.fraction() });
    await breathe();
  }
  const { chosen, heldOut } = tune.read();
  const triedBy = (i: number): Pick<TunedValue, "labels" | "heldOut"> => ({
    ...chosen[i]!,
    heldOut: heldOut?.tried[i] ?? null,
  });
  const { name: param, present } = number;
  const levels = RISK_LEVELS.filter((level) => seen.has(level));
  const now = new Set(levels.map((level) => present[level]));
  const all = values.map((value, i) => ({ value, ...triedBy(i + 1) }));
  // Today's is tried as well, so that no value is proposed that is worse.
  const [only] = now;
  if (now.size === 1 && !values.includes(only!)) all.push({ value: only!, ...triedBy(0) });
  const tuned = all
    .map((one) => ({
      ...one,
      isToday: now.size === 1 && one.value === only,
      onFrontier: isOnFrontier(one, all),
    }))
    .toSorted((a, b) => a.value - b.value);
  const judged = { values: tuned, limits, levels, present, threeDsStops };
  return {
    ...judged,
    param,
    total,
    withoutRate: tune.withoutRate,
    today: chosen[0]!,
    heldOut: heldOut && { from: heldOut.from, today: heldOut.tried[0]! },
    proposed: proposedValue(judged),
    labels: reading.labels(),
    untimed,
  };
}

/**
 * The same with the rules that decide in the sandbox.
 * @param input.param as `findNumber` takes it
 */
export async function tuneSandboxRules(
  context: SandboxContext,
  input: Omit<TuneInput, "ruleSet" | "number"> & { readonly param: string },
  signal: AbortSignal,
  onEvent: (event: TuneEvent) => void,
): Promise<Tuning> {
  const { text } = await rulesText(context);
  const ruleSet = await loadRules(text, "rules.yaml");
  const number = findNumber(ruleSet, "rules.yaml", input.param);
  return tuneRules(context, { ...input, ruleSet, number }, signal, onEvent);
}
