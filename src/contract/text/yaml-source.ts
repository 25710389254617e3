// Strict YAML reader: every error has line and column, and unknown keys are errors.

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Document, Node, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "./escape-text.ts";

/** An error in a YAML file. The message has file, line, column and subject. */
export class YamlFault extends Fault {
  readonly line: number;
  readonly column: number;
  /** The part of the file being read, e.g. the code of a rule. */
  readonly subject: string | null;
  /** The line of the file, and a second line with `^` under the column. */
  readonly excerpt: string;

  constructor(
    message: string,
    place: {
      readonly sourceName: string;
      readonly line: number;
      readonly column: number;
      readonly lineText: string;
    },
    subject: string | null,
  ) {
    const about = subject === null ? "" : ` ${escapeText(subject)}:`;
    super(
      "bad_input",
      `${place.sourceName}:${place.line}:${place.column}:${about} ${escapeText(message, 600)}`,
    );
    this.name = "YamlFault";
    this.line = place.line;
    this.column = place.column;
    this.subject = subject;
    this.excerpt = `${escapeText(place.lineText, 400, "\t")}\n${place.lineText.slice(0, place.column - 1).replaceAll(/[^\t]/g, " ")}^`;
  }
}

/** One YAML file being read. `subject` is named in messages. */
export class YamlSource {
  subject: string | null = null;
  readonly #text: string;
  readonly #name: string;
  readonly #lines: LineCounter;
  readonly #document: Document;

  /** @throws YamlFault for anything that is not one strict YAML document */
  constructor(text: string, name: string) {
    this.#text = text;
    this.#name = name;
    this.#lines = new LineCounter();
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const [problem] = [...this.#document.errors, ...this.#document.warnings];
    if (problem) throw this.faultAt(problem.pos[0], problem.message);
  }

  get root(): Node | null {
    return this.#document.contents;
  }

  lineOf(node: Node): number {
    return this.#lines.linePos(node.range?.[0] ?? 0).line;
  }

  fault(node: Node | null, message: string): YamlFault {
    return this.faultAt(node?.range?.[0] ?? 0, message);
  }

  faultAt(offset: number, message: string): YamlFault {
    const { line, col } = this.#lines.linePos(offset);
    const lineText = this.#text.split("\n")[line - 1] ?? "";
    return new YamlFault(message, { sourceName: this.#name, line, column: col, lineText }, this.subject);
  }

  /** At the first non-blank character of a line. */
  faultAtLine(line: number, message: string): YamlFault {
    const start = this.#lines.lineStarts[line - 1] ?? 0;
    return this.faultAt(start + /^[ \t]*/.exec(this.#text.slice(start))![0].length, message);
  }

  /** At an offset of a scalar's value. */
  faultInside(scalar: Scalar<string>, index: number, message: string): YamlFault {
    return this.faultAt(this.#offsetInside(scalar, index), message);
  }

  /** Values by key; every key must be one of `known`. */
  map(node: Node | null, what: string, known: readonly string[]): Map<string, Node | null> {
    const entries = this.entries(node, what);
    for (const [key, { keyNode }] of entries) {
      if (known.includes(key)) continue;
      throw this.fault(keyNode, `unknown key "${key}" in ${what}; allowed are ${known.join(", ")}`);
    }
    return new Map(Array.from(entries, ([key, { value }]) => [key, value]));
  }

  /** Every entry of a map with text keys. */
  entries(node: Node | null, what: string): Map<string, { keyNode: Node; value: Node | null }> {
    const map = this.#resolve(node);
    if (!isMap(map)) throw this.fault(node, `${what} must be a map of keys and values`);
    const entries = new Map<string, { keyNode: Node; value: Node | null }>();
    for (const { key, value } of (map as YAMLMap<Node, Node | null>).items) {
      if (!isScalar(key)) throw this.fault(key, `a key of ${what} must be a plain text`);
      entries.set(String(key.value), { keyNode: key, value: value ?? null });
    }
    return entries;
  }

  list(node: Node | null, what: string): Node[] {
    const list = this.#resolve(node);
    if (!isSeq(list)) throw this.fault(node, `${what} must be a list`);
    return (list as YAMLSeq<Node>).items;
  }

  isMap(node: Node | null): boolean {
    return isMap(this.#resolve(node));
  }

  isList(node: Node | null): boolean {
    return isSeq(this.#resolve(node));
  }

  text(node: Node | null, what: string): Scalar<string> {
    const scalar = this.#resolve(node);
    if (isScalar(scalar) && typeof scalar.value === "string" && scalar.value !== "") {
      return scalar as Scalar<string>;
    }
    throw this.fault(node, `${what} must be a text`);
  }

  number(node: Node | null, what: string, min: number, max: number): number {
    const scalar = this.#resolve(node);
    const value = isScalar(scalar) ? scalar.value : null;
    if (typeof value === "number" && value >= min && value <= max) return value;
    throw this.fault(node, `${what} must be a number from ${min} to ${max}`);
  }

  flag(node: Node | null, what: string): boolean {
    const { value } = this.scalar(node, what);
    if (typeof value === "boolean") return value;
    throw this.fault(node, `${what} must be true or false`);
  }

  choice<T extends string>(node: Node | null, what: string, choices: readonly T[]): T {
    const { value } = this.text(node, what);
    if ((choices as readonly string[]).includes(value)) return value as T;
    throw this.fault(node, `${what} must be ${choices.join(", ")}`);
  }

  /** A scalar of any type; `isDouble` is true for `10.0` and false for `10`. */
  scalar(node: Node | null, what: string): { value: unknown; isDouble: boolean } {
    const scalar = this.#resolve(node);
    if (!isScalar(scalar)) throw this.fault(node, `${what} must be a single value`);
    const isDouble = typeof scalar.value === "number" && /[.eE]/.test(scalar.source ?? "");
    return { value: scalar.value, isDouble };
  }

  /** The node as plain data; circular or exponential aliases are an error. */
  plain(node: Node | null): unknown {
    try {
      const data: unknown = this.#resolve(node)?.toJS(this.#document) ?? null;
      return JSON.parse(JSON.stringify(data));
    } catch {
      throw this.fault(node, "its aliases cannot be written out");
    }
  }

  #resolve(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.#document) ?? null) : node;
  }

  #offsetInside(scalar: Scalar<string>, index: number): number {
    const [start, end] = scalar.range ?? [0, 0];
    const { value } = scalar;
    for (const quote of [0, 1]) {
      if (this.#text.slice(start + quote, end - quote) === value) return start + quote + index;
    }
    if (scalar.type === "BLOCK_LITERAL") {
      const first = this.#text.indexOf("\n", start) + 1;
      const indent = /^ */.exec(this.#text.slice(first))![0].length;
      const linesBefore = value.slice(0, index).split("\n").length;
      return first + index + indent * linesBefore;
    }
    // Offsets in folded or escaped text are not computed; its beginning is reported.
    return start;
  }
}
