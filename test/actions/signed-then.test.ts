// How a check of the history was signed: with every built-in recipe, without a signature that anybody could use.

import { describe, expect, it } from "vitest";
import { signedThen } from "#src/actions/check/signed-then.ts";
import { PRESETS } from "#src/signing/recipes/presets.ts";
import { recipeFor } from "#src/signing/recipes/recipe.ts";
import { DECOY } from "#src/signing/usable-key.ts";

const ENTRY = {
  request: { order_id: "o-1", amount: 12_000, currency: 980 },
  at: Date.UTC(2026, 0, 31, 9, 30),
};

describe("what was signed", () => {
  it.each(PRESETS.map((recipe) => [recipe.recipe, recipe] as const))("is told of %s", (_, recipe) => {
    const explained = signedThen(
      ENTRY,
      recipe,
      { recipe: recipe.recipe, keyId: "key-1", projectId: "project-1", algorithm: "hmac-sha256" },
      "https://risk.example/",
    );
    const text = JSON.stringify(explained);
    expect(text).not.toContain(DECOY.expose());
    expect(explained.key.bytes).toBeNull();
    expect(explained.headers).toContainEqual(["x-key-id", "key-1"]);
    const { emit, canonical } = recipeFor(recipe, "check");
    const asked = Object.values(emit).join(" ");
    if (asked.includes("{signature}")) expect(text).toContain("[signature not kept]");
    if (asked.includes("{secret}")) expect(text).toContain("[secret]");
    expect(explained.stringToSign === null).toBe(canonical === null);
  });

  it("needs an address that may be called", () => {
    const [recipe] = PRESETS;
    const signed = { recipe: "kong", keyId: "key-1", projectId: "project-1", algorithm: "hmac-sha256" };
    expect(() => signedThen(ENTRY, recipe!, signed, "ftp://risk.example")).toThrow();
  });
});
