// Checks of data that comes from a file: small readers that throw where a value is not what was written.

export type Fields = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError("not an object");
  return value as Fields;
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

export function asBoolean(value: unknown): boolean {
  if (typeof value !== "boolean") throw new TypeError("not true or false");
  return value;
}

export function asOneOf<T extends string>(value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new TypeError("not one of the choices");
  return found;
}

/** Null, or what `read` makes of the value. */
export function asNullable<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value);
}
