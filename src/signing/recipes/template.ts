// Templates of recipes: filled in when signing, parsed when verifying.
// `{name}` is a value, `{name:lower}` a filtered one, and `{#name}...{/name}` a section that exists only with that value.

import { authParamsReader, type AuthParam } from "#src/signing/auth-params.ts";
import { mergeValues, type Reader, type TemplateValues } from "./template-values.ts";

/** A value by its name; undefined for an unknown name. */
export type Lookup = (name: string) => string | undefined;

export interface Placeholder {
  readonly name: string;
  readonly filter: Filter | null;
}

export interface UsedPlaceholder extends Placeholder {
  /** inside a section */
  readonly optional: boolean;
}

interface Section {
  readonly when: string;
  readonly pieces: readonly (string | Placeholder)[];
}

type Piece = string | Placeholder | Section;

const FILTERS = {
  lower: (text: string) => text.toLowerCase(),
  upper: (text: string) => text.toUpperCase(),
  uri: percentEncoded,
} as const;

/** RFC 3986 section 2.1: everything but unreserved characters is percent-encoded. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export type Filter = keyof typeof FILTERS;

function isFilter(name: string): name is Filter {
  return Object.hasOwn(FILTERS, name);
}

const NAME = "[a-z][a-z0-9_]*(?:\\.[a-z0-9-]+)?";
const PLACEHOLDER = new RegExp(`\\{(${NAME})(?::([a-z]+))?\\}`);
const SECTION = new RegExp(`\\{#(${NAME})\\}(.*?)\\{/\\1\\}`, "s");
/** `Scheme name="value", name="value"`: credentials written as auth-params (RFC 9110 section 11.4). */
const AUTH_PARAMS = /^([A-Za-z][A-Za-z0-9-]*) ([A-Za-z][\w-]*="[^"]*"(?:, ?[A-Za-z][\w-]*="[^"]*")*)$/;

const compiled = new Map<string, readonly Piece[]>();

function compile(template: string): readonly Piece[] {
  let pieces = compiled.get(template);
  if (pieces === undefined) {
    const parts = template.split(SECTION);
    const whole: Piece[] = [];
    for (let at = 0; at < parts.length; at += 3) {
      if (at > 0) whole.push({ when: parts[at - 2]!, pieces: plainPieces(parts[at - 1]!) });
      whole.push(...plainPieces(parts[at]!));
    }
    compiled.set(template, (pieces = whole));
  }
  return pieces;
}

function plainPieces(template: string): (string | Placeholder)[] {
  const parts = template.split(PLACEHOLDER);
  const pieces: (string | Placeholder)[] = [];
  for (let at = 0; at < parts.length; at += 3) {
    if (at > 0) pieces.push(placeholderOf(parts[at - 2]!, parts[at - 1]));
    if (parts[at] !== "") pieces.push(parts[at]!);
  }
  return pieces;
}

function placeholderOf(name: string, filter: string | undefined): Placeholder {
  if (filter === undefined) return { name, filter: null };
  if (!isFilter(filter)) throw new TypeError(`the template has an unknown filter in {${name}:${filter}}`);
  return { name, filter };
}

/**
 * Fills in a template.
 * @throws TypeError for a placeholder without a value, or an unknown filter: the recipe is invalid
 */
export function fillTemplate(template: string, lookup: Lookup): string {
  let text = "";
  for (const piece of compile(template)) {
    if (typeof piece === "object" && "when" in piece) {
      if (lookup(piece.when)) for (const inner of piece.pieces) text += fill(inner, lookup);
    } else {
      text += fill(piece, lookup);
    }
  }
  return text;
}

function fill(piece: string | Placeholder, lookup: Lookup): string {
  if (typeof piece === "string") return piece;
  const value = lookup(piece.name);
  if (value === undefined) throw new TypeError(`the template has an unknown placeholder {${piece.name}}`);
  return piece.filter === null ? value : FILTERS[piece.filter](value);
}

/** All placeholders of a template, including the names of sections. */
export function placeholdersOf(template: string): UsedPlaceholder[] {
  return compile(template).flatMap((piece): UsedPlaceholder[] => {
    if (typeof piece === "string") return [];
    if (!("when" in piece)) return [{ ...piece, optional: false }];
    const inner = piece.pieces.filter((each) => typeof each !== "string");
    return [{ name: piece.when, filter: null }, ...inner].map((each) => ({ ...each, optional: true }));
  });
}

/** Whether two placeholders are adjacent, which makes parsing ambiguous. */
export function runsTogether(template: string): boolean {
  return variants(template).some((variant) =>
    plainPieces(variant).some(
      (piece, at, all) => typeof piece !== "string" && typeof all[at + 1] === "object",
    ),
  );
}

/** What is wrong with the filters of a template, or null. */
export function filterProblem(template: string): string | null {
  const filters = [...template.matchAll(/\{[a-z0-9_.-]+:([a-z]+)\}/g)];
  const unknown = filters.find(([, filter]) => !isFilter(filter!));
  return unknown === undefined ? null : `has an unknown filter in ${unknown[0]}`;
}

/** What is wrong with the filters and braces of a template, or null. */
export function templateProblem(template: string): string | null {
  const stray = "has a brace that belongs to no placeholder such as {key_id}";
  return filterProblem(template) ?? (strayBrace(template) === null ? null : stray);
}

/** The first brace in a template that belongs to no placeholder, or null. */
export function strayBrace(template: string): number | null {
  const blank = (text: string): string => " ".repeat(text.length);
  const rest = template
    .replace(new RegExp(SECTION, "gs"), (whole, name: string, inner: string) => {
      const open = blank(`{#${name}}`);
      return `${open}${inner}${blank(whole.slice(open.length + inner.length))}`;
    })
    .replace(new RegExp(PLACEHOLDER, "g"), blank);
  const at = rest.search(/[{}]/);
  return at < 0 ? null : at;
}

const readers = new Map<string, Reader>();

/**
 * Parses a header. Auth-params may be in any order and with blanks around commas, but each exactly once and no other; any
 * other template must match completely.
 * @returns the values by placeholder, or an error in words
 */
export function readTemplate(template: string, text: string): Map<string, string> | string {
  let reader = readers.get(template);
  if (reader === undefined) {
    const bare = template.replace(new RegExp(SECTION, "gs"), "$2");
    const params = AUTH_PARAMS.exec(bare);
    reader = params
      ? authParamsReader(params[1]!, authParams(params[2]!, optionalParams(template)))
      : anyOf(variants(template).map(literalReader));
    readers.set(template, reader);
  }
  return reader(text);
}

const MISFIT = "does not have the form of the recipe";

/** Splits at the first occurrence of the next literal: linear in the length of an untrusted header. */
function literalReader(template: string): Reader {
  const pieces = plainPieces(template);
  return (text) => {
    const values = new Map<string, string>();
    let at = 0;
    for (let index = 0; index < pieces.length; index++) {
      const piece = pieces[index]!;
      if (typeof piece === "string") {
        if (!text.startsWith(piece, at)) return MISFIT;
        at += piece.length;
        continue;
      }
      const next = pieces[index + 1];
      const isLast = index + 2 === pieces.length;
      const end =
        typeof next !== "string" ? text.length : isLast ? text.length - next.length : text.indexOf(next, at);
      if (end < at) return MISFIT;
      const value = unfiltered(piece, text.slice(at, end));
      const clash = value === null ? MISFIT : mergeValues(values, value);
      if (clash !== null) return clash;
      at = end;
    }
    return at === text.length ? values : MISFIT;
  };
}

/** Reverses a filter; null if the text cannot be its output. */
function unfiltered({ name, filter }: Placeholder, text: string): TemplateValues | null {
  if (filter === null) return new Map([[name, text]]);
  if (filter !== "uri") return new Map([[`${name}:${filter}`, text]]);
  try {
    const value = decodeURIComponent(text);
    return FILTERS.uri(value) === text ? new Map([[name, value]]) : null;
  } catch {
    return null;
  }
}

/** Variants of the template with and without each of its sections, fullest first. */
function variants(template: string): string[] {
  const section = SECTION.exec(template);
  if (section === null) return [template];
  const before = template.slice(0, section.index);
  const after = template.slice(section.index + section[0].length);
  return [...variants(`${before}${section[2]!}${after}`), ...variants(`${before}${after}`)];
}

function anyOf(all: readonly Reader[]): Reader {
  return (text) => {
    let first: Map<string, string> | string = MISFIT;
    for (const [index, reader] of all.entries()) {
      const read = reader(text);
      if (typeof read !== "string") return read;
      if (index === 0) first = read;
    }
    return first;
  };
}

function optionalParams(template: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, , inner] of template.matchAll(new RegExp(SECTION, "gs"))) {
    for (const [, name] of inner!.matchAll(/([A-Za-z][\w-]*)="/g)) names.add(name!);
  }
  return names;
}

function authParams(params: string, optional: ReadonlySet<string>): AuthParam[] {
  return [...params.matchAll(/([A-Za-z][\w-]*)="([^"]*)"/g)].map(([, name, value]) => {
    const [only, ...more] = plainPieces(value!);
    const isWhole = typeof only === "object" && only.filter === null && more.length === 0;
    const isOptional = optional.has(name!);
    return { name: name!, isOptional, whole: isWhole ? only.name : null, read: literalReader(value!) };
  });
}
