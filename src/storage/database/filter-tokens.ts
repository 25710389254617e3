// Splits a history filter into terms with their columns.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { FilterFault } from "#src/contract/filter-fault.ts";

export type Operator = ":" | "=" | ">" | "<" | ">=" | "<=";

/** A piece of the filter and where it starts: column in characters, from 1. */
export interface Piece {
  readonly text: string;
  readonly column: number;
}

export type Term =
  | { readonly kind: "words"; readonly negated: boolean; readonly words: Piece }
  | {
      readonly kind: "field";
      readonly negated: boolean;
      readonly field: Piece;
      readonly operator: Operator;
      readonly value: Piece;
      /** A value in quotes has no wildcards. */
      readonly quoted: boolean;
    };

const FIELD = /^([A-Za-z_]+)(>=|<=|[:=><])/;

/**
 * Reads terms separated by blanks: `field:value`, `field>=value`, `"some words"`, `word`, each with `-` in front to negate it.
 * Quotes hold blanks; `\"` and `\\` stand for the characters themselves inside them.
 * @throws Fault("usage") with the column
 */
export function readTerms(filter: string): Term[] {
  const terms: Term[] = [];
  // Columns count characters, not UTF-16 units.
  const characters = Array.from(filter);
  let at = 0;
  while (at < characters.length) {
    if (isBlank(characters[at])) {
      at += 1;
      continue;
    }
    const negated = characters[at] === "-";
    if (negated) at += 1;
    const match = FIELD.exec(restOfWord(characters, at));
    if (match === null) {
      const value = readValue(characters, at);
      if (value.text === "") throw filterFault(at + 1, "a word is missing here");
      terms.push({ kind: "words", negated, words: { text: value.text, column: at + 1 } });
      at = value.end;
      continue;
    }
    const [whole, field = "", operator] = match;
    const start = at + whole.length;
    const value = readValue(characters, start);
    if (value.text === "" && !value.quoted) {
      throw filterFault(start + 1, `a value is missing after "${whole}"`);
    }
    terms.push({
      kind: "field",
      negated,
      field: { text: field.toLowerCase(), column: at + 1 },
      operator: operator as Operator,
      value: { text: value.text, column: start + 1 },
      quoted: value.quoted,
    });
    at = value.end;
  }
  return terms;
}

/** A fault with the column of the filter, and the wrong token if there is one. */
export function filterFault(column: number, reason: string, token = ""): FilterFault {
  return new FilterFault(column, reason, Array.from(token).length);
}

/** A piece of the filter, quoted and escaped for a message. */
export function quote(text: string): string {
  return `"${escapeText(text, 40)}"`;
}

function readValue(
  characters: readonly string[],
  from: number,
): { text: string; quoted: boolean; end: number } {
  if (characters[from] !== '"') {
    const text = restOfWord(characters, from);
    return { text, quoted: false, end: from + Array.from(text).length };
  }
  let text = "";
  for (let at = from + 1; at < characters.length; at += 1) {
    const character = characters[at]!;
    if (character === '"') {
      const after = characters[at + 1];
      if (after !== undefined && !isBlank(after))
        throw filterFault(at + 2, "a space is missing after the quotes");
      return { text, quoted: true, end: at + 1 };
    }
    const next = characters[at + 1];
    if (character === "\\" && (next === '"' || next === "\\")) {
      text += next;
      at += 1;
    } else {
      text += character;
    }
  }
  throw filterFault(from + 1, "these quotes are not closed");
}

function restOfWord(characters: readonly string[], from: number): string {
  let end = from;
  while (end < characters.length && !isBlank(characters[end])) end += 1;
  return characters.slice(from, end).join("");
}

function isBlank(character: string | undefined): boolean {
  return character !== undefined && /\s/u.test(character);
}
