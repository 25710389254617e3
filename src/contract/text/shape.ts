// Shapes of documents that people write: JSON Schema, from which their readers take keys, choices, bounds and forms.

/** A JSON Schema (2020-12). */
export interface Shape {
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

export interface ChoiceShape<T extends string> extends Shape {
  readonly enum: readonly T[];
}

export interface NumberShape extends Shape {
  readonly type: "number" | "integer";
  readonly minimum: number;
  readonly maximum: number;
}

export interface ListShape<S extends Shape = Shape> extends Shape {
  readonly type: "array";
  readonly items: S;
}

type Keywords = Readonly<Record<string, unknown>>;
export type Shapes = Readonly<Record<string, Shape>>;

/** A map with the keys of `properties` and no others. */
export interface MapShape<P extends Shapes = Shapes> extends Shape {
  readonly type: "object";
  readonly properties: P;
  readonly required: readonly string[];
}

/** A text that is not empty. */
export function text(description: string, more: Keywords = {}): Shape {
  return { type: "string", minLength: 1, description, ...more };
}

/** A text of a form, which messages and the schema describe: `a day such as 2026-01-31`. */
export function formed(pattern: RegExp, form: string): Shape {
  return { type: "string", pattern: pattern.source, description: form };
}

/** A text that may be empty. */
export function anyText<M extends Keywords>(description: string, more?: M): Shape & M;
export function anyText(description: string, more: Keywords = {}): Shape {
  return { type: "string", description, ...more };
}

export function choice<const T extends string>(values: readonly T[], description: string): ChoiceShape<T> {
  return { enum: values, description };
}

export function number(minimum: number, maximum: number, description: string): NumberShape {
  return { type: "number", minimum, maximum, description };
}

export function whole(minimum: number, maximum: number, description: string): NumberShape {
  return { type: "integer", minimum, maximum, description };
}

export function flag(description: string): Shape {
  return { type: "boolean", description };
}

export function list<S extends Shape, M extends Keywords>(
  items: S,
  description: string,
  more?: M,
): ListShape<S> & M;
export function list(items: Shape, description: string, more: Keywords = {}): Shape {
  return { type: "array", items, description, ...more };
}

export function map<P extends Shapes>(
  properties: P,
  required: readonly (keyof P & string)[],
  description: string,
): MapShape<P> {
  return { type: "object", properties, required, additionalProperties: false, description };
}

/** A map with keys of one's own. */
export function named(names: Shape, values: Shape, description: string): Shape {
  return { type: "object", propertyNames: names, additionalProperties: values, description };
}

export function oneOf(shapes: readonly Shape[], description: string): Shape {
  return { anyOf: shapes, description };
}

/** A part that may be left empty: `lists:`. */
export function orNothing(shape: Shape): Shape {
  const { description = "" } = shape;
  return oneOf([shape, { type: "null" }], description);
}
