// Reads the user's key overrides from `keys.yaml` in the configuration folder.

import type { YamlFault } from "#src/contract/text/yaml-source.ts";
import { readConfigText, type ConfigFolder } from "./config-text.ts";

/** Name of the file in the configuration folder. */
export const KEYS_FILE = "keys.yaml";

export interface WrittenOverride {
  readonly id: string;
  /** As written in the file. */
  readonly keys: readonly string[];
  /**
   * An error at the position of the override.
   * @param key index of the wrong key; null for the name of the binding
   */
  fault(key: number | null, problem: string): YamlFault;
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
  return Array.from(source.entries(source.root, "the list of keys"), ([id, { keyNode, value }]) => {
    const nodes = source.isList(value) ? source.list(value, id) : [value];
    const keys = nodes.map((node) => source.digits(node ?? keyNode, `a key of ${id}`));
    return {
      id,
      keys,
      fault: (key, problem) => source.fault(key === null ? keyNode : (nodes[key] ?? keyNode), problem),
    };
  });
}
