// The schemas of files that people write agree with their readers, by an independent validator.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { findHome } from "#src/app/home.ts";
import { settingsOrNone } from "#src/app/settings.ts";
import { readPayload } from "#src/contract/fields/payload.ts";
import { keysOf } from "#src/key-table.ts";
import { BUILT_IN_DECKS } from "#src/replay/decks/built-in-decks.ts";
import { readDeck } from "#src/replay/decks/deck-reader.ts";
import { loadRulesUntested } from "#src/rules/rule-file/rule-file.ts";
import { PRESETS } from "#src/signing/recipes/presets.ts";
import { readRecipe, writeRecipe } from "#src/signing/recipes/recipe-reader.ts";
import { COMMANDS_YAML, DECK, ENVELOPE, KEYS_YAML, RECIPE, RULES, SETTINGS_YAML } from "./written-files.ts";

const DECK_FILES = { rules: () => ({ text: "name: none" }), day: (name: string) => ({ path: name }) };
const NOW = Date.UTC(2026, 0, 15);
const FOLDER = new URL("../../dist/schemas/", import.meta.url);

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);
for (const file of readdirSync(FOLDER))
  ajv.addSchema(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as object, file);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "verdict-schemas-"));
  mkdirSync(join(folder, "config"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a reader says of a document: null where it takes it, `warned` where it names something that is wrong. */
type Read = (document: unknown) => string | null | Promise<string | null>;

const problemOf = async (read: () => unknown): Promise<string | null> => {
  try {
    await read();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
const write = (name: string, document: unknown): void =>
  writeFileSync(join(folder, "config", name), stringify(document, { aliasDuplicateObjects: false }));
const inConfig = async (name: string, document: unknown): Promise<string | null> => {
  write("keys.yaml", {});
  write("commands.yaml", {});
  write(name, document);
  return (await keysOf(findHome({}, folder))).problem;
};

const READERS: Readonly<Record<string, { example: unknown; read: Read; beyond: RegExp }>> = {
  rules: {
    example: RULES,
    read: (document) => problemOf(() => loadRulesUntested(stringify(document), "f")),
    // Conditions and texts, what is used where, values of lists, days of the calendar.
    beyond:
      /in (?:when|text|clear):|not used in when|earlier rule|is neither a field|A{99}|no day|must be a time|must not exceed|same type|must be a currency|(?:card|bin|email|domain|ip|phone|payer|terminal) of an item of \w+ must be|has a meaning already/,
  },
  deck: {
    example: DECK,
    read: (document) =>
      problemOf(() => readDeck(stringify(document), { file: "f", name: "f", files: DECK_FILES })),
    // What depends on the step before, currencies, durations and times.
    beyond:
      /the first step needs|required and missing|lists \d+ verdicts|there is none yet|another step uses|currency (?:must|has|names)|must be a (?:duration|time)|a list of rules|risk levels, or rules|risk levels of this step|cannot be seen|must hold|same word|needs a letter|A fault is|takes no value|latency takes|fault is a kind|time of a fault|(?:title|summary|say|note) must be a text|full card numbers/,
  },
  recipe: {
    example: RECIPE,
    read: (document) => problemOf(() => readRecipe(stringify(document), "f", "keep")),
    // Templates, and whether each of their values is there, is sent, and can be read back.
    beyond:
      /placeholder|has the value \{|\{[\w}]+ (?:must|already|may|in)|must hold|must stand|emit|format of nonce|http or https|must be a time|unknown filter|written by verdict|is no header name in lower case|named twice|must be utf8/,
  },
  settings: {
    example: SETTINGS_YAML,
    read: async (document) => {
      write("settings.yaml", document);
      return (await settingsOrNone(findHome({}, folder))).problem;
    },
    beyond: /its contrast is|cannot be told apart/,
  },
  keys: {
    example: KEYS_YAML,
    read: async (document) => inConfig("keys.yaml", document),
    // Names of keys, and what else they do.
    beyond:
      /sends a key|is (?:already )?the key of|is listed twice|(?:is typed as|edits the) text|terminals send|would have no key/,
  },
  commands: {
    example: COMMANDS_YAML,
    read: async (document) => inConfig("commands.yaml", document),
    beyond:
      /sends a key|is (?:already )?the key of|placeholder|terminals send|is typed as text|must be a plain text/,
  },
  payload: {
    example: ENVELOPE,
    read: (document) =>
      problemOf(() => {
        const { warnings } = readPayload(new TextEncoder().encode(JSON.stringify(document)), "f", [], NOW);
        if (warnings.length > 0) throw new Error(`warned: ${warnings.join(" ")}`);
      }),
    beyond: /^warned|"at" must be a time|"answer" must hold|full card number|card verification|plain digits/,
  },
};

it("every schema is one of draft 2020-12, under its own name", () => {
  for (const file of readdirSync(FOLDER)) {
    const { schema } = ajv.getSchema(file)!;
    expect(schema).toMatchObject({ $id: `verdict:${file.replace(".json", "")}`, title: expect.any(String) });
  }
});

describe("a file that verdict reads", () => {
  it.each(Object.entries(READERS))("%s: an example with every key", async (name, { example, read }) => {
    expect(await read(example)).toBeNull();
    expect(errors(name, example)).toBe("");
  });

  it("the starter rules, built-in decks, presets and examples", async () => {
    const yaml = (path: string): unknown =>
      parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
    expect(errors("rules", yaml("src/rules/rule-file/starter-rules.yaml"))).toBe("");
    for (const deck of BUILT_IN_DECKS)
      expect(errors("deck", yaml(`src/replay/decks/${deck}.yaml`)), deck).toBe("");
    for (const preset of PRESETS)
      expect(errors("recipe", parse(writeRecipe(preset))), preset.recipe).toBe("");
    for (const deck of ["deck.yaml", "deck-uk.yaml"])
      expect(errors("deck", yaml(`examples/${deck}`)), deck).toBe("");
    expect(errors("rules", yaml("examples/ci/rules.yaml"))).toBe("");
  });
});

describe("a changed file", () => {
  it.each(Object.entries(READERS))(
    "%s: what the schema refuses the reader refuses, and the other way where a schema can say it",
    async (name, { example, read, beyond }) => {
      await fc.assert(
        fc.asyncProperty(changed(example), async (document) => {
          const refused = errors(name, document);
          const said = await read(document);
          if (said === null || refused === "")
            expect({ refused, said: beyond.test(said ?? "") ? null : said }).toEqual({
              refused: "",
              said: null,
            });
        }),
        { numRuns: 300 },
      );
    },
  );
});

function errors(name: string, document: unknown): string {
  const validate = ajv.getSchema(`${name}.json`)!;
  // As it is stored.
  return validate(JSON.parse(JSON.stringify(document ?? null))) ? "" : ajv.errorsText(validate.errors);
}

/** The document with one value replaced or removed, or with one more key. */
function changed(document: unknown): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      "",
      "x",
      "x y",
      -1,
      0,
      1.5,
      7,
      5_000_000_000,
      [],
      ["x"],
      [1, 2],
      {},
      { x: "y" },
    ),
    fc.string({ maxLength: 12 }),
    fc.constantFrom("block", "low", "live", "sha256", "hit", "+1h", "2026-01-31T12:00:00Z", "A".repeat(700)),
  );
  const change = fc.constantFrom("put", "remove", "add");
  return fc
    .tuple(
      fc.constantFrom(...pathsOf(document, [])),
      change,
      value,
      fc.constantFrom("x", "note", "when", "toString"),
    )
    .map(([path, how, put, key]) =>
      at(document, path, (there) => {
        if (how === "put") return put;
        if (how === "remove") return REMOVED;
        return typeof there === "object" && there !== null && !Array.isArray(there)
          ? { ...there, [key]: put }
          : put;
      }),
    );
}

const REMOVED = Symbol("removed");
type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function at(value: unknown, [key, ...rest]: Path, change: (there: unknown) => unknown): unknown {
  if (key === undefined) {
    const changedValue = change(value);
    return changedValue === REMOVED ? {} : changedValue;
  }
  const inner = (value as Record<string | number, unknown>)[key];
  const next = rest.length === 0 ? change(inner) : at(inner, rest, change);
  if (Array.isArray(value))
    return next === REMOVED ? value.toSpliced(key as number, 1) : value.with(key as number, next);
  const entries = Object.entries(value as object).filter(([name]) => name !== key || next !== REMOVED);
  return Object.fromEntries(entries.map(([name, each]) => [name, name === key ? next : each]));
}
