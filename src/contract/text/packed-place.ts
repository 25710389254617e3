// A document that was read when the program was built: its values with their lines, so that a start reads no YAML.

import type { Entries, Place } from "./place.ts";

/** One value. `source` stands only where the value is written otherwise: 10.0. */
type Packed =
  | readonly [line: number, scalar: unknown, source?: string]
  | { readonly line: number; readonly items: readonly Packed[] }
  | { readonly line: number; readonly entries: readonly (readonly [key: string, value: Packed])[] };

/** @returns JSON for `packedPlace` */
export function packPlace(place: Place): string {
  return JSON.stringify(packed(place));
}

function packed(place: Place): Packed {
  const { kind, line, scalar, source } = place;
  if (kind === "list") return { line, items: place.items("").map(packed) };
  if (kind === "scalar") return source === String(scalar) ? [line, scalar] : [line, scalar, source];
  return {
    line,
    entries: Array.from(place.entries(""), ([key, { value }]) => [key, packed(value)] as const),
  };
}

/** @param json of `packPlace`. The document has no mistakes: its faults name no column. */
export function packedPlace(json: string): Place {
  return unpacked(JSON.parse(json) as Packed);
}

function unpacked(value: Packed): Place {
  const [line, scalar, source = String(scalar)] = isScalar(value) ? value : [value.line, null, ""];
  const fault = (message: string): Error => new Error(`line ${line}: ${message}`);
  return {
    kind: isScalar(value) ? "scalar" : "items" in value ? "list" : "map",
    scalar,
    source,
    line,
    items(what) {
      if (isScalar(value) || !("items" in value)) throw fault(`${what} must be a list`);
      return value.items.map(unpacked);
    },
    entries(what): Entries {
      if (isScalar(value) || !("entries" in value)) throw fault(`${what} must be a map of keys and values`);
      return new Map(
        value.entries.map(([key, entry]) => {
          const place = unpacked(entry);
          return [key, { key: unpacked([place.line, key]), value: place }];
        }),
      );
    },
    fault,
    faultInside: (_, message) => fault(message),
  };
}

function isScalar(value: Packed): value is readonly [number, unknown, string?] {
  return Array.isArray(value);
}
