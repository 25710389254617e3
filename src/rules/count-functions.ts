// Functions of conditions that read counters.

import { COUNTED_KEYS, COUNTER_KEYS, isCountedKey, isCounterKey, type CounterKey } from "./counter-keys.ts";
import type { HostFunction } from "./expression.ts";
import { missingEur, missingFields, missingKey } from "./missing.ts";
import type { Situation } from "./situation.ts";
import { WINDOW_FORMS, parseWindow, type Window } from "./window.ts";

const FUNCTIONS: readonly CountFunction[] = [
  {
    // Attempts with the same key within the window, this one included.
    name: "velocity",
    parameters: ["string", "string"],
    result: "int",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!),
    prepare: ([key, window]) => {
      const [of, within] = [key as CounterKey, knownWindow(window)];
      return ({ counts }) => BigInt(counts.velocity(of, within));
    },
  },
  {
    // How many different `of` came with the same key within the window, this one included.
    name: "distinct",
    parameters: ["string", "string", "string"],
    result: "int",
    literals: [0, 1, 2],
    check: ([of, key, window]) => keyProblem(of!) ?? keyProblem(key!) ?? windowProblem(window!),
    missing: (situation, [of, key]) => missingKey(situation, key!) ?? missingKey(situation, of!),
    prepare: ([of, key, window]) => {
      const [companion, owner, within] = [of as CounterKey, key as CounterKey, knownWindow(window)];
      return ({ counts }) => BigInt(counts.distinct(companion, owner, within));
    },
  },
  {
    // EUR within the window with the same key, this attempt included.
    name: "spent",
    parameters: ["string", "string"],
    result: "double",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    prepare: ([key, window]) => {
      const [of, within] = [key as CounterKey, knownWindow(window)];
      return ({ counts }) => counts.spent(of, within) / 100;
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
      const problems = keysOf(keys).map(countedProblem);
      return problems.find((problem) => problem !== null) ?? windowProblem(window!);
    },
    missing: (situation, [keys]) => {
      const reasons = keysOf(keys).map((key) => missingKey(situation, key));
      return reasons.includes(null) ? null : reasons.join("; ");
    },
    prepare: ([keys, window]) => {
      const [of, within] = [keysOf(keys) as readonly CounterKey[], knownWindow(window)];
      return ({ counts }) => BigInt(Math.max(...of.map((key) => counts.micro(key, within))));
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
    prepare: ([key, window]) => {
      const earlier = valuedBefore(key, window);
      return (situation) => BigInt(earlier(situation));
    },
  },
  {
    // Their mean worth in EUR; 0 where there is none.
    name: "mean_before",
    parameters: ["string", "string"],
    result: "double",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    prepare: ([key, window]) => {
      const [of, within] = [key as CounterKey, knownWindow(window)];
      const earlierOnes = valuedBefore(key, window);
      return (situation) => {
        const earlier = earlierOnes(situation);
        if (earlier === 0) return 0;
        return (situation.counts.spent(of, within) - ownCents(situation)) / 100 / earlier;
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
    missing: (situation) => missingKey(situation, "card") ?? missingFields(situation, ["amount", "currency"]),
    prepare: ([window]) => {
      const within = knownWindow(window);
      return ({ counts }) => BigInt(counts.run(within));
    },
  },
];

export const COUNT_FUNCTIONS: readonly HostFunction<Situation>[] = FUNCTIONS.map(counting);

type CountFunction = Omit<HostFunction<Situation>, "call"> &
  Required<Pick<HostFunction<Situation>, "prepare">>;

/** All arguments of such functions are literals: what a call comes to is known once they are. */
function counting(host: CountFunction): HostFunction<Situation> {
  return { ...host, call: (situation, literals) => host.prepare(literals as readonly string[])(situation) };
}

function valuedBefore(key: string | undefined, window: string | undefined): (situation: Situation) => number {
  const [of, within] = [key as CounterKey, knownWindow(window)];
  return ({ counts }) => Math.max(0, counts.valued(of, within) - 1);
}

/** What the attempt at hand adds to a sum, as `Attempt.eurCents` has it. */
function ownCents({ eur }: Situation): number {
  return Math.round((eur ?? 0) * 100);
}

const keyLists = new Map<string, readonly string[]>();

/** `ip or payer` apart. Such texts come from rule files only, so there are few. */
function keysOf(text: string | undefined): readonly string[] {
  let keys = keyLists.get(text!);
  if (keys === undefined) keyLists.set(text!, (keys = text!.split(" or ")));
  return keys;
}

function keyProblem(key: string): string | null {
  return isCounterKey(key) ? null : `"${key}" is not told apart; told apart are ${COUNTER_KEYS.join(", ")}`;
}

function countedProblem(key: string): string | null {
  return isCountedKey(key) ? null : `"${key}" is not counted; counted are ${COUNTED_KEYS.join(", ")}`;
}

function windowProblem(window: string): string | null {
  return parseWindow(window) ? null : `"${window}" is not a window; write ${WINDOW_FORMS}`;
}

const windows = new Map<string, Window>();

/** Windows come from rule files only, so there are few, and each is read once. */
function knownWindow(text: string | undefined): Window {
  let window = windows.get(text!);
  if (!window) {
    window = parseWindow(text!)!;
    windows.set(window.text, window);
  }
  return window;
}
