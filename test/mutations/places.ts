// Places of the sources where one small change is a mistake that a test should notice, and the change at each.

import { parseAst } from "vitest/node";

export type Mistake =
  | "comparison flipped"
  | "second operand dropped"
  | "write dropped"
  | "unit wrong"
  | "off by one"
  | "filter of a catch widened";

export interface Place {
  readonly mistake: Mistake;
  /** Characters of the source that are replaced. */
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const FLIPPED: Readonly<Record<string, string>> = {
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "===": "!==",
  "!==": "===",
};

/** What makes a second out of a millisecond. */
const UNIT = 1000;

/** Every place of a file, in the order of the text. @param source TypeScript, with JSX where the name says so */
export function placesOf(source: string, name: string): Place[] {
  const found: Place[] = [];
  const text = ({ start, end }: Node): string => source.slice(start, end);
  const visit = (node: Node, inCatch: boolean): void => {
    const place = (mistake: Mistake, from: number, to: number, by: string): void =>
      void found.push({ mistake, from, to, by });
    const { type, start, end } = node;
    if (type === "BinaryExpression") {
      const [left, right] = [node["left"] as Node, node["right"] as Node];
      const operator = node["operator"] as string;
      const flipped = FLIPPED[operator];
      if (flipped !== undefined) {
        place("comparison flipped", start, end, `${text(left)} ${flipped} ${text(right)}`);
      }
      if ((operator === "+" || operator === "-") && isNumber(right)) {
        place("off by one", start, end, `${text(left)} ${operator} (${text(right)} + 1)`);
      }
    }
    if (type === "LogicalExpression") place("second operand dropped", start, end, text(node["left"] as Node));
    if (type === "ExpressionStatement" && isWrite(node["expression"] as Node)) {
      place("write dropped", start, end, ";");
    }
    if (isNumber(node) && (node["value"] as number) >= UNIT && (node["value"] as number) % UNIT === 0) {
      place("unit wrong", start, end, String((node["value"] as number) / UNIT));
    }
    if (inCatch && type === "IfStatement" && node["alternate"] === null) {
      const { start: first, end: last } = node["test"] as Node;
      place("filter of a catch widened", first, last, `(${source.slice(first, last)}) && false`);
    }
    for (const child of children(node)) visit(child, inCatch || type === "CatchClause");
  };
  visit(parseAst(source, { lang: name.endsWith("x") ? "tsx" : "ts" }) as unknown as Node, false);
  return found.sort((one, other) => one.from - other.from);
}

function isNumber(node: Node): boolean {
  return node.type === "Literal" && typeof node["value"] === "number";
}

/** Something that is done for its effect: an assignment, or a call of a method. */
function isWrite(node: Node): boolean {
  const inner = node.type === "AwaitExpression" ? (node["argument"] as Node) : node;
  return (
    inner.type === "AssignmentExpression" ||
    (inner.type === "CallExpression" && (inner["callee"] as Node).type === "MemberExpression")
  );
}

/** Types and imports do nothing when the program runs. */
function* children(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(each) && !/^(?:TSType|TSInterface|Import)/.test(each.type)) yield each;
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
