// Conditions as plain closures: the everyday part of the expression language, a tenth of the engine's cost.
//
// Where a closure has no certain answer (a missing value, mixed types, an overflow, a fault) it throws, and the engine
// decides instead: closures may be fast, but never of another opinion.

import type { ASTNode } from "@marcbachmann/cel-js";
import type { Params, Value } from "./expression.ts";

/** Value of a node. Throws where the engine must decide. */
export type Closure<Situation> = (situation: Situation, params: Params) => Value;

export interface ClosureWords<Situation> {
  isParam(name: string): boolean;
  /** Values of variables and objects of a situation. */
  bindings(situation: Situation): Record<string, unknown>;
  /** Closure of a call of a host function; null when it is none. */
  call(node: ASTNode): Closure<Situation> | null;
}

const NOT_CERTAIN = new Error("the engine must decide");

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;

/** @returns null when the node holds anything but values, names, fields, calls, comparisons, logic and arithmetic */
export function closureOf<Situation>(
  node: ASTNode,
  words: ClosureWords<Situation>,
): Closure<Situation> | null {
  switch (node.op) {
    case "value": {
      const value: unknown = node.args;
      if (!isPlain(value)) return null;
      return () => value;
    }
    case "id": {
      const name = node.args;
      if (words.isParam(name)) return (_, params) => params[name]!;
      return (situation) => known(words.bindings(situation)[name]);
    }
    case ".": {
      const [parent, field] = node.args;
      if (parent.op !== "id" || words.isParam(parent.args)) return null;
      const group = parent.args;
      return (situation) =>
        known((words.bindings(situation)[group] as Record<string, unknown> | undefined)?.[field]);
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

function isPlain(value: unknown): value is Value {
  return ["bigint", "number", "string", "boolean"].includes(typeof value);
}

function isNumber(value: Value): boolean {
  return typeof value === "bigint" || typeof value === "number";
}

function known(value: unknown): Value {
  if (value === undefined) throw NOT_CERTAIN;
  return value as Value;
}

function truth(value: Value): boolean {
  if (typeof value !== "boolean") throw NOT_CERTAIN;
  return value;
}

function unary<Situation>(op: "!_" | "-_", operand: Closure<Situation>): Closure<Situation> {
  if (op === "!_") return (situation, params) => !truth(operand(situation, params));
  return (situation, params) => {
    const value = operand(situation, params);
    if (typeof value === "number") return -value;
    return typeof value === "bigint" ? inRange(-value) : uncertain();
  };
}

function binary<Situation>(
  op: string,
  left: Closure<Situation>,
  right: Closure<Situation>,
): Closure<Situation> | null {
  if (op === "&&") return (s, params) => truth(left(s, params)) && truth(right(s, params));
  if (op === "||") return (s, params) => truth(left(s, params)) || truth(right(s, params));
  const compare = COMPARE[op];
  if (compare !== undefined) {
    const ordered = op !== "==" && op !== "!=";
    return (s, params) => {
      const a = left(s, params);
      const b = right(s, params);
      if (typeof a === "bigint" && typeof b === "bigint") return compare(a, b);
      // Order between an integer and a double is exact in both; equality is left to the engine.
      const alike = typeof a === typeof b || (ordered && isNumber(a) && isNumber(b));
      if (!alike || typeof a === "object") throw NOT_CERTAIN;
      return compare(a, b);
    };
  }
  const integers = COMPUTE[op];
  if (integers === undefined) return null;
  const doubles = COMPUTE_DOUBLES[op];
  return (s, params) => {
    const a = left(s, params);
    const b = right(s, params);
    if (typeof a === "bigint" && typeof b === "bigint") return inRange(integers(a, b));
    if (typeof a === "number" && typeof b === "number" && doubles !== undefined) return doubles(a, b);
    throw NOT_CERTAIN;
  };
}

const COMPARE: Readonly<Record<string, (a: Value, b: Value) => boolean>> = {
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

const COMPUTE: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  // A division by zero throws by itself.
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

const COMPUTE_DOUBLES: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};

function inRange(value: bigint): bigint {
  return value >= MIN_INT && value <= MAX_INT ? value : uncertain();
}

function uncertain(): never {
  throw NOT_CERTAIN;
}
