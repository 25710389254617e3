// Every JSON Schema that verdict ships: of the files that people write, and of what commands print.

import { BINDINGS } from "#screens/shell/bindings.ts";
import { KEYS_OF_BINDING } from "#src/app/key-overrides.ts";
import { SETTINGS } from "#src/app/settings-shape.ts";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { ENVELOPE } from "#src/contract/fields/payload.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { requiredPaths } from "#src/contract/fields/validate.ts";
import { bodySchema } from "#src/contract/openapi/openapi-schema.ts";
import { OWN_COMMANDS } from "#src/contract/records/own-command.ts";
import { named, type Shape } from "#src/contract/text/shape.ts";
import { DECK, MOST_REPEATS, STEP } from "#src/replay/decks/deck-shape.ts";
import { RULE_FILE } from "#src/rules/rule-file/rule-file-shape.ts";
import { RECIPE } from "#src/signing/recipes/recipe.ts";
import { outputSchemas, PRINTED } from "./output-schemas.ts";

const requestOf = (fields: readonly Field[]) => closed(bodySchema(fields, requiredPaths(fields)));
/** What the sandbox takes. */
const REQUEST = requestOf(CHECK_FIELDS);
/** A service may have numbers of its own. */
const SENT = requestOf(CHECK_FIELDS.map(({ numbers: _known, ...field }) => field));
const WHOLE_ENVELOPE = { ...ENVELOPE, properties: { ...ENVELOPE.properties, request: SENT } };

const KEYS = named(
  { enum: BINDINGS.map(({ id }) => id) },
  KEYS_OF_BINDING,
  "Keys of your own, by the names that verdict help shortcuts lists.",
);

const FILES: Readonly<Record<string, readonly [title: string, schema: Shape]>> = {
  payload: [
    "A payload: the request of a check, by itself or in an envelope",
    { anyOf: [WHOLE_ENVELOPE, SENT] },
  ],
  envelope: ["A payload with its name, tags and expected verdict", WHOLE_ENVELOPE],
  rules: ["A rule file, rules.yaml", RULE_FILE],
  deck: ["A deck for verdict demo", deckSchema()],
  recipe: ["A signing recipe", RECIPE],
  settings: ["settings.yaml: how verdict looks", SETTINGS],
  keys: ["keys.yaml: keys of your own", KEYS],
  commands: ["commands.yaml: programs of your own on a key", OWN_COMMANDS],
};

/** Title of each schema by its name. */
export const SCHEMA_TITLES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(FILES).map(([name, [title]]) => [name, title] as const),
  ...PRINTED.map(({ name, command }) => [name, `What ${command} prints, one a line`] as const),
]);

/** The schemas by name. */
export function allSchemas(): Map<string, JsonObject> {
  const schemas = new Map<string, Shape>(Object.entries(FILES).map(([name, [, schema]]) => [name, schema]));
  for (const [name, schema] of outputSchemas()) schemas.set(name, schema);
  return new Map(
    Array.from(schemas, ([name, schema]) => [
      name,
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $id: `verdict:${name}`,
        title: SCHEMA_TITLES.get(name),
        ...schema,
      },
    ]),
  );
}

/** Without keys that no field has, of which verdict warns, and which are mostly misspelt. */
function closed(schema: JsonObject): Shape {
  const { properties } = schema as { properties?: Record<string, JsonObject> };
  if (properties === undefined) return schema;
  const inside = Object.entries(properties).map(([key, value]) => [key, closed(value)]);
  return { ...schema, properties: Object.fromEntries(inside), additionalProperties: false };
}

/** With the fields of a payload, and of a change and of repeated checks by their paths. */
function deckSchema(): Shape {
  const fields = CHECK_FIELDS.map((field) => {
    const { properties } = bodySchema([{ ...field, path: "value" }], []) as { properties: { value: Shape } };
    return [field.path, { anyOf: [properties.value, { type: "null" }] }] as const;
  });
  const lists = fields.map(([path, items]) => [
    path,
    { type: "array", minItems: 1, maxItems: MOST_REPEATS, items },
  ]);
  const groups = CHECK_FIELDS.flatMap(({ path }) =>
    path.includes(".") ? [[path.split(".")[0]!, { type: "null" }]] : [],
  );
  const change = {
    ...STEP.properties.change,
    properties: Object.fromEntries([...groups, ...fields]),
    additionalProperties: false,
  };
  const [number, byPath] = STEP.properties.repeat["anyOf"] as [Shape, Shape];
  const listed = {
    ...byPath,
    properties: Object.fromEntries(lists),
    minProperties: 1,
    additionalProperties: false,
  };
  const repeat = { ...STEP.properties.repeat, anyOf: [number, listed] };
  const step = { ...STEP, properties: { ...STEP.properties, payload: REQUEST, change, repeat } };
  return { ...DECK, properties: { ...DECK.properties, steps: { ...DECK.properties.steps, items: step } } };
}
