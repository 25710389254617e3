// The OpenAPI document: valid by an independent validator, nothing of the tables left out, and as strict as the service.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { CREDENTIAL_FIELDS, REGISTRATION_FIELDS } from "#src/contract/fields/registration-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { getPath, setPath } from "#src/contract/fields/body-path.ts";
import { requiredPaths, validateBody } from "#src/contract/fields/validate.ts";
import { CURRENCY_NUMBERS } from "#src/contract/lists/currency.ts";
import { bodySchema } from "#src/contract/openapi/openapi-schema.ts";
import { exampleRequest, openApiDocument, type OpenApiOptions } from "#src/contract/openapi/openapi.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import { ERROR_MEANINGS } from "#src/contract/wire/error-meanings.ts";
import { ENDPOINTS, ERROR_SLUGS, type Call, type ErrorSlug } from "#src/contract/wire/wire.ts";
import { answersOf, problemsOf, schemasOf, type Judge, type ReadDocument } from "./openapi-schemas.ts";

const NOW = Date.UTC(2026, 10, 21);
const FIELDS: Readonly<Record<Call, readonly Field[]>> = {
  check: CHECK_FIELDS,
  register: REGISTRATION_FIELDS,
  credential: CREDENTIAL_FIELDS,
};
const CALLS = Object.keys(FIELDS) as Call[];

const named = (...names: string[]) =>
  names.map((name) => ({ name, help: `The header ${name}.`, example: "x" }));
const COMPANY = named("x-key-id", "x-company-id", "authorization", "date", "digest");
const OPTIONS: OpenApiOptions = {
  version: "1.2.3",
  server: "http://127.0.0.1:8787",
  require: [],
  credentialUnsigned: false,
  credentialDelayS: 5,
  magic: [],
  signing: "Signed somehow.",
  headers: {
    check: named("x-key-id", "x-project-id", "authorization", "date", "digest"),
    register: COMPANY,
    credential: COMPANY,
  },
};

function documentOf(options: Partial<OpenApiOptions> = {}): ReadDocument {
  return JSON.parse(JSON.stringify(openApiDocument({ ...OPTIONS, ...options }))) as ReadDocument;
}

function operationOf(document: ReadDocument, call: Call) {
  return document.paths[ENDPOINTS[call].path]!.post;
}

function requestJudge(document: ReadDocument, call: Call): Judge {
  return schemasOf(document)(operationOf(document, call).requestBody.content["application/json"]!.schema);
}

/** The schema of a field in a schema of a body, found by its path and not by how it was made. */
function schemaAt(schema: object, path: string): Record<string, unknown> | undefined {
  return getPath(schema, `properties.${path.replaceAll(".", ".properties.")}`) as
    Record<string, unknown> | undefined;
}

describe("the document", () => {
  test.each<[string, Partial<OpenApiOptions>]>([
    ["as it is", {}],
    ["of the service itself", { server: "/" }],
    ["with other required fields", { require: ["payer.email", "card.bin_card"] }],
    ["with unsigned credential requests", { credentialUnsigned: true }],
    [
      "of a recipe without Authorization",
      { headers: { check: named("x-key-id", "signature"), register: named("x-key-id"), credential: [] } },
    ],
  ])("%s is OpenAPI 3.1", async (_name, options) => {
    expect(await problemsOf(documentOf(options))).toEqual([]);
  });

  test("that is broken is found to be so", async () => {
    const { info: _info, ...rest } = documentOf();
    expect(await problemsOf(rest)).not.toEqual([]);
  });

  test("has the three calls, the two probes and no more", () => {
    const { paths } = documentOf();
    const operations = Object.entries(paths).map(([path, methods]) => [
      path,
      ...Object.entries(methods).map(([method, { operationId }]) => `${method} ${operationId}`),
    ]);
    expect(operations).toEqual([
      ["/v1/check", "post check"],
      ["/projects", "post register"],
      ["/projects/credential", "post credential"],
      ["/health", "get get-health", "head head-health"],
      ["/ready", "get get-ready", "head head-ready"],
    ]);
  });

  test("refers to nothing that it does not hold", () => {
    const document = documentOf();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) =>
      path!.replaceAll("/", "."),
    );
    expect(references.length).toBeGreaterThan(10);
    for (const path of references) expect(getPath(document, path), path).toBeDefined();
  });

  test.each(CALLS)("has every field of the table of %s, with its limits and words", (call) => {
    const document = documentOf();
    const name = { check: "CheckRequest", register: "RegistrationRequest", credential: "CredentialRequest" }[
      call
    ];
    const schema = document.components.schemas[name]!;
    for (const field of FIELDS[call]) {
      const own = schemaAt(schema, field.path);
      expect(own, field.path).toMatchObject({
        type: field.type,
        title: field.label,
        description: field.sent ?? field.help,
      });
      expect(own!["examples"]).toContain(field.example);
      expect(own!["enum"]).toEqual(field.choices ?? field.numbers);
      if (field.choices === undefined) expect(own!["maxLength"]).toBe(field.maxLength);
      if (field.numbers === undefined) {
        expect([own!["minimum"], own!["maximum"]]).toEqual([field.min, field.max]);
      }
    }
    const count = JSON.stringify(schema).match(/"title":/g)?.length;
    expect(count).toBe(FIELDS[call].length);
  });

  test("gets a field that a table gets", () => {
    const added: Field = {
      path: "payer.device.model",
      label: "Model",
      group: "payer",
      type: "string",
      required: false,
      maxLength: 40,
      help: "Model of the device.",
      example: "X-1",
    };
    const schema = bodySchema([...CHECK_FIELDS, added], ["payer.device.model"]);
    expect(schemaAt(schema, added.path)).toEqual({
      type: "string",
      title: "Model",
      description: "Model of the device.",
      maxLength: 40,
      examples: ["X-1"],
    });
    expect(schema).toMatchObject({
      required: ["payer"],
      properties: { payer: { required: ["device"], properties: { device: { required: ["model"] } } } },
    });
  });

  test.each(CALLS)("shows requests and answers of %s that fit their own schemas", (call) => {
    const document = documentOf();
    const { requestBody } = operationOf(document, call);
    const responses = answersOf(document, ENDPOINTS[call].path);
    const compile = schemasOf(document);
    const contents = [requestBody, ...Object.values(responses)].map(
      ({ content }) => content["application/json"]!,
    );
    for (const { schema, example, examples = {} } of contents) {
      const fits = compile(schema);
      const shown = [example, ...Object.values(examples).map(({ value }) => value)].filter(
        (value) => value !== undefined,
      );
      expect(shown.length).toBeGreaterThan(0);
      for (const value of shown) expect(fits(value), JSON.stringify(value)).toBeNull();
    }
    const findings = validateBody(FIELDS[call], exampleRequest(call), { now: NOW });
    expect(findings).toEqual([]);
    expect(findCardData(exampleRequest(call))).toBeNull();
  });

  test.each(CALLS)("has every error that %s can be answered with, under its status and no other", (call) => {
    const responses = answersOf(documentOf(), ENDPOINTS[call].path);
    const listed = Object.entries(responses).flatMap(([status, { content }]) =>
      Object.keys(content["application/json"]!.examples ?? {}).map((slug) => [slug, Number(status)]),
    );
    const expected = (Object.keys(ERROR_SLUGS) as ErrorSlug[])
      .filter((slug) => ERROR_MEANINGS[slug].calls.includes(call))
      .map((slug) => [slug, ERROR_SLUGS[slug]]);
    expect(new Map(listed as [string, number][])).toEqual(new Map(expected as [string, number][]));
    expect(listed.length).toBeGreaterThanOrEqual(12);
  });

  test("names the required fields of the table, or those of the switch", () => {
    const required = (options: Partial<OpenApiOptions>) =>
      documentOf(options).components.schemas["CheckRequest"] as {
        required?: string[];
        properties: { payer: { required?: string[] } };
      };
    expect(required({}).required).toEqual(["operation", "order_id", "amount", "currency"]);
    const switched = required({ require: ["payer.email", "amount"] });
    expect([switched.required, switched.properties.payer.required]).toEqual([["amount", "payer"], ["email"]]);
  });

  test("has each header once: identity and Authorization as security, the others as parameters", () => {
    const document = documentOf();
    const check = operationOf(document, "check");
    expect(check.security).toEqual([{ keyId: [], projectId: [], signature: [] }]);
    expect(operationOf(document, "register").security).toEqual([{ keyId: [], companyId: [], signature: [] }]);
    expect(check.parameters!.map(({ name, required }) => [name, required])).toEqual([
      ["date", true],
      ["digest", true],
    ]);
    expect(
      Object.values(document.components.securitySchemes)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["authorization", "x-company-id", "x-key-id", "x-project-id"]);
  });

  test("lists the order ids that force an answer, where there are any", () => {
    const description = (options: Partial<OpenApiOptions>) =>
      operationOf(documentOf(options), "check").description;
    expect(description({})).not.toContain("order id");
    expect(description({ magic: [{ prefix: "force-pass", what: "recommends pass" }] })).toMatch(
      /order id .*:\n\n- `force-pass` recommends pass$/,
    );
  });

  test("says when a credential request may be unsigned", () => {
    const signed = operationOf(documentOf(), "credential");
    const unsigned = operationOf(documentOf({ credentialUnsigned: true }), "credential");
    expect(signed.parameters!.every(({ required }) => required)).toBe(true);
    expect(unsigned.parameters!.some(({ required }) => required)).toBe(false);
    expect(unsigned.description).toContain("empty Authorization");
    expect(signed.description).not.toContain("empty Authorization");
  });
});

/** Texts on the borders of the formats, and far from them. */
const TEXTS = [
  ["", " ", "\u0000", "0", "\n", "é", "😀".repeat(64), "😀".repeat(65), "x".repeat(1024), "x".repeat(1025)],
  ["0.0.0.0", "255.255.255.255", "256.0.0.1", "01.2.3.4", "1.2.3", "1.2.3.4.5", "127.1", "1.2.3.4 "],
  ["::", "::1", "1::", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "::ffff:192.0.2.1"],
  ["fe80::1%eth0", "2001:db8::g", "12345::", ":::", "[::1]", "1:2:3:4:5:6:1.2.3.4", "::1.2.3", "::00001"],
  ["a@b", "a@b.c", "a@-b.c", "a@b-.c", "a@b..c", "a@.c", "a@c.", "a b@c.d", "a@b@c.d", "@c.d", "a@", "ä@ö.ü"],
  [`${"x".repeat(64)}@a.b`, `${"x".repeat(65)}@a.b`, `a@${"x".repeat(63)}.b`, `a@${"x".repeat(64)}.b`],
  [`${"😀".repeat(64)}@a.b`, `${"😀".repeat(65)}@a.b`, "a@b.c\n", "a@[192.0.2.1]", 'a"@b.c', "a@b_c.d"],
  ["+1", "+12", "+0123", "+123456789012345", "+1234567890123456", "380501234567", "+12 3", "+१२३", "+12\n"],
  ["low", "Low", "LOW ", "medium", "high", "constructor", "payment"],
].flat();
const NUMBERS = [
  -1,
  0,
  1,
  12,
  13,
  99,
  100,
  999,
  1000,
  9999,
  10_000,
  99_999,
  100_000,
  999_999,
  1_000_000,
  9_999_999,
  10_000_000,
  99_999_999,
  100_000_000,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  1e21,
  1e300,
  0.5,
  -0.5,
  12.5,
];
const value = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, ...NUMBERS, null, true, [], {}, undefined),
  fc.constantFrom(...CURRENCY_NUMBERS),
  fc.integer({ min: 0, max: 1100 }),
  fc.ipV4(),
  fc.ipV6(),
  fc.emailAddress(),
  fc.stringMatching(/^\+?[0-9]{0,17}$/),
  fc.stringMatching(/^[a-z.:@0-9-]{0,20}$/),
  fc.string({ unit: "grapheme", maxLength: 140 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A request that fits, with some of its fields, its objects or other keys changed. */
function requests(call: Call): fc.Arbitrary<unknown> {
  const paths = [...FIELDS[call].map(({ path }) => path), "payer", "card", "other", "payer.other"];
  const changes = fc.array(fc.tuple(fc.constantFrom(...paths), value), { maxLength: 3 });
  const changed = changes.map((all) =>
    all.reduce<Record<string, unknown>>((body, [path, next]) => setPath(body, path, next), {
      ...exampleRequest(call),
    }),
  );
  return fc.oneof(
    { weight: 30, arbitrary: changed },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
}

/** Whether the service takes these bytes: strict JSON, no card data, no error by the table. */
function accepts(call: Call, text: string, required: readonly string[]): boolean {
  let parsed: ReturnType<typeof parseStrictJson>;
  try {
    parsed = parseStrictJson(text);
  } catch (error) {
    if (error instanceof StrictJsonError) return false;
    throw error;
  }
  if (findCardData(parsed.value) !== null) return false;
  const { value: body, irregularNumbers } = parsed;
  const findings = validateBody(FIELDS[call], body, { required, irregularNumbers, now: NOW, strict: true });
  return findings.every(({ severity }) => severity !== "error");
}

describe("a request", () => {
  test.each<[Call, readonly string[]]>([
    ["check", []],
    ["check", ["payer.email", "description", "card.cin_card"]],
    ["register", []],
    ["credential", []],
  ])("of %s is accepted by the schema and by the service alike (required %j)", (call, require) => {
    const judge = requestJudge(documentOf({ require }), call);
    const required = require.length > 0 ? require : requiredPaths(FIELDS[call]);
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(requests(call), (body) => {
        const text = JSON.stringify(body);
        fc.pre(!isKnownDifference(text));
        const bySchema = judge(JSON.parse(text));
        const byService = accepts(call, text, required);
        seen[byService ? "accepted" : "refused"] += 1;
        expect(bySchema === null, `${text}: ${bySchema ?? "accepted by the schema"}`).toBe(byService);
      }),
      { numRuns: 800 },
    );
    // About 230 of 800 are the rarer kind; fewer than half of that is no chance.
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100);
  });

  test.each(FIELDS.check.map((field) => [field.path, field] as const))(
    "is judged alike on every border of %s",
    (path) => {
      const judge = requestJudge(documentOf(), "check");
      const required = requiredPaths(CHECK_FIELDS);
      for (const each of [...TEXTS, ...NUMBERS]) {
        const text = JSON.stringify(setPath(exampleRequest("check"), path, each));
        const bySchema = judge(JSON.parse(text));
        const said = `${JSON.stringify(each)}: ${bySchema ?? "accepted by the schema"}`;
        expect(bySchema === null, said).toBe(accepts("check", text, required));
      }
    },
  );

  test.each<Call>(["check", "register"])("of %s is judged alike for every currency number", (call) => {
    const judge = requestJudge(documentOf(), call);
    for (let number = 0; number <= 1000; number += 1) {
      const body = { ...exampleRequest(call), currency: number };
      const byService = accepts(call, JSON.stringify(body), requiredPaths(FIELDS[call]));
      expect(judge(body) === null, String(number)).toBe(byService);
    }
  });

  /** What JSON Schema cannot say, because it sees values and not bytes, or one value at a time. */
  test.each([
    ["a full card number in a text", `"description":"4111 1111 1111 1111"`],
    ["a key for card verification data", `"card":{"cvv":123}`],
    ["a duplicate key", `"description":"a","description":"b"`],
    ["a number with a point", `"amount":12.0`],
    ["a number with an exponent", `"amount":12e3`],
    ["a minus before zero", `"amount":-0`],
    ["a key of object prototypes", `"constructor":1`],
    ["half a surrogate pair", `"description":"\\ud800"`],
    ["nesting beyond 16 levels", `"other":${"[".repeat(17)}${"]".repeat(17)}`],
    ["more than 64 KiB", `"other":"${"x".repeat(65_536)}"`],
  ])("with %s is refused by the service, and fits the schema", (_name, member) => {
    const judge = requestJudge(documentOf(), "check");
    const rest = `"operation":"payment","order_id":"o-1","currency":980`;
    const amount = member.startsWith(`"amount"`) ? "" : `,"amount":1`;
    const text = `{${rest}${amount},${member}}`;
    expect(judge(JSON.parse(text))).toBeNull();
    expect(accepts("check", text, requiredPaths(CHECK_FIELDS))).toBe(false);
    expect(isKnownDifference(text)).toBe(true);
  });
});

/** Refused before the fields are looked at: not strict JSON, card data, or an integer that is not written as one. */
function isKnownDifference(text: string): boolean {
  try {
    const { value: body, irregularNumbers } = parseStrictJson(text);
    const written = [...irregularNumbers.values()].some((token) => Number.isSafeInteger(Number(token)));
    return written || findCardData(body) !== null;
  } catch (error) {
    if (error instanceof StrictJsonError) return true;
    throw error;
  }
}
