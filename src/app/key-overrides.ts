// Reads the user's key overrides from `keys.yaml` in the configuration folder.

import { placeAt } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { anyText, digits, list, named, oneOf } from "#src/contract/text/shape.ts";
import { readConfigText, type ConfigFolder } from "./config-text.ts";

/** Name of the file in the configuration folder. */
export const KEYS_FILE = "keys.yaml";

const KEY = digits("A key, such as ctrl+r or f5.");

export const KEYS_OF_BINDING = oneOf(
  [KEY, list(KEY, "Several keys.", { minItems: 1 })],
  "The keys that take the place of the default ones.",
);

export interface WrittenOverride {
  readonly id: string;
  /** As written in the file. */
  readonly keys: readonly string[];
  /**
   * An error at the position of the override.
   * @param key index of the wrong key; null for the name of the binding
   */
  fault(key: number | null, problem: string): Error;
}

/**
 * The overrides of the file; empty without a file. Names of bindings and keys are not checked here.
 * @throws YamlFault for another shape, Fault for an unreadable file
 */
export async function readKeyOverrides(home: ConfigFolder): Promise<WrittenOverride[]> {
  const text = await readConfigText(home, KEYS_FILE);
  if (text === null) return [];
  const { YamlSource } = await import("#src/contract/text/yaml-source.ts");
  const source = new YamlSource(text, KEYS_FILE);
  if (source.root === null) return [];
  const root = source.place();
  const shape = named(anyText("A binding."), KEYS_OF_BINDING, "Keys by binding.");
  return Object.entries(readShape(shape, root, "the list of keys")).map(([id, given]) => {
    const { key: idPlace, value } = root.entries("").get(id)!;
    return {
      id,
      keys: [given].flat(),
      fault: (key, problem) =>
        (key === null ? idPlace : typeof given === "string" ? value : placeAt(value, key)).fault(problem),
    };
  });
}
