// Operators and functions of the engine that differ from the Common Expression Language, put right for one condition.

import type { ASTNode } from "@marcbachmann/cel-js";

/** What the engine's type check leaves on a node, beside its published part. */
interface CheckedNode {
  readonly checkedType?: { readonly name: string };
  handle?: Handle;
}

type Handle = (...given: readonly unknown[]) => unknown;

/** Name of the type that the engine's check has found; null for a name that is no value, e.g. a macro's variable. */
export function checkedType(node: ASTNode): string | null {
  return (node as CheckedNode).checkedType?.name ?? null;
}

/** Puts a checked node right where the engine computes it differently; the engine's own tests of types stay as they are. */
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

/** Integers have 64 bits, and the engine does not look everywhere; a double becomes none at the least one, which it may only be near to. */
function inRange(handle: Handle, least: bigint): Handle {
  return (...given) => {
    const value = handle(...given);
    if (typeof value === "bigint" && value < -LEAST && value >= least) return value;
    throw new RangeError("integer overflow");
  };
}

/** By code points, which the bytes of UTF-8 keep; code units put what lies beyond 16 bits too early. */
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
