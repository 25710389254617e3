// Types of host functions, which conditions may call, of their calls, and of their values.

import type { Situation } from "#src/rules/decision/situation.ts";

export type ValueType = "int" | "double" | "bool" | "string" | "list<int>" | "list<string>";

/** A value inside an expression; an `int` is a whole number that a double holds exactly. */
export type Value = number | boolean | string | readonly number[] | readonly string[];

export interface HostFunction {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result: ValueType;
  /** Positions of arguments that must be literals, so that they are known when the rules are loaded. */
  readonly literals?: readonly number[];
  /** Error in the literal arguments, or null. */
  check?(literals: readonly string[]): string | null;
  /** Why it cannot be called in this situation (a missing field or missing data), or null. */
  missing?(situation: Situation, literals: readonly string[]): string | null;
  /** Something can be missing where all fields, keys, the address and the worth in EUR are there. */
  readonly needsMore?: true;
  call(situation: Situation, args: readonly Value[]): Value;
  /** Resolves a call whose arguments are all literals when the rules are loaded. */
  prepare?(literals: readonly string[]): (situation: Situation) => Value;
  /** Of one whose result is a count that explanations list. */
  readonly counter?: {
    /** What it is called before its key; "" for a number of attempts or companions. */
    readonly label: string;
    /** See CounterUse. */
    readonly isFloor: boolean;
    /** Indexes of the counts whose maximum it is; null for sums of money and the like. */
    maximumOf(literals: readonly string[]): readonly number[] | null;
  };
}

/** A call of a host function within an expression. */
export interface CallSite {
  readonly host: HostFunction;
  /** As written, e.g. `velocity("card", "1h")`. */
  readonly source: string;
  /** Offset in the condition. */
  readonly start: number;
  readonly literals: readonly string[];
  /** The parameter or literal number that the result is compared with, if any. */
  readonly limit: { readonly param: string } | { readonly value: number } | null;
  /** Its value alone; null when it stands inside a macro and depends on the macro's variable. */
  readonly evaluate: ((situation: Situation, params: Params) => Value) | null;
}

export type Params = Readonly<Record<string, Value>>;
