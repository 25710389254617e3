// The fields of a body as a text of their own.

import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldsText } from "#src/signing/recipes/body-fields.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";
import type { BodyFields } from "#src/signing/recipes/recipe.ts";

const PAIRS: BodyFields = recipeById("sorted-fields").fields!;
const JSON_FORM: BodyFields = { ...PAIRS, form: "json" };

function written(how: BodyFields, body: string): string {
  return Buffer.from(fieldsText(how, Buffer.from(body, "utf8")), "latin1").toString("utf8");
}

test("names are sorted as RFC 8785 section 3.2.3 sorts them", () => {
  const published = String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`;
  expect(Array.from(written(JSON_FORM, published).matchAll(/:"([^"]+)"/g), ([, value]) => value)).toEqual([
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
});

test("the sample of RFC 8785 section 3.2.2", () => {
  const published = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(written(JSON_FORM, published)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

const NESTED = '{"b":{"z":"a b","y":[1,{"x":null}]},"a":"ö/","10":true,"9":""}';

test.each<[string, Partial<BodyFields>, string]>([
  ["a point between names", {}, "10=true&a=ö/&b.y.0=1&b.z=a b"],
  ["brackets around names", { nesting: "brackets" }, "10=true&a=ö/&b[y][0]=1&b[z]=a b"],
  ["those without a value", { empty: "keep" }, "10=true&9=&a=ö/&b.y.0=1&b.y.1.x=&b.z=a b"],
  ["percent signs", { encoding: "uri" }, "10=true&a=%C3%B6%2F&b.y.0=1&b.z=a%20b"],
  ["a form", { encoding: "form" }, "10=true&a=%C3%B6%2F&b.y.0=1&b.z=a+b"],
  ["other marks", { separator: "|", equals: ":" }, "10:true|a:ö/|b.y.0:1|b.z:a b"],
  ["values alone", { form: "values", separator: "" }, "trueö/1a b"],
])("%s", (_name, change, expected) => {
  expect(written({ ...PAIRS, ...change }, NESTED)).toBe(expected);
});

test("what is no object is the text itself, so that it is signed", () => {
  for (const body of ["", "[1]", "7", "null", "{", "ö"]) expect(written(PAIRS, body)).toBe(body);
});

test("a name that is empty, and values of one name, have an order of their own", () => {
  expect(written(PAIRS, '{"":{"b":1},"b":2}')).toBe(".b=1&b=2");
  for (const body of ['{"a.b":2,"a":{"b":1}}', '{"a":{"b":1},"a.b":2}'])
    expect(written(PAIRS, body)).toBe("a.b=1&a.b=2");
});

test("the order and the blanks of a body change nothing", () => {
  const shuffled = (value: object): object => Object.fromEntries(Object.entries(value).reverse());
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
      for (const how of [JSON_FORM, PAIRS]) {
        expect(written(how, JSON.stringify(shuffled(body), null, 2))).toBe(
          written(how, JSON.stringify(body)),
        );
      }
    }),
  );
});
