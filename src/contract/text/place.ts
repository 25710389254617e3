// Values where they stand, for messages that name the place.

export type Entries = ReadonlyMap<string, { readonly key: Place; readonly value: Place }>;

/** A value where it stands: in a YAML file, or in parsed JSON. */
export interface Place {
  readonly kind: "map" | "list" | "scalar";
  /** Null for nothing. */
  readonly scalar: unknown;
  /** As it is written, where that may differ from the value: `007`. */
  readonly source: string;
  /** 0 where there are no lines. */
  readonly line: number;
  /** @throws the fault of something else than a list, named `what` */
  items(what: string): Place[];
  /** @throws the fault of something else than a map, named `what` */
  entries(what: string): Entries;
  fault(message: string): Error;
  /** @param index in the text of a scalar */
  faultInside(index: number, message: string): Error;
}

/** Parsed JSON.
 * @param path of the value, for the fault */
export function jsonPlace(
  value: unknown,
  path = "",
  fault = (message: string, _path: string): Error => new TypeError(message),
): Place {
  const isObject = typeof value === "object" && value !== null;
  const kind = Array.isArray(value) ? "list" : isObject ? "map" : "scalar";
  const blame = (message: string): Error => fault(message, path);
  const part = (key: string | number, child: unknown): Place => jsonPlace(child, `${path}/${key}`, fault);
  return {
    kind,
    scalar: isObject ? null : value,
    source: "",
    line: 0,
    items(what) {
      if (!Array.isArray(value)) throw blame(`${what} must be a list`);
      return value.map((item, index) => part(index, item));
    },
    entries(what) {
      if (kind !== "map") throw blame(`${what} must be a map of keys and values`);
      return new Map(
        Object.entries(value as object).map(([key, child]) => {
          const place = part(key, child);
          return [key, { key: place, value: place }];
        }),
      );
    },
    fault: blame,
    faultInside: (_, message) => blame(message),
  };
}

/** The place of a part that was read, or of the whole where the part is missing. */
export function placeAt(place: Place, ...path: readonly (string | number)[]): Place {
  const [step, ...rest] = path;
  if (step === undefined) return place;
  const next = typeof step === "number" ? place.items("")[step] : place.entries("").get(step)?.value;
  return next === undefined ? place : placeAt(next, ...rest);
}

/** The value as plain data. */
export function dataOf(place: Place): unknown {
  if (place.kind === "list") return place.items("").map(dataOf);
  if (place.kind === "scalar") return place.scalar;
  return Object.fromEntries(Array.from(place.entries(""), ([key, { value }]) => [key, dataOf(value)]));
}

/** Whether it is a number that is written with a point or an exponent: `10.0`, not `10`. */
export function isDouble({ scalar, source }: Place): boolean {
  return typeof scalar === "number" && /[.eE]/.test(source);
}
