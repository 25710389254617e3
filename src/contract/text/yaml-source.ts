// Strict YAML reader: every error has line and column, and unknown keys are errors.

import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  visit,
} from "yaml";
import type { Document, Node, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { Fault, sentence, whole } from "#src/contract/fault.ts";
import { escapeText } from "./escape-text.ts";
import type { Place } from "./place.ts";

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
    const about = subject === null ? "" : sentence` ${subject}:`;
    super(
      "bad_input",
      sentence`${place.sourceName}:${place.line}:${place.column}:${about} ${whole(message)}`,
    );
    this.name = "YamlFault";
    this.line = place.line;
    this.column = place.column;
    this.subject = subject;
    this.excerpt = `${escapeText(place.lineText, 400, "\t")}\n${place.lineText.slice(0, place.column - 1).replaceAll(/[^\t]/g, " ")}^`;
  }
}

/** Nodes that aliases may add to those of the text: a few kilobytes of them can stand for millions. */
export const ALIASED_NODES = 10_000;

/** Whether a text has more tokens of YAML than that: what reading it costs, some 2 us each, which its length does not tell. */
export function hasMoreTokens(text: string, most: number): boolean {
  const tokens = new Lexer().lex(text);
  for (let count = 0; count <= most; count += 1) if (tokens.next().done === true) return false;
  return true;
}

/** One YAML file being read. `subject` is named in messages. */
export class YamlSource {
  subject: string | null = null;
  readonly #text: string;
  readonly #name: string;
  readonly #lines: LineCounter;
  readonly #document: Document;
  /** What each alias stands for; the parser searches the whole document for each. */
  readonly #targets = new Map<Node, Node>();

  /** @throws YamlFault for anything that is not one strict YAML document */
  constructor(text: string, name: string) {
    this.#text = text;
    this.#name = name;
    this.#lines = new LineCounter();
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      uniqueKeys: false,
    });
    const [problem] = [...this.#document.errors, ...this.#document.warnings];
    if (problem) {
      const isDeep = problem.message.startsWith("Maximum call stack");
      throw this.faultAt(problem.pos[0], isDeep ? "it is nested too deeply" : problem.message);
    }
    try {
      // The parser compares each key with all others of its map: 9 s for 20,000 keys.
      visit(this.#document, { Map: (_, map) => this.#expectDistinct(map) });
      this.#followAliases();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw this.faultAt(0, "it is nested too deeply");
    }
  }

  get root(): Node | null {
    return this.#document.contents;
  }

  /** @param at the node to blame where there is none */
  place(node: Node | null = this.root, at: Node | null = node): Place {
    const found = this.#resolve(node);
    const scalar = isScalar(found) ? found : null;
    return {
      kind: isMap(found) ? "map" : isSeq(found) ? "list" : "scalar",
      scalar: scalar?.value ?? null,
      source: scalar?.source ?? "",
      line: at === null ? 1 : this.lineOf(at),
      items: (what) => this.list(at, what).map((item) => this.place(item)),
      entries: (what) =>
        new Map(
          Array.from(this.entries(at, what), ([key, { keyNode, value }]) => [
            key,
            { key: this.place(keyNode), value: this.place(value, value ?? keyNode) },
          ]),
        ),
      fault: (message) => this.fault(at, message),
      faultInside: (index, message) =>
        scalar === null ? this.fault(at, message) : this.faultInside(scalar, index, message),
    };
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

  /**
   * From where to where a value stands in the text, to write another one there.
   * @throws YamlFault for a value that `&` and `*` share: others would change with it
   */
  span(node: Node | null): readonly [start: number, end: number] {
    if (node?.range != null && !isAlias(node) && !("anchor" in node && node.anchor)) {
      return [node.range[0], node.range[1]];
    }
    throw this.fault(node, "this is shared through & or *; write it out, so that it can be changed alone");
  }

  /** At an offset of a scalar's value. */
  faultInside(scalar: Scalar, index: number, message: string): YamlFault {
    return this.faultAt(this.#offsetInside(scalar, index), message);
  }

  /** Every entry of a map with text keys. */
  entries(node: Node | null, what: string): Map<string, { keyNode: Node; value: Node | null }> {
    const map = this.#resolve(node);
    if (!isMap(map)) throw this.fault(node, `${what} must be a map of keys and values`);
    const entries = new Map<string, { keyNode: Node; value: Node | null }>();
    for (const { key, value } of (map as YAMLMap<Node, Node | null>).items) {
      if (!isScalar(key)) throw this.fault(key, `a key of ${what} must be a plain text`);
      entries.set(keyText(key), { keyNode: key, value: value ?? null });
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

  /** A scalar of any type; `isDouble` is true for `10.0` and false for `10`; `source` is what is written. */
  scalar(node: Node | null, what: string): { value: unknown; source: string; isDouble: boolean } {
    const scalar = this.#resolve(node);
    if (!isScalar(scalar)) throw this.fault(node, `${what} must be a single value`);
    const isDouble = typeof scalar.value === "number" && /[.eE]/.test(scalar.source ?? "");
    return { value: scalar.value, source: scalar.source ?? "", isDouble };
  }

  /** The node as plain data. */
  plain(node: Node | null): unknown {
    return JSON.parse(JSON.stringify(this.#data(node) ?? null));
  }

  #data(node: Node | null): unknown {
    const found = this.#resolve(node);
    if (isSeq(found)) return (found as YAMLSeq<Node | null>).items.map((item) => this.#data(item));
    if (!isMap(found)) return isScalar(found) ? found.value : null;
    return Object.fromEntries(
      Array.from(this.entries(found, "this"), ([key, { value }]) => [key, this.#data(value)]),
    );
  }

  /** @throws YamlFault where aliases stand for too much, or for what they are a part of */
  #followAliases(): void {
    const anchors = new Map<string, Node>();
    /** Nodes of what has an anchor, with those that its aliases add. */
    const sizes = new Map<Node, number>();
    let added = 0;

    const measure = (node: unknown): number => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        const size = target === undefined ? undefined : sizes.get(target);
        if (target === undefined || size === undefined)
          throw this.fault(node, "its aliases cannot be written out");
        this.#targets.set(node, target);
        added += size;
        if (added <= ALIASED_NODES) return size;
        throw this.fault(
          node,
          `aliases stand for more than ${ALIASED_NODES} values in all; write out what is needed, and leave the rest out`,
        );
      }
      const isAnchored = isNode(node) && "anchor" in node && node.anchor !== undefined;
      if (isAnchored) anchors.set(String(node.anchor), node);
      const parts = isCollection(node) ? node.items : isPair(node) ? [node.key, node.value] : [];
      let size = 1;
      for (const part of parts) size += measure(part);
      if (isAnchored) sizes.set(node, size);
      return size;
    };
    measure(this.#document.contents);
  }

  #expectDistinct({ items }: YAMLMap): void {
    const keys = new Set<unknown>();
    for (const { key } of items) {
      const value = isScalar(key) ? keyText(key) : key;
      if (keys.has(value)) throw this.fault(key as Node, "Map keys must be unique");
      keys.add(value);
    }
  }

  #resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.#targets.get(node) ?? null) : node;
  }

  #offsetInside(scalar: Scalar, index: number): number {
    const [start, end] = scalar.range ?? [0, 0];
    const value = String(scalar.value);
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

/** A key as it is written: 007 is not the key 7. */
function keyText({ value, source }: Scalar): string {
  return typeof value === "string" ? value : (source ?? String(value));
}
