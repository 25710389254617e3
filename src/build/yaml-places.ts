// Reads a YAML file of the program when it is built, or tested.

import { readFileSync } from "node:fs";
import { packPlace } from "#src/contract/text/packed-place.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";

/** @returns JSON for `packedPlace` */
export function yamlPlacesOf(path: string): string {
  return packPlace(new YamlSource(readFileSync(path, "utf8"), path).place());
}
