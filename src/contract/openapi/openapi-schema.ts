// Converts a field table to JSON Schema 2020-12, the dialect of OpenAPI 3.1, and to an example body.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { setPath } from "#src/contract/fields/body-path.ts";
import type { Field } from "#src/contract/fields/field.ts";

type Described = Pick<Field, "path" | "type" | "help" | "example"> & Partial<Field>;

/**
 * The schema of a body. It accepts a body exactly when `validateBody` finds no error; number syntax, duplicate keys, size,
 * depth and card data are outside JSON Schema.
 * @param required dotted paths of the fields that must be there
 */
export function bodySchema(fields: readonly Described[], required: readonly string[]): JsonObject {
  const keys = [...new Set(fields.map(({ path }) => firstKey(path)))];
  const properties = keys.map((key): [string, JsonObject] => {
    const field = fields.find(({ path }) => path === key);
    return [
      key,
      field === undefined ? bodySchema(inside(fields, key), below(required, key)) : schemaOf(field),
    ];
  });
  const needed = keys.filter((key) => required.some((path) => firstKey(path) === key));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}

/** A body with the example of every field. */
export function exampleBody(fields: readonly Described[]): JsonObject {
  return fields.reduce<JsonObject>((body, { path, example }) => setPath(body, path, example), {});
}

function schemaOf(field: Described): JsonObject {
  const { type, label, help, sent, example, suggestions, choices, numbers } = field;
  const values = choices ?? numbers;
  return {
    type,
    ...(label === undefined ? {} : { title: label }),
    description: sent ?? help,
    ...(values === undefined ? {} : { enum: values }),
    ...(type === "integer" ? integerLimits(field) : textLimits(field)),
    examples: suggestions ?? [example],
  };
}

function integerLimits({ min, max, gap, numbers }: Described): JsonObject {
  // The list of numbers makes bounds redundant.
  if (numbers !== undefined) return {};
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(gap === undefined ? {} : { not: { minimum: gap.from, maximum: gap.to } }),
  };
}

/** An empty text is refused where the field is required, and otherwise taken as if it were left out. */
function textLimits({ required, choices, maxLength, pattern, formats }: Described): JsonObject {
  if (choices !== undefined) return {};
  return {
    ...(required ? { minLength: 1 } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(pattern === undefined
      ? {}
      : { pattern: required ? pattern.regex.source : `^$|${pattern.regex.source}` }),
    ...(formats === undefined
      ? {}
      : { anyOf: [...formats.map((format) => ({ format })), ...(required ? [] : [{ maxLength: 0 }])] }),
  };
}

function inside(fields: readonly Described[], key: string): Described[] {
  return fields
    .filter(({ path }) => path.startsWith(`${key}.`))
    .map((field) => ({ ...field, path: field.path.slice(key.length + 1) }));
}

function below(paths: readonly string[], key: string): string[] {
  return paths.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1));
}

function firstKey(path: string): string {
  return path.split(".", 1)[0]!;
}
