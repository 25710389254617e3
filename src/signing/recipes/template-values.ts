// Values that templates have read out of headers, by placeholder.

/** `key_id`, or with an irreversible filter `algorithm:upper`. */
export type TemplateValues = ReadonlyMap<string, string>;

/** Values of a text in a new map, or an error in words. */
export type Reader = (text: string) => Map<string, string> | string;

/** Merges values into one map; contradictory values are an error. */
export function mergeValues(into: Map<string, string>, read: TemplateValues): string | null {
  for (const [name, value] of read) {
    const clash = putValue(into, name, value);
    if (clash !== null) return clash;
  }
  return null;
}

/** The same with one value. */
export function putValue(into: Map<string, string>, name: string, value: string): string | null {
  const known = into.get(name);
  if (known === undefined) into.set(name, value);
  return known === undefined || known === value ? null : `says two things about ${name.replace("_", " ")}`;
}
