// Reads a value by its shape; the first thing that is wrong is blamed where it stands.

import { dataOf, jsonPlace, placeAt, type Entries, type Place } from "./place.ts";
import { BY, FORM, notText, PLACED, THEN, Wrong, type Shape } from "./shape.ts";

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
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly oneOf?: readonly { readonly required: readonly string[] }[];
  readonly not?: { readonly anyOf: readonly { readonly required: readonly string[] }[] };
  readonly propertyNames?: Keywords;
  readonly additionalProperties?: Keywords | false;
  readonly [FORM]?: string;
  readonly [BY]?: string;
  readonly [PLACED]?: boolean;
  readonly [THEN]?: (value: unknown, place: Place) => unknown;
}

/**
 * @param what the name of the whole in messages
 * @throws the fault of the place that is wrong
 */
export function readShape<T>(shape: Shape<T>, place: Place, what: string): T {
  return valueOf(shape, place, what, "") as T;
}

/** @param name as which its parts name it; "" for the whole */
function valueOf(shape: Keywords, place: Place, what: string, name: string): unknown {
  const members = Array.isArray(shape.type)
    ? shape.type.map((type) => ({ ...shape, type, [THEN]: undefined }))
    : shape.anyOf;
  const found = shape[PLACED]
    ? place
    : members === undefined
      ? plainValue(shape, place, what, name)
      : valueOf(memberOf(members, shape[BY], place, what), place, what, name);
  if (shape[THEN] === undefined) return found;
  const then = shape[THEN](found, place);
  if (!(then instanceof Wrong)) return then;
  const { key, message } = then;
  if (key === null) throw place.fault(`${what} ${message}`);
  throw placeAt(place, key).fault(`${partOf(key, name)} ${message}`);
}

function memberOf(
  members: readonly Keywords[],
  by: string | undefined,
  place: Place,
  what: string,
): Keywords {
  if (by === undefined) {
    const alike = members.filter((each) => isOfKind(each, place));
    return alike.find((each) => knowsKeys(each, place)) ?? alike.at(-1) ?? members[0]!;
  }
  const byWord = new Map(members.map((each) => [each.properties![by]!.enum![0], each]));
  const told = place.entries(what).get(by)?.value;
  const member = byWord.get(told?.scalar);
  if (member !== undefined) return member;
  throw (told ?? place).fault(`${by} of ${what} must be ${[...byWord.keys()].join(", ")}`);
}

function isOfKind({ type, enum: words, anyOf }: Keywords, place: Place): boolean {
  if (anyOf !== undefined) return anyOf.some((each) => isOfKind(each, place));
  const { kind, scalar } = place;
  const types = words === undefined ? [type].flat() : ["string"];
  if (kind !== "scalar") return types.includes(kind === "list" ? "array" : "object");
  if (typeof scalar === "number" && types.includes("integer")) return true;
  return types.includes(scalar === null ? "null" : typeof scalar);
}

/** Whether the shape knows each key of a map, if the map has keys. */
function knowsKeys({ properties }: Keywords, place: Place): boolean {
  if (properties === undefined || place.kind !== "map") return true;
  const keys = [...place.entries("").keys()];
  return keys.length > 0 && keys.every((key) => Object.hasOwn(properties, key));
}

function plainValue(shape: Keywords, place: Place, what: string, name: string): unknown {
  if (shape.type === "object") {
    return shape.properties ? record(shape, place, what, name) : dictionary(shape, place, what, name);
  }
  if (shape.type === "array") return array(shape, place, what, name);
  if (shape.type === undefined && shape.enum === undefined) return dataOf(place);
  const wrong = scalarProblem(shape, place);
  if (wrong !== null) throw place.fault(`${what} ${wrong}`);
  return place.scalar;
}

function scalarProblem(shape: Keywords, { kind, scalar, source }: Place): string | null {
  if (shape.type === "null") return scalar === null && kind === "scalar" ? null : "must be empty";
  if (shape.type === "boolean") return typeof scalar === "boolean" ? null : "must be true or false";
  if (shape.type === "number" || shape.type === "integer") return numberProblem(shape, scalar);
  if (typeof scalar !== "string") return notText(scalar, source);
  if (shape.enum) return shape.enum.includes(scalar) ? null : `must be ${shape.enum.join(", ")}`;
  return textProblem(shape, scalar);
}

function numberProblem({ type, minimum = -Infinity, maximum = Infinity }: Keywords, found: unknown) {
  if (typeof found !== "number" || !(found >= minimum && found <= maximum))
    return `must be a number${maximum === Infinity ? "" : ` from ${minimum} to ${maximum}`}`;
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
  const allowed = maxItems === Infinity ? `at least ${minItems}` : `${minItems} to ${maxItems}`;
  if (items.length < minItems || items.length > maxItems)
    throw place.fault(`${what} lists ${allowed}, not ${items.length}`);
  const each = `an item of ${name}`;
  const found = items.map((item) => valueOf(shape.items!, item, each, each));
  if (shape.uniqueItems === true && new Set(found).size < found.length)
    throw place.fault(`${what} names the same twice`);
  return found;
}

function record(shape: Keywords, place: Place, what: string, name: string): object {
  const { properties = {}, required = [], additionalProperties: others } = shape;
  const entries = place.entries(what);
  const keys = Object.keys(properties);
  for (const [key, { key: at }] of entries) {
    if (others !== false || Object.hasOwn(properties, key)) continue;
    throw at.fault(`unknown key "${key}" in ${what}; allowed are ${keys.join(", ")}`);
  }
  const missing = required.filter((key) => !entries.has(key));
  if (missing.length > 0) throw place.fault(`${what} needs ${missing.join(", ")}`);
  expectTogether(shape, entries, place, what);
  const found: [key: string, value: unknown][] = [];
  // What may have more keys is written again with all of them, in their order.
  for (const key of others === false ? keys : new Set([...entries.keys(), ...keys])) {
    const part = Object.hasOwn(properties, key) ? properties[key]! : {};
    const at = entries.get(key)?.value;
    if (at !== undefined || "default" in part)
      found.push([key, valueOf(part, at ?? jsonPlace(part["default"]), partOf(key, name), key)]);
  }
  return Object.fromEntries(found);
}

/** @throws the fault of a key that stands without another one, or beside one that it excludes */
function expectTogether(shape: Keywords, entries: Entries, place: Place, what: string): void {
  const { dependentRequired = {}, not, oneOf } = shape;
  const has = (key: string): boolean => entries.has(key);
  const areThere = ({ required }: { readonly required: readonly string[] }): boolean => required.every(has);
  for (const [key, others] of Object.entries(dependentRequired)) {
    const missing = others.find((other) => !has(other));
    if (has(key) && missing !== undefined) throw entries.get(key)!.value.fault(`${key} needs ${missing}`);
  }
  const both = not?.anyOf.find(areThere)?.required;
  const later = [...entries.keys()].findLast((key) => both?.includes(key));
  if (both !== undefined)
    throw entries.get(later!)!.value.fault(`${what} has ${both.join(" or ")}, not both`);
  if (oneOf === undefined || oneOf.filter(areThere).length === 1) return;
  throw place.fault(
    `${what} needs one of ${oneOf.flatMap(({ required }) => required).join(", ")}, and only one`,
  );
}

function dictionary(shape: Keywords, place: Place, what: string, name: string): object {
  const { propertyNames: names = {}, additionalProperties: values } = shape;
  return Object.fromEntries(
    Array.from(place.entries(what), ([key, { key: at, value }]) => {
      const wrong = nameProblem(names, key, at);
      if (wrong !== null) throw at.fault(`"${key}" in ${what} ${wrong}`);
      return [key, valueOf(values || {}, value, partOf(key, name), key)];
    }),
  );
}

function nameProblem(names: Keywords, key: string, place: Place): string | null {
  const problem = textProblem(names, key);
  if (problem !== null) return problem;
  const then = names[THEN]?.(key, place);
  return then instanceof Wrong ? then.message : null;
}

function partOf(key: string, name: string): string {
  return name === "" ? key : `${key} of ${name}`;
}
