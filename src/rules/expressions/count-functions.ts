// Functions of conditions that read counters.

import { countName, keysOf, type CountRead } from "#src/rules/counters/count-reads.ts";
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

/** The counts that the conditions of one rule file read, without duplicates. */
export interface CountList {
  readonly reads: readonly CountRead[];
  /** Index of a count in `reads` and in `Situation.counts`; adds it if it is new. */
  at(what: CountRead["what"], key: string | null, window: string, of?: string): number;
}

export function createCountList(reads: CountRead[] = []): CountList {
  return {
    reads,
    at(what, key, window, of) {
      const name = countName(what, key, window, of);
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
export function createCountFunctions(counts: CountList): readonly HostFunction<Situation>[] {
  return FUNCTIONS.map(({ read, ...host }) => {
    // All arguments of these functions are literals, so calls are resolved when the rules are loaded.
    const prepare = (literals: readonly string[]): Reader => read(counts, literals);
    const call: HostFunction<Situation>["call"] = (situation, args) => prepare(args as string[])(situation);
    return { ...host, prepare, call, needsNoMore: true };
  });
}

type Reader = (situation: Situation) => number;

interface CountFunction extends Omit<HostFunction<Situation>, "call" | "prepare"> {
  /** Reads the value. */
  read(counts: CountList, literals: readonly string[]): Reader;
}

const FUNCTIONS: readonly CountFunction[] = [
  {
    // Attempts with the same key within the window, this one included.
    name: "velocity",
    parameters: ["string", "string"],
    result: "int",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!),
    read: (counts, [key, window]) => countAt(counts.at("velocity", key!, window!)),
  },
  {
    // How many different `of` came with the same key within the window, this one included.
    name: "distinct",
    parameters: ["string", "string", "string"],
    result: "int",
    literals: [0, 1, 2],
    check: ([of, key, window]) => keyProblem(of!) ?? keyProblem(key!) ?? windowProblem(window!),
    missing: (situation, [of, key]) => missingKey(situation, key!) ?? missingKey(situation, of!),
    read: (counts, [of, key, window]) => countAt(counts.at("distinct", key!, window!, of)),
  },
  {
    // EUR within the window with the same key, this attempt included.
    name: "spent",
    parameters: ["string", "string"],
    result: "double",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    read(counts, [key, window]) {
      const at = counts.at("spent", key!, window!);
      return (situation) => situation.counts[at]! / 100;
    },
  },
  {
    // Attempts under one unit of their currency with the same key within the window, this one included. Of several keys
    // ("ip or payer") the one with the most; one of them is enough.
    name: "micro",
    parameters: ["string", "string"],
    result: "int",
    literals: [0, 1],
    check: ([keys, window]) => {
      const problems = keysOf(keys!).map(countedProblem);
      return problems.find((problem) => problem !== null) ?? windowProblem(window!);
    },
    missing: (situation, [keys]) => {
      const reasons = keysOf(keys!).map((key) => missingKey(situation, key));
      return reasons.includes(null) ? null : reasons.join("; ");
    },
    read(counts, [keys, window]) {
      const indexes = keysOf(keys!).map((key) => counts.at("micro", key, window!));
      return (situation) => {
        let most = 0;
        for (const at of indexes) most = Math.max(most, situation.counts[at]!);
        return most;
      };
    },
  },
  {
    // Earlier attempts with the same key within the window whose worth is known.
    name: "valued_before",
    parameters: ["string", "string"],
    result: "int",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    read: (counts, [key, window]) => valuedBefore(counts, key!, window!),
  },
  {
    // Their mean worth in EUR; 0 where there is none.
    name: "mean_before",
    parameters: ["string", "string"],
    result: "double",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    read(counts, [key, window]) {
      // The order is that of the values in stored decisions.
      const earlierOnes = valuedBefore(counts, key!, window!);
      const spent = counts.at("spent", key!, window!);
      return (situation) => {
        const earlier = earlierOnes(situation);
        if (earlier === 0) return 0;
        return (situation.counts[spent]! - ownCents(situation)) / 100 / earlier;
      };
    },
  },
  {
    // How many of the latest amounts with this card only rise, or only fall, in one currency and within the window.
    name: "amount_run",
    parameters: ["string"],
    result: "int",
    literals: [0],
    check: ([window]) => windowProblem(window!),
    missing: (situation) => missingKey(situation, "card") ?? missingSum(situation),
    read: (counts, [window]) => countAt(counts.at("run", null, window!)),
  },
];

function countAt(at: number): Reader {
  return ({ counts }) => counts[at]!;
}

function valuedBefore(counts: CountList, key: string, window: string): Reader {
  const at = counts.at("valued", key, window);
  return (situation) => Math.max(0, situation.counts[at]! - 1);
}

/** Share of this attempt in a sum, as in `Attempt.eurCents`. */
function ownCents({ eur }: Situation): number {
  return Math.round((eur ?? 0) * 100);
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
