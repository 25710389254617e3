// Laws of the readers of documents: a payment comes out as it was put in, and no document ends in an error.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { FORBIDDEN_KEYS } from "#src/contract/text/plain-json.ts";
import { readForeignFile } from "./reading-foreign.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const text = fc.string({ unit: "binary" }).filter((each) => each.isWellFormed());
const key = text.filter((each) => !FORBIDDEN_KEYS.has(each) && each !== "$ref");
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const body = fc
  .dictionary(key, fc.oneof(scalar, fc.dictionary(key, scalar), fc.array(scalar)))
  .map((each) => ({ ...each }));

/** The same body in each kind of document. */
const DOCUMENTS: readonly (readonly [name: string, write: (value: unknown) => string])[] = [
  [
    "session.har",
    (value) => {
      const request = {
        method: "POST",
        url: "https://a.example/",
        postData: { text: JSON.stringify(value) },
      };
      return JSON.stringify({ log: { entries: [{ request }] } });
    },
  ],
  [
    "c.postman_collection.json",
    (value) => {
      const request = { method: "POST", body: { mode: "raw", raw: "{{body}}" } };
      const variable = [{ key: "body", value: JSON.stringify(value) }];
      return JSON.stringify({ info: { schema: SCHEMA }, variable, item: [{ name: "one", request }] });
    },
  ],
  ["api.json", (value) => JSON.stringify(openApi(value))],
  ["api.yaml", (value) => stringify(openApi(value))],
];

function openApi(value: unknown): object {
  const requestBody = { content: { "application/json": { examples: { one: { value } } } } };
  return { openapi: "3.0.3", info: {}, paths: { "/check": { post: { requestBody } } } };
}

describe.each(DOCUMENTS)("%s", (name, write) => {
  it("gives any body as it was put in", async () => {
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        // Braces of the body would be variables of the collection.
        fc.pre(!name.startsWith("c.") || !/\{\{[^{}]*\}\}/.test(JSON.stringify(value)));
        const { taken, untaken } = await readForeignFile(name, write(value));
        expect(untaken).toEqual([]);
        expect(taken.map((each) => each.body.value)).toEqual([value]);
      }),
    );
  });
});

describe("a document of any content", () => {
  /** Keys that readers look for, in any place and with any value. */
  const known = fc.constantFrom(
    ..."request method url postData text encoding item name body mode raw variable key value type".split(" "),
    ..."/check post requestBody content application/json examples example schema default $ref".split(" "),
  );
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      fc.oneof(scalar, fc.constantFrom("POST", "raw", "#/paths", "base64", "{{name}}")),
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(known, tie("node"), { maxKeys: 8 }),
    ),
  }));

  it.each<readonly [string, (inner: unknown) => object]>([
    ["a.har", (inner) => ({ log: { entries: [inner, { request: inner }] } })],
    [
      "c.json",
      (inner) => ({
        info: { schema: SCHEMA },
        item: [inner, { name: "x", request: inner }],
        variable: [inner],
      }),
    ],
    [
      "api.json",
      (inner) => ({ openapi: "3.1.0", info: {}, paths: { "/check": inner, "/x": { post: inner } } }),
    ],
  ])("%s ends in sentences and candidates", async (name, document) => {
    await fc.assert(
      fc.asyncProperty(node, async (inner) => {
        const { untaken } = await readForeignFile(name, JSON.stringify(document(inner)));
        for (const { place, why } of untaken) {
          expect(place).toMatch(/^\P{Cc}+$/u);
          expect(why).toMatch(/^[A-Z]\P{Cc}*\.$/u);
        }
      }),
      { numRuns: 300 },
    );
  });
});
