import fc from "fast-check";
import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { explainSigning, visibleLines } from "#src/signing/explain-signing.ts";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { IDENTITY, NOW } from "./request.ts";

const CANARY = "00c0ffee".repeat(8);

function explain(recipe: Recipe, body = "{}") {
  return explainSigning(
    recipe,
    {
      method: "POST",
      url: new URL("https://risk.example.com/v1/check"),
      headers: { "content-type": "application/json" },
      body: Buffer.from(body),
    },
    { ...IDENTITY, secret: new Secret(CANARY) },
    { nowMs: NOW },
    "check",
  );
}

const SENDS_IT: Recipe = {
  ...recipeById("static"),
  recipe: "token",
  vectors: [],
  emit: { authorization: "Token {key_id}:{secret}", "x-token": "{secret}" },
};

test.each([...PRESETS, SENDS_IT].map((recipe) => [recipe.recipe, recipe] as const))(
  "%s is explained without its secret, in whatever encoding",
  (_, recipe) => {
    const bytes = Buffer.from(CANARY, "hex");
    const text = JSON.stringify(explain(recipe));
    for (const form of [
      CANARY,
      CANARY.toUpperCase(),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      Buffer.from(CANARY).toString("base64"),
      Buffer.from(CANARY).toString("hex"),
      encodeURIComponent(CANARY),
      bytes.toString("latin1"),
    ]) {
      expect(text).not.toContain(form);
    }
  },
);

test("a secret that is sent is shown as its fingerprint", () => {
  const mask = String(new Secret(CANARY));
  expect(Object.fromEntries(explain(SENDS_IT).headers)).toMatchObject({
    authorization: `Token ${IDENTITY.keyId}:${mask}`,
    "x-token": mask,
  });
  expect(explain(SENDS_IT)).toMatchObject({ stringToSign: null, algorithm: null, validUntil: null });
});

test("lines, key and validity of the default", () => {
  const explanation = explain(recipeById("http-signatures"));
  expect(explanation.stringToSign?.map(({ end }) => end)).toEqual([...Array<string>(7).fill("LF"), null]);
  expect(explanation.stringToSign?.[0]?.text).toBe("(request-target): post /v1/check");
  expect(explanation).toMatchObject({
    recipe: "http-signatures",
    status: "assumed",
    key: { encoding: "utf8", bytes: 64, derived: [] },
    algorithm: "hmac-sha256",
    signatureEncoding: "base64",
    signatureBytes: 32,
    validUntil: NOW + 300_000,
    unsigned: [],
  });
  expect(explain(recipeById("http-signatures-hex-key")).key.bytes).toBe(32);
});

test("the stages and the derived key of SigV4", () => {
  const { canonicalRequest, stringToSign, key } = explain(recipeById("aws-sigv4"));
  expect(canonicalRequest?.[0]).toEqual({ text: "POST", end: "LF" });
  expect(stringToSign?.[0]).toEqual({ text: "AWS4-HMAC-SHA256", end: "LF" });
  expect(key.derived).toEqual([
    "the text AWS4[secret] is the first key",
    "HMAC of {day} with the key before",
    "HMAC of {region} with the key before",
    "HMAC of {service} with the key before",
    "HMAC of aws4_request with the key before",
  ]);
});

test("a signature over the body alone is valid for ever, and says what it leaves open", () => {
  const explanation = explain(recipeById("body-hex"), "ż\r\n\u001b");
  expect(explanation.validUntil).toBeNull();
  expect(explanation.unsigned).toContain("project or company");
  expect(explanation.stringToSign).toEqual([
    { text: "\\xc5\\xbc", end: "CRLF" },
    { text: "\\x1b", end: null },
  ]);
});

test("no byte of any string to sign can reach a terminal as anything but printable ASCII", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      for (const { text } of visibleLines(Buffer.from(bytes).toString("latin1"))) {
        expect(text).toMatch(/^[\x20-\x7e]*$/);
      }
    }),
  );
});
