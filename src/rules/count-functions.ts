// Functions of conditions that read counters.

import { COUNTED_KEYS, COUNTER_KEYS, isCountedKey, isCounterKey, type CounterKey } from "./counter-keys.ts";
import type { HostFunction, Value } from "./expression.ts";
import { missingEur, missingFields, missingKey } from "./missing.ts";
import type { Situation } from "./situation.ts";
import { WINDOW_FORMS, parseWindow, type Window } from "./window.ts";

export const COUNT_FUNCTIONS: readonly HostFunction<Situation>[] = [
  {
    // Attempts with the same key within the window, this one included.
    name: "velocity",
    parameters: ["string", "string"],
    result: "int",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!),
    call: ({ counts }, [key, window]) => BigInt(counts.velocity(key as CounterKey, knownWindow(window))),
  },
  {
    // How many different `of` came with the same key within the window, this one included.
    name: "distinct",
    parameters: ["string", "string", "string"],
    result: "int",
    literals: [0, 1, 2],
    check: ([of, key, window]) => keyProblem(of!) ?? keyProblem(key!) ?? windowProblem(window!),
    missing: (situation, [of, key]) => missingKey(situation, key!) ?? missingKey(situation, of!),
    call: ({ counts }, [of, key, window]) =>
      BigInt(counts.distinct(of as CounterKey, key as CounterKey, knownWindow(window))),
  },
  {
    // EUR within the window with the same key, this attempt included.
    name: "spent",
    parameters: ["string", "string"],
    result: "double",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    call: ({ counts }, [key, window]) => counts.spent(key as CounterKey, knownWindow(window)) / 100,
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
    call: ({ counts }, [keys, window]) =>
      BigInt(Math.max(...keysOf(keys).map((key) => counts.micro(key as CounterKey, knownWindow(window))))),
  },
  {
    // Earlier attempts with the same key within the window whose worth is known.
    name: "valued_before",
    parameters: ["string", "string"],
    result: "int",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    call: (situation, [key, window]) => BigInt(valuedBefore(situation, key, window)),
  },
  {
    // Their mean worth in EUR; 0 where there is none.
    name: "mean_before",
    parameters: ["string", "string"],
    result: "double",
    literals: [0, 1],
    check: ([key, window]) => countedProblem(key!) ?? windowProblem(window!),
    missing: (situation, [key]) => missingKey(situation, key!) ?? missingEur(situation),
    call: (situation, [key, window]) => {
      const earlier = valuedBefore(situation, key, window);
      if (earlier === 0) return 0;
      const cents = situation.counts.spent(key as CounterKey, knownWindow(window)) - ownCents(situation);
      return cents / 100 / earlier;
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
    call: ({ counts }, [window]) => BigInt(counts.run(knownWindow(window))),
  },
];

function valuedBefore({ counts }: Situation, key: Value | undefined, window: Value | undefined): number {
  return Math.max(0, counts.valued(key as CounterKey, knownWindow(window)) - 1);
}

/** What the attempt at hand adds to a sum, as `Attempt.eurCents` has it. */
function ownCents({ eur }: Situation): number {
  return Math.round((eur ?? 0) * 100);
}

const keyLists = new Map<string, readonly string[]>();

/** `ip or payer` apart. Such texts come from rule files only, so there are few. */
function keysOf(text: Value | undefined): readonly string[] {
  let keys = keyLists.get(text as string);
  if (keys === undefined) keyLists.set(text as string, (keys = (text as string).split(" or ")));
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
function knownWindow(text: Value | undefined): Window {
  let window = windows.get(text as string);
  if (!window) {
    window = parseWindow(text as string)!;
    windows.set(window.text, window);
  }
  return window;
}
