// Corrections for operators and functions of the engine that deviate from the Common Expression Language (CEL).

import type { ASTNode } from "@marcbachmann/cel-js";

/** Undocumented properties that the engine's type check sets on a node. */
interface CheckedNode {
  readonly checkedType?: { readonly name: string };
  handle?: Handle;
}

type Handle = (...given: readonly unknown[]) => unknown;

/** Type name found by the engine's check; null for a name that is no value, e.g. a macro's variable. */
export function checkedType(node: ASTNode): string | null {
  return (node as CheckedNode).checkedType?.name ?? null;
}

/** Corrects a checked node that the engine evaluates differently from CEL; type errors stay the engine's. */
export function repairNode(node: ASTNode): void {
  const repair = repairOf(node);
  if (repair === null) return;
  const checked = node as CheckedNode;
  const { handle } = checked;
  if (handle === undefined) throw new TypeError(`the engine has changed how it computes ${node.op}`);
  checked.handle = repair(handle);
}

function repairOf(node: ASTNode): ((handle: Handle) => Handle) | null {
  switch (node.op) {
    case "-_":
    case "/":
      return checkedType(node) === "int" ? (handle) => inRange(handle, LEAST) : null;
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const { op, args } = node;
      return checkedType(args[0]) === "string" ? () => TEXT_ORDER[op] : null;
    }
    case "call":
      return node.args[0] === "int" ? (handle) => inRange(handle, LEAST + 1n) : null;
    case "rcall": {
      const [name] = node.args;
      return Object.hasOwn(ASCII_CASE, name) ? () => ASCII_CASE[name]! : null;
    }
    default:
      return null;
  }
}

const LEAST = -(2n ** 63n);

/** Checks the 64-bit range, which the engine does not everywhere; refuses doubles at the lower bound, which may be inexact. */
function inRange(handle: Handle, least: bigint): Handle {
  return (...given) => {
    const value = handle(...given);
    if (typeof value === "bigint" && value < -LEAST && value >= least) return value;
    throw new RangeError("integer overflow");
  };
}

/** Orders by code points, like UTF-8 bytes; UTF-16 code units would sort supplementary characters too early. */
const byCodePoint = (a: unknown, b: unknown): number =>
  Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));

const TEXT_ORDER: Readonly<Record<"<" | "<=" | ">" | ">=", Handle>> = {
  "<": (a, b) => byCodePoint(a, b) < 0,
  "<=": (a, b) => byCodePoint(a, b) <= 0,
  ">": (a, b) => byCodePoint(a, b) > 0,
  ">=": (a, b) => byCodePoint(a, b) >= 0,
};

/** ASCII letters alone. */
const ASCII_CASE: Readonly<Record<string, Handle>> = {
  lowerAscii: (given) => receiver(given).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  upperAscii: (given) => receiver(given).replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
};

function receiver(given: unknown): string {
  return (given as readonly [string])[0];
}
