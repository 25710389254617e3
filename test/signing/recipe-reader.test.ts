import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { YamlFault } from "#src/contract/text/yaml-source.ts";
import { PRESETS } from "#src/signing/recipes/presets.ts";
import { readRecipe, writeRecipe } from "#src/signing/recipes/recipe-reader.ts";

const MINIMAL = `
recipe: acme
canonical: { style: template, text: "{time}.{body}" }
time: { header: x-time, format: unix-s }
signature: { encoding: hex }
emit: { authorization: "ACME {key_id}:{signature}" }
`;

function faultOf(text: string): YamlFault {
  try {
    readRecipe(text, "acme.yaml");
  } catch (error) {
    if (error instanceof YamlFault) return error;
    throw error;
  }
  throw new Error("the recipe was read");
}

test.each(PRESETS.map((recipe) => [recipe.recipe, recipe] as const))(
  "%s is written and read back",
  (_, recipe) => {
    expect(readRecipe(writeRecipe(recipe), "preset.yaml")).toEqual(recipe);
  },
);

test("what is left out has its usual value", () => {
  expect(readRecipe(MINIMAL, "acme.yaml")).toEqual({
    recipe: "acme",
    status: "assumed",
    about: "A recipe of your own.",
    key: { encoding: "utf8" },
    hash: "from-credential",
    values: {},
    time: { header: "x-time", format: "unix-s", skew_s: 300 },
    nonce: null,
    fields: null,
    body_digest: null,
    derive: [],
    canonical: { style: "template", text: "{time}.{body}", components: [] },
    signature: { encoding: "hex" },
    emit: { authorization: "ACME {key_id}:{signature}" },
    endpoints: {},
    vectors: [],
  });
});

test("the document of the design is read as it stands there", () => {
  const recipe = readRecipe(
    `
recipe: house-style
status: assumed
key:    { encoding: utf8 }
hash:   from-credential
time:   { header: date, format: http-date, skew_s: 300 }
nonce:  { header: x-request-id, format: uuid4 }
body_digest: { header: digest, hash: sha256, render: "SHA-256={b64}" }
derive: []
canonical: { style: header-lines,
  components: ["(request-target)", host, date, digest, content-type, x-request-id, x-key-id, "x-project-id|x-company-id"], join: "\\n" }
signature: { encoding: base64 }
emit:   { authorization: 'Signature keyId="{key_id}",algorithm="{algorithm}",headers="{components}",signature="{signature}"' }
endpoints: { credential: { authorization: "" } }
vectors: []
`,
    "house-style.yaml",
  );
  const { recipe: _, about: __, vectors: ___, endpoints, ...rest } = recipe;
  expect(endpoints).toEqual({ credential: { authorization: "" } });
  expect(PRESETS[0]).toMatchObject(rest);
});

test("parts for one call", () => {
  const recipe = readRecipe(
    `${MINIMAL}
endpoints:
  register: { canonical: { style: template, text: "{body}{time}" }, emit: { x-sign: "{signature}" } }
`,
    "acme.yaml",
  );
  expect(recipe.endpoints).toEqual({
    register: {
      canonical: { style: "template", text: "{body}{time}", components: [] },
      emit: { "x-sign": "{signature}" },
    },
  });
});

const VECTOR = `
vectors:
  - name: known
    call: check
    url: https://a.example/v1/check
    body: "{}"
    key_id: k
    test_secret: "00"
    owner: p
    at: "2026-01-05T09:30:00Z"
    expect: { string_to_sign: "1767605400.{}", headers: { authorization: "ACME k:VALUE" } }
`;
const VALUE = createHmac("sha256", "00").update("1767605400.{}").digest("hex");

test("a vector that does not come out is a fault at its place", () => {
  expect(readRecipe(MINIMAL + VECTOR.replace("VALUE", VALUE), "acme.yaml").vectors).toHaveLength(1);
  const fault = faultOf(MINIMAL + VECTOR.replace("VALUE", VALUE.toUpperCase()));
  expect(fault.message).toMatch(
    /^acme\.yaml:\d+:5: the vector "known" does not come out: the header authorization differs/,
  );
  expect(fault.line).toBe(9);
  expect(faultOf(MINIMAL + VECTOR.replace("1767605400.", "1767605401.")).message).toContain("string to sign");
});

describe("what does not fit together names its place", () => {
  const cases: [what: string, from: string, to: string, message: RegExp][] = [
    ["unknown key", "signature:", "colour: red\nsignature:", /:5:1: unknown key "colour" in the recipe/],
    ["a secret", "signature:", "secret: abc\nsignature:", /unknown key "secret"/],
    ["bad id", "recipe: acme", "recipe: Acme Corp", /:2:9: recipe must be 1 to 64 of/],
    ["no id", "recipe: acme", "", /the recipe needs recipe/],
    [
      "unknown style",
      "style: template",
      "style: morse",
      /style of canonical must be header-lines, template, rfc9421, two-stage/,
    ],
    ["unknown format", "unix-s", "sundial", /format of time must be http-date/],
    [
      "unknown placeholder",
      "{time}.{body}",
      "{time}.{colour}",
      /:3:12: nothing here has the value \{colour\}/,
    ],
    ["stray brace", "{time}.{body}", "{time}.{Body}", /brace that belongs to no placeholder/],
    ["unknown filter", "{time}.{body}", "{time}.{body:caesar}", /unknown filter in \{body:caesar\}/],
    [
      "no signature",
      "ACME {key_id}:{signature}",
      "ACME {key_id}",
      /\{signature\} must stand in emit exactly once/,
    ],
    ["two signatures", "{key_id}:", "{signature}:", /exactly once/],
    ["secret sent", "{key_id}:", "{secret}:", /\{secret\} may be sent only by a recipe that signs nothing/],
    ["side by side", "{key_id}:{signature}", "{key_id}{signature}", /side by side/],
    [
      "secret signed",
      "{time}.{body}",
      "{secret}.{body}",
      /\{secret\} may stand in text only where hash is a plain one/,
    ],
    ["digest without one", "{time}.{body}", "{time}.{digest}", /nothing here has the value \{digest\}/],
    ["filtered signature", "{signature}", "{signature:upper}", /could not be read back/],
    ["reserved header", "authorization:", "host:", /the header host is written by verdict itself/],
    [
      "header in capitals",
      "authorization:",
      "Authorization:",
      /"Authorization" in emit must be the name of a header in lower case/,
    ],
    ["line end in a header", "ACME {key_id}", "ACME\\n{key_id}", /printable ASCII/],
    ["time not sent", "header: x-time, ", "", /time has no header, so \{time\} must stand in emit/],
    [
      "skew of a year",
      "format: unix-s",
      "format: unix-s, skew_s: 31536000",
      /skew_s of time must be a number from 1 to 86400/,
    ],
    ["not YAML", "recipe: acme", "recipe: [acme", /acme\.yaml:\d+:\d+:/],
    ["no map", MINIMAL, "[]", /the recipe must be a map/],
    ["nothing", MINIMAL, "", /the recipe must be a map/],
  ];
  test.each(cases)("%s", (_, from, to, message) => {
    expect(MINIMAL).toContain(from);
    expect(faultOf(MINIMAL.replace(from, to)).message).toMatch(message);
  });

  const additions: [what: string, text: string, message: RegExp][] = [
    ["secret in a later step", 'derive: ["{day}", "{secret}"]', /first step of derive alone/],
    ["filtered secret", 'derive: ["{secret:upper}"]', /without a filter/],
    ["secret as hex", 'key: { encoding: hex }\nderive: ["AWS4{secret}"]', /encoding of key must be utf8/],
    ["taken name", "values: { body: x }", /\{body\} already has a meaning/],
    ["unsigned call by parts", "endpoints: { check: { canonical: null } }", /left unsigned by headers/],
    ["placeholder in a replacement", 'endpoints: { check: { authorization: "{key_id}" } }', /plain texts/],
    ["unknown call", "endpoints: { refund: { a: b } }", /unknown key "refund"/],
    ["digest of nothing", 'body_digest: { render: "{b64}", over: "x" }', /must hold \{body\}/],
    ["odd nonce", "nonce: { header: x-nonce, format: hex:3 }", /even N/],
  ];
  test.each(additions)("%s", (_, text, message) => {
    expect(faultOf(`${MINIMAL}${text}\n`).message).toMatch(message);
  });
});

test("a fixed Authorization needs no signature, and its value is not in the recipe", () => {
  const recipe = readRecipe('recipe: token\nemit: { authorization: "Bearer {secret}" }\n', "token.yaml");
  expect(recipe.canonical).toBeNull();
  expect(faultOf('recipe: token\nemit: { authorization: "Basic {secret:uri}" }\n').message).toMatch(
    /without a filter/,
  );
});

test("whatever stands in a document, reading gives a recipe or a fault with a place", () => {
  const lines = MINIMAL.trim().split("\n");
  fc.assert(
    fc.property(fc.nat(lines.length - 1), fc.nat(60), fc.string({ maxLength: 6 }), (line, at, text) => {
      const changed = [...lines];
      changed[line] = changed[line]!.slice(0, at) + text + changed[line]!.slice(at + 1);
      try {
        const recipe = readRecipe(changed.join("\n"), "acme.yaml");
        expect(readRecipe(writeRecipe(recipe), "again.yaml")).toEqual(recipe);
      } catch (error) {
        expect(error).toBeInstanceOf(YamlFault);
        expect((error as Error).message).not.toContain("\n");
      }
    }),
    { numRuns: 500 },
  );
});
