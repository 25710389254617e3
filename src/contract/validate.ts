// A body against its field table: findings for people, and the reading and showing of single fields.

import { getPath, isJsonObject, setPath } from "./body-path.ts";
import { escapeText } from "./escape-text.ts";
import type { Field, FieldContext, FieldValue, Finding, Problem, Severity } from "./field.ts";

export { getPath, setPath };

export interface ValidateOptions {
  /** Paths whose absence is an error. Fields that are required by their table and not named here give a warning. */
  readonly required?: readonly string[];
  /** From `parseStrictJson`: numbers that are no integers by the way they were written. */
  readonly irregularNumbers?: ReadonlyMap<string, string>;
  /** ms since the epoch, for expiry dates; the present unless told. */
  readonly now?: number;
}

/**
 * Compares a body with its field table: types, bounds, choices, missing fields, unknown keys.
 * No message repeats a value of the body; keys in messages are escaped.
 * @returns findings in the order of the table, unknown keys last; empty when all is well
 */
export function validateBody(
  fields: readonly Field[],
  body: unknown,
  options: ValidateOptions = {},
): Finding[] {
  if (!isJsonObject(body)) {
    return [{ path: "", severity: "error", message: "The body must be a JSON object." }];
  }
  const { required = [], irregularNumbers = new Map<string, string>(), now = Date.now() } = options;
  const { parents, known } = keysOf(fields);
  const context = { body, now, amountUnit: "minor" as const };

  const findings: Finding[] = [];
  for (const key of parents) {
    if (Object.hasOwn(body, key) && !isJsonObject(body[key])) {
      findings.push(finding(key, "error", "must be a JSON object"));
    }
  }
  for (const field of fields) {
    const value = getPath(body, field.path);
    if (value !== undefined) {
      findings.push(...checkField(field, value, context, irregularNumbers.has(field.path)));
    } else if (required.includes(field.path)) {
      findings.push(finding(field.path, "error", "is required and missing"));
    } else if (field.required) {
      findings.push(finding(field.path, "warning", "is missing"));
    }
  }
  addUnknownKeys(findings, parents, known, body);
  return findings;
}

/**
 * What is wrong with one value, e.g. while it is being typed.
 * @param irregular true for a number whose raw token is no plain integer
 * @returns at most one finding
 */
export function checkField(
  field: Field,
  value: unknown,
  context: FieldContext,
  irregular: boolean = false,
): Finding[] {
  const wrong = value === null ? "must not be null; leave it out" : wrongValue(field, value, irregular);
  if (wrong !== null) return [finding(field.path, "error", wrong)];
  if (value === "") {
    return field.required
      ? [finding(field.path, "error", "must not be empty")]
      : [finding(field.path, "warning", "is empty; leave it out instead")];
  }
  const problem = misfit(field, value) ?? field.check?.(value as FieldValue, context) ?? null;
  return problem === null ? [] : [finding(field.path, problem.severity, problem.text)];
}

/** Gap and pattern: what only a whole value can be judged by, not one that is still being read. */
function misfit({ gap, pattern }: Field, value: unknown): Problem | null {
  if (gap !== undefined && Number(value) >= gap.from && Number(value) <= gap.to) {
    return { severity: "error", text: gap.text };
  }
  return pattern === undefined || pattern.regex.test(String(value))
    ? null
    : { severity: "error", text: pattern.text };
}

/** Type, bounds and choices; null when they fit. */
function wrongValue(field: Field, value: unknown, irregular: boolean): string | null {
  if (field.type === "integer") {
    if (typeof value !== "number") return `must be ${range(field)}, not ${kindOf(value)}`;
    if (irregular || !Number.isSafeInteger(value)) {
      return `must be ${range(field)}, written in plain digits without point or exponent`;
    }
    return value < lowest(field) || value > highest(field) ? `must be ${range(field)}` : null;
  }
  if (typeof value !== "string") return `must be a text, not ${kindOf(value)}`;
  if (field.choices !== undefined && !field.choices.includes(value)) {
    return `must be one of ${field.choices.join(", ")}`;
  }
  if (
    field.maxLength !== undefined &&
    value.length > field.maxLength &&
    characters(value) > field.maxLength
  ) {
    return `must have at most ${field.maxLength} characters`;
  }
  return null;
}

/** Dotted paths of the fields that a table requires. */
export function requiredPaths(fields: readonly Field[]): readonly string[] {
  return fields.filter((field) => field.required).map((field) => field.path);
}

interface TableKeys {
  /** Keys of the objects that hold fields. */
  readonly parents: ReadonlySet<string>;
  /** Those, and the path of every field. */
  readonly known: ReadonlySet<string>;
}

/** Made once for each table: a replay validates tens of thousands of bodies a second. */
const KEYS = new WeakMap<readonly Field[], TableKeys>();

function keysOf(fields: readonly Field[]): TableKeys {
  const made = KEYS.get(fields);
  if (made !== undefined) return made;
  const parents = new Set(fields.flatMap((field) => field.path.split(".").slice(0, -1)));
  const keys = { parents, known: new Set([...parents, ...fields.map((field) => field.path)]) };
  KEYS.set(fields, keys);
  return keys;
}

function addUnknownKeys(
  findings: Finding[],
  parents: ReadonlySet<string>,
  known: ReadonlySet<string>,
  body: Readonly<Record<string, unknown>>,
): void {
  const add = (path: string): void => {
    if (!known.has(path)) findings.push(finding(path, "warning", "is no field of this request"));
  };
  for (const key of Object.keys(body)) {
    const value = body[key];
    if (parents.has(key) && isJsonObject(value))
      Object.keys(value).forEach((inner) => add(`${key}.${inner}`));
    else add(key);
  }
}

const PLAIN_INTEGER = /^(?:0|[1-9][0-9]*)$/;
const DIGITS = /^[0-9]+$/;

/**
 * Reads what a user typed for a field, or wrote behind `--set path=`. Texts are taken as they are, blanks included.
 * @returns the value to send, or one sentence that names the field
 */
export function readField(
  field: Field,
  text: string,
): { readonly value: FieldValue } | { readonly error: string } {
  const value = field.type === "integer" ? readInteger(field, text) : text;
  const readable = field.reads === undefined ? "" : `, or ${field.reads}`;
  const wrong = value === null ? `must be ${range(field)}${readable}` : wrongValue(field, value, false);
  return value === null || wrong !== null ? { error: sentence(field.path, wrong!) } : { value };
}

function readInteger(field: Field, text: string): number | null {
  const typed = text.trim();
  // Leading zeros are fine only where they are part of how the value is written: 0042, 036, 05.
  const padded = field.digits !== undefined && typed.length <= field.digits && DIGITS.test(typed);
  if (padded || PLAIN_INTEGER.test(typed)) return Number(typed);
  return field.read?.(typed) ?? null;
}

/** A value as it is typed and shown: `0042` for the last four digits 42; text as it is, not escaped. */
export function showField(field: Field, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) {
    return String(value).padStart(field.digits ?? 0, "0");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function range(field: Field): string {
  return `a whole number from ${lowest(field)} to ${highest(field)}`;
}

function lowest(field: Field): number {
  return field.min ?? Number.MIN_SAFE_INTEGER;
}

function highest(field: Field): number {
  return field.max ?? Number.MAX_SAFE_INTEGER;
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

function finding(path: string, severity: Severity, text: string): Finding {
  return { path, severity, message: sentence(path, text) };
}

function sentence(path: string, text: string): string {
  return `${escapeText(path, 80)} ${text}.`;
}
