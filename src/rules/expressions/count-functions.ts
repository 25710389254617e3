// Functions of conditions that read counters.

import type { CountRead } from "#src/rules/counters/attempt-view.ts";
import {
  COUNTED_KEYS,
  COUNTER_KEYS,
  KIND,
  isCountedKey,
  isCounterKey,
  type CounterKey,
} from "#src/rules/counters/counter-keys.ts";
import { WINDOW_FORMS, parseWindow } from "#src/rules/counters/window.ts";
import { missingEur, missingKey, missingSum } from "#src/rules/decision/missing.ts";
import type { Situation } from "#src/rules/decision/situation.ts";
import type { HostFunction } from "./host-function.ts";

/** @param key null for `run`; @param of for `distinct` alone */
type ReadArguments = [what: CountRead["what"], key: string | null, window: string, of?: string];

/** The counts that the conditions of one rule file read, without duplicates. */
export type CountList = ReturnType<typeof createCountList>;

export function createCountList(reads: CountRead[] = []) {
  return {
    reads: reads as readonly CountRead[],
    /** Index of a count in `reads` and in `Situation.counts`; adds it if it is new. */
    at(...[what, key, window, of]: ReadArguments): number {
      const name = [what, of, key, window].filter((word) => word != null).join(" ");
      const known = reads.findIndex((read) => read.name === name);
      if (known >= 0) return known;
      const [companion, owner] = [(of ?? null) as CounterKey | null, key as CounterKey | null];
      const [kind, ofKind] = [KIND[owner ?? "card"], KIND[companion ?? "card"]];
      return (
        reads.push({ name, what, of: companion, key: owner, kind, ofKind, window: parseWindow(window)! }) - 1
      );
    },
  };
}

/** @param counts gets every count that a call reads */
export function createCountFunctions(counts: CountList): readonly HostFunction[] {
  return FUNCTIONS.map(({ reads, value, label, isFloor = false, ...host }) => {
    const indexesOf = (literals: readonly string[]) => reads(literals).map((read) => counts.at(...read));
    // All arguments of these functions are literals, so calls are resolved when the rules are loaded.
    const prepare = (literals: readonly string[]) => {
      const indexes = indexesOf(literals);
      const [only] = indexes;
      if (value !== undefined) return (situation: Situation) => value(situation, indexes);
      if (indexes.length === 1) return (situation: Situation) => situation.counts[only!]!;
      return (situation: Situation) => Math.max(...indexes.map((at) => situation.counts[at]!));
    };
    const maximumOf = (literals: readonly string[]) => (value === undefined ? indexesOf(literals) : null);
    return {
      ...host,
      literals: [...host.parameters.keys()],
      prepare,
      call: (situation, args) => prepare(args as string[])(situation),
      ...(label !== undefined && { counter: { label, isFloor, maximumOf } }),
    };
  });
}

interface CountFunction extends Pick<HostFunction, "name" | "parameters" | "result" | "missing"> {
  check(literals: readonly string[]): string | null;
  /** The counts that a call reads. The order is that of the values in stored decisions. */
  reads(literals: readonly string[]): readonly ReadArguments[];
  /** Its value by the indexes of these counts; their maximum when absent. */
  value?(situation: Situation, indexes: readonly number[]): number;
  /** What explanations call it before its key: "" for a number of attempts or companions; absent where they leave it out. */
  readonly label?: string;
  /** See CounterUse. */
  readonly isFloor?: boolean;
}

/** Of the attempts with one key within a window. */
const BY_KEY = {
  parameters: ["string", "string"],
  result: "int",
  check: ([key, window]: readonly string[]) => countedProblem(key!) ?? windowProblem(window!),
} as const;

/** Of those whose worth in EUR is known. */
const BY_WORTH = {
  ...BY_KEY,
  missing: (situation: Situation, [key]: readonly string[]) =>
    missingKey(situation, key!) ?? missingEur(situation),
} as const;

const FUNCTIONS: readonly CountFunction[] = [
  {
    // Attempts with the same key within the window, this one included.
    ...BY_KEY,
    name: "velocity",
    label: "",
    missing: (situation, [key]) => missingKey(situation, key!),
    reads: ([key, window]) => [["velocity", key!, window!]],
  },
  {
    // How many different `of` came with the same key within the window, this one included.
    name: "distinct",
    parameters: ["string", "string", "string"],
    result: "int",
    label: "",
    check: ([of, key, window]) => keyProblem(of!) ?? keyProblem(key!) ?? windowProblem(window!),
    missing: (situation, [of, key]) => missingKey(situation, key!) ?? missingKey(situation, of!),
    reads: ([of, key, window]) => [["distinct", key!, window!, of]],
  },
  {
    // EUR within the window with the same key, this attempt included.
    ...BY_WORTH,
    name: "spent",
    result: "double",
    label: "spent per",
    reads: ([key, window]) => [["spent", key!, window!]],
    value: ({ counts }, [cents]) => counts[cents!]! / 100,
  },
  {
    // Attempts under one unit of their currency with the same key within the window, this one included. Of several keys
    // ("ip or payer") the one with the most; one of them is enough.
    ...BY_KEY,
    name: "micro",
    label: "tiny amounts per",
    check: ([keys, window]) =>
      keysOf(keys!)
        .map(countedProblem)
        .find((problem) => problem !== null) ?? windowProblem(window!),
    missing(situation, [keys]) {
      const reasons = keysOf(keys!).map((key) => missingKey(situation, key));
      return reasons.includes(null) ? null : reasons.join("; ");
    },
    reads: ([keys, window]) => keysOf(keys!).map((key) => ["micro", key, window!]),
  },
  {
    // Earlier attempts with the same key within the window whose worth is known.
    ...BY_WORTH,
    name: "valued_before",
    label: "earlier attempts per",
    isFloor: true,
    reads: ([key, window]) => [["valued", key!, window!]],
    value: earlierOnes,
  },
  {
    // Their mean worth in EUR; 0 where there is none.
    ...BY_WORTH,
    name: "mean_before",
    result: "double",
    reads: ([key, window]) => [
      ["valued", key!, window!],
      ["spent", key!, window!],
    ],
    value(situation, indexes) {
      const earlier = earlierOnes(situation, indexes);
      // The share of this attempt is that of `Attempt.eurCents`.
      const own = Math.round((situation.eur ?? 0) * 100);
      return earlier === 0 ? 0 : (situation.counts[indexes[1]!]! - own) / 100 / earlier;
    },
  },
  {
    // How many of the latest amounts with this card only rise, or only fall, in one currency and within the window.
    name: "amount_run",
    parameters: ["string"],
    result: "int",
    label: "amounts in a row per",
    check: ([window]) => windowProblem(window!),
    missing: (situation) => missingKey(situation, "card") ?? missingSum(situation),
    reads: ([window]) => [["run", null, window!]],
  },
];

function earlierOnes({ counts }: Situation, [valued]: readonly number[]): number {
  return Math.max(0, counts[valued!]! - 1);
}

/** Splits `ip or payer`: a function of several keys is the maximum of their counts. */
function keysOf(text: string): readonly string[] {
  return text.split(" or ");
}

function keyProblem(key: string): string | null {
  return isCounterKey(key)
    ? null
    : `"${key}" is no kind of value that can be counted; use one of ${COUNTER_KEYS.join(", ")}`;
}

function countedProblem(key: string): string | null {
  return isCountedKey(key) ? null : `"${key}" is not counted; counted are ${COUNTED_KEYS.join(", ")}`;
}

function windowProblem(window: string): string | null {
  return parseWindow(window) ? null : `"${window}" is not a window; write ${WINDOW_FORMS}`;
}
