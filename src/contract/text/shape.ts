// Shapes of documents: JSON Schema, by which documents are read and from which their types follow.

import { parseInstant } from "./instant.ts";
import { kindOf } from "./kind-of.ts";
import type { Place } from "./place.ts";

// What no schema can say stands under symbols, which JSON leaves out.
/** The key of a map that may be missing, and is missing then from what is read. */
export const OPTIONAL = Symbol("may be missing");
/** What a text must be, in messages; else its description says so. */
export const FORM = Symbol("form");
/** The key that tells the maps of `anyOf` apart. */
export const BY = Symbol("told apart by");
/** A part that is read later, from its place. */
export const PLACED = Symbol("placed");
/** What a value becomes once its keywords hold. */
export const THEN = Symbol("then");

/** What is wrong with a value, or with one of its keys; to be said after its name. */
export class Wrong {
  readonly message: string;
  readonly key: string | null;

  constructor(message: string, key: string | null = null) {
    this.message = message;
    this.key = key;
  }
}

type Read<T, R> = (value: T, place: Place) => R | Wrong;

/** A JSON Schema (2020-12) of values that are read as T. */
export interface Shape<T = unknown> {
  /** Never there: it carries T. */
  readonly $type?: T;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** The type of what is read by a shape. */
export type Of<S> = S extends Shape<infer T> ? T : never;

export interface ChoiceShape<T extends string> extends Shape<T> {
  readonly enum: readonly T[];
}

export interface NumberShape extends Shape<number> {
  readonly type: "number" | "integer";
  readonly minimum: number;
  readonly maximum: number;
}

export interface ListShape<S extends Shape = Shape> extends Shape<readonly Of<S>[]> {
  readonly type: "array";
  readonly items: S;
}

type Keywords = Readonly<Record<string | symbol, unknown>>;
export type Shapes = Readonly<Record<string, Shape>>;
export type Optional = { readonly [OPTIONAL]: true };

type MissingKeys<P> = { [K in keyof P]: P[K] extends Optional ? K : never }[keyof P];
type Values<P extends Shapes> = {
  readonly [K in Exclude<keyof P, MissingKeys<P>>]: Of<P[K]>;
} & { readonly [K in MissingKeys<P>]?: Of<P[K]> };

/** A map with the keys of `properties`. */
export interface MapShape<P extends Shapes = Shapes> extends Shape<Values<P>> {
  readonly type: "object";
  readonly properties: P;
  readonly required: readonly string[];
}

/** A text that is not empty. */
export function text(description: string, more: Keywords = {}): Shape<string> {
  return { type: "string", minLength: 1, description, ...more };
}

/** A text of a form, which messages and the schema describe: `a day such as 2026-01-31`. */
export function formed(pattern: RegExp, form: string): Shape<string> {
  return { type: "string", pattern: pattern.source, description: form };
}

/** A text that may be empty. */
export function anyText<M extends Keywords>(description?: string, more?: M): Shape<string> & M;
export function anyText(description: string = "", more: Keywords = {}): Shape<string> {
  return { type: "string", description, ...more };
}

/** Any text that is not empty, or digits without quotes in YAML, exactly as written: `411111`, `+380501234567`. */
export function digits(description: string): Shape<string> {
  const shape = { type: ["string", "integer"], minLength: 1, minimum: 0, description };
  return becomes(placed(shape), ({ scalar, source }) => {
    if (typeof scalar === "string" && scalar !== "") return scalar;
    if (/^\+?\d+$/.test(source) && typeof scalar === "number") return source;
    return new Wrong(notText(scalar, source));
  });
}

/** What is wrong with something else than a text. Without quotes YAML reads 007, 1e5, 0x10, true and null as other values. */
export function notText(scalar: unknown, source: string): string {
  const isWritten = source !== "" && typeof scalar !== "string";
  return `must be a text${isWritten ? `, not ${kindOf(scalar)}. Write it in quotes.` : ""}`;
}

/** A time as text, which becomes ms since the epoch. @param form what it is in messages */
export function instant(form: string): Shape<number> {
  return becomes(
    formed(/^\d{4}-\d{2}-\d{2}/, form),
    (text) => parseInstant(text) ?? new Wrong(`must be ${form}`),
  );
}

export function choice<const T extends string>(
  values: readonly T[],
  description: string = "",
): ChoiceShape<T> {
  return { enum: values, description };
}

export function number(minimum: number, maximum: number, description: string): NumberShape {
  return { type: "number", minimum, maximum, description };
}

export function anyNumber(description: string = ""): Shape<number> {
  return { type: "number", description };
}

export function whole(minimum: number, maximum: number, description: string): NumberShape {
  return { type: "integer", minimum, maximum, description };
}

export function flag(description: string = ""): Shape<boolean> {
  return { type: "boolean", description };
}

export function list<S extends Shape, M extends Keywords>(
  items: S,
  description?: string,
  more?: M,
): ListShape<S> & M;
export function list(items: Shape, description: string = "", more: Keywords = {}): Shape {
  return { type: "array", items, description, ...more };
}

/** A map without other keys. Every key is required that has no default and is not optional. */
export function map<P extends Shapes>(properties: P, description: string): MapShape<P> {
  const required = Object.keys(properties).filter(
    (key) => !("default" in properties[key]! || OPTIONAL in properties[key]!),
  );
  return { type: "object", properties, required, additionalProperties: false, description };
}

/** A map that keeps other keys as they are, so that an older build does not lose what a newer one has written. */
export function openMap<P extends Shapes>(properties: P, description: string = ""): MapShape<P> {
  const { additionalProperties: _, ...shape } = map(properties, description);
  return shape;
}

/** A map whose keys the writer chooses. */
export function named<T>(
  names: Shape,
  values: Shape<T>,
  description: string = "",
): Shape<Readonly<Record<string, T>>> {
  return { type: "object", propertyNames: names, additionalProperties: values, description };
}

/** The shape that a value resembles: of its kind, and for maps the first that knows all keys, else the last. */
export function oneOf<S extends Shape>(shapes: readonly S[], description: string = ""): Shape<Of<S>> {
  return { anyOf: shapes, description };
}

/** Maps that the value of one key tells apart. */
export function variants<S extends MapShape>(
  key: string,
  shapes: readonly S[],
  description: string = "",
): Shape<Of<S>> {
  return { ...oneOf(shapes, description), [BY]: key };
}

/** A part that may be left empty: `lists:`. */
export function orNothing<T>(shape: Shape<T>): Shape<T | null> {
  const { description = "" } = shape;
  return { anyOf: [shape, { type: "null" }], description };
}

/** A key that may be missing, and is read as this value then, written as in a document. */
export function or<S extends Shape>(shape: S, value: unknown): S {
  return { ...shape, default: value };
}

/** A key that may be missing or left empty, and is null then. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return or(orNothing(shape), null);
}

/** A key that may be missing, and is missing then. */
export function optional<S extends Shape>(shape: S): S & Optional {
  const { default: _, ...rest } = shape as Shape;
  return { ...rest, [OPTIONAL]: true } as unknown as S & Optional;
}

export function allOptional<P extends Shapes>(properties: P): { readonly [K in keyof P]: P[K] & Optional } {
  const entries = Object.entries(properties).map(([key, shape]) => [key, optional(shape)]);
  return Object.fromEntries(entries) as { readonly [K in keyof P]: P[K] & Optional };
}

/** A part that the caller reads later from its place, because more than its shape decides on it. */
export function placed(shape: Shape): Shape<Place> {
  return { ...(shape as object), [PLACED]: true };
}

/** What a value becomes, or what is wrong with it that no schema can say. */
export function becomes<T, R>(shape: Shape<T>, read: Read<T, R>): Shape<R> {
  const before = shape[THEN as never] as Read<unknown, T> | undefined;
  const then: Read<T, R> = (value, place) => {
    const found = before === undefined ? value : before(value, place);
    return found instanceof Wrong ? found : read(found, place);
  };
  return { ...(shape as object), [THEN]: then };
}

/** A value for which `problem` returns null; else what is wrong, to be said after its name. */
export function checked<T>(shape: Shape<T>, problem: (value: T) => string | null): Shape<T> {
  return becomes(shape, (value) => {
    const wrong = problem(value);
    return wrong === null ? value : new Wrong(wrong);
  });
}
