// Names the type of a value in messages.

/** @returns `a text`, `a number`, `a boolean`, `a list`, `an object` or `null` */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
