import { describe, expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { loadRecipe } from "#src/signing/recipes/load-recipe.ts";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import type { HeaderLines, Recipe } from "#src/signing/recipes/recipe.ts";
import { sign, type Identity } from "#src/signing/sign.ts";
import { verify } from "./arriving.ts";
import { BODY, IDENTITY, KEY, NOW, RECIPE } from "./request.ts";

const REQUEST = {
  method: "POST",
  url: new URL("https://risk.example.com:8443/v1/check"),
  headers: { "Content-Type": "application/json" },
  body: BODY,
};

function signWith(identity: Partial<Identity>, recipe: Recipe = RECIPE) {
  return sign(recipe, REQUEST, { ...IDENTITY, ...identity }, { nowMs: NOW }, "check");
}

test("every preset loads, which runs its vectors", () => {
  for (const preset of PRESETS) {
    expect(recipeById(preset.recipe)).toBe(preset);
    expect(preset.status).toBe("assumed");
    if (preset.recipe !== "none") expect(preset.vectors.length).toBeGreaterThan(0);
  }
  expect(RECIPE.vectors.length).toBeGreaterThan(0);
  expect(() => recipeById("morse")).toThrow(
    /no signing recipe "morse"; choose one of http-signatures, .*, none/,
  );
});

test("a recipe whose vectors fail does not load", () => {
  for (const change of [
    { signature: { encoding: "hex" } },
    { key: { encoding: "hex" } },
    { hash: "hmac-sha512" },
    { canonical: { ...(RECIPE.canonical as HeaderLines), join: "\r\n" } },
  ] satisfies Partial<Recipe>[]) {
    expect(() => loadRecipe({ ...RECIPE, ...change })).toThrow(/does not reproduce its vector "check/);
  }
});

test("all headers to send are there, in lower case, with the port in host", () => {
  const { headers, stringToSign, components } = signWith({});
  expect(Object.keys(headers).sort()).toEqual(
    [
      "authorization",
      "content-type",
      "date",
      "digest",
      "host",
      "x-key-id",
      "x-project-id",
      "x-request-id",
    ].sort(),
  );
  expect(headers["host"]).toBe("risk.example.com:8443");
  expect(components.at(-1)).toBe("x-project-id");
  expect(stringToSign?.split("\n")).toHaveLength(8);
});

test("each signature is new: the nonce differs", () => {
  expect(signWith({}).headers["authorization"]).not.toBe(signWith({}).headers["authorization"]);
});

test("registration calls are signed with the company", () => {
  const { headers, components } = sign(RECIPE, REQUEST, IDENTITY, { nowMs: NOW }, "register");
  expect(headers["x-company-id"]).toBe("cmp-1");
  expect(headers["x-project-id"]).toBeUndefined();
  expect(components.at(-1)).toBe("x-company-id");
});

test("an override leaves Authorization as it says, and verifying still asks for a signature", () => {
  const recipe: Recipe = { ...RECIPE, vectors: [], endpoints: { credential: { authorization: "" } } };
  const signed = sign(recipe, REQUEST, IDENTITY, { nowMs: NOW }, "credential");
  expect(signed.headers["authorization"]).toBe("");
  expect(signed.stringToSign).toBeNull();
  expect(signWith({}, recipe).headers["authorization"]).toMatch(/^Signature /);
  const received = { method: "POST", path: "/v1/check", headers: Object.entries(signed.headers), body: BODY };
  expect(verify(recipe, received, KEY, NOW, "credential").ok).toBe(false);
});

test("a recipe that signs what the request does not carry is a fault of the recipe", () => {
  const canonical = { ...RECIPE.canonical!, components: ["(request-target)", "x-nowhere"] };
  expect(() => signWith({}, { ...RECIPE, canonical })).toThrow(
    /cannot be signed with the recipe http-signatures: the header x-nowhere is missing/,
  );
});

test("parts of a recipe may differ for one call", () => {
  const endpoints = { check: { signature: { encoding: "hex" }, emit: { "x-mac": "{signature}" } } } as const;
  const recipe: Recipe = { ...RECIPE, vectors: [], endpoints };
  const { headers } = signWith({}, recipe);
  expect(headers["x-mac"]).toMatch(/^[0-9a-f]{64}$/);
  expect(headers["authorization"]).toBeUndefined();
  const received = { method: "POST", path: "/v1/check", headers: Object.entries(headers), body: BODY };
  expect(verify(recipe, received, KEY, NOW, "check")).toMatchObject({ ok: true });
  const other = sign(recipe, REQUEST, IDENTITY, { nowMs: NOW }, "register").headers;
  expect(other["authorization"]).toMatch(/^Signature /);
});

test("the recipe `none` sends who asks, and no Authorization", () => {
  const { headers } = signWith({ algorithm: "unheard-of" }, recipeById("none"));
  expect(headers).toEqual({
    "content-type": "application/json",
    host: "risk.example.com:8443",
    "x-key-id": IDENTITY.keyId,
    "x-project-id": "prj-1",
  });
});

describe("what cannot be signed is refused with credential_missing", () => {
  const cases: [string, Partial<Identity>, RegExp][] = [
    ["unknown algorithm", { algorithm: "hmac-sha3" }, /signing algorithm "hmac-sha3"/],
    ["inherited name as algorithm", { algorithm: "constructor" }, /signing algorithm "constructor"/],
    ["other letter case", { algorithm: "HMAC-SHA256" }, /signing algorithm "HMAC-SHA256"/],
    ["no project", { projectId: "" }, /x-project-id/],
    ["quote in the key id", { keyId: 'k"x' }, /x-key-id/],
    ["line end in the key id", { keyId: "k\r\nx: y" }, /x-key-id/],
    ["non-ASCII project", { projectId: "prj-é" }, /x-project-id/],
  ];
  test.each(cases)("%s", (_, identity, message) => {
    expect(() => signWith(identity)).toThrow(message);
    expect(() => signWith(identity)).toThrow(expect.objectContaining({ code: "credential_missing" }));
  });

  test("a secret that is not in the recipe's encoding, without showing it", () => {
    const recipe: Recipe = { ...RECIPE, key: { encoding: "hex" } };
    const secret = new Secret("not-hexadecimal");
    expect(() => signWith({ secret }, recipe)).toThrow(/not written in hex/);
    expect(() => signWith({ secret }, recipe)).not.toThrow(/not-hexadecimal/);
  });
});
