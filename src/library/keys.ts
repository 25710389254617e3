// Keys and recipes as programs give them to the library.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { usage, whole } from "#src/contract/fault.ts";
import { credentialValueProblem, Secret } from "#src/contract/secret.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";
import { isPreset, namesDocument, recipeById } from "#src/signing/recipes/presets.ts";
import { readRecipe } from "#src/signing/recipes/recipe-reader.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";

/** A key with its secret as text, or as the `Secret` that the library gives out; `hmac-sha256` when no algorithm is named. */
export type Given<K> = Omit<K, "secret" | "algorithm"> & {
  readonly secret: string | Secret;
  readonly algorithm?: string;
};

/** @throws Fault("usage") naming a value that cannot go into a header, and never repeating it */
export function keyOf<G extends Given<object>>(given: G): G & { secret: Secret; algorithm: string } {
  const { secret, algorithm = DEFAULT_ALGORITHM } = given;
  const held = typeof secret === "string" ? new Secret(secret) : secret;
  for (const [name, value] of Object.entries({ ...given, algorithm, secret: held.expose() })) {
    const problem = typeof value === "string" ? credentialValueProblem(value) : "is no text";
    if (problem !== null) throw usage`The ${name} of the key ${whole(problem)}.`;
  }
  return { ...given, algorithm, secret: held };
}

/**
 * @param named id of a built-in recipe, or path of a recipe document (`namesDocument`)
 * @throws Fault("usage") for an unknown id or an unreadable document, Fault("bad_input") for an invalid one
 */
export function recipeOf(named = "http-signatures"): Recipe {
  if (isPreset(named) || !namesDocument(named)) return recipeById(named);
  let text: string;
  try {
    text = readFileSync(named, "utf8");
  } catch (error) {
    throw usage`The recipe document ${named} cannot be read; give a file that is there.`.causedBy(error);
  }
  return readRecipe(text, basename(named));
}
