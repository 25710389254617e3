// Checks the values of stored rows and throws TypeError. A shape would take 3.5 us for six keys, a million times in a large run.

import { isJsonObject, type JsonObject } from "#src/contract/fields/body-path.ts";

export function asObject(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new TypeError("not an object");
  return value;
}

export function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError("not a list");
  return value;
}

export function asText(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("not a text");
  return value;
}

export function asNumber(value: unknown): number {
  if (typeof value !== "number") throw new TypeError("not a number");
  return value;
}

/** Milliseconds since the epoch. */
export function asTime(value: unknown): void {
  if (Number.isNaN(new Date(asNumber(value)).getTime())) throw new TypeError("not a time");
}

export function asOneOf<T extends string>(value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new TypeError("not one of the choices");
  return found;
}

/** Null, or the value as `read` returns it. */
export function asNullable<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value);
}
