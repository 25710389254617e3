// The signing recipes that come with the program. All are assumptions until a real request proves one of them.

import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { loadRecipe } from "./load-recipe.ts";
import type { Recipe, RecipeVector } from "./recipe.ts";

/** Expected values come from the npm package `http-signature`, which was written independently of this one. */
const HTTP_SIGNATURES_VECTORS: readonly RecipeVector[] = [
  {
    name: "check, hmac-sha256",
    call: "check",
    url: "https://risk.example.com/v1/check",
    body: '{"operation":"payment","order_id":"A-1","amount":12000,"currency":980}',
    keyId: "hmac-sha256-7d41c0",
    testSecret: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    algorithm: "hmac-sha256",
    owner: "prj-1001",
    at: Date.UTC(2026, 0, 5, 9, 30, 0),
    nonce: "3f0e8f0a-5a0b-4c57-9d0e-2b7a2f6a9c11",
    expect: {
      stringToSign: [
        "(request-target): post /v1/check",
        "host: risk.example.com",
        "date: Mon, 05 Jan 2026 09:30:00 GMT",
        "digest: SHA-256=EoDhyPbUJmGciBuEDO0ACQm84c4/AIEKIuanQtP4YAo=",
        "content-type: application/json",
        "x-request-id: 3f0e8f0a-5a0b-4c57-9d0e-2b7a2f6a9c11",
        "x-key-id: hmac-sha256-7d41c0",
        "x-project-id: prj-1001",
      ].join("\n"),
      headers: {
        authorization:
          'Signature keyId="hmac-sha256-7d41c0",algorithm="hmac-sha256",headers="(request-target) host date digest content-type x-request-id x-key-id x-project-id",signature="fxxGoQbU4pFx+zW1Xf/O8ZNL4iHLOSUnCRc8tic8tmc="',
      },
    },
  },
  {
    name: "credential request, hmac-sha512",
    call: "credential",
    url: "https://risk.example.com/projects/credential",
    body: '{"merchant_id":"m-1","risk_level":"low"}',
    keyId: "hmac-sha256-c0ffee",
    testSecret: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    algorithm: "hmac-sha512",
    owner: "cmp-1",
    at: Date.UTC(2026, 0, 5, 9, 30, 0),
    nonce: "3f0e8f0a-5a0b-4c57-9d0e-2b7a2f6a9c11",
    expect: {
      headers: {
        digest: "SHA-256=ozOgJVMO94OK5xaSL+OFQfuQOyRK3nqx7/0evgbLw7M=",
        authorization:
          'Signature keyId="hmac-sha256-c0ffee",algorithm="hmac-sha512",headers="(request-target) host date digest content-type x-request-id x-key-id x-company-id",signature="o4hv2swGPhlp1CNos5D85lw4DK87wUBgrzDOz5cCyO7HzDnOSfh+bf8D0rLO/TvCqju5tYAFoupJNbKnBrkpZg=="',
      },
    },
  },
];

/**
 * The default. The algorithm token `hmac-sha256`, a key id and the Authorization header together point to the draft
 * "Signing HTTP Messages" (draft-cavage-http-signatures-12); no other widely used scheme writes its algorithm so.
 */
const HTTP_SIGNATURES: Recipe = {
  recipe: "http-signatures",
  status: "assumed",
  about: "Signature in Authorization over named headers, after draft-cavage-http-signatures-12.",
  key: { encoding: "utf8" },
  hash: "from-credential",
  time: { header: "date", format: "http-date", skew_s: 300 },
  nonce: { header: "x-request-id", format: "uuid4" },
  body_digest: { header: "digest", hash: "sha256", render: "SHA-256={b64}" },
  canonical: {
    style: "header-lines",
    components: [
      "(request-target)",
      "host",
      "date",
      "digest",
      "content-type",
      "x-request-id",
      "x-key-id",
      "x-project-id|x-company-id",
    ],
    join: "\n",
  },
  signature: { encoding: "base64" },
  emit: {
    authorization:
      'Signature keyId="{key_id}",algorithm="{algorithm}",headers="{components}",signature="{signature}"',
  },
  endpoints: {},
  vectors: HTTP_SIGNATURES_VECTORS,
};

/** For a service behind something else that authenticates, and for trying things out. */
const NONE: Recipe = {
  recipe: "none",
  status: "assumed",
  about: "No signature: only the key id and the project or company id are sent.",
  key: { encoding: "utf8" },
  hash: "from-credential",
  time: null,
  nonce: null,
  body_digest: null,
  canonical: null,
  signature: { encoding: "base64" },
  emit: {},
  endpoints: {},
  vectors: [],
};

export const PRESETS: readonly Recipe[] = [HTTP_SIGNATURES, NONE];

const loaded = new Map<string, Recipe>();

/**
 * The recipe with this id, its vectors checked once.
 * @throws Fault `usage` for an unknown id
 */
export function recipeById(id: string): Recipe {
  let recipe = loaded.get(id);
  if (recipe === undefined) {
    const preset = PRESETS.find((candidate) => candidate.recipe === id);
    if (preset === undefined) {
      const known = PRESETS.map((candidate) => candidate.recipe).join(", ");
      throw new Fault("usage", `There is no signing recipe "${escapeText(id, 80)}"; choose one of ${known}.`);
    }
    recipe = loadRecipe(preset);
    loaded.set(id, recipe);
  }
  return recipe;
}
