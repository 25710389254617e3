// Reads a value by its shape; the first thing that is wrong is blamed where it stands.

import { kindOf } from "./kind-of.ts";
import { BY, FORM, THEN, Wrong, type Shape } from "./shape.ts";

/** A value where it stands: in a YAML file, or in parsed JSON. */
export interface Place {
  readonly kind: "map" | "list" | "scalar";
  /** Null for nothing. */
  readonly scalar: unknown;
  /** As it is written, where that may differ from the value: `007`. */
  readonly source: string;
  /** 0 where there are no lines. */
  readonly line: number;
  /** @throws the fault of something else than a list, named `what` */
  items(what: string): Place[];
  /** @throws the fault of something else than a map, named `what` */
  entries(what: string): Map<string, { readonly key: Place; readonly value: Place }>;
  fault(message: string): Error;
}

/** @param path of the value, for the fault */
export function jsonPlace(
  value: unknown,
  path = "",
  fault = (message: string, _path: string): Error => new TypeError(message),
): Place {
  const isObject = typeof value === "object" && value !== null;
  const kind = Array.isArray(value) ? "list" : isObject ? "map" : "scalar";
  const blame = (message: string): Error => fault(message, path);
  const part = (key: string | number, child: unknown): Place => jsonPlace(child, `${path}/${key}`, fault);
  return {
    kind,
    scalar: isObject ? null : value,
    source: "",
    line: 0,
    items(what) {
      if (!Array.isArray(value)) throw blame(`${what} must be a list`);
      return value.map((item, index) => part(index, item));
    },
    entries(what) {
      if (kind !== "map") throw blame(`${what} must be a map of keys and values`);
      return new Map(
        Object.entries(value as object).map(([key, child]) => {
          const place = part(key, child);
          return [key, { key: place, value: place }];
        }),
      );
    },
    fault: blame,
  };
}

interface Keywords extends Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Keywords[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: Keywords;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Keywords;
  readonly additionalProperties?: Keywords;
  readonly [FORM]?: string;
  readonly [BY]?: string;
  readonly [THEN]?: (value: unknown, place: Place) => unknown;
}

/**
 * @param what the name of the whole in messages
 * @throws the fault of the place that is wrong
 */
export function readShape<T>(shape: Shape<T>, place: Place, what: string): T {
  return valueOf(shape, place, what, "") as T;
}

/** The place of a part that was read, or of the whole where the part is missing. */
export function placeAt(place: Place, ...path: readonly (string | number)[]): Place {
  const [step, ...rest] = path;
  if (step === undefined) return place;
  const next = typeof step === "number" ? place.items("")[step] : place.entries("").get(step)?.value;
  return next === undefined ? place : placeAt(next, ...rest);
}

/** @param name as which its parts name it; "" for the whole */
function valueOf(shape: Keywords, place: Place, what: string, name: string): unknown {
  const found = shape.anyOf
    ? valueOf(memberOf(shape, place, what), place, what, name)
    : plainValue(shape, place, what, name);
  if (shape[THEN] === undefined) return found;
  const then = shape[THEN](found, place);
  if (then instanceof Wrong) throw placeAt(place, ...then.path).fault(`${what} ${then.message}`);
  return then;
}

function memberOf({ anyOf = [], [BY]: by }: Keywords, place: Place, what: string): Keywords {
  if (by === undefined) return anyOf.find((each) => resembles(each, place)) ?? anyOf[0]!;
  const byWord = new Map(anyOf.map((each) => [each.properties![by]!.enum![0], each]));
  const told = place.entries(what).get(by)?.value;
  const member = byWord.get(told?.scalar);
  if (member !== undefined) return member;
  throw (told ?? place).fault(`${by} of ${what} must be ${[...byWord.keys()].join(", ")}`);
}

/** Whether a value is of the shape's kind; a map has to have keys, all of which the shape knows. */
function resembles({ type, enum: words, properties, anyOf }: Keywords, place: Place): boolean {
  if (anyOf !== undefined) return anyOf.some((each) => resembles(each, place));
  const types = words === undefined ? [type].flat() : ["string"];
  if (place.kind === "list") return types.includes("array");
  if (place.kind === "map") {
    const keys = [...place.entries("").keys()];
    const knows = (key: string): boolean => Object.hasOwn(properties!, key);
    return types.includes("object") && (properties === undefined || (keys.length > 0 && keys.every(knows)));
  }
  if (typeof place.scalar === "number") return types.includes("number") || types.includes("integer");
  return types.includes(place.scalar === null ? "null" : typeof place.scalar);
}

function plainValue(shape: Keywords, place: Place, what: string, name: string): unknown {
  if (shape.type === "object") {
    return shape.properties ? record(shape, place, what, name) : dictionary(shape, place, what, name);
  }
  if (shape.type === "array") return array(shape, place, what, name);
  const wrong = scalarProblem(shape, place);
  if (wrong !== null) throw place.fault(`${what} ${wrong}`);
  return place.scalar;
}

function scalarProblem(shape: Keywords, { kind, scalar, source }: Place): string | null {
  if (shape.type === "null") return scalar === null && kind === "scalar" ? null : "must be empty";
  if (shape.type === "boolean") return typeof scalar === "boolean" ? null : "must be true or false";
  if (shape.type === "number" || shape.type === "integer") return numberProblem(shape, scalar);
  // Without quotes YAML reads 007, 1e5, 0x10, true and null as other values.
  if (typeof scalar !== "string")
    return `must be a text${source === "" ? "" : `, not ${kindOf(scalar)}. Write it in quotes.`}`;
  if (shape.enum) return shape.enum.includes(scalar) ? null : `must be ${shape.enum.join(", ")}`;
  return textProblem(shape, scalar);
}

function numberProblem({ type, minimum = -Infinity, maximum = Infinity }: Keywords, found: unknown) {
  if (typeof found !== "number" || !(found >= minimum && found <= maximum))
    return `must be a number from ${minimum} to ${maximum}`;
  return type === "number" || Number.isSafeInteger(found) ? null : "must be a whole number";
}

function textProblem(shape: Keywords, found: string): string | null {
  const { minLength = 0, maxLength = Infinity, pattern = "", description, [FORM]: form } = shape;
  const length = found.length > maxLength ? Array.from(found).length : found.length;
  const fits = length >= minLength && length <= maxLength;
  if (fits && (pattern === "" || patternOf(pattern).test(found))) return null;
  if (form !== undefined || fits) return `must be ${form ?? description}`;
  return length < minLength ? "must be a text" : `has ${length} characters; at most ${maxLength} are allowed`;
}

const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  let pattern = patterns.get(source);
  if (pattern === undefined) patterns.set(source, (pattern = new RegExp(source, "u")));
  return pattern;
}

function array(shape: Keywords, place: Place, what: string, name: string): unknown[] {
  const items = place.items(what);
  const { minItems = 0, maxItems = Infinity } = shape;
  if (items.length < minItems || items.length > maxItems)
    throw place.fault(`${what} lists ${minItems} to ${maxItems}, not ${items.length}`);
  const each = `an item of ${name}`;
  const found = items.map((item) => valueOf(shape.items!, item, each, each));
  if (shape.uniqueItems === true && new Set(found).size < found.length)
    throw place.fault(`${what} names the same twice`);
  return found;
}

function record({ properties = {}, required = [] }: Keywords, place: Place, what: string, name: string) {
  const entries = place.entries(what);
  for (const [key, { key: at }] of entries) {
    if (Object.hasOwn(properties, key)) continue;
    const known = Object.keys(properties).join(", ");
    throw at.fault(`unknown key "${key}" in ${what}; allowed are ${known}`);
  }
  const missing = required.filter((key) => !entries.has(key));
  if (missing.length > 0) throw place.fault(`${what} needs ${missing.join(", ")}`);
  const found: [key: string, value: unknown][] = [];
  for (const [key, shape] of Object.entries(properties)) {
    const at = entries.get(key)?.value;
    if (at !== undefined || "default" in shape)
      found.push([key, valueOf(shape, at ?? jsonPlace(shape["default"]), partOf(key, name), key)]);
  }
  return Object.fromEntries(found);
}

function dictionary(shape: Keywords, place: Place, what: string, name: string): object {
  const { propertyNames: names = {}, additionalProperties: values = {} } = shape;
  return Object.fromEntries(
    Array.from(place.entries(what), ([key, { key: at, value }]) => {
      const wrong = textProblem(names, key);
      if (wrong !== null) throw at.fault(`"${key}" in ${what} ${wrong}`);
      return [key, valueOf(values, value, partOf(key, name), key)];
    }),
  );
}

function partOf(key: string, name: string): string {
  return name === "" ? key : `${key} of ${name}`;
}
