// The user's own keys: `keys.yaml` in the configuration folder, a key or a list of keys for each binding.

import { join } from "node:path";
import type { YamlFault } from "#src/contract/text/yaml-source.ts";
import { readConfigText } from "./config-text.ts";
import type { Home } from "./home.ts";

/** Name of the file in the configuration folder. */
export const KEYS_FILE = "keys.yaml";

export interface WrittenOverride {
  readonly id: string;
  /** As they are written. */
  readonly keys: readonly string[];
  /**
   * What is wrong with it, at its place.
   * @param key index of the key that is meant; null for the name of the binding
   */
  fault(key: number | null, problem: string): YamlFault;
}

/**
 * What the file says; nothing where there is none. Whether bindings and keys exist is for the table to say.
 * @throws YamlFault for anything that has not this shape, Fault where the file cannot be read
 */
export async function readKeyOverrides({ config }: Pick<Home, "config">): Promise<WrittenOverride[]> {
  const text = await readConfigText(join(config, KEYS_FILE));
  if (text === null) return [];
  const { YamlSource } = await import("#src/contract/text/yaml-source.ts");
  const source = new YamlSource(text, KEYS_FILE);
  if (source.root === null) return [];
  return Array.from(source.entries(source.root, "the list of keys"), ([id, { keyNode, value }]) => {
    const nodes = source.isList(value) ? source.list(value, id) : [value];
    const keys = nodes.map((node) => {
      const written = source.scalar(node, `a key of ${id}`).value;
      if (typeof written === "string" || typeof written === "number") return String(written);
      throw source.fault(node ?? keyNode, `a key of ${id} must be a text; put it between quotation marks`);
    });
    return {
      id,
      keys,
      fault: (key, problem) => source.fault(key === null ? keyNode : (nodes[key] ?? keyNode), problem),
    };
  });
}
