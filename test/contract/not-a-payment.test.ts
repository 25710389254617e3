// What is no payment is refused by its name, whichever size it has, and any payment is let through.

import fc from "fast-check";
import { expect, test } from "vitest";
import { Fault } from "#src/contract/fault.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { readPayload } from "#src/contract/fields/payload.ts";
import { setPath } from "#src/contract/fields/body-path.ts";

/** Documents by the words that name them, as the programs that write them begin them. */
export const DOCUMENTS: readonly (readonly [named: string, document: Record<string, unknown>])[] = [
  [
    "a HAR file",
    {
      log: {
        version: "1.2",
        entries: [{ request: { headers: [{ name: "cookie", value: "session=SECRET" }] } }],
      },
    },
  ],
  [
    "a Postman collection",
    {
      info: { name: "shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      item: [{ name: "check", request: { method: "POST", description: "SECRET" } }],
    },
  ],
  ["an OpenAPI document", { openapi: "3.1.0", info: { title: "t", version: "1" }, paths: {} }],
  ["an OpenAPI document", { swagger: "2.0", info: { title: "t", version: "1" }, paths: {} }],
  ["a package file of npm", { name: "shop", version: "1.0.0", description: "SECRET", dependencies: {} }],
  ["no field of a check request", {}],
  ["no field of a check request", { payer: {}, card: { nothing: 1 }, description: "SECRET" }],
  [
    "no field of a check request",
    { name: "x", request: { method: "POST", url: "/", description: "SECRET" } },
  ],
  [
    "no field of a check request",
    { merchant_id: "m", name: "x", description: "SECRET", currency: 978, risk_level: "low" },
  ],
];

function refusal(document: unknown, changes: readonly string[] = []): string {
  try {
    readPayload(Buffer.from(JSON.stringify(document)), "x.json", changes, 0);
  } catch (error) {
    if (error instanceof Fault && error.code === "bad_input") return error.message;
    throw error;
  }
  throw new Error("it was read as a payment");
}

test.each(DOCUMENTS)("%s is refused by its name: %o", (named, document) => {
  const message = refusal(document);
  expect(message).toMatch(/^x\.json: it .* no payment; .*\.$/);
  expect(message).toContain(named);
  expect(message).not.toContain("SECRET");
});

test.each(DOCUMENTS.slice(0, 5))("%s is named however large or deep it is", (named, document) => {
  let deep: unknown = 1;
  for (let level = 0; level < 40; level++) deep = [deep];
  for (const more of ["x".repeat(70_000), deep]) expect(refusal({ ...document, more })).toContain(named);
});

test("a change does not make a payment of what is none, and fills an empty one", () => {
  expect(refusal(DOCUMENTS[0]![1], ["amount=1"])).toContain("HAR");
  expect(readPayload(Buffer.from("{}"), "x.json", ["amount=1"], 0).request).toEqual({ amount: 1 });
});

test("anything with one field of a check is a payment", () => {
  const others = CHECK_FIELDS.filter(({ path }) => !["description", "currency"].includes(path));
  fc.assert(
    fc.property(
      fc.constantFrom(...others),
      fc.constantFrom(...DOCUMENTS),
      ({ path, example }, [, document]) => {
        const { request: _, ...unwrapped } = document;
        const body = setPath(unwrapped, path, example);
        expect(readPayload(Buffer.from(JSON.stringify(body)), "x.json", [], 0).request).toEqual(body);
      },
    ),
  );
});
