// OpenAPI documents: which examples are taken, and that nothing outside the document is read.

import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { payloadOf } from "#src/contract/fields/payload.ts";
import { readForeignFile, type Read } from "./reading-foreign.ts";

const ONE = { operation: "payment", order_id: "a-1", amount: 12000, currency: 978 };
const TWO = { ...ONE, order_id: "a-2" };

function openApi(content: unknown, components: object = {}, more: object = {}): JsonObject {
  const post = {
    requestBody: { content },
    responses: { 200: { content: { "application/json": { example: { order_id: "answer" } } } } },
  };
  return {
    openapi: "3.1.1",
    info: { title: "x", version: "1" },
    paths: { "/v1/check": { post, get: {} }, "/health": { get: {} } },
    components,
    ...more,
  };
}

function json(media: object): object {
  return { "application/json": media };
}

/** The same document in both languages must give the same. */
async function readBoth(document: JsonObject): Promise<Read> {
  const read = await readForeignFile("api.json", JSON.stringify(document));
  const yaml = await readForeignFile("api.yaml", stringify(document));
  const renamed = JSON.parse(JSON.stringify(yaml).replaceAll("api.yaml", "api.json")) as unknown;
  expect(renamed).toEqual(JSON.parse(JSON.stringify(read)));
  return read;
}

describe("an OpenAPI document", () => {
  it("gives the examples of a body by their names", async () => {
    const examples = {
      first: { summary: "x", value: ONE },
      "card testing": { $ref: "#/components/examples/a~1b%20c" },
    };
    const { taken, untaken } = await readBoth(
      openApi({ "application/vnd.shop+json": { examples } }, { examples: { "a/b c": { value: TWO } } }),
    );
    expect(untaken).toEqual([]);
    expect(taken.map(({ name, place, at, body }) => [name, place, at, body.value])).toEqual([
      ["first", "api.json: POST /v1/check, example first", null, ONE],
      ["card testing", "api.json: POST /v1/check, example card testing", null, TWO],
    ]);
  });

  it.each([
    ["example", json({ example: ONE, schema: { example: TWO } }), [["POST /v1/check", ONE]]],
    ["example of the schema", json({ schema: { example: ONE, default: TWO } }), [["POST /v1/check", ONE]]],
    [
      "examples of the schema",
      json({ schema: { examples: [ONE, TWO] } }),
      [
        ["1", ONE],
        ["2", TWO],
      ],
    ],
    ["default of the schema", json({ schema: { default: ONE } }), [["POST /v1/check", ONE]]],
    ["schema elsewhere", json({ schema: { $ref: "#/components/schemas/Check" } }), [["POST /v1/check", TWO]]],
    ["text of JSON", json({ example: JSON.stringify(ONE) }), [["POST /v1/check", ONE]]],
    ["body of any type", { "*/*": { example: ONE } }, [["POST /v1/check", ONE]]],
  ])("gives the %s", async (_, content, wanted) => {
    const { taken } = await readBoth(openApi(content, { schemas: { Check: { example: TWO } } }));
    expect(taken.map(({ name, body }) => [name, body.value])).toEqual(wanted);
  });

  it("follows a body and a path that are elsewhere in the document", async () => {
    const components = {
      requestBodies: { Check: { content: json({ example: ONE }) } },
      pathItems: { Check: { post: { requestBody: { $ref: "#/components/requestBodies/Check" } } } },
    };
    const paths = { "/a": { $ref: "#/components/pathItems/Check" } };
    const { taken } = await readBoth(openApi({}, components, { paths }));
    expect(taken.map(({ place }) => place)).toEqual(["api.json: POST /a"]);
  });

  it.each([
    [
      "another file",
      json({ schema: { $ref: "other.yaml#/Check" } }),
      "The reference other.yaml#/Check leads out of the document, which is not followed; bundle it first.",
    ],
    [
      "an address",
      json({ examples: { a: { externalValue: "http://127.0.0.1/SECRET" } } }),
      "Its value lies outside the document, which is not read; copy it in.",
    ],
    [
      "nothing",
      json({ schema: { $ref: "#/components/none" } }),
      "The reference #/components/none leads nowhere; correct it.",
    ],
    [
      "itself",
      json({ schema: { $ref: "#/components/schemas/Circle" } }),
      "The reference #/components/schemas/Circle leads nowhere; correct it.",
    ],
    [
      "a prototype",
      json({ schema: { $ref: "#/constructor" } }),
      "The reference #/constructor leads nowhere; correct it.",
    ],
    [
      "no example",
      json({ schema: { properties: { amount: { example: 1 } } } }),
      "It has no example of a whole body; add one.",
    ],
    ["a form", { "multipart/form-data": { example: ONE } }, "Its body is multipart/form-data, not JSON."],
    [
      "a text that is no JSON",
      json({ example: "order_id=a" }),
      'Its body is no JSON that is taken: line 1, column 1: a value is expected, not "o".',
    ],
  ])("says that a body leads to %s", async (_, content, why) => {
    const schemas = { Circle: { $ref: "#/components/schemas/Circle" } };
    const { taken, untaken } = await readBoth(openApi(content, { schemas }));
    expect(taken).toEqual([]);
    expect(untaken.map((each) => each.why)).toEqual([why]);
  });

  it("takes no number that cannot be held as it is written", async () => {
    const text = JSON.stringify(openApi(json({ examples: { a: { value: { ...ONE, amount: "@" } } } })));
    const { taken } = await readForeignFile("api.json", text.replace('"@"', "9007199254740993"));
    expect(() => payloadOf(taken[0]!.body, "x", [], 0)).toThrow(/amount/);
  });

  it.each(["12.0", "12.00", "1e3"])(
    "takes no amount %s, in JSON or YAML, by reference or not",
    async (amount) => {
      const document = openApi(
        json({ examples: { a: { $ref: "#/components/examples/A" }, b: { value: { ...ONE, amount: "@" } } } }),
        { examples: { A: { value: { ...ONE, amount: "@" } } } },
      );
      for (const [name, text] of [
        ["api.json", JSON.stringify(document).replaceAll('"@"', amount)],
        ["api.yaml", stringify(document).replaceAll(/"@"/g, amount)],
      ] as const) {
        const { taken } = await readForeignFile(name, text);
        expect(taken).toHaveLength(2);
        for (const { body } of taken)
          expect(() => payloadOf(body, name, [], 0)).toThrow("plain digits without point or exponent");
      }
    },
  );

  it.each([
    ["another version", "api.json", '{"swagger": "2.0", "info": {}, "paths": {}}'],
    ["another version in YAML", "api.yml", "swagger: '2.0'\ninfo: {}\n"],
    ["a list", "api.yaml", "- 1\n"],
    ["a key twice", "api.yaml", "openapi: 3.0.0\nopenapi: 3.0.0\n"],
    ["30,000 paths", "api.yaml", Array.from({ length: 30_000 }, (_, index) => `a${index}: 1\n`).join("")],
    ["a key twice among many", "api.yaml", `openapi: 3.0.0\n${"a: 1\n".repeat(2)}`],
    ["a tag", "api.yaml", "openapi: !!js/function 'x'\n"],
    ["deep nesting", "api.yaml", "[".repeat(100_000)],
    [
      "many aliases",
      "api.yaml",
      `a: &a [x]\n${Array.from({ length: 9 }, (_, i) => `b${i}: &b${i} [${`*${i === 0 ? "a" : `b${i - 1}`}, `.repeat(9)}]`).join("\n")}\n`,
    ],
    ["bytes", "api.yaml", "openapi: \u0000"],
    ["5 MiB of YAML", "api.yaml", `# ${"x".repeat(5 * 1024 * 1024)}`],
    ["nothing", "api.yaml", ""],
  ])("refuses %s in one sentence", async (_, name, text) => {
    const { taken, untaken } = await readForeignFile(name, text);
    expect(taken).toEqual([]);
    expect(untaken).toHaveLength(1);
    expect(untaken[0]!.why).toMatch(/^[A-Z][^\n]*\.$/);
  });
});
