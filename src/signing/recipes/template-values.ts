// What a template read out of a header, by placeholder.

/** `key_id`, or with a filter that cannot be undone `algorithm:upper`. */
export type TemplateValues = ReadonlyMap<string, string>;

/** What a text says, in a map of its own, or what is wrong with it. */
export type Reader = (text: string) => Map<string, string> | string;

/** Puts what was read into one map. Two places that say different things are a misfit. */
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
