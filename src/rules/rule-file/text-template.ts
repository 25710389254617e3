// Templates of reasons: texts with {names}, validated when the rules are loaded.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { groupDigits } from "#src/contract/text/group-digits.ts";
import { RULE_FIELDS, fieldReader, type Situation } from "#src/rules/decision/situation.ts";
import type { HostFunction, Params, Value } from "#src/rules/expressions/host-function.ts";

/** Most characters of a request value in a reason. */
const MAX_VALUE = 60;

/** A value shown with the rule's trace, by the name it has in the expression. */
export interface TracedValue {
  readonly name: string;
  read(situation: Situation, params: Params): string | number | boolean | null;
}

export interface TemplateWords {
  /** Names of the rule's parameters. */
  readonly params: readonly string[];
  /** Functions without parameters can be used directly, e.g. `{amount_eur}`. */
  readonly functions: readonly HostFunction[];
  /**
   * Words for calls of the condition, by their names among the traced values: `{n}` for the first count, and the name of a
   * function for its first call, e.g. `{list_entry}`.
   */
  readonly calls: ReadonlyMap<string, string>;
  /** Values traced for the rule: parameters, counts, and the fields that its condition reads. */
  readonly traced: readonly TracedValue[];
}

export interface TextTemplate {
  /** As written. */
  readonly source: string;
  /** The text with values from the request escaped and shortened; `?` where one is missing. */
  fill(situation: Situation, params: Params): string;
}

type Read = (situation: Situation, params: Params) => string;

/**
 * Reads `"{n} attempts with this card in 1 h (limit {limit})"`.
 * @throws RangeError naming a word that the rule does not know
 */
export function compileTemplate(text: string, words: TemplateWords): TextTemplate {
  // Alternates text and word, starting and ending with text.
  const [start, ...rest] = text.split(/\{([^{}]*)\}/);
  const reads: Read[] = rest.filter((_, i) => i % 2 === 0).map((word) => reader(word, words));
  const texts = rest.filter((_, i) => i % 2 === 1);
  return {
    source: text,
    fill(situation, params) {
      let filled = start!;
      for (let i = 0; i < reads.length; i++) filled += reads[i]!(situation, params) + texts[i]!;
      return filled;
    },
  };
}

/** Codes and card numbers are fields and stay as sent; limits, counts and amounts are formatted as quantities. */
function reader(word: string, words: TemplateWords): Read {
  const call = words.calls.get(word);
  if (words.params.includes(word)) return (_, params) => shown(params[word], quantity);
  if (RULE_FIELDS.has(word)) {
    const read = fieldReader(word);
    return (situation) => shown(read(situation), String);
  }
  if (call !== undefined) {
    const traced = words.traced.find(({ name }) => name === call);
    return (situation, params) => shown(traced?.read(situation, params), shownResult);
  }
  const host = words.functions.find(({ name, parameters }) => name === word && parameters.length === 0);
  if (!host) throw new RangeError(`{${word}} is no parameter, field or value of this rule`);
  return (situation) =>
    shown(host.missing?.(situation, []) == null ? host.call(situation, []) : undefined, shownResult);
}

function shown(value: Value | null | undefined, number: (value: number) => string): string {
  if (value === undefined || value === null) return "?";
  if (typeof value === "number") return number(value);
  return typeof value === "string" ? escapeText(value, MAX_VALUE) : String(value);
}

/** `490 000`, `2.5` */
function quantity(value: number): string {
  return groupDigits(String(Math.round(value * 100) / 100));
}

/**
 * `1 000`, `189.90`: fractions are usually money, so they have two decimals; more where those would say that it is a whole
 * number, at which limits stand: `250.0002` is over 250.
 */
export function shownResult(value: number): string {
  if (Number.isInteger(value)) return groupDigits(String(value));
  const decimals = [2, 3, 4, 5, 6].find((each) => !Number.isInteger(Number(value.toFixed(each))));
  // What is nearer to a whole number is one that a conversion missed.
  return groupDigits(value.toFixed(decimals ?? 0));
}
