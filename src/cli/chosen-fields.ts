// The fields that --fields chooses from what a command prints with --json.

import { usage, whole } from "#src/contract/fault.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import type { Output } from "./output.ts";

type Row = Readonly<Record<string, unknown>>;

/** An output for one command with `--json`, whose objects are kept until `print`. */
export interface ChosenFields {
  readonly output: Output;
  /**
   * Prints the chosen fields of each object, or of each object in a list of it.
   * @throws Fault("usage") for a field that none of them has
   */
  print(): void;
}

/**
 * @param names with commas between them; a dotted one reads an object in an object
 * @param asJson objects of these fields alone, else a line of tab-separated values each
 */
export function chosenFields(output: Output, names: string, asJson: boolean): ChosenFields {
  const fields = names.split(",").map((name) => name.trim());
  const rows: Row[] = [];
  const keeping: Output = Object.create(output) as Output;
  // Returns nothing: a number that a run returns is its exit code.
  keeping.json = (value) => {
    rows.push(...rowsOf(value as Row, fields));
  };
  return {
    output: keeping,
    print() {
      if (rows.length === 0) return;
      const unknown = fields.find((field) => rows.every((row) => valueAt(row, field) === undefined));
      if (unknown !== undefined) {
        const known = new Set(rows.flatMap(namesIn));
        known.delete("schema");
        throw usage`There is no field "${unknown}"; there are ${whole([...known].join(", "))}.`;
      }
      for (const row of rows) {
        const values = fields.map((field) => [field, valueAt(row, field) ?? null] as const);
        if (asJson) output.json(Object.fromEntries(values));
        else output.cells(values.map(([, value]) => cell(value)));
      }
    },
  };
}

/** The object itself, or the objects of a list in it that has one of the fields. */
function rowsOf(value: Row, fields: readonly string[]): readonly Row[] {
  const hasSome = (row: unknown): boolean => fields.some((field) => valueAt(row as Row, field) !== undefined);
  if (hasSome(value)) return [value];
  const list = Object.values(value).find((each) => Array.isArray(each) && each.some(hasSome));
  return (list as readonly Row[] | undefined) ?? [value];
}

/** Names of its fields, and of those of the objects in its lists. */
function namesIn(row: Row): string[] {
  const first = Object.values(row).flatMap((each) => (Array.isArray(each) ? each.slice(0, 1) : []));
  const inLists = first.filter((each) => typeof each === "object" && each !== null);
  return [row, ...inLists].flatMap((each) => Object.keys(each as Row));
}

function valueAt(row: Row, field: string): unknown {
  return field
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Row)[name]
          : undefined,
      row,
    );
}

function cell(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? safe(value, { max: Number.POSITIVE_INFINITY }) : safeJson(value);
}
