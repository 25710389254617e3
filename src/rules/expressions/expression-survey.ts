// Static analysis of a condition: what it reads and calls, and whether rules may use it.

import type { ASTNode } from "@marcbachmann/cel-js";
import { checkedType, repairNode } from "./engine-repairs.ts";
import type { CallSite, HostFunction, ValueType } from "./host-function.ts";

/** An error in an expression, with its position as offsets in the source. */
export class ExpressionError extends Error {
  readonly start: number;

  constructor(message: string, start: number) {
    super(message);
    this.name = "ExpressionError";
    this.start = start;
  }
}

const LOOPS = new Set(["all", "exists", "exists_one", "map", "filter", "bind"]);
/** What a value is compared with by these is its limit; being equal to something is none. */
const COMPARISONS = new Set([">", ">=", "<", "<="]);
/** Values of conditions; `T` is what an empty list holds. The other types of the engine deviate from CEL here and there. */
const KNOWN_TYPE = /^(?:list<)*(?:int|double|bool|string|T)>*$/;
/** Functions of CEL and their argument types in rules: no conversion of strings to numbers or of doubles to strings. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  size: ["string", "list"],
  int: ["int", "double"],
  double: ["int", "double"],
  string: ["string", "int", "bool"],
  bool: ["bool", "string"],
};
const METHODS = new Set(["size", "startsWith", "endsWith", "contains", "lowerAscii", "upperAscii"]);

export interface FoundCall extends Omit<CallSite, "source" | "start" | "evaluate"> {
  readonly node: ASTNode;
  readonly inLoop: boolean;
}

/**
 * Analyses a type-checked syntax tree and corrects its nodes. Throws ExpressionError for types and functions that rules do
 * not have, nested macros, and computed names of counts.
 */
export function surveyExpression(
  root: ASTNode,
  hosts: ReadonlyMap<string, HostFunction>,
  paramTypes: Readonly<Record<string, ValueType>>,
): Survey {
  return new Survey(hosts, paramTypes).read(root);
}

/** What an expression reads and calls, found in one traversal of the syntax tree. */
class Survey {
  readonly fields = new Set<string>();
  /** Fields that stand in a `has(...)`. */
  readonly guarded = new Set<string>();
  readonly params = new Set<string>();
  readonly calls: FoundCall[] = [];
  readonly #hosts: ReadonlyMap<string, HostFunction>;
  readonly #paramTypes: Readonly<Record<string, ValueType>>;

  constructor(hosts: ReadonlyMap<string, HostFunction>, paramTypes: Readonly<Record<string, ValueType>>) {
    this.#hosts = hosts;
    this.#paramTypes = paramTypes;
  }

  read(root: ASTNode): this {
    this.#walk(root, [], null);
    return this;
  }

  /** @param loopVariables names bound by enclosing macros; none = not in a macro */
  #walk(node: ASTNode, loopVariables: readonly string[], comparedWith: ASTNode | null): void {
    refuseUnknownType(node);
    repairNode(node);
    switch (node.op) {
      case "value":
        return;
      case "id":
        if (loopVariables.includes(node.args)) return;
        if (Object.hasOwn(this.#paramTypes, node.args)) this.params.add(node.args);
        else this.fields.add(node.args);
        return;
      case ".": {
        const path = fieldPath(node);
        if (path === null || loopVariables.includes(path.split(".")[0]!))
          this.#walk(node.args[0], loopVariables, null);
        else this.fields.add(path);
        return;
      }
      case "call":
        this.#call(node, node.args[0], node.args[1], loopVariables, comparedWith);
        return;
      case "rcall":
        this.#method(node, node.args[0], node.args[1], node.args[2], loopVariables);
        return;
      default: {
        const operands = childNodes(node.args);
        const compares = COMPARISONS.has(node.op) && operands.length === 2;
        for (const [i, operand] of operands.entries()) {
          this.#walk(operand, loopVariables, compares ? operands[1 - i]! : null);
        }
      }
    }
  }

  #call(
    node: ASTNode,
    name: string,
    args: readonly ASTNode[],
    loopVariables: readonly string[],
    comparedWith: ASTNode | null,
  ): void {
    if (name === "has") {
      const path = args[0] && fieldPath(args[0]);
      if (path) this.guarded.add(path);
      return;
    }
    const host = this.#hosts.get(name);
    if (host === undefined) refuseUnknownCall(node, name, args[0]);
    else {
      const literals = (host.literals ?? []).map((position) => {
        const argument = args[position];
        if (argument?.op === "value" && typeof argument.args === "string") return argument.args;
        throw new ExpressionError(
          `argument ${position + 1} of ${name} must be written as text in quotes`,
          node.start,
        );
      });
      const problem = host.check?.(literals) ?? null;
      if (problem !== null) throw new ExpressionError(problem, node.start);
      const limit = limitOf(comparedWith, this.#paramTypes);
      this.calls.push({ host, node, literals, limit, inLoop: loopVariables.length > 0 });
    }
    for (const argument of args) this.#walk(argument, loopVariables, null);
  }

  #method(
    node: ASTNode,
    name: string,
    receiver: ASTNode,
    args: readonly ASTNode[],
    loopVariables: readonly string[],
  ): void {
    const isBind = name === "bind" && receiver.op === "id" && receiver.args === "cel";
    if (!isBind) this.#walk(receiver, loopVariables, null);
    if (!LOOPS.has(name) && !METHODS.has(name)) throw unknownFunction(node, name);
    const variable = args[0]?.op === "id" ? args[0].args : null;
    if (!LOOPS.has(name) || variable === null) {
      for (const argument of args) this.#walk(argument, loopVariables, null);
      return;
    }
    if (loopVariables.length > 0) {
      throw new ExpressionError(`${name} stands inside another macro, which rules may not do`, node.start);
    }
    for (const argument of args.slice(1)) this.#walk(argument, [variable], null);
  }
}

function refuseUnknownType(node: ASTNode): void {
  const type = checkedType(node);
  if (type === null || KNOWN_TYPE.test(type)) return;
  throw new ExpressionError(
    `it has a value of the type ${type}, and rules have int, double, bool, string and lists of them`,
    node.start,
  );
}

function refuseUnknownCall(node: ASTNode, name: string, argument: ASTNode | undefined): void {
  if (!Object.hasOwn(FUNCTIONS, name)) throw unknownFunction(node, name);
  const takes = FUNCTIONS[name]!;
  const type = (argument && checkedType(argument)) ?? "";
  if (takes.includes(type.replace(/<.+/, ""))) return;
  throw new ExpressionError(`${name} takes ${takes.join(" or ")} in rules, not ${type}`, node.start);
}

function unknownFunction(node: ASTNode, name: string): ExpressionError {
  return new ExpressionError(
    `${name} is not available in rules; to look into a text, write regex(text, pattern)`,
    node.start,
  );
}

/** `payer.email` for a plain chain of names, else null. */
function fieldPath(node: ASTNode): string | null {
  if (node.op === "id") return node.args;
  if (node.op !== ".") return null;
  const parent = fieldPath(node.args[0]);
  return parent === null ? null : `${parent}.${node.args[1]}`;
}

function limitOf(node: ASTNode | null, paramTypes: Readonly<Record<string, ValueType>>): CallSite["limit"] {
  if (node?.op === "id" && Object.hasOwn(paramTypes, node.args)) return { param: node.args };
  if (node?.op === "value" && (typeof node.args === "bigint" || typeof node.args === "number")) {
    return { value: Number(node.args) };
  }
  return null;
}

/** The nodes among the operands, which are a node, a list of nodes, or pairs of nodes (a map). */
function childNodes(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childNodes);
  return typeof args === "object" && args !== null && "op" in args ? [args as ASTNode] : [];
}
