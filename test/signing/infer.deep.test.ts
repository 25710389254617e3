// What is inferred from every preset's request with a wrong secret: all trials are made each time.

import { expect, test } from "vitest";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import { capture, infer } from "./inferring.ts";

/** Recipes whose requests look the same without the secret. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  "http-signatures-hex-key": "http-signatures",
  "sorted-fields": "timestamp-body",
};

test("every preset names itself first when only the secret is another one", () => {
  for (const { recipe, canonical } of PRESETS) {
    if (canonical === null) continue;
    const { found, closest, tried } = infer(capture(recipeById(recipe)), "12".repeat(32));
    expect(found).toEqual([]);
    expect(
      closest.slice(0, 3).map((each) => each.recipe),
      recipe,
    ).toContain(LOOKS_LIKE[recipe] ?? recipe);
    expect(tried).toBeGreaterThan(3);
  }
});
