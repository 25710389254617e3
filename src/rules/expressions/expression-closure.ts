// Fast path for conditions: compiles the common subset of CEL to closures, at a tenth of the engine's time.
//
// Types and parameters are known at compile time, so a closure only computes. Where the result is uncertain (a missing
// value, a number too large for a double, an error) it throws, and the engine evaluates the condition: the results never differ.

import type { ASTNode } from "@marcbachmann/cel-js";
import { RULE_FIELDS, type Situation } from "#src/rules/decision/situation.ts";
import type { HostFunction, Params, Value, ValueType } from "./host-function.ts";

/** Value of a node. Throws to fall back to the engine. */
export type Run = (situation: Situation) => Value;

/** A condition with its parameters in place. */
export interface Condition {
  /** Fast path; null where the condition needs the engine. Throws to fall back to the engine. */
  readonly closure: Run | null;
  readonly engine: (situation: Situation) => boolean;
}

/** @throws Error where the condition has no value, e.g. after a division by zero */
export function holds({ closure, engine }: Condition, situation: Situation): boolean {
  if (closure === null) return engine(situation);
  try {
    return closure(situation) === true;
  } catch {
    // The engine decides whether this is an error or has a value.
    return engine(situation);
  }
}

/** A compiled node. */
export interface Closure {
  readonly type: ValueType;
  readonly run: Run;
  readonly constant?: Value;
}

export interface ClosureWords {
  readonly paramTypes: Readonly<Record<string, ValueType>>;
  readonly params: Params;
  /** Closure of a call of a host function; null for other nodes. */
  call(node: ASTNode): Closure | null;
}

const NOT_CERTAIN = new Error("the engine must decide");

/** @returns null for nodes outside the subset: values, names, fields, calls, comparisons, logic and arithmetic */
export function closureOf(node: ASTNode, words: ClosureWords): Closure | null {
  switch (node.op) {
    case "value":
      return literal(node.args);
    case "id":
      return Object.hasOwn(words.paramTypes, node.args)
        ? constant(words.paramTypes[node.args]!, words.params[node.args]!)
        : field(node.args);
    case ".": {
      const [parent, name] = node.args;
      return parent.op === "id" ? field(`${parent.args}.${name}`) : null;
    }
    case "call":
      return words.call(node);
    case "!_":
    case "-_": {
      const operand = closureOf(node.args, words);
      return operand && unary(node.op, operand);
    }
    default: {
      if (!Array.isArray(node.args) || node.args.length !== 2) return null;
      const [left, right] = (node.args as ASTNode[]).map((operand) => closureOf(operand, words));
      return left && right ? binary(node.op, left, right) : null;
    }
  }
}

/** A call whose arguments are closures; those of constants are made once. */
export function callWith({ call }: HostFunction, args: readonly Closure[]): Run {
  const constants = args.map(({ constant }) => constant);
  if (constants.every((value) => value !== undefined)) return (situation) => call(situation, constants);
  return (situation) =>
    call(
      situation,
      args.map(({ run }) => run(situation)),
    );
}

const LITERALS: Readonly<Record<string, ValueType>> = { number: "double", string: "string", boolean: "bool" };

function literal(value: unknown): Closure | null {
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? constant("int", Number(value)) : null;
  const type = LITERALS[typeof value];
  return type === undefined ? null : constant(type, value as Value);
}

function constant(type: ValueType, value: Value): Closure {
  return { type, run: () => value, constant: value };
}

function field(path: string): Closure | null {
  const found = RULE_FIELDS.get(path);
  if (found === undefined) return null;
  const { type, read } = found;
  return {
    type,
    run(situation) {
      const value = read(situation);
      if (value === undefined) throw NOT_CERTAIN;
      return value;
    },
  };
}

function unary(op: "!_" | "-_", { type, run }: Closure): Closure | null {
  if (op === "!_") return type === "bool" ? { type, run: (situation) => run(situation) !== true } : null;
  return isNumber(type) ? { type, run: (situation) => -(run(situation) as number) } : null;
}

function isNumber(type: ValueType): boolean {
  return type === "int" || type === "double";
}

function binary(op: string, left: Closure, right: Closure): Closure | null {
  const [{ run: a, type }, { run: b }] = [left, right];
  if (op === "&&" || op === "||") {
    if (type !== "bool" || right.type !== "bool") return null;
    if (op === "&&") return { type, run: (s) => a(s) === true && b(s) === true };
    return { type, run: (s) => a(s) === true || b(s) === true };
  }
  // Order between an integer and a double is exact in both; equality is left to the engine.
  const ordered = op !== "==" && op !== "!=";
  const alike = type === right.type || (ordered && isNumber(type) && isNumber(right.type));
  if (!alike || type.startsWith("list") || (ordered && type === "string")) return null;
  const compares = COMPARE[op];
  if (compares !== undefined) return { type: "bool", run: (s) => compares(a(s), b(s)) };
  const computes = type === right.type ? COMPUTE[type]?.[op] : undefined;
  return computes === undefined ? null : { type, run: (s) => computes(a(s) as number, b(s) as number) };
}

const COMPARE: Readonly<Record<string, (a: Value, b: Value) => boolean>> = {
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

const COMPUTE: Readonly<
  Partial<Record<ValueType, Readonly<Record<string, (a: number, b: number) => number>>>>
> = {
  int: {
    "+": (a, b) => exact(a + b),
    "-": (a, b) => exact(a - b),
    "*": (a, b) => exact(a * b),
    // Towards zero; the difference is a multiple, so that the quotient is exact.
    "/": (a, b) => (a - (a % nonZero(b))) / b,
    "%": (a, b) => a % nonZero(b),
  },
  double: {
    "+": (a, b) => a + b,
    "-": (a, b) => a - b,
    "*": (a, b) => a * b,
    "/": (a, b) => a / b,
  },
};

/** Integers have 64 bits in the language and 53 in a number. */
function exact(value: number): number {
  if (!Number.isSafeInteger(value)) throw NOT_CERTAIN;
  return value;
}

function nonZero(value: number): number {
  if (value === 0) throw NOT_CERTAIN;
  return value;
}
