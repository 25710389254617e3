// The saved maps of imports, in one document.

import { findCardData } from "#src/contract/fields/card-data.ts";
import { Fault } from "#src/contract/fault.ts";
import type { SavedMap } from "#src/contract/records/import-map.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { asBoolean, asList, asObject, asText } from "#src/storage/record-shape.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

interface MapsData {
  maps: SavedMap[];
}

export interface ImportMaps {
  /** By name. @throws Fault("corrupt" | "storage") */
  list(): Promise<SavedMap[]>;
  get(name: string): Promise<SavedMap | null>;
  /** Adds a map, or replaces the one of its name. @throws Fault("bad_input") when it holds card data */
  put(map: SavedMap): Promise<void>;
  /** False when there is none. */
  remove(name: string): Promise<boolean>;
}

/** Opens the maps; touches no file before the first call. */
export function openImportMaps(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}): ImportMaps {
  const document = openDocument<MapsData>({
    ...options,
    format: "verdict/import-maps",
    schema: 1,
    initial: () => ({ maps: [] }),
    parse: (value) => ({ maps: asList(asObject(value)["maps"]).map(parseMap) }),
  });
  return {
    list: async () => {
      const { maps } = await document.read();
      return maps.sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    get: async (name) => (await document.read()).maps.find((map) => map.name === name) ?? null,
    put: async (map) => {
      if (findCardData(map) !== null)
        throw new Fault("bad_input", "The map holds a full card number, which never belongs here.");
      await document.update((data) => {
        data.maps = [...data.maps.filter(({ name }) => name !== map.name), map];
      });
    },
    remove: (name) =>
      document.update((data) => {
        const before = data.maps.length;
        data.maps = data.maps.filter((map) => map.name !== name);
        return data.maps.length < before;
      }),
  };
}

function parseMap(value: unknown): SavedMap {
  const { name, map, set, ignore, ignoreOthers, reducePan } = asObject(value);
  const texts = (list: unknown): string[] => asList(list).map(asText);
  return {
    name: asText(name),
    map: texts(map),
    set: texts(set),
    ignore: texts(ignore),
    ignoreOthers: asBoolean(ignoreOthers),
    reducePan: texts(reducePan),
  };
}
