// The fields of an attempt as rules read them: each under its own name, whatever the order they are kept in.

import { expect, it } from "vitest";
import { getPath, setPath } from "#src/contract/fields/body-path.ts";
import { createSituation, fieldReader, RULE_FIELDS, type Situation } from "#src/rules/decision/situation.ts";
import { factsOf, payment } from "./sample.ts";

const request = payment();
const fields = [...RULE_FIELDS.keys()].filter((path) => !path.startsWith("project."));

function situationOf(body: object): Situation {
  return createSituation(factsOf(body), {}, [], { rates: null, lists: new Map() });
}

it.each(fields)("reads %s, and knows when it alone is missing", (path) => {
  const value = getPath({ ...request }, path);
  expect(value).toBeDefined();
  expect(fieldReader(path)(situationOf(request))).toBe(value);
  const without = situationOf(setPath({ ...request }, path, undefined));
  expect(fields.filter((other) => fieldReader(other)(without) === undefined)).toEqual([path]);
});

it("reads the project", () => {
  const situation = situationOf({});
  expect(fieldReader("project.risk_level")(situation)).toBe("medium");
  expect(fieldReader("project.currency")(situation)).toBe(980);
});

it("takes a field of another type for missing", () => {
  for (const path of fields) {
    const wrong = situationOf(setPath({ ...request }, path, { of: "another type" }));
    expect([path, fieldReader(path)(wrong)]).toEqual([path, undefined]);
  }
});
