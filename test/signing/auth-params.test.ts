// Auth-params are cut at characters, not by an expression: this is the expression that says what they are.

import fc from "fast-check";
import { expect, test } from "vitest";
import { readTemplate } from "#src/signing/recipes/template.ts";

const TEMPLATE = 'Signature keyId="{key_id}",v="v{version}",headers="{components}"{#ext},ext="{ext}"{/ext}';

const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ["keyId", "key_id"],
  ["v", "version"],
  ["headers", "components"],
  ["ext", "ext"],
]);

function byExpression(text: string): Record<string, string> | string {
  const values: Record<string, string> = {};
  const seen: string[] = [];
  const param = /[ \t]*([A-Za-z][\w-]*)="([^"\\]*)"[ \t]*(,|$)/y;
  param.lastIndex = text.indexOf(" ");
  while (param.lastIndex < text.length) {
    const at = param.lastIndex;
    const match = param.exec(text);
    if (match === null) return `cannot be read at character ${at + 1}`;
    const [, name, value] = match;
    const placeholder = PLACEHOLDERS.get(name!);
    if (placeholder === undefined) return `has a parameter that the recipe does not know: ${name}`;
    if (seen.includes(name!)) return `has the parameter ${name} twice`;
    seen.push(name!);
    if (name === "v" && !value!.startsWith("v"))
      return "has a parameter v that does not have the form of the recipe";
    values[placeholder] = value!.slice(name === "v" ? 1 : 0);
    if (match[3] === "") break;
    if (param.lastIndex === text.length) return "ends with a comma";
  }
  const missing = ["keyId", "v", "headers"].find((name) => !seen.includes(name));
  return missing === undefined ? values : `has no parameter ${missing}`;
}

const mark = fc.constantFrom('"', '="', "=", ",", ", ", " ", "\t", "\\", "-", "_", "1", "a", "v", "é");
const marks = fc.array(mark, { maxLength: 4 }).map((all) => all.join(""));
const name = fc.constantFrom("keyId", "v", "headers", "ext", "keyid", "x-1_y", "1x", "");
const usual = fc.constantFrom('keyId="k"', 'v="v1"', 'headers="a b"', 'ext="e"');
const param = fc.oneof(
  { weight: 8, arbitrary: usual },
  { weight: 3, arbitrary: fc.tuple(name, marks).map(([of, is]) => `${of}="${is}"`) },
  { weight: 1, arbitrary: marks },
);
const separator = fc.oneof(
  { weight: 4, arbitrary: fc.constant(",") },
  fc.constantFrom(", ", " ,\t", "", ",,"),
);
const credentials = fc
  .array(fc.tuple(param, separator), { maxLength: 6 })
  .map((all) => `Signature ${all.map((each) => each.join("")).join("")}`)
  .chain((text) => fc.constantFrom(text, text.replace(/(?<=")[ \t]*,[ \t]*$/, "")));

test("they are read as the expression reads them", () => {
  const met = { whole: 0, refused: 0 };
  fc.assert(
    fc.property(credentials, (text) => {
      const read = readTemplate(TEMPLATE, text);
      const found = typeof read === "string" ? read : Object.fromEntries(read);
      expect(found).toEqual(byExpression(text));
      met[typeof read === "string" ? "refused" : "whole"] += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(met.whole).toBeGreaterThan(0);
});

test.each([
  ["Signature", "is not of the scheme Signature"],
  ["Signaturex", "cannot be read at character 0"],
  ["Signature ", "cannot be read at character 10"],
  ['Signature keyId="k",', "ends with a comma"],
])("%s %s", (text, problem) => {
  expect(readTemplate(TEMPLATE, text)).toBe(problem);
});
