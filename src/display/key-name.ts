// What a key is called in a sentence. The table in force is a fact of the process, like its locale: said once, before anything is drawn.

let inForce: ReadonlyMap<string, string> = new Map();

/** Says what the keys in force are called, by the ids of their bindings; none for the standard ones. */
export function nameKeys(labels: ReadonlyMap<string, string>): void {
  inForce = labels;
}

/**
 * The key of a binding as a person knows it, for sentences such as `press u to unlock it`.
 * @param standard what it is called in the standard table
 */
export function keyName(id: string, standard: string): string {
  return inForce.get(id) ?? standard;
}
