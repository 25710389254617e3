// Dotted paths into a body: read, and write without changing the original.

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property of a JSON object; undefined for anything else. */
export function ownValue(object: unknown, key: string): unknown {
  return isJsonObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The value at a dotted path such as `payer.email`, own properties only; undefined where there is none. */
export function getPath(body: unknown, path: string): unknown {
  let value: unknown = body;
  let start = 0;
  for (let dot = path.indexOf("."); ; dot = path.indexOf(".", start)) {
    value = ownValue(value, dot < 0 ? path.slice(start) : path.slice(start, dot));
    if (dot < 0 || value === undefined) return value;
    start = dot + 1;
  }
}

/**
 * A copy of a body with another value at a dotted path. Missing parent objects are created.
 * @param value undefined removes the field, and its parent object when that becomes empty
 */
export function setPath(body: JsonObject, path: string, value: unknown): Record<string, unknown> {
  const [key, ...rest] = path.split(".") as [string, ...string[]];
  const inside = Object.hasOwn(body, key) ? body[key] : undefined;
  const next = rest.length === 0 ? value : setPath(isJsonObject(inside) ? inside : {}, rest.join("."), value);
  const gone =
    next === undefined || (value === undefined && isJsonObject(next) && Object.keys(next).length === 0);
  if (!gone) return { ...body, [key]: next };
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}
