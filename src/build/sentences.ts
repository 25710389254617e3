// Lists every sentence that a person can meet, each with its file and line: npm run sentences.

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";
import { isScalar, parseDocument, visit } from "yaml";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCES = ["src/**/*.ts", "src/**/*.tsx", "screens/**/*.ts", "screens/**/*.tsx"];
/** Scripts of pages and the build are for developers. */
const OTHERS = /^src\/build\/|\.browser\.|\.d\.ts$/;
const DOCUMENTS = ["src/**/*.yaml"];
/** Two words beside each other. */
const SENTENCE = /\p{L}{2,},? \p{L}/u;
/** Lists of words, and texts in SQL, Lua, HTML or for a shell. */
const CODE =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|KEYS\[1\]|compdef|complete -c)\b|local [\w, ]+ =|call\('|<\/?\w+|^(?:[a-z0-9.-]+ ){20}/;

export interface Sentence {
  /** Below the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** On one line; what a template inserts is written `{expression}`. */
  readonly text: string;
}

/** Sentences of sources, starter rules and decks, in the order of files and lines. */
export function sentences(): Sentence[] {
  const sources = globSync(SOURCES, { cwd: ROOT }).filter((file) => !OTHERS.test(file));
  const documents = globSync(DOCUMENTS, { cwd: ROOT });
  return [
    ...sources.sort().flatMap((file) => found(file, textsOfSource)),
    ...documents.sort().flatMap((file) => found(file, textsOfDocument)),
  ];
}

/** A text, and where it begins. */
type Text = readonly [at: number, text: string];

function found(file: string, textsOf: (source: string, file: string) => Text[]): Sentence[] {
  const source = readFileSync(ROOT + file, "utf8");
  return textsOf(source, file)
    .flatMap(([at, text]) => {
      const line = source.slice(0, at).split("\n").length;
      // Paragraphs, and columns of a table.
      const parts = text.split(/\n\s*\n|(?<=\S) {2,}/);
      return parts.map((part) => ({ file, line, text: part.replaceAll(/\s+/g, " ").trim() }));
    })
    .filter(({ text }) => SENTENCE.test(text) && !CODE.test(text));
}

/** The parts of an ESTree node that are used here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

function textsOfSource(source: string, file: string): Text[] {
  const texts: Text[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (isNode(value)) {
      // Types say nothing; `as const`, `satisfies` and `!` stand around what does.
      if (value.type.startsWith("Import")) return;
      if (value.type.startsWith("TS")) return look(value["expression"]);
      const text = textOf(value, source);
      if (text === null) return Object.values(value).forEach(look);
      texts.push([value.start, text]);
      lookInside(value);
    }
  };
  /** What a template inserts, and what is joined to a text, may say something itself. */
  const lookInside = (node: Node): void => {
    if (node.type === "TemplateLiteral") look(node["expressions"]);
    if (node.type !== "BinaryExpression") return;
    for (const side of [node["left"], node["right"]] as readonly Node[]) {
      if (textOf(side, source) === null) look(side);
      else lookInside(side);
    }
  };
  look(parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }).body);
  return texts;
}

/** What a literal, a template, texts joined by + or a text of JSX says; null for any other node. */
function textOf(node: Node, source: string): string | null {
  switch (node.type) {
    case "Literal":
    case "JSXText":
      return typeof node["value"] === "string" ? node["value"] : null;
    case "TemplateLiteral": {
      const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
      const inserted = (node["expressions"] as readonly Node[]).map(({ start, end }) =>
        source.slice(start, end),
      );
      return quasis
        .map(({ value }, at) => value.cooked + (at in inserted ? `{${inserted[at]}}` : ""))
        .join("");
    }
    case "BinaryExpression": {
      const [left, right] = [node["left"], node["right"]].map((side) => textOf(side as Node, source));
      if (node["operator"] !== "+" || (left === null && right === null)) return null;
      return `${left ?? "{}"}${right ?? "{}"}`;
    }
    default:
      return null;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Values, and comments, which a user of the document reads, too. */
function textsOfDocument(source: string): Text[] {
  const texts: Text[] = [];
  visit(parseDocument(source), (_key, node) => {
    if (isScalar(node) && typeof node.value === "string") texts.push([node.range![0], node.value]);
  });
  for (const { index, 1: comment } of source.matchAll(/^ *# ?(.+)$/gm)) texts.push([index, comment!]);
  return texts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, line, text } of sentences()) process.stdout.write(`${file}:${line}: ${text}\n`);
}
